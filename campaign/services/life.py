"""What all services of a battle share: its locks, how it goes on to its next state, and for whom an organiser acts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.transaction import TransactionManagementError
from django.http import Http404

from accounts.models import User
from campaign import access, at_once, life
from campaign.models import Battle, Kind, Side
from config.together import planned
from registers.models import Register
from registers.services import ledger
from rules.effects import Effect
from rules.force import Force
from rules.language import gettext
from rules.refusal import refuse

from .chronicle import record

# --- Locks: first the battle, then its Registers in the order of their keys -----------------------------------


def lock_battle(battle_id: UUID) -> tuple[Battle, list[Side]]:
    """The battle, locked, with its campaign and its sides (blue first), their Registers and players."""
    return _lock(pk=battle_id)


def lock_battle_of(side_id: int) -> tuple[Battle, list[Side]]:
    """The same for the battle of a side."""
    return _lock(sides=side_id)


def _lock(**which: object) -> tuple[Battle, list[Side]]:
    [battle] = _locked(**which)  # get() twice in a request looks like N+1
    return battle, sides_of(battle)


def lock_alone(battle_id: UUID) -> Battle:
    """The battle, locked, with its campaign and without its sides."""
    [battle] = _locked(pk=battle_id)
    return battle


#: Battles and then the Registers of their sides, both in the order of their keys. That all battles are counted first
#: lets none of the Registers be locked before the last of them is. Whose side it is nobody changes once it has begun.
_LOCK_ALL = (
    f"WITH battles AS MATERIALIZED (SELECT id FROM {Battle._meta.db_table} WHERE id = ANY($1) "  # noqa: S608
    f"ORDER BY id FOR UPDATE) SELECT id FROM {Register._meta.db_table} "
    f"WHERE (SELECT count(*) FROM battles) > 0 AND id IN (SELECT register_id FROM {Side._meta.db_table} "
    "WHERE battle_id = ANY($1)) ORDER BY id FOR UPDATE"
)


def lock_rows(battles: Collection[UUID]) -> list[UUID]:
    """Lock battles that have begun and then their Registers, both in the order of their keys; the keys of the Registers
    in that order. One statement, however many there are."""
    if not connection.in_atomic_block:
        raise TransactionManagementError("Locks hold in a transaction only.")
    with planned() as cursor:
        cursor.execute(_LOCK_ALL, [list(battles)])
        return [key for (key,) in cursor.fetchall()]


def lock_battles(keys: Collection[UUID]) -> list[Battle]:
    """The same; the battles in the order of their keys, each with its campaign and with its sides as they are then, and
    of a Register that fights in several of them the same one. The ledger holds their Forces. Two statements."""
    return at_once.read_whole(keys, lock_rows(keys))


def _locked(**which: object) -> QuerySet[Battle]:
    return Battle.objects.filter(**which).select_for_update(of=("self",)).select_related("campaign")


def sides_of(battle: Battle) -> list[Side]:
    """Both sides, blue first, with their Registers and players; the battle carries them from now on."""
    battle.carry(Side.objects.filter(battle=battle).select_related("register__owner").order_by("colour"))
    return list(battle.sides.all())


#: What goes in is the battle's key and the colour of the side that shall carry its entries. A guest has no Register.
_LOCK_WHOLE = (
    f"SELECT battle.id, {{}} FROM {Battle._meta.db_table} AS battle "  # noqa: S608
    f"JOIN {Side._meta.db_table} AS side ON side.battle_id = battle.id "
    f"JOIN {Register._meta.db_table} AS register ON register.id = side.register_id "
    "WHERE battle.id = {} ORDER BY register.id FOR UPDATE OF battle, register"
)
#: The same by the key of a side, and which one that is.
_OF_SIDE = f"(SELECT {{}} FROM {Side._meta.db_table} WHERE id = $1)"  # noqa: S608
_LOCK_WHOLE_OF = _LOCK_WHOLE.format(_OF_SIDE.format("colour"), _OF_SIDE.format("battle_id"))


def lock_whole(actor: User, battle_id: UUID, colour: str = "") -> tuple[Battle, list[Side]]:
    """The battle and its Registers, locked; then both sides as they are, and the actor's role.

    One statement locks, the battle before its Registers and those in the order of their keys, one reads (`at_once`),
    and one more both Forces, which the ledger holds. Whether the actor may see the battle is asked after that. Raises
    Battle.DoesNotExist.
    """
    return _locked_whole(actor, _LOCK_WHOLE.format("$2::text", "$1"), battle_id, colour)


def lock_whole_of(actor: User, side_id: int) -> tuple[Battle, list[Side]]:
    """The same for the battle of a side, which carries its entries."""
    return _locked_whole(actor, _LOCK_WHOLE_OF, side_id)


def _locked_whole(actor: User, sql: str, *which: Any) -> tuple[Battle, list[Side]]:
    if not connection.in_atomic_block:
        raise TransactionManagementError("Locks hold in a transaction only.")
    with planned() as cursor:
        cursor.execute(sql, which)
        locked = cursor.fetchall()
    read = at_once.read(actor, *locked[0]) if locked else None
    if read is None:
        raise Battle.DoesNotExist
    battle, _role = read
    found = list(battle.sides.all())
    ledger.hold([side.register for side in found if side.register])
    return battle, found


def lock_own(actor: User, battle_id: UUID, colour: str) -> tuple[Battle, list[Side], Side]:
    """The same for a form of the side of that colour, which comes last. Raises Http404 where the actor may not act for
    it.
    """
    try:
        battle, sides = lock_whole(actor, battle_id, colour)
    except Battle.DoesNotExist:
        raise Http404("No such battle") from None
    role = access.campaign_role(actor, battle.campaign)
    for side in sides:
        if side.colour == colour and access.may_act(role, side):
            return battle, sides, side
    raise Http404("No such side")


# --- Going on ------------------------------------------------------------------------------------------------


def go_on(
    *,
    actor: User | None,
    battle: Battle,
    act: life.Act,
    to: str,
    acting_for: User | None = None,
    changed: Collection[str] = (),
    **facts: Any,
) -> None:
    """Move a locked battle to the state `to`, save it, and record that in the chronicle with further `facts`.

    `changed` are other columns of it that have changed and are saved with its state. Refuses what `life.check`
    refuses. Raises ValueError for a state to which the act never leads.
    """
    life.check(battle, act)
    if to not in life.TABLE[act][battle.status].to:
        raise ValueError(f"{act} never leads from {battle.status} to {to}")
    was, battle.status = battle.status, to
    if changed or was != to:
        battle.save(update_fields=["status", *changed])
    write(actor=actor, battle=battle, act=act, was=was, acting_for=acting_for, **facts)


def write(
    *,
    actor: User | None,
    battle: Battle,
    act: life.Act,
    was: str,
    acting_for: User | None = None,
    **facts: Any,
) -> None:
    """Record in the chronicle what was done with a battle that came from the state `was`."""
    facts = {"act": str(act), "from": str(was), "to": str(battle.status), **facts}
    record(
        actor=actor, campaign=battle.campaign, kind=Kind.BATTLE, battle=battle, acting_for=acting_for, **facts
    )


def write_down(
    actor: User,
    battle: Battle,
    sides: list[Side],
    act: str,
    happens: Callable[[Force], Sequence[Effect]],
) -> None:
    """Append what `happens` to each Register of a battle that was locked as a whole, if anything does."""
    registers = [side.register for side in sides if side.register]
    for register in registers:
        if effects := happens(ledger.held(register)):
            ledger.note(
                actor=actor,
                acting_for=in_stead_on(actor, battle, register),
                register=register,
                act=act,
                effects=effects,
                battle=str(battle.pk),
            )
    ledger.write(*registers)


# --- For whom an organiser acts --------------------------------------------------------------------------------


def check_may_act(actor: User, side: Side) -> None:
    """Refuse somebody who may not act for a side of a locked battle."""
    if not access.may_act(access.campaign_role(actor, side.battle.campaign), side):
        raise refuse("", gettext("Only its player and the organisers act for this side."))


@transaction.atomic
def stand_in(*, actor: User, side_id: int) -> Battle:
    """Say as an organiser that one acts for a side though one plays the other, for the rest of the battle.

    The chronicle says so. Refuses who does not organise, a battle that is over, and a side that one does not
    play against. Twice changes nothing.
    """
    battle, sides = lock_battle_of(side_id)
    side = next(side for side in sides if side.pk == side_id)
    if side.stand_in_id == actor.pk:
        return battle
    life.check(battle, life.Act.STAND_IN)
    life.check_actor(actor, battle, life.Act.STAND_IN)
    if not access.opposes(actor, side):
        raise refuse("", gettext("This is for an organiser who plays the other side."))
    side.stand_in = actor
    side.save(update_fields=["stand_in"])
    go_on(
        actor=actor, battle=battle, act=life.Act.STAND_IN, to=battle.status,
        acting_for=side.own_register.owner, colour=side.colour,
    )  # fmt: skip
    return battle


def in_stead(actor: User, battle: Battle) -> User | None:
    """The player in whose stead somebody acts who does not play in the battle: the only one there is.

    For a battle of two players an organiser acts as such, and for neither of them.
    """
    players = {register.owner_id: register.owner for register in _registers(battle)}
    return None if actor.pk in players or len(players) != 1 else next(iter(players.values()))


def in_stead_on(actor: User, battle: Battle, register: Register) -> User | None:
    """The same for what the battle does to one of its Registers: either player may do it to both."""
    return None if actor.pk in access.fighters_of(battle) else ledger.in_stead(actor, register)


def as_a_player(actor: User, battle: Battle) -> dict[str, Any]:
    """What the chronicle keeps of an organiser who decides about the report of a battle in which they play."""
    return {"played": True} if actor.pk in access.fighters_of(battle) else {}


def _registers(battle: Battle) -> list[Register]:
    return [side.register for side in battle.sides.all() if side.register]
