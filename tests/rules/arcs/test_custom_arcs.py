"""Story Arcs that are not printed."""

import pytest

from rules.arcs.custom_arcs import DRAFT, OWN_TRAIT, blank_arc, book_with, named
from rules.core.card_types import Commendation, DefiningTrait, Setback
from rules.core.reward_effects import GainTrait
from rules.core.rulebook import Rulebook
from tests.rules.arcs.arcs import PRINTED, as_written, printed, spoiled


@pytest.mark.parametrize("arc", PRINTED, ids=lambda arc: arc["slug"])
def test_a_printed_arc_begun_anew_plays_as_printed(book: Rulebook, arc: dict) -> None:
    """Every clause and every condition of the seven arcs stands in an arc of one's own too."""
    copy = book_with(book, as_written(arc), "again").story_arcs["again"]
    original = book.story_arcs[arc["slug"]]
    traits = {f"{copy.slug}-trait": original.defining_trait}

    def plain(clauses: object) -> str:
        return repr(clauses).replace(copy.defining_trait, traits[copy.defining_trait])

    assert [
        (agenda.name, agenda.progress, agenda.progressions_to_complete, agenda.marks, agenda.casualty_shield)
        for agenda in copy.agendas
    ] == [
        (agenda.name, agenda.progress, agenda.progressions_to_complete, agenda.marks, agenda.casualty_shield)
        for agenda in original.agendas
    ]
    assert [plain(agenda.reward) for agenda in copy.agendas] == [repr(agenda.reward) for agenda in original.agendas]
    mine, theirs = copy.turning_point, original.turning_point
    assert (mine.end_of_game, mine.asks, mine.advantages) == (theirs.end_of_game, theirs.asks, theirs.advantages)
    assert (plain(mine.victory), plain(mine.defeat)) == (repr(theirs.victory), repr(theirs.defeat))


def test_slugs_are_made_of_the_arcs_own() -> None:
    arc = named(blank_arc("Ours"), "ours-v1")
    parts = ("commendation", "setback", "defining_trait", "turning_point")
    assert (arc["slug"], [arc[part]["slug"] for part in parts], [agenda["slug"] for agenda in arc["agendas"]]) == (
        "ours-v1",
        ["ours-v1-commendation", "ours-v1-setback", "ours-v1-trait", "ours-v1-mission"],
        ["ours-v1-agenda-1", "ours-v1-agenda-2", "ours-v1-agenda-3"],
    )


def test_the_arcs_own_trait_is_called_by_its_slug(book: Rulebook) -> None:
    give = [{"do": "paragon", "then": [{"do": "gain_trait", "trait": OWN_TRAIT}]}]
    arc = spoiled(spoiled(blank_arc("Ours"), "agendas.0.reward", give), "agendas.1.name", OWN_TRAIT)
    first, second, _ = book_with(book, arc, "ours").story_arcs["ours"].agendas
    assert (first.reward[0].then, second.name) == ((GainTrait("ours-trait"),), OWN_TRAIT)
    assert named(arc, "ours")["agendas"][0]["reward"][0]["then"] == [{"do": "gain_trait", "trait": "ours-trait"}]


def test_an_arc_of_which_nothing_is_written_can_be_looked_at(book: Rulebook) -> None:
    own = book_with(book, blank_arc())
    arc = own.story_arcs[DRAFT]
    assert (arc.name, arc.intended_for, [agenda.name for agenda in arc.agendas]) == ("…", "", ["…"] * 3)
    assert own.setbacks[arc.setback] == Setback("draft-setback", "…", "…", "reroll", story_arc=DRAFT)
    assert own.defining_traits[arc.defining_trait] == DefiningTrait("draft-trait", "…", "…", 2, story_arc=DRAFT)
    assert own.commendations[arc.commendation] == Commendation("draft-commendation", "…", "…", story_arc=DRAFT)
    assert list(own.arcs_offered) == [*book.arcs_offered, DRAFT]


def test_a_setback_of_ones_own_may_stack_and_cost_points(book: Rulebook) -> None:
    """R36 and the army's points, as Downtrodden has them."""
    words = {"name": "Overdrawn", "effect": "Costs more.", "second_instance": "stacks", "army_points_each": 10}
    own = book_with(book, spoiled(blank_arc(), "setback", words), "ours")
    assert own.setbacks["ours-setback"] == Setback(
        "ours-setback", "Overdrawn", "Costs more.", "stacks", army_points_each=10, story_arc="ours"
    )


def test_what_the_form_does_not_know_is_an_error(book: Rulebook) -> None:
    with pytest.raises(ValueError, match="unknown 'smell'"):
        book_with(book, spoiled(printed("a-pirates-life"), "setback.smell", "bad"))
