"""Reporting a battle and confirming the report."""

import pytest

from campaign.battles.models import Side
from campaign.battles.services import reports
from registers import projection
from rules.core.violations import RuleViolation, Violation
from tests.campaign.factories import against_guest, in_play, planned, refused, report_of, side_of


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
        assert projection.state_of(side.own_register).dossiers.keys() == {"1", "2", "3"}

    def test_notes_have_their_length(self, table, battle):
        with pytest.raises(RuleViolation) as caught:
            send(table, battle, notes="x" * 4001)
        assert caught.value.violations == (
            Violation("", "This text has 4001 characters. Shorten it to 4000 or fewer.", "notes"),
        )
        assert send(table, battle, notes="x" * 4000).version == 1

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
        with pytest.raises(RuleViolation) as caught:
            send(table, battle, version=0, winner="red")
        text = "The report changed a moment ago. Check it, then enter your changes again."
        assert caught.value.violations == (Violation("R25", text),)
        battle.refresh_from_db()
        assert (battle.version, battle.winner) == (1, "blue")

    def test_only_a_battle_in_play(self, table):
        with pytest.raises(RuleViolation) as caught:
            send(table, planned(table))
        assert caught.value.violations == (
            Violation("R25", "Only a battle in play can be reported. This battle is planned."),
        )

    def test_all_problems_of_both_sides_at_once(self, table, battle):
        with pytest.raises(RuleViolation) as caught:
            send(
                table, battle, winner="blue",
                blue={"agenda": "keep-them-in-line", "defeated": ["2"], "contesting": ["2"]},
                red={"conceded": True, "tokens": -1},
            )  # fmt: skip
        assert caught.value.violations == (
            Violation(
                "R39",
                "Stormtroopers (no. 2) was defeated, so it cannot contest or hold an objective. Untick one of them.",
                "blue 2",
            ),
            Violation("R25", "The Agenda in play must be the one that was brought.", "blue agenda"),
            Violation("R25", "Numbers in a report must be 0 or more.", "red"),
        )
        assert not Side.objects.exclude(report={}).exists()

    def test_who_concedes_has_not_won(self, table, battle):  # R51
        with pytest.raises(RuleViolation) as caught:
            send(table, battle, winner="red", red={"conceded": True})
        assert caught.value.violations == (
            Violation("R51", "The red side conceded, so the other side won. Change the winner.", "winner"),
        )


class TestConfirm:
    def test_begins_both_sequences(self, table, battle):
        send(table, battle, blue={"agenda": "gather-intelligence", "in_game_supply": 2})
        found = reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
        assert found.status == "sequence"
        assert {side.colour: side.step >= 1 for side in battle.sides.all()} == {"blue": True, "red": True}
        assert projection.state_of(side_of(battle, "blue").own_register).supply_points == 7  # R16

    def test_twice_changes_nothing(self, table, battle):
        send(table, battle)
        reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1)
        before = [side.turn for side in battle.sides.all()]
        assert reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=1).status == "sequence"
        assert [side.turn for side in battle.sides.all()] == before

    def test_not_a_report_that_was_not_seen(self, table, battle):
        send(table, battle)
        with pytest.raises(RuleViolation) as caught:
            reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=0)
        text = "The report changed a moment ago. Check it, then try again."
        assert caught.value.violations == (Violation("R25", text),)

    def test_not_what_was_not_reported(self, table, battle):
        with pytest.raises(RuleViolation) as caught:
            reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=None)
        assert refused(caught) == {"R25"}


def test_who_has_to_confirm(table):
    against_nobody = list(against_guest(table).sides.select_related("register"))
    assert not reports.needs_other_to_confirm(against_nobody)
    table.alpha.sides.update(open=False)
    both = list(planned(table).sides.select_related("register"))
    assert reports.needs_other_to_confirm(both)


class TestForAnotherPlayer:
    """An organizer who does not play reports in the stead of a player: whose report it is (section 5)."""

    @pytest.mark.parametrize(("colour", "name"), [("blue", "ada"), ("red", "ben"), ("", "ada")])
    def test_whose_it_is(self, table, battle, colour, name):
        found = reports.report(
            actor=table.cora, battle_id=battle.pk, version=0, colour=colour,
            report=report_of(blue={"agenda": "gather-intelligence"}),
        )  # fmt: skip
        event = battle.activity.first()
        player = getattr(table, name)
        assert (found.reported_by, event.actor, event.on_behalf_of) == (player, table.cora, player)

    def test_a_player_who_organizes_too_reports_for_themselves(self, table, battle):
        table.campaign.memberships.filter(user=table.ben).update(role="organizer")
        found = reports.report(
            actor=table.ben, battle_id=battle.pk, version=0, colour="blue",
            report=report_of(blue={"agenda": "gather-intelligence"}),
        )  # fmt: skip
        assert (found.reported_by, battle.activity.first().on_behalf_of) == (table.ben, None)

    def test_against_a_guest_the_sequence_begins_at_once(self, table):
        battle = in_play(against_guest(table))
        found = reports.report_and_begin(actor=table.cora, battle_id=battle.pk, version=0, report=report_of())
        assert found.status == "sequence"
        assert [(e.facts["act"], e.actor, e.on_behalf_of) for e in battle.activity.all()][:2] == [
            ("confirm", table.cora, table.ada), ("report", table.cora, table.ada),
        ]  # fmt: skip


