"""Who holds a system after a list of changes."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from campaign.star_map.holders import Change, Holder, history

EMPIRE, REBELS = Holder(faction="empire"), Holder(faction="rebel")
DAWN = Holder(team=UUID(int=1), team_name="Dawn League", colour="azure", emblem="star")
RENAMED = Holder(team=UUID(int=1), team_name="Dusk League", colour="rose", emblem="star")


def by_battle(day: int, holder: Holder, number: int = 1) -> Change:
    return Change(at=datetime(2026, 3, day, tzinfo=UTC), holder=holder, battle=f"b{number}", number=number, winner="W")


def by_hand(day: int, holder: Holder | None) -> Change:
    return Change(at=datetime(2026, 3, day, tzinfo=UTC), holder=holder, by="cora")


@pytest.mark.parametrize(
    ("changes", "holder"),
    [
        ([by_battle(1, EMPIRE)], EMPIRE),
        ([by_battle(2, EMPIRE), by_battle(1, REBELS, 2)], EMPIRE),
        ([by_battle(1, EMPIRE), by_hand(2, DAWN)], DAWN),
        ([by_battle(3, EMPIRE), by_hand(2, DAWN)], EMPIRE),
        ([by_battle(1, EMPIRE), by_hand(2, None)], None),
    ],
)
def test_the_last_change_counts_wherever_it_stands_in_the_list(changes, holder):
    assert history(changes)[-1].holder == holder


def test_a_side_that_wins_again_has_kept_the_system():
    changes = [by_battle(1, DAWN), by_battle(2, RENAMED, 2), by_battle(3, EMPIRE, 3), by_hand(4, EMPIRE)]
    assert [(change.holder, change.kept) for change in history(changes)] == [
        (DAWN, False), (RENAMED, True), (EMPIRE, False), (EMPIRE, True),
    ]  # fmt: skip


def test_changes_in_words():
    changes = history([by_battle(1, DAWN), by_battle(2, DAWN, 2), by_hand(3, EMPIRE), by_hand(4, None)])
    assert [change.sentence("Talvos") for change in changes] == [
        "Dawn League took Talvos.",
        "Dawn League defended Talvos.",
        "The Empire received Talvos.",
        "Nobody holds Talvos now.",
    ]
