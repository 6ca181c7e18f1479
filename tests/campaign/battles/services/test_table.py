"""What falls at the table: taken once however often it is told, and what the report starts from."""

import pytest
from django.db import IntegrityError, transaction

from campaign.battles.models import CommandHand, Tally
from campaign.battles.pages.table import Threshold, table_sides
from campaign.battles.queries.page_versions import table_version
from campaign.battles.report_data import Facts, facts_at_table
from campaign.battles.services import army as army_service
from campaign.battles.services.table import (
    count_tokens,
    count_victory_points,
    mark_activated,
    mark_unit,
    play_card,
    set_round,
)
from rules.battle.army import Lent
from rules.core.violations import RuleViolation
from rules.register.effects import SetbackGained, StoryArcBegun
from tests.campaign.battles.hands import HAND
from tests.campaign.factories import (
    against_guest,
    agendas_chosen,
    army_of,
    happen,
    hold,
    in_play,
    planned,
    refused,
    side_of,
)
from tests.once import once


@pytest.fixture
def battle(table):
    return begun(table)


@once
def begun(table):
    """Ada's side brings Keep Them in Line, which counts tokens, and a hand."""
    happen(table.alpha, SetbackGained(unit="2", setback="battle-shaken", rule="R34"))
    battle = planned(table)
    army = army_of(table.alpha)
    army_service.choose_army(actor=table.ada, side_id=side_of(battle, "blue").pk, army=army, hand=HAND)
    army_service.choose_army(actor=table.ben, side_id=side_of(battle, "red").pk, army=army_of(table.bravo))
    agendas_chosen(battle, blue="keep-them-in-line")
    army_service.begin(actor=table.ada, battle_id=battle.pk)
    battle.refresh_from_db()
    return battle


@pytest.fixture
def blue(battle):
    return side_of(battle, "blue")


def taken() -> tuple[list[str], list[str], list[str], int, int]:
    [found] = Tally.objects.values_list("defeated", "contesting", "marked", "tokens", "version")
    return found


class TestUnits:
    def test_who_fell_and_who_holds(self, table, blue):
        for _ in range(2):  # both phones tell the same
            mark_unit(actor=table.ada, side_id=blue.pk, word="contesting", unit="1", yes=True)
            mark_unit(actor=table.ben, side_id=blue.pk, word="defeated", unit="2", yes=True)
        assert taken() == (["2"], ["1"], [], 0, 2)

    def test_who_falls_leaves_the_objective(self, table, blue):
        mark_unit(actor=table.ada, side_id=blue.pk, word="contesting", unit="2", yes=True)
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
        assert taken() == (["2"], [], [], 0, 2)
        with pytest.raises(RuleViolation) as refusal:
            mark_unit(actor=table.ada, side_id=blue.pk, word="contesting", unit="2", yes=True)
        assert refused(refusal) == {"R39"}
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=False)
        assert taken() == ([], [], [], 0, 3)

    def test_strangers_to_the_army_do_not_fall(self, table, blue):
        with pytest.raises(RuleViolation) as refusal:
            mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="9", yes=True)
        assert refused(refusal) == {"R39"}
        assert not Tally.objects.exists()

    def test_the_report_that_the_rules_judge_is_not_kept(self, table, blue):
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
        blue.refresh_from_db()
        assert blue.report == {}

    def test_marks_are_those_of_the_agenda(self, table):
        happen(table.alpha, StoryArcBegun(story_arc="birth-of-a-legend", rule="R49"))
        side = side_of(in_play(planned(table), blue={"agenda": "protect-your-allies"}), "blue")
        with pytest.raises(RuleViolation) as refusal:
            mark_unit(actor=table.ada, side_id=side.pk, word="marked", unit="1", yes=True)
        assert refused(refusal) == {"R25"}
        mark_unit(actor=table.ada, side_id=side.pk, word="marked", unit="2", yes=True)
        mark_unit(actor=table.ada, side_id=side.pk, word="defeated", unit="2", yes=True)
        assert taken() == (["2"], [], ["2"], 0, 2)

    def test_who_falls_loses_the_mark_of_an_agenda_of_the_undefeated(self, table):
        happen(table.alpha, StoryArcBegun(story_arc="a-pirates-life", rule="R49"))
        side = side_of(in_play(planned(table), blue={"agenda": "loot-and-plunder"}), "blue")
        mark_unit(actor=table.ada, side_id=side.pk, word="marked", unit="2", yes=True)
        mark_unit(actor=table.ada, side_id=side.pk, word="defeated", unit="2", yes=True)
        assert taken() == (["2"], [], [], 0, 2)

    def test_only_while_the_battle_is_in_play(self, table):
        side = side_of(planned(table), "blue")
        with pytest.raises(RuleViolation) as refusal:
            mark_unit(actor=table.ada, side_id=side.pk, word="defeated", unit="2", yes=True)
        assert refused(refusal) == {"R25"}

    def test_not_for_a_guest(self, table):
        side = side_of(in_play(against_guest(table)), "red")
        with pytest.raises(RuleViolation) as refusal:
            mark_unit(actor=table.ada, side_id=side.pk, word="defeated", unit="2", yes=True)
        assert refused(refusal) == {"R17"}

    def test_the_database_knows_that_the_defeated_hold_nothing(self, table, blue):
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
        with pytest.raises(IntegrityError), transaction.atomic():
            Tally.objects.update(contesting=["2"])


