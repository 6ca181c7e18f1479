"""The ready-made starters, by the rules and by today's cards."""

from dataclasses import replace

import pytest

from catalogue.services.load import FIXTURES
from registers.options.context import faction_choices
from registers.starters import starter_effects, starters
from rules.battle.army import Army, BattleSetup, army_violations, rank_limits_for, rank_warnings
from rules.catalogue.loader import read_rulebook
from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import FACTIONS
from rules.core.rulebook import Rulebook
from rules.register.building import (
    choose_faction,
    combat_potential_spent,
    commission_violations,
    fielding_warnings,
    open_register,
    ranks_lacking,
)
from rules.register.state import RegisterState, replay


@pytest.fixture(scope="module")
def today() -> Rulebook:
    return read_rulebook(FIXTURES).under(CampaignRules())


def opened(book: Rulebook, faction: str) -> RegisterState:
    return replay([*open_register(), *choose_faction(book, RegisterState(), faction)])


def built(book: Rulebook, faction: str) -> RegisterState:
    state = opened(book, faction)
    return replay([effect for unit in starter_effects(book, state) for effect in unit], state)


def test_every_faction_that_can_have_a_register_has_one(today):
    assert set(starters()) == {faction for faction in FACTIONS if not ranks_lacking(today, faction)}


@pytest.mark.parametrize("faction", sorted(starters()))
def test_a_starter_is_legal(today, faction):
    """As a Register (R2 to R8) of 590 to 600 points, and as an army of 600 points (R18, R19)."""
    state = built(today, faction)
    assert [violation.rule for violation in commission_violations(today, state)] == ["R10", "R10"]
    assert 590 <= combat_potential_spent(today, state) <= 600
    assert [text for dossier in state.dossiers.values() for text in fielding_warnings(today, dossier)] == []
    army = Army(fielded={key: dossier.upgrades for key, dossier in state.dossiers.items()})
    assert list(army_violations(today, state, army, BattleSetup(size=600))) == []
    assert rank_warnings(today, state, army, rank_limits_for(today, 600)) == []


def test_none_where_it_would_be_illegal_or_too_late(today):
    empire = opened(today, "empire")
    assert starter_effects(today, replace(empire, combat_potential=500)) == []
    assert starter_effects(today, built(today, "empire")) == []
    assert starter_effects(today, replace(empire, faction="mandalorian")) == []


def test_a_faction_that_cannot_be_built_is_disabled_and_says_why(today):
    found = {
        each["value"]: (each["disabled"], each["checked"], each["note"]) for each in faction_choices(today, "empire")
    }
    assert found["empire"] == (False, True, "")
    assert found["mandalorian"] == (True, False, "No commander and no corps unit released yet")
    dated = replace(today, units={slug: replace(card, release="2027-01-15") for slug, card in today.units.items()})
    [empire] = [each for each in faction_choices(dated, "empire") if each["value"] == "empire"]
    assert (empire["disabled"], empire["checked"]) == (True, False)
    assert empire["note"] == "No commander and no corps unit released yet (expected 15 January 2027)"
