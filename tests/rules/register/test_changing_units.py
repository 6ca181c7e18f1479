"""A Register while it is built: which Factions can have one, required upgrades, and units that change (R4, R7, R10)."""

from dataclasses import replace

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.building import (
    add_unit,
    changed_unit_violations,
    missing_choice_violations,
    ranks_lacking,
    upgrade_words,
    without_unit,
)
from rules.register.state import RegisterState, replay
from tests.rules.build import OFFICER, STORMTROOPERS, broken
from tests.rules.register.joining import opened

DOCTRINE = "defend-in-depth"


def built(book: Rulebook) -> RegisterState:
    """An officer with a doctrine and a corps unit, in a Register that is being built."""
    start = opened(faction="empire")
    officer = replay(add_unit(book, start, OFFICER, upgrades=[DOCTRINE], name="Sorne"), start)
    return replay(add_unit(book, officer, STORMTROOPERS), officer)


def test_a_faction_without_a_commander_can_have_no_register(book: Rulebook) -> None:
    """R4."""
    assert ranks_lacking(book, "empire") == {}
    assert ranks_lacking(book, "mandalorian") == {"commander": "", "corps": ""}


def test_a_faction_lacks_what_is_not_released_yet(book: Rulebook) -> None:
    """R5."""
    cards = {
        slug: replace(card, release="2027-01-15" if card.rank == "corps" else card.release)
        for slug, card in book.units.items()
    }
    later = replace(book, units=cards, today="2026-11-28")
    assert ranks_lacking(later, "empire") == {"corps": "2027-01-15"}
    assert ranks_lacking(later.under(replace(later.campaign_rules, unreleased=True)), "empire") == {}


def test_a_unit_that_is_added_again_keeps_its_key(book: Rulebook) -> None:
    """R6, R10."""
    state = built(book)
    for key, dossier in state.dossiers.items():
        before = without_unit(state, key)
        assert key not in before.dossiers
        again = add_unit(book, before, dossier.card, upgrades=dossier.upgrades, name=dossier.name)
        after = replay(again, before)
        assert (after.dossiers, after.paragon) == (state.dossiers, state.paragon)
    assert broken(lambda: without_unit(state, "9")) == ["R19"]


def test_a_change_may_not_cost_too_much_or_use_a_slot_twice(book: Rulebook) -> None:
    """R2, R8."""
    state = built(book)
    assert list(changed_unit_violations(book, state, state, "2")) == []
    guns = replace(state.dossiers["2"], upgrades=("dlt-19-stormtrooper", "t-21-stormtrooper"))
    after = replace(state, dossiers={**state.dossiers, "2": guns})
    assert [violation.rule for violation in changed_unit_violations(book, state, after, "2")] == ["R8"]
    poor = replace(state, combat_potential=100)
    assert list(changed_unit_violations(book, poor, poor, "2")) == []
    assert list(changed_unit_violations(book, state, poor, "2")) == [
        Violation("R2", "The Register is 7 points above its Combat Potential. Choose cheaper upgrades.")
    ]


@pytest.mark.parametrize(
    ("potential", "upgrades", "found"),
    [
        (600, (), [Violation("R7", "Imperial Officer needs a Doctrine upgrade. Choose one below.", "upgrades")]),
        (600, (DOCTRINE,), []),
        (60, (), []),  # no doctrine fits the points left, so it may wait
    ],
)
def test_a_required_upgrade_that_fits_is_asked_for(
    book: Rulebook, potential: int, upgrades: tuple[str, ...], found: list[Violation]
) -> None:
    """R7."""
    start = opened(faction="empire", combat_potential=potential)
    assert list(missing_choice_violations(book, start, OFFICER, upgrades)) == found


def test_a_required_upgrade_in_words() -> None:
    """R7: a type, or a card by its name."""
    assert [upgrade_words(each) for each in ("heavy-weapon", "Katarn Pattern Armor")] == [
        "Heavy weapon",
        "Katarn Pattern Armor",
    ]
