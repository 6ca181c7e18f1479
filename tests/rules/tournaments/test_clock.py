"""The clock of a round (E26) and the correction window (E31)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rules.tournaments.clock import Clock, Phase, round_dice, round_minutes
from rules.tournaments.draws import Draw
from rules.tournaments.results import is_correctable
from rules.tournaments.rule_sets import EventRules, RuleSet
from tests.rules.tournaments.events import standard_rules

GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


def after(**time: int) -> datetime:
    return NOON + timedelta(**time)


def minutes(rules: EventRules, round_number: int = 2, *, in_bracket: bool = False, games: int = 4) -> int:
    return round_minutes(rules, Draw(bytes(32), "event-1"), round_number, in_bracket=in_bracket, games=games)


def test_how_long_a_round_is() -> None:
    gc, tr = standard_rules(GC), standard_rules(TR)
    assert [minutes(gc), minutes(gc, in_bracket=True, games=1)] == [153, 153]
    assert [minutes(tr, games=1), minutes(tr, in_bracket=True), minutes(tr, in_bracket=True, games=1)] == [
        150,
        150,
        210,
    ]


@pytest.mark.parametrize("own", [90, 0])
def test_bracket_rounds_with_minutes_of_their_own(own: int) -> None:
    """E26, option: everybody sees them, or there is no clock. In the Tournament Regulations it means nothing."""
    gc, tr = (replace(standard_rules(rule_set), bracket_minutes=own) for rule_set in (GC, TR))
    assert [minutes(gc), minutes(gc, in_bracket=True), minutes(tr, in_bracket=True)] == [153, own, 150]
    assert [gc.is_clock_hidden(in_bracket=in_bracket) for in_bracket in (False, True)] == [True, False]
    assert standard_rules(GC).is_clock_hidden(in_bracket=True)
    assert not tr.is_clock_hidden(in_bracket=False)


def test_a_visible_clock_counts_down_to_time_and_then_to_the_end() -> None:
    clock = Clock(rule_set=GC, minutes=90, is_hidden=False, started=NOON)
    assert [clock.visible_end(after(minutes=minutes)) for minutes in (0, 89, 90, 105)] == [
        after(minutes=90), after(minutes=90), after(minutes=105), after(minutes=105),
    ]  # fmt: skip


def test_the_dice_follow_from_the_seed() -> None:
    """E23: fixed for ever, so that an exported event can be checked."""
    draw = Draw(bytes(32), "event-1")
    assert [round_dice(draw, number) for number in (1, 2)] == [
        ("block", "block", "block", "block", "blank"),
        ("blank", "surge", "blank", "block", "surge"),
    ]


def test_dice_of_many_rounds_are_fair() -> None:
    draw = Draw(bytes(32), "event-1")
    faces = [face for number in range(1200) for face in round_dice(draw, number)]
    shares = {"block": 3000, "surge": 1000, "blank": 2000}
    assert {face for face, share in shares.items() if abs(faces.count(face) - share) > 150} == set()


def test_galactic_conquest_hides_its_end_until_time_is_called() -> None:
    clock = Clock(rule_set=GC, minutes=152, is_hidden=True, started=NOON, extension=10)
    assert [clock.phase(after(minutes=minutes)) for minutes in (0, 161, 162, 176, 177)] == [
        Phase.RUNNING, Phase.RUNNING, Phase.LAST, Phase.LAST, Phase.OVER,
    ]  # fmt: skip
    assert clock.next_end(NOON) == after(minutes=162)
    assert [clock.visible_end(after(minutes=minutes)) for minutes in (0, 161, 162, 177)] == [
        None, None, after(minutes=177), after(minutes=177),
    ]  # fmt: skip


def test_the_regulations_show_their_countdown() -> None:
    clock = Clock(rule_set=TR, minutes=150, is_hidden=False, started=NOON)
    assert [clock.phase(after(minutes=minutes)) for minutes in (149, 150)] == [Phase.RUNNING, Phase.OVER]
    assert clock.visible_end(NOON) == after(minutes=150)


@pytest.mark.parametrize("rule_set", RuleSet)
def test_a_clock_that_was_not_started(rule_set: RuleSet) -> None:
    clock = Clock(rule_set=rule_set, minutes=150, is_hidden=rule_set == GC)
    assert (clock.phase(NOON), clock.time_is_called, clock.ends, clock.visible_end(NOON)) == (
        Phase.WAITING, None, None, None,
    )  # fmt: skip


def test_until_when_a_result_can_be_corrected() -> None:
    """E31: in the regulations until the second round after it is closed."""
    assert [is_correctable(TR, 2, closed) for closed in (2, 3, 4)] == [True, True, False]
    assert is_correctable(GC, 1, 8)
