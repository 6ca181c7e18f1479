"""Two Registers beside each other: reinforcements, what they are, what they fought out."""

import pytest

from campaign.battles.pages.comparison import Comparison, compared
from campaign.queries.registers import registers_of
from rules.register import effects as e
from tests.campaign.factories import complete, enlisted, happen, hold, planned
from tests.campaign.fights import over


def both(table) -> Comparison:
    """Ashen Patrol and Dune Wardens as they are now."""
    one, other = (registers_of(table.campaign).get(pk=each.pk) for each in (table.alpha, table.bravo))
    return compared(table.campaign, one, other)


@pytest.mark.parametrize(("own", "others", "extra"), [(0, 0, 0), (0, 2, 100), (1, 2, 50), (2, 1, 0)])
def test_reinforcements(table, own, others, extra):  # R20
    for register, amount in ((table.alpha, own), (table.bravo, others)):
        happen(register, *[e.ReputationGained(amount=amount, rule="R48")] * bool(amount))
    battle = planned(table)
    found = both(table)
    turned = max(0, 50 * (own - others))
    assert (found.one.extra, found.other.extra) == (extra, turned)
    assert (found.one.ahead, found.other.ahead) == (max(0, others - own), max(0, own - others))
    assert found.to_come == [{"battle": battle, "one": 600 + extra, "other": 600 + turned}]
    favoured = found.one if extra else found.other if turned else None
    assert found.favoured is favoured


@pytest.mark.parametrize(("done", "may", "must"), [(1, False, False), (2, True, False), (3, False, True)])
def test_turning_points(table, done, may, must):  # R22
    complete(table.bravo, done)
    found = both(table)
    assert (found.other.may, found.other.must) == (may, must)
    assert (found.one.may, found.one.must) == (False, False)


def test_what_they_are(table):
    hold(table.alpha, "medevac")
    happen(
        table.alpha,
        e.ExperienceGained(unit="2", amount=5, rule="R39"),
        e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"),
        e.SetbackGained(unit="2", setback="downtrodden", rule="R36"),
        e.TraitGained(trait="unsure", games=2, rule="R37"),
    )
    found = both(table)
    assert (found.one.assets, found.one.trait) == (["Medevac"], "Unsure")
    assert (found.other.assets, found.other.trait) == ([], "")
    assert (found.one.veterans, found.one.setbacks, found.other.setbacks) == (1, 1, 0)
    assert found.one.units[0] == {
        "label": "Captain Sorne", "rank": "commander", "rank_name": "commander", "veteran_rank": 0, "setbacks": 0,
        "points": 55, "is_paragon": True,
    }  # fmt: skip
    assert [(unit["rank"], unit["veteran_rank"], unit["setbacks"]) for unit in found.one.units[1:]] == [
        ("corps", 1, 1), ("corps", 0, 0),
    ]  # fmt: skip
    assert [(rank["slug"], rank["one"].units, rank["other"].units) for rank in found.ranks] == [
        ("commander", 1, 1), ("corps", 2, 2),
    ]  # fmt: skip


def test_what_they_fought_out_as_the_first_saw_it(table):
    for winner in ("blue", "blue", "", "red"):
        over(table, winner)
    over(table, "blue", status="cancelled")
    third = enlisted(table.campaign, table.mia, "Grim Hounds")
    table.bravo, bravo = third, table.bravo
    over(table, "blue")
    table.bravo = bravo
    found = both(table)
    assert (found.won, found.drawn, found.lost, found.to_come) == (2, 1, 1, [])
    turned = compared(table.campaign, table.bravo, table.alpha)
    assert (turned.won, turned.drawn, turned.lost) == (1, 1, 2)


def test_one_that_is_still_founding(table):
    half = enlisted(table.campaign, table.mia, "Half Done", units=0, commissioned=False)
    found = compared(table.campaign, table.alpha, half)
    assert (found.other.line.arc is None, [unit["label"] for unit in found.other.units]) == (False, ["Captain Sorne"])
