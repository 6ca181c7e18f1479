"""Amendments of a battle after which a Register was corrected by hand."""

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from campaign.battles.models import Amendment
from campaign.battles.services import amendments
from campaign.battles.services.replay.decisions import ways_out
from campaign.battles.services.replay.plan import ReplayConflict
from catalogue.snapshot import rulebook
from registers.ledger import session
from registers.ledger.text import names_of, sentence
from registers.models import EntryType, LedgerEntry
from registers.services.corrections import correct, undo_correction
from rules.adjustments.corrections import DIFFERENCE, KEEP, LEAVE_OUT, Conflict, WantedValue
from rules.core.violations import RuleViolation
from tests.campaign.battles.amending import applied, balanced, corrected, halted, planned, states
from tests.campaign.battles.closing import closed
from tests.campaign.first_blood import Fought

UNIT = "4"


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed."""
    closed(fought)
    return fought


def correct_by_hand(over: Fought, *wishes: WantedValue, reason: str = "The paper sheet says so.") -> LedgerEntry:
    """Correct blue's Register as an organizer."""
    blue = over.blue.own_register
    entry = correct(
        actor=over.ada_organizes(), register_id=blue.pk, position=blue.position, wishes=wishes, reason=reason,
        override=True,
    )  # fmt: skip
    assert entry is not None
    return entry


def corrected_unit(over: Fought) -> tuple[int, LedgerEntry]:
    """Correct XP, SP and Setbacks of blue's Register at once; the XP of the unit before, and the entry."""
    before = states(over)["blue"].dossiers[UNIT].experience
    entry = correct_by_hand(
        over,
        WantedValue("supply_points", 20),
        WantedValue("experience", before + 2, unit=UNIT),
        WantedValue("setbacks", ["war-weary", "downtrodden"], unit=UNIT),
    )
    return before, entry


def one_more_xp(over: Fought) -> Amendment:
    """Amend the report so that the corrected unit gained 1 XP more in the battle."""
    return corrected(over, blue={"in_game_experience": {UNIT: 1}})


def stopped(amendment: Amendment) -> ReplayConflict:
    """Where the amendment stops."""
    halt = planned(amendment).halt
    assert halt is not None
    return halt


def choose(over: Fought, amendment: Amendment, **choices: str) -> Amendment:
    """Choose for the values of the corrected unit in conflict."""
    named = {f"{UNIT}.{name}": way for name, way in choices.items()}
    return amendments.resolve_conflicts(**halted(over, amendment), choices=named)


def experience(over: Fought) -> int:
    """The XP of the corrected unit now."""
    return states(over)["blue"].dossiers[UNIT].experience


def last_correction(over: Fought) -> LedgerEntry:
    """The entry of blue's ledger that stands for the correction now."""
    return over.blue.own_register.entries.filter(act=EntryType.CORRECT, undone_by=None).get()


def entry_sentences(over: Fought, entry: LedgerEntry) -> list[str]:
    """What the ledger says of an entry."""
    register = over.blue.own_register
    book, names = session.rulebook_for(register), names_of(rulebook(), states(over)["blue"])
    return [sentence(effect, names, book) for effect in session.effects_of_entry(entry)]


def test_the_conflict_names_the_value(over):
    before, entry = corrected_unit(over)
    halt = stopped(one_more_xp(over))
    assert (halt.entry, halt.violations, ways_out(halt)) == (entry, (), [])
    [conflict] = halt.conflicts
    assert conflict == Conflict(
        field="experience", unit=UNIT, old=before, new=before + 2, now=before + 1, by_difference=before + 3,
        ways=(KEEP, DIFFERENCE, LEAVE_OUT),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("way", "more", "explained"),
    [
        (KEEP, 2, "Experience of Snowtroopers corrected from 2 to 3 (value kept after an amendment)"),
        (DIFFERENCE, 3, "Experience of Snowtroopers corrected from 2 to 4 (difference kept after an amendment)"),
        (LEAVE_OUT, 1, "Snowtroopers: Experience: correction left out by an amendment"),
    ],
)
def test_each_choice_and_all_else_of_the_correction_stays(over, way, more, explained):
    before, entry = corrected_unit(over)
    amendment = choose(over, one_more_xp(over), experience=way)
    assert amendment.decisions == [
        {"register": str(over.blue.register_id), "place": entry.place, "value": f"{UNIT}.experience", "way": way,
         "now": before + 1, "by": over.ada.pk, "turn": 1},
    ]  # fmt: skip
    assert planned(amendment).halt is None
    applied(over, amendment)
    state = states(over)["blue"]
    assert experience(over) == before + more
    assert (state.supply_points, state.dossiers[UNIT].setbacks) == (20, ("war-weary", "downtrodden"))
    assert balanced()
    changed = last_correction(over)
    assert (changed.undoes, changed.reason, changed.actor) == (entry, "A slip of the pen.", over.ada)
    assert explained in entry_sentences(over, changed)


