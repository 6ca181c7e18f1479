"""The ledger as lines."""

import pytest

from accounts.models import User
from registers.ledger.lines import OF, falls, lines, who_of
from registers.models import LedgerEntry
from rules.register import effects as e
from rules.register.effects import to_data

EVERY_SUM = {
    "supply_points": (e.SupplyPointsSpent(amount=2, rule="R41"), -2),
    "combat_potential": (e.CombatPotentialRaised(amount=150, rule="R41"), 150),
    "reputation": (e.ReputationGained(amount=1, rule="R48"), 1),
    "experience": (e.ExperienceGained(unit="2", amount=3, rule="R39"), 3),
    "veteran_rank": (e.VeteranRankReached(unit="2", veteran_rank=2, rule="R12"), 1),
    "agendas": (e.AgendaProgressed(agenda="keep-them-in-line", amount=2, rule="R25"), 2),
    "assets": (e.AssetUsedUp(asset="medevac", rule="R47"), -1),
    "command_cards": (e.CommandCardUnlocked(command_card="enemy-down", rule="R16"), 1),
    "setbacks": (e.SetbackRemoved(unit="2", setback="downtrodden", rule="R42"), -1),
    "commendations": (e.CommendationAwarded(unit="2", commendation="resilient", rule="R15"), 1),
    "upgrades": (e.UpgradeAdded(unit="2", upgrade="duck-and-cover", rule="R8"), 1),
    "units": (e.UnitFell(unit="2", rule="R35"), -1),
}


def entry(pk: int, *effects: e.Effect, **more) -> LedgerEntry:
    return LedgerEntry(pk=pk, position=pk, act="step", effects=[to_data(effect) for effect in effects], **more)


@pytest.mark.parametrize("of", OF)
def test_each_sum(book, of):
    effect, amount = EVERY_SUM[of]
    aside = e.Noted(rule="R49", why="its Turning Point was not played, so the Story Arc continues")
    [line] = lines([entry(1, aside, effect)], {}, book, of=of)
    assert (line.amount, line.balance, line.rule) == (amount, amount, effect.rule)


@pytest.mark.parametrize(
    ("of", "effect", "amount"),
    [
        ("supply_points", e.Corrected(field="supply_points", old=7, new=5), -2),
        ("reputation", e.Corrected(field="reputation", old=1, new=3), 2),
        ("experience", e.Corrected(unit="2", field="experience", old=12, new=9), -3),
        ("agendas", e.Corrected(agenda="keep-them-in-line", field="progress", old=1, new=2), 1),
        ("setbacks", e.Corrected(unit="2", field="setbacks", old=("a", "a"), new=("a",)), -1),
        ("units", e.Corrected(unit="2", field="place", old="serving", new="fallen"), -1),
        ("units", e.Corrected(unit="2", field="dossier", old=None, new={"place": "serving", "card": "x"}), 1),
        ("experience", e.Corrected(unit="2", field="dossier", old={"card": "x", "experience": 4}, new=None), -4),
    ],
)
def test_a_correction_counts_in_the_sum_of_its_field_alone(book, of, effect, amount):
    [line] = lines([entry(1, effect)], {}, book, of=of)
    assert (line.amount, line.balance) == (amount, amount)
    assert lines([entry(1, effect)], {}, book, of="command_cards") == []


def test_the_newest_stands_first(book):
    gained = [entry(n, e.ReputationGained(amount=n, rule="R48")) for n in (1, 2)]
    assert [(line.signed, line.balance) for line in lines(gained, {}, book, of="reputation")] == [("+2", 3), ("+1", 1)]
    assert [line.signed for line in lines(gained, {}, book)] == ["", ""]


def test_who_fell_in_which_entry():
    first = entry(1, e.UnitFell(unit="2", rule="R35"), e.UnitFell(unit="3", rule="R35"))
    assert list(falls([first])) == [("2", first), ("3", first)]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"actor": User(username="ada")}, "ada"),
        ({"actor": User(username="olga"), "on_behalf_of": User(username="ada")}, "olga for ada"),
        ({}, "automatic"),
        ({"act": "begin"}, ""),
        ({"act": "begin", "actor": User(username="ben")}, "ben"),
    ],
)
def test_who_did_it(more, expected):
    gained = entry(1, e.ReputationGained(amount=1, rule="R48"))
    for name, value in more.items():
        setattr(gained, name, value)
    assert who_of(gained) == expected
