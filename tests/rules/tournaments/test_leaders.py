"""Leaders who play (E2) and ejection (E4)."""

import pytest

from rules.tournaments.leaders import Leader, playing_violation, proposes_ejection, ruling_leaders
from rules.tournaments.rule_sets import RuleSet

GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
ORGANIZER, HEAD, JUDGE = Leader.ORGANIZER, Leader.HEAD_JUDGE, Leader.JUDGE
CONSULAR = "A Consular cannot play in the event."
NO_CONSULAR = "An event without a Consular is judged by its organizer, who cannot play then. Add a Consular first."
ALONE = "A leader can play only if another leader is there. Add a judge first."


@pytest.mark.parametrize(
    ("rule_set", "role", "others", "competitive", "text"),
    [
        (GC, JUDGE, [ORGANIZER], False, CONSULAR),
        (GC, HEAD, [ORGANIZER, JUDGE], False, CONSULAR),
        (GC, ORGANIZER, [], False, NO_CONSULAR),
        (GC, ORGANIZER, [ORGANIZER], True, NO_CONSULAR),
        (GC, ORGANIZER, [JUDGE], True, ""),
        (TR, ORGANIZER, [], False, ALONE),
        (TR, ORGANIZER, [JUDGE], False, ""),
        (TR, JUDGE, [ORGANIZER], True, "No leader can play in a competitive event."),
    ],
)
def test_leaders_who_play(rule_set: RuleSet, role: str, others: list[str], competitive: bool, text: str) -> None:
    assert playing_violation(rule_set, role, others, is_competitive=competitive) == text


@pytest.mark.parametrize(
    ("leaders", "playing", "ruling"),
    [
        ({"olga": ORGANIZER, "jo": JUDGE}, ("ada", "ben"), {"olga", "jo"}),
        ({"olga": ORGANIZER, "jo": JUDGE}, ("olga", "ben"), {"jo"}),
        ({"olga": ORGANIZER, "jo": JUDGE, "hal": HEAD}, ("olga", "jo"), {"hal"}),
        ({"olga": ORGANIZER, "jo": JUDGE, "jim": JUDGE}, ("jo", "jim"), {"olga"}),
        ({"olga": ORGANIZER, "jo": JUDGE, "hal": HEAD}, ("hal", "jo"), {"olga"}),
        ({"olga": ORGANIZER, "jo": JUDGE, "hal": HEAD}, ("hal", "olga"), {"jo"}),
        ({"olga": ORGANIZER, "jo": JUDGE}, ("olga", "jo"), set()),
        ({}, ("ada", "ben"), set()),
    ],
)
def test_who_rules_on_a_game(leaders: dict[str, str], playing: tuple[str, str], ruling: set[str]) -> None:
    """E2: the others; the head judge if two leaders play each other."""
    assert ruling_leaders(leaders, playing) == ruling


def test_the_third_warning_proposes_ejection() -> None:
    assert [proposes_ejection(warnings) for warnings in range(5)] == [False, False, False, True, True]