class TestDispute:
    def dispute(self, table, battle, reason=" The walker fell. ", version=1, actor=None):
        return reports.dispute(actor=actor or table.ben, battle_id=battle.pk, version=version, reason=reason)

    def test_kept_with_its_sentence(self, table, battle):
        send(table, battle)
        for _ in range(2):  # the form comes twice
            assert self.dispute(table, battle).status == "disputed"
        event, *_ = battle.activity.filter(facts__act="dispute")
        assert (event.actor, event.facts) == (
            table.ben,
            {"act": "dispute", "from": "reported", "to": "disputed", "reason": "The walker fell."},
        )
        assert battle.activity.filter(facts__act="dispute").count() == 1

    @pytest.mark.parametrize(
        ("reason", "expected"),
        [("  ", "Say what is wrong with the report."), ("x" * 501, "Shorten the reason to 500 characters or fewer.")],
    )
    def test_not_without_a_sentence(self, table, battle, reason, expected):
        send(table, battle)
        with pytest.raises(RuleViolation) as caught:
            self.dispute(table, battle, reason)
        assert caught.value.violations == (Violation("R25", expected, "reason"),)

    def test_not_a_report_that_was_not_seen_and_not_ones_own(self, table, battle):
        send(table, battle)
        for words in ({"version": 0}, {"actor": table.ada}, {"actor": table.cora}):
            with pytest.raises(RuleViolation):
                self.dispute(table, battle, **words)
        battle.refresh_from_db()
        assert battle.status == "reported"

    def test_written_again_it_is_confirmed_as_ever(self, table, battle):
        send(table, battle)
        self.dispute(table, battle)
        assert send(table, battle, version=1).status == "reported"
        assert reports.confirm_report(actor=table.ben, battle_id=battle.pk, version=2).status == "sequence"


class TestSettle:
    def test_a_disputed_report_counts(self, table, battle):
        send(table, battle, blue={"agenda": "gather-intelligence", "in_game_supply": 2})
        TestDispute().dispute(table, battle)
        for _ in range(2):  # the form comes twice
            found = reports.settle(actor=table.cora, battle_id=battle.pk, version=1, reason=" I saw it. ")
            assert found.status == "sequence"
        [event] = battle.activity.filter(facts__act="settle")
        assert (event.actor, event.on_behalf_of, event.facts["reason"]) == (table.cora, None, "I saw it.")
        [entry] = side_of(battle, "blue").own_register.entries.filter(act="gains")
        assert (entry.actor, entry.on_behalf_of) == (table.cora, table.ada)

    def test_and_one_that_nobody_answers(self, table, battle):
        send(table, battle)
        assert reports.settle(actor=table.cora, battle_id=battle.pk, version=1).status == "sequence"

    @pytest.mark.parametrize("name", ["ada", "ben", "mia"])
    def test_by_organizers_only(self, table, battle, name):
        send(table, battle)
        with pytest.raises(RuleViolation) as caught:
            reports.settle(actor=getattr(table, name), battle_id=battle.pk, version=1)
        assert caught.value.violations == (
            Violation("", "Only organizers can settle or drop a report, or act for a player."),
        )


class TestReportAndSettle:
    def settle(self, actor, battle, version=0):
        report = report_of(blue={"agenda": "gather-intelligence"})
        return reports.report_and_settle(
            actor=actor, battle_id=battle.pk, version=version, report=report, reason="Late."
        )

    def test_the_report_is_the_organizers_and_the_sequence_begins(self, table, battle):
        send(table, battle, winner="red")
        TestDispute().dispute(table, battle)
        for _ in range(2):  # the form comes twice
            found = self.settle(table.cora, battle, version=1)
            assert (found.status, found.reported_by, found.winner, found.version) == ("sequence", table.cora, "blue", 2)
        [event] = battle.activity.filter(facts__act="settle")
        assert (event.actor, event.facts["from"], event.facts["reason"]) == (table.cora, "reported", "Late.")

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("ben", Violation("", "Only organizers can settle or drop a report, or act for a player.")),
            ("ada", Violation("R25", "You play in this battle. Report it, so that the other player can confirm it.")),
        ],
    )
    def test_refused_as_a_whole(self, table, battle, name, expected):
        version = send(table, battle).version if name == "ben" else 0
        with pytest.raises(RuleViolation) as caught:
            self.settle(getattr(table, name), battle, version=version)
        assert caught.value.violations == (expected,)
