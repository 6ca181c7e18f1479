"""Cards that have left the catalogue: who has one keeps it, and nobody gets it any more."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from rules.catalogue.loader import make_rulebook, read_catalogue
from rules.core.card_types import Agenda
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.commendations import open_to
from rules.post_battle.dialogue import Choose
from tests.rules.build import SNOW, TROOPERS, state, violations
from tests.rules.catalogue.files import cards_with
from tests.rules.post_battle import awarding, requesting

ARC = "a-pirates-life"
#: What the Commendation of that arc is awarded with.
KEYWORD = "Eyes on the Prize: Agile 1"


def without(folder: Path, kind: str, slug: str) -> Rulebook:
    """The cards of a catalogue in which this one is retired."""
    return make_rulebook("x", cards_with(folder, kind, slug, retired=True))


def without_arc(folder: Path) -> Rulebook:
    """A whole Story Arc is retired, with all its cards."""

    def of_arc(card: dict[str, str]) -> bool:
        return ARC in (card["slug"], card.get("story_arc"))

    cards = read_catalogue(folder).cards
    return make_rulebook(
        "x",
        {
            kind: [card | {"retired": True} if of_arc(card) else card for card in of_kind]
            for kind, of_kind in cards.items()
        },
    )


def shown(agendas: Iterable[Agenda]) -> list[str]:
    return [agenda.slug for agenda in agendas]


@pytest.mark.parametrize(
    ("kind", "slug", "left"),
    [
        ("setback", "downtrodden", {"hit": "battle-fatigue", "blank": "battle-shaken"}),
        ("defining_trait", "unsure", {"hit": "captious-command", "surge": "tunnel-vision"}),
    ],
)
def test_no_die_shows_it(folder, book, kind, slug, left):
    """R36, R37: it is kept for those who have it."""
    table = {"setback": "setbacks", "defining_trait": "defining_traits"}[kind]
    after = without(folder, kind, slug)
    assert getattr(after, table)[slug].name == getattr(book, table)[slug].name
    assert getattr(after, f"{kind.removeprefix('defining_')}_by_face") == left


def test_an_agenda_leaves_its_story_arc_and_is_known(folder, book):
    """R23: nobody takes it into a battle; who reads what a battle came to finds it."""
    after = without(folder, "agenda", "salvage-materiel")
    arc = after.story_arcs[ARC]
    assert shown(arc.agendas) == ["discover-valuables", "loot-and-plunder"]
    assert shown(arc.agendas_of_before) == ["salvage-materiel"]
    assert after.agendas == book.agendas


def test_a_story_arc_is_ended_by_who_walks_it_and_begun_by_nobody(folder, book):
    """R49: with all its cards, its Commendation among them (R15)."""
    after = without_arc(folder)
    assert after.arcs_offered.keys() == book.arcs_offered.keys() - {ARC}
    assert after.agendas == book.agendas
    own = book.story_arcs[ARC].commendation
    start = awarding.owing(TROOPERS, rank=4, start=state(story_arc=ARC))
    assert own in [card.slug for card in open_to(book, start, start.dossiers[TROOPERS])]
    assert open_to(after, start, start.dossiers[TROOPERS])[-1].slug == own
    assert awarding.step(after, start, awarding.choice(TROOPERS, own, keyword=KEYWORD)).done


def test_a_commendation_is_not_awarded(folder, book):
    """R15: it goes on counting for who has it, and for what builds upon it."""
    after, start = without(folder, "commendation", "resilient"), awarding.owing(SNOW)
    dossier = start.dossiers[SNOW]
    assert [card.slug for card in open_to(after, start, dossier)] == [
        card.slug for card in open_to(book, start, dossier) if card.slug != "resilient"
    ]
    assert violations(lambda: awarding.step(after, start, awarding.choice(SNOW, "resilient"))) == [
        Violation("R15", "Resilient is no longer in the catalogue.", SNOW)
    ]
    had = awarding.owing(SNOW, commendations=("resilient",))
    assert awarding.step(after, had, awarding.choice(SNOW, "marksmanship-badge")).done


def test_a_command_card_is_not_unlocked(folder):
    """R16."""
    after = without(folder, "paragon_command_card", "paragon-the-best-of-us")
    asked = awarding.step(after, state(command_cards_owed=1)).question
    assert isinstance(asked, Choose)
    assert [option.value for option in asked.options] == [
        "paragon-enemy-down",
        "paragon-objective-complete",
        "paragon-standing-orders",
    ]


def test_an_asset_is_not_requested(folder):
    """R43."""
    after = without(folder, "asset", "medevac")
    wish = requesting.wish("request-strategic-asset", asset="medevac")
    assert violations(lambda: requesting.step(after, wish)) == [
        Violation("R43", "Medevac is no longer in the catalogue.", "asset")
    ]


def test_an_aid_request_is_not_made(folder):
    """R41."""
    after = without(folder, "aid_request", "active-recruiting")
    assert violations(lambda: requesting.step(after, requesting.wish("active-recruiting"))) == [
        Violation("R41", "Active Recruiting is no longer in the catalogue.", "request")
    ]


def test_a_table_of_ranks_is_not_agreed_on(folder, book):
    """R18."""
    first = book.rank_limits[0]
    assert without(folder, "rank_requirement", first.format).rank_limits == book.rank_limits[1:]


def test_who_holds_one_keeps_it(folder, book):
    assert without(folder, "asset", "medevac").assets["medevac"].effect == book.assets["medevac"].effect
    after = without(folder, "commendation", "resilient")
    assert after.commendations["resilient"].effect == book.commendations["resilient"].effect