class TestTokens:
    def test_up_and_down(self, table, blue):
        for before, after in ((0, 1), (0, 1), (1, 2), (2, 1)):
            count_tokens(actor=table.ada, side_id=blue.pk, before=before, after=after)
        assert taken() == ([], [], [], 1, 3)

    @pytest.mark.parametrize(("before", "after"), [(0, -1), (999, 1000), (3, 4)])
    def test_what_cannot_be(self, table, blue, before, after):
        with pytest.raises(RuleViolation) as refusal:
            count_tokens(actor=table.ada, side_id=blue.pk, before=before, after=after)
        assert refused(refusal) == {"R25"}


class TestVictoryPoints:
    def test_up_and_down(self, table, blue):
        for before, after in ((0, 1), (0, 1), (1, 3), (3, 2)):
            count_victory_points(actor=table.ben, side_id=blue.pk, before=before, after=after)
        set_round(actor=table.ada, side_id=blue.pk, before=blue.battle.round, after=3)
        count_victory_points(actor=table.ada, side_id=blue.pk, before=2, after=5)
        [found] = Tally.objects.values_list("victory_points", "version", "scores")
        assert found == (5, 4, {"1": 2, "3": 5})

    def test_of_a_guest(self, table):
        side = side_of(in_play(against_guest(table)), "red")
        count_victory_points(actor=table.ada, side_id=side.pk, before=0, after=4)
        assert Tally.objects.get(side=side).victory_points == 4

    @pytest.mark.parametrize(("before", "after"), [(0, -1), (999, 1000), (3, 4)])
    def test_what_cannot_be(self, table, blue, before, after):
        with pytest.raises(RuleViolation) as refusal:
            count_victory_points(actor=table.ada, side_id=blue.pk, before=before, after=after)
        assert refused(refusal) == {"R25"}


class TestRounds:
    def test_activations_are_those_of_the_round(self, table, battle, blue):
        def activated() -> tuple[int, int]:
            battle.refresh_from_db()
            shown, _ = table_sides(table.ada, battle)
            return shown.activated, sum(row.boxes[0]["on"] for row in shown.units)

        for _ in range(2):  # both phones send it
            mark_activated(actor=table.ada, side_id=blue.pk, unit="2", number=1, yes=True)
        assert activated() == (1, 1)
        for _ in range(2):
            set_round(actor=table.ben, side_id=blue.pk, before=1, after=2)
        assert activated() == (0, 0)
        set_round(actor=table.ada, side_id=blue.pk, before=2, after=1)  # a slip
        assert activated() == (1, 1)
        mark_activated(actor=table.ada, side_id=blue.pk, unit="2", number=1, yes=False)
        assert activated() == (0, 0)

    def test_a_late_tap_of_an_earlier_round_changes_nothing(self, table, blue):
        mark_activated(actor=table.ada, side_id=blue.pk, unit="2", number=2, yes=True)
        for yes in (True, False):
            mark_activated(actor=table.ada, side_id=blue.pk, unit="2", number=1, yes=yes)
        assert Tally.objects.get().activated == {"2": 2}

    def test_a_defeated_unit_is_not_counted(self, table, battle, blue):
        mark_activated(actor=table.ada, side_id=blue.pk, unit="2", number=1, yes=True)
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
        shown, _ = table_sides(table.ada, battle)
        assert (shown.activated, shown.undefeated, shown.defeated) == (0, len(shown.units) - 1, 1)

    def test_what_cannot_be(self, table, blue):
        for before, after in ((1, 0), (1, 100), (2, 3)):
            with pytest.raises(RuleViolation) as refusal:
                set_round(actor=table.ada, side_id=blue.pk, before=before, after=after)
            assert refused(refusal) == {"R25"}
        for unit, number, rule in (("2", 0, "R25"), ("9", 1, "R19")):
            with pytest.raises(RuleViolation) as refusal:
                mark_activated(actor=table.ada, side_id=blue.pk, unit=unit, number=number, yes=True)
            assert refused(refusal) == {rule}
        assert not Tally.objects.exists()


