"""Random legal play."""

from dataclasses import replace
from random import Random

import pytest

from bench.simulation import Supply, advance, allowed, answer, found, pick_upgrade
from rules.core.rulebook import Rulebook
from rules.core.violations import refuse
from rules.post_battle.dialogue import Await, Confirm, Context, Dialogue, Question
from rules.post_battle.edit_register import EditRegister
from rules.register.effects import Noted
from rules.register.state import replay
from tests.rules.build import OTHERS, PARAGON, SNOW, TROOPERS, change, house, state, without


def test_factions_that_can_found_a_register(supply: Supply) -> None:
    """R3 to R5: the Mandalorians have no commander of their own."""
    assert supply.factions == ["empire", "rebel", "republic", "separatist"]


def test_the_cards_of_a_faction(supply: Supply) -> None:
    """R3, R5: hireable mercenaries included, unreleased and retired cards not."""
    book = supply.book
    for faction in supply.factions:
        for cards, unique in ((supply.recruits[faction], False), (supply.uniques[faction], True)):
            assert [card.slug for card in cards] == [
                card.slug
                for card in book.units.values()
                if (card.faction == faction or (card.faction == "mercenary" and faction in card.hireable_by))
                and card.unique is unique
                and not card.release
            ]


def test_the_same_chance_founds_the_same_register(supply: Supply) -> None:
    first, second = (found(supply, Random(7), "First") for _ in range(2))
    assert first == second
    assert replay(first.effects) == first.state


def test_a_question_that_nobody_knows_is_an_error(book: Rulebook, supply: Supply) -> None:
    with pytest.raises(TypeError):
        answer(Question(rule="R1", text="?"), Context(book, state()), Random(1), supply)


def test_a_script_stops_where_it_waits_for_the_other_side(book: Rulebook, supply: Supply) -> None:
    awaited = Await(rule="R39", text="Wait", what="rival")

    def script() -> Dialogue[None]:
        yield Confirm(rule="R26", text="?", kind="may")
        rival = yield awaited
        yield Noted(rule="R39", why=rival)

    context, play = Context(book, state()), script()
    assert advance(context, play, Random(1), supply) == awaited
    assert advance(context, play, Random(1), supply, "3") is None
    assert context.effects == [Noted(rule="R39", why="3")]


def test_corps_units_that_are_owed_are_added_first(book: Rulebook, supply: Supply) -> None:
    """R4."""
    context = Context(book, without(state(), OTHERS, SNOW))
    edit = answer(EditRegister(rule="R11", text=""), context, Random(1), supply)
    assert book.units[edit["add"]["unit"]].rank == "corps"


def test_a_full_register_recruits_nobody(book: Rulebook, supply: Supply) -> None:
    """R2."""
    context = Context(book, state(combat_potential=444))
    answers = [answer(EditRegister(rule="R11", text=""), context, Random(seed), supply) for seed in range(50)]
    assert {tuple(edit) for edit in answers if edit} == {("name",)}


def test_slots_of_commendations_are_filled(book: Rulebook, supply: Supply) -> None:
    """R8."""
    start = state()
    for key in start.dossiers:
        start = change(start, key, commendations=("advanced-drill",))
    context = Context(book, start)
    answers = [answer(EditRegister(rule="R11", text=""), context, Random(seed), supply) for seed in range(50)]
    words = {tuple(edit) for edit in answers if edit}
    assert words == {("name",), ("upgrade",)}


def test_units_are_let_go_where_they_must(book: Rulebook) -> None:
    """R2, `above_potential`: never the Paragon."""
    context = Context(house(book, above_potential="units_go"), state(combat_potential=100))
    question = EditRegister(rule="R11", text="")
    gone = [answer(question, context, Random(seed), Supply(context.book)) for seed in range(20)]
    assert {edit["let_go"]["unit"] for edit in gone} == set(context.state.dossiers) - {PARAGON}


def test_a_unit_without_slots_gets_no_upgrade(supply: Supply) -> None:
    bare = replace(supply.book.units["stormtroopers"], upgrade_slots=())
    assert pick_upgrade(bare, Random(1), supply) is None


def test_what_the_rules_refuse_is_not_allowed() -> None:
    def refused() -> None:
        raise refuse("R2", "Too dear.")

    assert (allowed(lambda: None), allowed(refused)) == (True, False)


def test_somebody_is_in_need_of_medicine(book: Rulebook) -> None:
    assert change(state(), TROOPERS, setbacks=("downtrodden",)).dossiers[TROOPERS].setbacks == ("downtrodden",)
