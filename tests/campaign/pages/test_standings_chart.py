"""The standings over time."""

from itertools import pairwise

import pytest
from django.db import transaction
from django.template.loader import render_to_string
from hypothesis import given, settings, strategies as st

from campaign.battles.models import Battle
from campaign.pages import standings_chart as pictures
from campaign.pages.standings_chart import DRAWN, LOST, WON, Bout, Fought, ReputationChange, fought, standings
from registers.charts.geometry import room_of
from registers.ledger import session
from registers.models import Register
from registers.services.corrections import correct
from rules.adjustments.corrections import WantedValue
from tests.campaign.fights import gain_reputation, over
from tests.registers.charts.drawing import outside
from tests.registers.ledgers import lock, undo
from tests.thoroughness import examples


def shown(table):
    return standings(fought(table.campaign))


def rows(table):
    return {row["register"].name: row for row in shown(table).rows}


def places_of(row):
    return [tuple(run[key] for key in ("x", "width", "y", "height", "label")) for run in row["runs"]]


class TestReputation:
    def test_it_is_what_the_ledger_adds_up_to(self, table):
        gain_reputation(table.bravo, 1)
        first, second, third = over(table), over(table), over(table)
        gain_reputation(table.alpha, 2, second)
        gain_reputation(table.alpha, 1)
        slip = gain_reputation(table.alpha, 9, third)
        table.alpha.refresh_from_db()
        with transaction.atomic():
            [locked] = lock(table.alpha.pk)
            undo(actor=table.ada, register=locked, entry=slip)
        found = rows(table)
        assert found["Ashen Patrol"]["changes"] == [ReputationChange(1, second, 2, 2), ReputationChange(2, None, 1, 3)]
        assert found["Dune Wardens"]["changes"] == [ReputationChange(0, None, 1, 1)]
        for register in (table.alpha, table.bravo):
            replayed = session.replay_entries(register.entries.order_by("position"))
            register.refresh_from_db()
            assert found[register.name]["changes"][-1].reputation == replayed.reputation == register.reputation
        assert [battle.number for battle in (first, second, third)] == [1, 2, 3]

    def test_what_was_corrected_counts(self, table):
        gain_reputation(table.alpha, 3)
        over(table)
        table.alpha.refresh_from_db()
        correct(
            actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position,
            wishes=[WantedValue("reputation", 1)], reason="counted twice",
        )  # fmt: skip
        assert rows(table)["Ashen Patrol"]["changes"] == [
            ReputationChange(0, None, 3, 3),
            ReputationChange(0, None, -2, 1),
        ]

    def test_bars_over_battles(self, table):
        first, second, _third, _fourth = (over(table) for _ in range(4))
        gain_reputation(table.alpha, 2, second)
        gain_reputation(table.bravo, 1, first)
        found = rows(table)
        # each battle is 25 per cent wide; 64 px are the highest Reputation, 2
        assert places_of(found["Ashen Patrol"]) == [("25%", "75%", "14", "64", "2")]
        assert places_of(found["Dune Wardens"]) == [("0%", "100%", "46", "32", "1")]
        assert (shown(table).floor, shown(table).highest, shown(table).count) == ("78", 2, 4)

    def test_nobody_has_any(self, table):
        over(table)
        picture = shown(table)
        assert [(row["runs"], row["changes"]) for row in picture.rows] == [([], []), ([], [])]
        html = render_to_string("campaign/charts/standings.html", {"picture": picture})
        assert ("No Register has Reputation yet." in html, 'class="picture__floor"' in html) == (True, False)

    def test_who_joined_later_begins_there(self, table):
        register = table.bravo
        over(table), over(table)
        Battle.objects.update(closed_at=table.alpha.created_at)
        gain_reputation(register, 1)
        assert rows(table)["Dune Wardens"]["since"] == "50%"


def test_battles_with_their_results(table):
    for winner in ("blue", "", "red"):
        over(table, winner)
    bouts = rows(table)["Ashen Patrol"]["bouts"]
    assert [(bout.battle.number, bout.result) for bout in bouts] == [(1, "won"), (2, "drawn"), (3, "lost")]


def test_nothing_before_the_first_battle(table):
    assert shown(table) is None
    over(table, status="cancelled")
    assert shown(table) is None


@st.composite
def sagas(draw):
    """A campaign of any length, and what changed the Reputation of its Registers; nothing of it in a database."""
    battles = [Battle(number=number) for number in range(1, draw(st.integers(1, 200)) + 1)]
    registers = [Register(name=f"Register {n}") for n in range(draw(st.integers(1, 4)))]
    fights = st.lists(st.sampled_from(range(len(battles))), unique=True, max_size=len(battles)).map(sorted)
    results = st.sampled_from([WON, DRAWN, LOST])
    bouts = {
        register.pk: [Bout(battles[place], register.pk, None, draw(results)) for place in draw(fights)]
        for register in registers
    }
    changes = {}
    for register in registers:
        total, found = 0, []
        for column in sorted(draw(st.lists(st.integers(0, len(battles) - 1), max_size=12))):
            gained = draw(st.integers(0, 3))
            total += gained
            found.append(ReputationChange(column, battles[column], gained, total))
        register.reputation, changes[register.pk] = total, found
    return Fought(registers, battles, bouts), changes


@settings(deadline=None, max_examples=examples(5, 40))
@given(chronicle=sagas())
def test_laws(chronicle):
    seen, changes = chronicle
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "reputations", lambda registers, battles: changes)
        picture = standings(seen)
    assert outside(render_to_string("campaign/charts/standings.html", {"picture": picture})) == []
    for row in picture.rows:
        for run in row["runs"]:  # as tall as the Reputation, and as long as it lasted
            assert float(run["height"]) == pytest.approx(64 * run["reputation"] / picture.highest, abs=0.01)
        assert all(float(one["x"][:-1]) <= float(other["x"][:-1]) + 0.01 for one, other in pairwise(row["runs"]))
        if row["runs"]:
            assert row["runs"][-1]["reputation"] == row["register"].reputation
        labels = [float(run["label_x"][:-1]) for run in row["runs"] if run["label"]]
        room = room_of(len(str(max([run["reputation"] for run in row["runs"]], default=0))))
        assert all(other - one >= room for one, other in pairwise(labels))