class TestCards:
    def test_played_and_undone(self, table, blue):
        for card, played in (("push", True), ("push", True), ("ambush", True), ("push", False)):
            play_card(actor=table.ada, side_id=blue.pk, card=card, played=played)
        assert CommandHand.objects.get().discarded == ["ambush"]
        assert Tally.objects.get().version == 3

    @pytest.mark.parametrize("who", ["ben", "cora", "mia"])
    def test_by_nobody_but_its_player(self, table, blue, who):
        violations = set()
        for card in ("push", "no-such-card"):  # whether it is there is not to be told from what is said
            with pytest.raises(RuleViolation) as refusal:
                play_card(actor=getattr(table, who), side_id=blue.pk, card=card, played=True)
            violations.add(str(refusal.value.violations))
        assert len(violations) == 1

    def test_not_one_that_is_not_there(self, table, blue, battle):
        for side in (blue, side_of(battle, "red")):
            with pytest.raises(RuleViolation) as refusal:
                play_card(actor=side.register.owner, side_id=side.pk, card="implacable", played=True)
            assert refused(refusal) == {"R24"}


class TestWhatIsShown:
    def test_units_with_what_holds_for_them(self, table, battle, blue):
        mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
        shown, other = table_sides(table.ada, battle)
        row = shown.units[1]
        assert (row.label, row.rank_name, row.keywords) == ("Stormtroopers (no. 2)", "corps", "Precise 1")
        assert [(mark["name"], mark["kind"]) for mark in row.marks] == [("Battle-Shaken", "setback")]
        assert [(box["word"], box["on"], box.get("disabled", False)) for box in row.boxes] == [
            ("activated", False, False), ("contesting", False, True), ("defeated", True, False),
        ]  # fmt: skip
        assert (shown.agenda.name, shown.agenda_done, shown.tokens) == ("Keep Them in Line", 0, 0)
        assert shown.thresholds == [
            Threshold("You have 2 or more tokens", is_met=False), Threshold("You have 3 or more tokens", is_met=False),
        ]  # fmt: skip
        assert (shown.hand.size, shown.plays_hand) == (7, True)
        assert (other.agenda, other.tokens, other.hand, other.plays_hand) == (None, None, None, False)

    def test_what_assets_lend(self, table, book):
        hold(table.alpha, "heroic-intervention")
        lent = Lent(asset="heroic-intervention", key="L1", unit=book.units["darth-vader-dark-lord-of-the-sith"])
        blue = {"assets": ("heroic-intervention",), "lent": (lent,)}
        shown, _ = table_sides(table.ada, in_play(planned(table, size=1000), blue=blue))
        assert (shown.units[-1].label, shown.units[-1].lent_by) == (lent.unit.full_name, "Heroic Intervention")
        assert [asset["name"] for asset in shown.assets] == ["Heroic Intervention"]

    def test_the_hand_of_the_other_is_a_number(self, table, battle, blue):
        play_card(actor=table.ada, side_id=blue.pk, card="push", played=True)
        shown, _ = table_sides(table.ben, battle)
        assert (shown.hand.size, [card.slug for card in shown.hand.discarded], shown.hand.cards) == (
            6, ["push"], None,
        )  # fmt: skip
        assert shown.plays_hand is False

    def test_a_guest_has_a_name_only(self, table):
        _, guest = table_sides(table.ada, in_play(against_guest(table)))
        assert (guest.side.name, guest.units, guest.agenda) == ("Sal", (), None)

    def test_seen_changes_with_either_side(self, table, battle, blue):
        def version() -> str:
            battle.refresh_from_db()
            return table_version(battle, [view.version for view in table_sides(table.ada, battle)])

        words = [version()]
        for colour in ("blue", "red"):
            mark_unit(actor=table.ada, side_id=side_of(battle, colour).pk, word="defeated", unit="2", yes=True)
            words.append(version())
        set_round(actor=table.ada, side_id=blue.pk, before=1, after=2)
        words.append(version())
        assert words == ["in_play-1-0-0", "in_play-1-1-0", "in_play-1-1-1", "in_play-2-1-1"]


def test_what_the_report_starts_from(table, blue):
    mark_unit(actor=table.ada, side_id=blue.pk, word="defeated", unit="2", yes=True)
    count_tokens(actor=table.ada, side_id=blue.pk, before=0, after=1)
    assert facts_at_table(blue, Tally.objects.get()) == Facts(defeated=["2"], agenda="keep-them-in-line", tokens=1)
