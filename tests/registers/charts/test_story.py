"""What battles have made of one unit."""

from datetime import UTC, datetime

from hypothesis import given, strategies as st

from registers.charts.experience import Stop, story
from registers.models import LedgerEntry
from rules.register import effects as e
from rules.register.effects import to_data
from rules.register.state import Dossier, RegisterState, replay

DAY = datetime(2026, 4, 21, tzinfo=UTC)


def entry(battle: str, *effects: e.Effect) -> LedgerEntry:
    return LedgerEntry(battle=battle, effects=[to_data(effect) for effect in effects], created_at=DAY)


def xp(amount: int, unit: str = "2") -> e.Effect:
    return e.ExperienceGained(unit=unit, amount=amount, rule="R39")


def test_a_stop_for_each_battle_that_changed_it():
    entries = [
        entry("", e.UnitAdded(unit="2", card="stormtroopers", rule="R5")),
        entry("a", xp(4), xp(9, unit="3")),
        entry("a", xp(2), e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12")),
        entry("a", e.CommendationAwarded(unit="2", commendation="resilient", rule="R15")),
        entry("b", xp(0), e.DiceRolled(unit="2", die="black_attack", faces=("hit",), rule="R31")),
        entry("c", e.SetbackGained(unit="2", setback="downtrodden", rule="R36")),
        entry("", e.SetbackRemoved(unit="2", setback="downtrodden", rule="R42")),
        entry("d", xp(1), e.UnitFell(unit="2", rule="R35")),
    ]
    assert story(entries, "2") == [
        Stop("a", DAY, experience=6, veteran_rank=1, gained=6, ranks=1, commendations=["resilient"]),
        Stop("c", DAY, experience=6, veteran_rank=1, held=1, setbacks=["downtrodden"]),
        Stop("", DAY, experience=6, veteran_rank=1, shed=["downtrodden"]),
        Stop("d", DAY, experience=7, veteran_rank=1, gained=1, fell=True),
    ]


def test_what_was_corrected_counts():
    entries = [
        entry("", e.UnitAdded(unit="2", card="stormtroopers", rule="R5")),
        entry("a", xp(6), e.VeteranRankReached(unit="2", veteran_rank=1, rule="R12"), e.UnitFell(unit="2", rule="R35")),
        entry(
            "",
            e.Corrected(unit="2", field="place", old="fallen", new="serving"),
            e.Corrected(unit="2", field="experience", old=6, new=4),
            e.Corrected(unit="2", field="veteran_rank", old=1, new=0),
            e.Corrected(unit="2", field="setbacks", old=(), new=("downtrodden",)),
            e.Corrected(unit="2", field="commendations", old=(), new=("resilient",)),
        ),
        entry("b", e.Corrected(unit="2", field="setbacks", old=("downtrodden",), new=())),
        entry("", e.Corrected(unit="2", field="place", old="serving", new="fallen")),
    ]  # fmt: skip
    assert story(entries, "2") == [
        Stop("a", DAY, experience=6, veteran_rank=1, gained=6, ranks=1),
        Stop(
            "", DAY, experience=4, held=1, gained=-2, ranks=-1,
            setbacks=["downtrodden"], commendations=["resilient"],
        ),
        Stop("b", DAY, experience=4, shed=["downtrodden"]),
        Stop("", DAY, experience=4, fell=True),
    ]  # fmt: skip


def test_one_that_joined_with_experience():
    [stop] = story([entry("", e.UnitAdded(unit="2", card="stormtroopers", rule="R5"), xp(8))], "2")
    assert (stop.joined, stop.experience, stop.gained) == (True, 8, 8)


HAPPENINGS = st.one_of(
    st.builds(xp, st.integers(0, 4), st.sampled_from(["2", "3"])),
    st.just(e.SetbackGained(unit="2", setback="downtrodden", rule="R36")),
    st.just(e.SetbackRemoved(unit="2", setback="downtrodden", rule="R42")),
    st.builds(e.VeteranRankReached, unit=st.just("2"), veteran_rank=st.integers(1, 5), rule=st.just("R12")),
    st.just(e.CommendationAwarded(unit="2", commendation="resilient", rule="R15")),
)


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b"]), st.lists(HAPPENINGS, max_size=4)), max_size=12))
def test_its_numbers_are_the_sum_of_the_ledger(acts):
    state, entries, sentences = (RegisterState(dossiers={key: Dossier(key, "stormtroopers") for key in "23"}), [], [])
    entries.append(entry("", e.UnitAdded(unit="2", card="stormtroopers", rule="R5")))
    for battle, effects in acts:
        possible = []
        for effect in effects:
            if isinstance(effect, e.SetbackRemoved) and not state.dossiers["2"].setbacks:
                continue
            state = replay([effect], state)
            possible.append(effect)
        entries.append(entry(battle, *possible))
    stops, unit = story(entries, "2"), state.dossiers["2"]
    last = stops[-1] if stops else Stop("", DAY)
    assert (last.experience, last.veteran_rank, last.held) == (
        unit.experience, unit.veteran_rank, len(unit.setbacks),
    )  # fmt: skip
    assert sum(stop.gained for stop in stops) == unit.experience
    sentences = [slug for stop in stops for slug in stop.commendations]
    assert sentences == list(unit.commendations)
