"""Reporting a battle and confirming the report."""

from __future__ import annotations

import pytest

from campaign.models import Side
from campaign.services import reports
from registers.services import ledger
from rules.refusal import Problem, Refusal
from tests.campaign.factories import (
    against_guest,
    in_play,
    planned,
    refused,
    report_of,
    reported,
    side_of,
)


@pytest.fixture
def battle(table):
    return in_play(planned(table), blue={"agenda": "gather-intelligence"})


def send(table, battle, *, version=None, **words):
    words = {"blue": {"agenda": "gather-intelligence"}} | words
    return reports.report(actor=table.ada, battle_id=battle.pk, version=version, report=report_of(**words))


class TestReport:
    def test_kept_with_its_reporter_and_version(self, table, battle):
        blue = {"agenda": "gather-intelligence", "tokens": 3, "defeated": ["2"]}
        found = send(table, battle, blue=blue, victory_points={"blue": 7, "red": 4}, notes="Cold.")
        assert (found.status, found.winner, found.version, found.reported_by, found.notes) == (
            "reported", "blue", 1, table.ada, "Cold.",
        )  # fmt: skip
        side = side_of(battle, "blue")
        assert (side.victory_points, side.report["tokens"], side.report["defeated"]) == (7, 3, ["2"])
        assert ledger.force_of(side.own_register).dossiers.keys() == {"1", "2", "3"}

    def test_changed_by_the_other(self, table, battle):
        send(table, battle, version=0)
        found = reports.report(
            actor=table.ben, battle_id=battle.pk, version=1,
            report=report_of("red", blue={"agenda": "gather-intelligence"}),
        )  # fmt: skip
        assert (found.version, found.winner, found.reported_by) == (2, "red", table.ben)

    def test_the_same_report_again_changes_nothing(self, table, battle):
        for _ in range(2):
            assert send(table, battle, version=0).version == 1

    def test_another_report_from_an_old_form_is_refused(self, table, battle):
        send(table, battle, version=0)
        with pytest.raises(Refusal) as caught:
            send(table, battle, version=0, winner="red")
        text = "The report has been changed meanwhile. Look at it, then enter yours again."
        assert caught.value.problems == (Problem("R25", text),)
        battle.refresh_from_db()
        assert (battle.version, battle.winner) == (1, "blue")

    def test_only_a_battle_in_play(self, table):
        with pytest.raises(Refusal) as caught:
            send(table, planned(table))
        assert caught.value.problems == (Problem("R25", "Only a battle in play can be reported."),)

    def test_all_problems_of_both_sides_at_once(self, table, battle):
        with pytest.raises(Refusal) as caught:
            send(
                table, battle, winner="blue",
                blue={"agenda": "keep-them-in-line", "defeated": ["2"], "contesting": ["2"]},
                red={"conceded": True, "tokens": -1},
            )  # fmt: skip
        assert caught.value.problems == (
            Problem("R39", "Stormtroopers (no. 2) fell, and cannot be at an objective at the end.", "blue 2"),
            Problem("R25", "The Agenda in play is the one that was brought.", "blue agenda"),
            Problem("R25", "Numbers in a report are not below 0.", "red"),
        )
        assert not Side.objects.exclude(report={}).exists()

    def test_who_concedes_has_not_won(self, table, battle):  # R51
        with pytest.raises(Refusal) as caught:
            send(table, battle, winner="red", red={"conceded": True})
        assert caught.value.problems == (
            Problem("R51", "The red side conceded, so the other side won.", "winner"),
        )


class TestConfirm:
    def test_begins_both_sequences(self, table, battle):
        send(table, battle, blue={"agenda": "gather-intelligence", "in_game_supply": 2})
        found = reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
        assert found.status == "sequence"
        assert {side.colour: side.step >= 1 for side in battle.sides.all()} == {"blue": True, "red": True}
        assert ledger.force_of(side_of(battle, "blue").own_register).supply_points == 7  # R16

    def test_twice_changes_nothing(self, table, battle):
        send(table, battle)
        reports.confirm(actor=table.ben, battle_id=battle.pk, version=1)
        before = [side.turn for side in battle.sides.all()]
        assert reports.confirm(actor=table.ben, battle_id=battle.pk, version=1).status == "sequence"
        assert [side.turn for side in battle.sides.all()] == before

    def test_not_a_report_that_was_not_seen(self, table, battle):
        send(table, battle)
        with pytest.raises(Refusal) as caught:
            reports.confirm(actor=table.ben, battle_id=battle.pk, version=0)
        text = "The report has been changed meanwhile. Look at it before you confirm."
        assert caught.value.problems == (Problem("R25", text),)

    def test_not_what_was_not_reported(self, table, battle):
        with pytest.raises(Refusal) as caught:
            reports.confirm(actor=table.ben, battle_id=battle.pk, version=None)
        assert refused(caught) == {"R25"}


def test_who_has_to_confirm(table):
    against_nobody = list(against_guest(table).sides.select_related("register"))
    assert not reports.needs_other_to_confirm(against_nobody, table.ada)
    assert reports.needs_other_to_confirm(against_nobody, table.cora)
    table.alpha.sides.update(open=False)
    both = list(planned(table).sides.select_related("register"))
    assert reports.needs_other_to_confirm(both, table.ada)


def test_reported_by_somebody_who_left(table, battle):
    reported(battle, table.cora, blue={"agenda": "gather-intelligence"})
    table.cora.delete()
    battle.refresh_from_db()
    assert battle.reported_by is None
