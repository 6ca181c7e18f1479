"""What was awarded between battles, walked anew in a revision."""

import pgtrigger
import pytest

from campaign.battles.services import amendments
from campaign.battles.services.replay.decisions import ways_out
from registers.models import EntryType
from registers.services.corrections import LET_STAND
from rules.adjustments.awards import Gift
from rules.register.effects import Noted, to_data
from rules.register.state import RegisterState
from tests.campaign.battles.amending import applied, awarded, balanced, corrected, decide, halted, planned, states
from tests.campaign.battles.closing import closed
from tests.campaign.first_blood import Fought


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed."""
    closed(fought)
    return fought


def rank_of(state: RegisterState, key: str) -> tuple[int, int, int]:
    unit = state.dossiers[key]
    return unit.experience, unit.veteran_rank, unit.owed


def test_an_award_is_given_anew(over):
    """It brought VR 1 only because of the XP for an escape that there was none of (R12, R15)."""
    missing = 5 - states(over)["blue"].dossiers["2"].experience
    awarded(over, Gift(experience=missing, units=("2",)))
    assert rank_of(states(over)["blue"], "2") == (5, 1, 1)
    amendment = corrected(over, blue={"defeated": ["5"]})
    assert planned(amendment).halt is None
    applied(over, amendment)
    assert (rank_of(states(over)["blue"], "2"), balanced()) == ((4, 0, 0), True)


def test_of_an_award_only_what_a_unit_got_that_is_not_there_is_left_out(over):
    """It fell before the award; the other unit and the Register keep what they got, in this revision and the next."""
    awarded(over, Gift(supply_points=2, experience=3, units=("3", "4")))
    before = states(over)["blue"]
    amendment = corrected(over, blue={"defeated": ["2", "4", "5"]})
    decide(over, amendment, {"check:4": ["surge"]}, "table")
    halt = planned(amendment).halt
    assert halt is not None
    register, place = over.blue.own_register, halt.entry.place
    assert (halt.out, ways_out(halt)) == (
        ("4",), [{"register": str(register.pk), "place": place, "unit": "4", "skip": True}],
    )  # fmt: skip
    amendments.leave_out(**halted(over, amendment))
    applied(over, amendment)
    after = states(over)["blue"]
    assert ("4" in after.fallen, after.dossiers["3"], after.supply_points) == (
        True, before.dossiers["3"], before.supply_points,
    )  # fmt: skip
    first, last = register.entries.filter(act=EntryType.CORRECT).order_by("position")
    gift = Gift(supply_points=2, experience=3, units=("3",)).as_data()
    assert (last.place, last.answers) == (place, [gift, first.answers[1]])
    assert planned(corrected(over, blue={"defeated": ["2", "4"]})).halt is None
    assert balanced()


def test_an_award_of_which_nothing_would_be_left_is_left_out_as_a_whole(over):
    awarded(over, Gift(experience=3, units=("4",)))
    amendment = corrected(over, blue={"defeated": ["2", "4", "5"]})
    decide(over, amendment, {"check:4": ["surge"]}, "table")
    halt = planned(amendment).halt
    assert halt is not None
    assert (halt.out, ways_out(halt)) == (
        (), [{"register": str(over.blue.own_register.pk), "place": halt.entry.place, "skip": True}],
    )  # fmt: skip


def test_an_award_stops_at_the_cap_anew(over):
    awarded(over, Gift(experience=50, units=("4",)))
    amendment = corrected(over, blue={"in_game_experience": {"4": 5}})
    decide(over, amendment, {"4": {"commendation": None, "name": "Cold Feet"}})
    applied(over, amendment)
    assert rank_of(states(over)["blue"], "4") == (25, 3, 2)


def test_what_acts_add_up_to_against_the_rules_is_let_stand_or_not_done(over):
    """An award of which the ledger does not say the gift is added up as it was: 30 XP of 25 (R13)."""
    awarded(over, Gift(experience=50, units=("4",)))
    with pgtrigger.ignore():
        over.blue.own_register.entries.filter(act=EntryType.CORRECT).update(answers=[])
    amendment = corrected(over, blue={"in_game_experience": {"4": 5}})
    decide(over, amendment, {"4": {"commendation": None, "name": "Cold Feet"}})
    halt = planned(amendment).halt
    assert halt is not None
    assert [(violation.rule, violation.about) for violation in halt.violations] == [("R13", "4.experience")]
    amendments.leave_out(**halted(over, amendment))
    plan = planned(amendment)
    assert (plan.halt, [violation.rule for _register, violation in plan.warnings]) == (None, ["R13"])
    applied(over, amendment)
    noted = over.blue.own_register.entries.last()
    assert (noted.act, noted.effects) == (
        EntryType.CORRECT, [to_data(Noted(rule="R13", why=LET_STAND))],
    )  # fmt: skip
