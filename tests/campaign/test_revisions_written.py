"""What applying a revision writes: all of it behind one lock, or nothing, and nothing that is no fact of the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest

from campaign.services import revisions
from registers.models import Act, Dossier, Entry, Register
from registers.services import editing, ledger
from registers.services.pictures import show_of_dossier
from rules.effects import ExperienceGained
from rules.refusal import Refusal
from tests.campaign.closing import closed
from tests.campaign.first_blood import Fought
from tests.campaign.revising import (
    applied,
    balanced,
    corrected,
    decide,
    fights_a_guest,
    forces,
    halted,
    planned,
)
from tests.uploads.photos import photo


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed."""
    closed(fought)
    return fought


def told(register: Register, key: str) -> dict[str, Any]:
    """What is told of a unit, and which row it is told in."""
    return (
        Dossier.objects.filter(register=register, key=key).values("pk", "biography", "picture", "name").get()
    )


def test_what_is_told_of_a_unit_stays_over_a_revision(over):
    """Its experience and its Veteran Rank become others, from the first battle on."""
    register, actor = over.blue.own_register, over.ada
    for _ in range(3):
        fights_a_guest(over, ["1", "2", "3", "4"], [])
    editing.write_biography(actor=actor, register_id=register.pk, key="2", text="Came late.")
    editing.write_biography(actor=actor, register_id=register.pk, text="Of the cold.")
    show_of_dossier(actor=actor, register=register, key="2", sent=photo(), alt="In the snow")
    before, was = told(register, "2"), forces(over)["blue"].dossiers["2"]
    assert (before["biography"], before["picture"] is None) == ("Came late.", False)
    applied(over, corrected(over, blue={"defeated": ["5"]}))
    now = forces(over)["blue"].dossiers["2"]
    assert (was.veteran_rank, now.veteran_rank, balanced()) == (1, 0, True)
    assert told(register, "2") == before | {"name": now.name}
    assert Register.objects.get(pk=register.pk).biography == "Of the cold."


def test_all_registers_are_locked_at_once(over, monkeypatch):
    """Of every battle that it reaches: who walks or corrects one of them meanwhile never waits the other way round."""
    fights_a_guest(over, ["1", "2", "3", "4"], [])
    revision = corrected(over, blue={"defeated": ["5"]})
    locked: list[Sequence[UUID]] = []
    lock = ledger.lock

    def noted(*keys: UUID) -> list[Register]:
        locked.append(keys)
        return lock(*keys)

    monkeypatch.setattr(ledger, "lock", noted)
    applied(over, revision)
    assert locked == [tuple(sorted(Register.objects.values_list("pk", flat=True)))]


def test_what_no_row_can_hold_is_refused_and_nothing_is_written(over):
    """A unit of more experience than a Dossier has room for; that it has more than its rank allows was let stand."""
    [register] = ledger.lock(over.blue.own_register.pk)
    missing = 50 - forces(over)["blue"].dossiers["4"].experience
    gained = ExperienceGained(unit="4", amount=missing, rule="R13")
    ledger.append(actor=over.ada, register=register, act=Act.CORRECT, effects=[gained], reason="by hand")
    before = forces(over), list(Entry.objects.order_by("pk").values())
    revision = corrected(over, blue={"in_game_experience": {"4": 5}})
    decide(over, revision, {"4": {"commendation": None, "name": "Cold Feet"}})
    revisions.leave_out(**halted(over, revision))
    assert planned(revision).halt is None
    with pytest.raises(Refusal, match="What happened since does not go together with it"):
        applied(over, revision)
    revision.refresh_from_db()
    over.battle.refresh_from_db()
    assert (revision.state, over.battle.status, over.battle.version) == ("open", "closed", 1)
    assert (forces(over), list(Entry.objects.order_by("pk").values())) == before
    assert balanced()
