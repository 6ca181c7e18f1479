"""The digest of an entry."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from registers.ledger.hash_chain import digest_of, normalized
from registers.models import LedgerEntry

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)


def made(**other) -> LedgerEntry:
    values = {
        "register_id": UUID(int=1), "position": 2, "place": 2, "act": "step", "actor_id": 3, "on_behalf_of_id": 4,
        "battle": "b", "step": 5, "effects": [{"kind": "Noted"}], "answers": [{"answer": "é"}],
        "rolled_by_hand": [0], "reason": "why", "created_at": MOMENT,
    }  # fmt: skip
    return LedgerEntry(**values | other)


def test_is_the_same_for_ever():
    """Written down once: what was chained years ago has to hold."""
    assert digest_of(made(), "a" * 64, 1) == "2e84be0d2d0e26076c28226b3f515eec63c4f91dcd04a6c9595dba1a84de61da"


@pytest.mark.parametrize(
    "other",
    [
        {"register_id": UUID(int=2)},
        {"position": 3},
        {"place": 1},
        {"act": "gains"},
        {"actor_id": None},
        {"on_behalf_of_id": None},
        {"battle": "c"},
        {"step": 6},
        {"effects": []},
        {"answers": []},
        {"rolled_by_hand": []},
        {"reason": ""},
        {"created_at": MOMENT + timedelta(microseconds=1)},
    ],
)
def test_is_another_if_anything_is(other):
    assert digest_of(made(**other), "a", 1) != digest_of(made(), "a", 1)


def test_is_another_after_another_entry():
    assert len({digest_of(made(), "a", 1), digest_of(made(), "b", 1), digest_of(made(), "a", None)}) == 3


def test_asks_neither_for_the_time_zone_nor_for_the_order_of_keys():
    here = made(created_at=MOMENT.astimezone(timezone(timedelta(hours=2))), effects=[{"why": "", "kind": "Noted"}])
    there = made(effects=[{"kind": "Noted", "why": ""}])
    assert digest_of(here, "") == digest_of(there, "")


def test_as_kept():
    entry = made(effects=({"faces": ("hit",)},), answers=({7: "x"},), rolled_by_hand=(1,))
    normalized(entry)
    assert (entry.effects, entry.answers, entry.rolled_by_hand) == ([{"faces": ["hit"]}], [{"7": "x"}], [1])