def test_amended_back_it_is_as_it_was(over):
    before, _entry = corrected_unit(over)
    was = states(over)
    for way in (KEEP, DIFFERENCE):
        applied(over, choose(over, one_more_xp(over), experience=way))
        assert experience(over) != before
        applied(over, choose(over, corrected(over), experience=way))
        assert states(over) == was
        assert balanced()


def test_the_correction_can_be_undone_afterwards(over):
    before, _entry = corrected_unit(over)
    applied(over, choose(over, one_more_xp(over), experience=DIFFERENCE))
    undo_correction(
        actor=over.ada, register_id=over.blue.register_id, entry_id=last_correction(over).pk, reason="Never mind."
    )
    assert (experience(over), states(over)["blue"].dossiers[UNIT].setbacks) == (before + 1, ())
    assert balanced()


def test_nothing_is_left_of_it(over):
    """All that it corrected is left out: the entry is undone."""
    before = experience(over)
    entry = correct_by_hand(over, WantedValue("experience", before + 2, unit=UNIT))
    applied(over, choose(over, one_more_xp(over), experience=LEAVE_OUT))
    assert over.blue.own_register.entries.get(undoes=entry).act == EntryType.UNDO
    assert (experience(over), balanced()) == (before + 1, True)


def test_a_choice_is_needed_and_has_to_be_possible(over):
    corrected_unit(over)
    amendment = one_more_xp(over)
    for choices in ({}, {"experience": "other"}, {"setbacks": KEEP}):
        with pytest.raises(RuleViolation) as caught:
            choose(over, amendment, **choices)
        assert [violation.about for violation in caught.value.violations] == [f"{UNIT}.experience"]
    amendment.refresh_from_db()
    assert amendment.decisions == []


def test_an_old_form_changes_nothing(over):
    corrected_unit(over)
    amendment = one_more_xp(over)
    old = halted(over, amendment)
    choose(over, amendment, experience=KEEP)
    amendments.resolve_conflicts(**old, choices={f"{UNIT}.experience": DIFFERENCE})
    amendment.refresh_from_db()
    assert [decision["way"] for decision in amendment.decisions] == [KEEP]


def test_choices_are_undone_before_it_is_applied(over):
    corrected_unit(over)
    amendment = choose(over, one_more_xp(over), experience=KEEP)
    seen = {"actor": over.ada, "amendment_id": amendment.pk}
    amendments.undo_last_decision(**seen, seen=0)  # an old form
    amendment.refresh_from_db()
    assert len(amendment.decisions) == 1
    for _twice in range(2):
        amendments.undo_last_decision(**seen, seen=1)
        assert [each.field for each in stopped(amendment).conflicts] == ["experience"]


def test_a_later_correction_follows_the_choice(over):
    """XP are corrected twice: the second one starts from what the first one left."""
    before, _entry = corrected_unit(over)
    correct_by_hand(over, WantedValue("experience", before + 1, unit=UNIT))
    amendment = choose(over, one_more_xp(over), experience=DIFFERENCE)
    [conflict] = stopped(amendment).conflicts
    assert (conflict.old, conflict.now) == (before + 2, before + 3)
    amendment = choose(over, amendment, experience=KEEP)
    applied(over, amendment)
    assert (experience(over), balanced()) == (before + 1, True)
    assert amendments.undoable_turn(amendment) == 2


ONE_OF = st.sampled_from([KEEP, DIFFERENCE, LEAVE_OUT])


@settings(
    max_examples=4, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ways=st.lists(ONE_OF, min_size=1, max_size=2), gained=st.integers(1, 3))
def test_whatever_is_chosen_the_rows_are_the_sum_of_the_ledger(over, ways, gained):
    """Corrections, amendments and choices one after the other (law 3)."""
    with transaction.atomic():
        for number, way in enumerate(ways):
            correct_by_hand(
                over, WantedValue("experience", 1 + number, unit=UNIT), WantedValue("supply_points", 20 + number)
            )
            amendment = corrected(over, blue={"in_game_experience": {UNIT: (gained + number) % 4}})
            settle(over, amendment, way)
            applied(over, amendment)
            assert balanced()
        transaction.set_rollback(True)


def settle(over: Fought, amendment: Amendment, way: str) -> None:
    """Choose the same for all values in conflict, where it is possible, and let the rest stand."""
    while halt := planned(amendment).halt:
        if halt.conflicts:
            choices = {each.about: way if way in each.ways else each.ways[0] for each in halt.conflicts}
            amendments.resolve_conflicts(**halted(over, amendment), choices=choices)
        else:
            amendments.leave_out(**halted(over, amendment))
