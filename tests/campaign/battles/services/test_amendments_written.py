"""What applying a revision writes: all of it behind one lock, or nothing, and nothing that is no fact of the ledger."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from django.db.models import Q
from django.db.transaction import atomic

from bench.speed import counted
from campaign.battles.models import Amendment, Battle
from campaign.battles.services import amendments
from campaign.battles.services.locks import lock_battles
from campaign.models import Membership
from campaign.services.locks import lock_campaign
from registers.ledger.session import LedgerSession
from registers.models import Dossier, EntryType, LedgerEntry, Register
from registers.services import editing
from registers.services.editing import set_portrait
from rules.core.violations import RuleViolation
from rules.register.effects import ExperienceGained, SupplyPointsGained
from tests.at_once import behind
from tests.campaign.battles.amending import (
    applied,
    balanced,
    corrected,
    decide,
    fights_a_guest,
    halted,
    planned,
    states,
)
from tests.campaign.battles.closing import closed
from tests.campaign.first_blood import Fought, begin
from tests.registers.ledgers import append, lock
from tests.statements import without_catalogue
from tests.uploads.photos import photo


@pytest.fixture
def over(fought) -> Fought:
    """First Blood, closed."""
    closed(fought)
    return fought


def history_of_unit(register: Register, key: str) -> dict[str, Any]:
    """What is told of a unit, and which row it is told in."""
    return Dossier.objects.filter(register=register, key=key).values("pk", "biography", "picture", "name").get()


def test_what_is_told_of_a_unit_stays_over_a_revision(over):
    """Its experience and its Veteran Rank become others, from the first battle on."""
    register, actor = over.blue.own_register, over.ada
    for _ in range(3):
        fights_a_guest(over, ["1", "2", "3", "4"], [])
    editing.write_biography(actor=actor, register_id=register.pk, key="2", text="Came late.")
    editing.write_biography(actor=actor, register_id=register.pk, text="Of the cold.")
    set_portrait(actor=actor, register=register, key="2", sent=photo(), alt="In the snow")
    before, was = history_of_unit(register, "2"), states(over)["blue"].dossiers["2"]
    assert (before["biography"], before["picture"] is None) == ("Came late.", False)
    applied(over, corrected(over, blue={"defeated": ["5"]}))
    now = states(over)["blue"].dossiers["2"]
    assert (was.veteran_rank, now.veteran_rank, balanced()) == (1, 0, True)
    assert history_of_unit(register, "2") == before | {"name": now.name}
    assert Register.objects.get(pk=register.pk).biography == "Of the cold."


def test_all_registers_are_locked_at_once(over, monkeypatch):
    """Of every battle that it reaches: who walks or corrects one of them meanwhile never waits the other way round."""
    fights_a_guest(over, ["1", "2", "3", "4"], [])
    amendment = corrected(over, blue={"defeated": ["5"]})
    locked: list[Sequence[UUID]] = []

    def noted(which: Q) -> tuple[list[Battle], LedgerSession]:
        battles, session = lock_battles(which)
        locked.append(list(session.registers))
        return battles, session

    monkeypatch.setattr(amendments, "lock_battles", noted)
    applied(over, amendment)
    assert locked == [sorted(Register.objects.values_list("pk", flat=True))]


@pytest.mark.django_db(transaction=True)
def test_no_register_is_locked_before_the_last_of_the_battles(book):
    """While one waits for a battle, whoever has that one may still take its Registers."""
    fought = begin()
    closed(fought)
    fights_a_guest(fought, ["1", "2", "3", "4"], [])
    *_, last = keys = sorted(Battle.objects.values_list("pk", flat=True))
    taken: list[UUID] = []

    def take() -> None:
        free = Register.objects.select_for_update(nowait=True).order_by("pk")
        taken.extend(register.pk for register in free)

    @atomic
    def lock() -> list[UUID]:
        return list(lock_battles(Q(pk__in=keys))[1].registers)

    found = behind(lambda: Battle.objects.select_for_update().get(pk=last), lock, take)
    assert (len(keys), found, taken) == (2, sorted(taken), found)


def test_as_many_statements_for_three_battles_since_as_for_one(over):
    """What it reaches is read, locked and written at once (law 8)."""
    taken = []
    for later, defeated in ((1, ["5"]), (2, ["2", "5"])):
        for _ in range(later):
            fights_a_guest(over, ["1", "3", "4"], [])
        amendment = corrected(over, blue={"defeated": defeated})
        values = {"actor": over.ada, "amendment_id": amendment.pk, "digest": planned(amendment).digest}
        with counted() as statements:
            amendments.apply(**values)
        taken.append(len(without_catalogue(statements)))
        assert (amendment.entries.exists(), balanced()) == (True, True)
    assert taken[0] == taken[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["open", "leave out", "apply", "drop"])
def test_of_organizers_who_waited_only_those_who_still_are_go_on(book, act):
    """Who may is asked once the campaign is locked."""
    fought = begin()
    closed(fought)
    campaign, amendment = fought.battle.campaign, corrected(fought, blue={"tokens": 2})
    values = {"actor": fought.ada, "amendment_id": amendment.pk}
    acts = {
        "open": lambda: corrected_by_ada(fought),
        "leave out": lambda: amendments.leave_out(**values, seen=0, halt_digest=""),
        "apply": lambda: amendments.apply(**values, digest=planned(amendment).digest),
        "drop": lambda: amendments.drop(**values),
    }
    own = Membership.objects.filter(campaign=campaign, user=fought.ada)
    found = behind(lambda: lock_campaign(campaign), acts[act], lambda: own.update(role="player"))
    assert str(found) == "Only an organizer can undo steps that others have built on."


@pytest.mark.django_db(transaction=True)
def test_a_ledger_that_goes_on_while_it_waits_is_read_again(book):
    """What was read before the lock is of use only for as long as nobody has written since."""
    fought = begin()
    closed(fought)
    fights_a_guest(fought, ["1", "3", "4"], [])
    amendment = corrected(fought, blue={"defeated": ["5"]})
    values = {"actor": fought.ada, "amendment_id": amendment.pk, "digest": planned(amendment).digest}
    key = fought.blue.register_id

    def meanwhile() -> None:
        [register] = lock(key)
        gained = SupplyPointsGained(amount=1, rule="R30")
        append(actor=None, register=register, act=EntryType.CORRECT, effects=[gained], reason="late")

    found = behind(lambda: lock(key), lambda: amendments.apply(**values), meanwhile)
    assert str(found) == "This changed while you were looking. Review it again."
    assert amendments.apply(**values | {"digest": planned(amendment).digest}).state == "applied"
    assert balanced()


def corrected_by_ada(fought: Fought) -> Amendment:
    return amendments.open_amendment(
        actor=fought.ada, battle_id=fought.battle.pk, what="annul", reason="It was a rehearsal."
    )


def test_what_no_row_can_hold_is_refused_and_nothing_is_written(over):
    """A unit of more experience than a Dossier has room for; that it has more than its rank allows was let stand."""
    [register] = lock(over.blue.own_register.pk)
    missing = 50 - states(over)["blue"].dossiers["4"].experience
    gained = ExperienceGained(unit="4", amount=missing, rule="R13")
    append(actor=over.ada, register=register, act=EntryType.CORRECT, effects=[gained], reason="by hand")
    before = states(over), list(LedgerEntry.objects.order_by("pk").values())
    amendment = corrected(over, blue={"in_game_experience": {"4": 5}})
    decide(over, amendment, {"4": {"commendation": None, "name": "Cold Feet"}})
    amendments.leave_out(**halted(over, amendment))
    assert planned(amendment).halt is None
    with pytest.raises(RuleViolation, match="Later entries no longer fit this change"):
        applied(over, amendment)
    amendment.refresh_from_db()
    over.battle.refresh_from_db()
    assert (amendment.state, over.battle.status, over.battle.version) == ("open", "closed", 1)
    assert (states(over), list(LedgerEntry.objects.order_by("pk").values())) == before
    assert balanced()
