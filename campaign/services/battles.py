"""From planning a battle to taking the field (R11, R17 to R23)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from campaign.access import players_of
from campaign.books import book_of
from campaign.facts import army_data
from campaign.models import Battle, Campaign, Side
from campaign.services import hands
from registers.models import Act, Register
from registers.services import ledger
from rules import army as armies
from rules.effects import Effect, FieldLeft
from rules.force import Force
from rules.post_battle.sequence import take_the_field
from rules.refusal import Problem, Refusal, refuse, refuse_any


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Who stands on a side: a Register of the campaign, or a guest with name, Faction and points (R17)."""

    register_id: UUID | None = None
    guest_name: str = ""
    guest_faction: str = ""
    guest_points: int = 0


@transaction.atomic
def plan_battle(
    *,
    actor: User,
    campaign: Campaign,
    size: int,
    blue: Contender,
    red: Contender,
    owner: str = "",
    date: datetime.date | None = None,
    mission: str = "",
    rank_table: str = "",
    battle_id: UUID | None = None,
) -> Battle:
    """A new battle of `size` points; `owner` is the colour whose Turning Point Mission is played, or empty.

    `rank_table` is the format whose rank limits are looked at, or empty for that of the size (R18).
    `battle_id` is the primary key it shall have, so that a form which comes twice plans one battle. Refuses
    two guests (R17), an empty size (R18), a Register twice or in another open battle (R11), one that is not
    commissioned (R4), one whose saga is complete (R49), one whose player is gone, and a Turning Point Mission
    that may not be, or must be, played (R22): all at once.
    """
    if battle_id and (planned := Battle.objects.filter(pk=battle_id, campaign=campaign).first()):
        return planned
    contenders = {Side.BLUE: blue, Side.RED: red}
    registers = _enlisted(campaign, *contenders.values())
    forces = {pk: ledger.force_of(register) for pk, register in registers.items()}
    refuse_any(
        [*_plan_problems(size, contenders, registers, forces, owner), *_gone(campaign, contenders, registers)]
    )
    Campaign.objects.select_for_update().get(pk=campaign.pk)  # numbers are given one at a time
    battle = Battle.objects.create(
        pk=battle_id or uuid4(),
        campaign=campaign,
        number=(campaign.battles.aggregate(last=Max("number"))["last"] or 0) + 1,
        size=size,
        rank_table=rank_table,
        owner=owner,
        turning_point_id=registers[blue.register_id].story_arc_id if owner and blue.register_id else None,
        date=date or timezone.localdate(),
        mission=mission,
    )
    for colour, contender in contenders.items():
        _create_side(battle, colour, contender)
    return battle


@transaction.atomic
def muster(
    *,
    actor: User,
    side_id: int,
    army: armies.Army,
    rank_reason: str = "",
    hand: Sequence[str] | None = None,
) -> Battle:
    """Field an army for a side; when both sides stand, the Registers take the field and the battle is in play.

    `rank_reason` says why ranks may be outside the limits: those warn and do not block (R18). Refuses an army
    that breaks R19, R21, R22 or R23, a Command Hand (`hand`: slugs of its cards; empty for none, left out: as it
    was) that breaks R24 or is entered by the opponent, and another army for a battle that is under
    way; the same one, come twice, changes nothing.
    """
    battle, sides = lock_battle_of(side_id)
    side = next(side for side in sides if side.pk == side_id)
    if battle.status != Battle.Status.MUSTERING:
        if side.army == army_data(army):
            return battle
        raise refuse("R19", "This battle is under way: its armies stand.")
    if side.register is None:
        raise refuse("R17", "A guest's army is not kept here.")
    registers = lock_registers(sides)
    force = ledger.force_of(registers[side.own_register.pk])
    book = book_of(side)
    other = next(other for other in sides if other.pk != side_id)
    refuse_any(
        [
            *armies.army_problems(book, force, army, terms_for(battle, side, sides)),
            *hands.entry_problems(actor=actor, side=side, other=other, army=army, hand=hand),
        ]
    )
    hands.record_hand(side=side, hand=hand)
    side.army = army_data(army)
    side.mustered = True
    side.save(update_fields=["army", "mustered"])
    if rank_reason.strip() and rank_reason != battle.rank_reason:
        battle.rank_reason = rank_reason.strip()[:200]
        battle.save(update_fields=["rank_reason"])
    if all(side.mustered for side in sides):
        _take_the_field(actor, battle, sides, registers)
    return battle


def terms_for(battle: Battle, side: Side, sides: list[Side]) -> armies.Terms:
    """Size, reinforcements and whose mission it is, for one side (R18, R20, R22). The sides carry their Registers."""
    other = next(other for other in sides if other.pk != side.pk)
    ahead = other.register.reputation if other.register else 0
    return armies.Terms(
        size=battle.size,
        reinforcements=armies.reinforcements(side.register.reputation, ahead) if side.register else 0,
        own_turning_point=battle.owner == side.colour,
    )


@transaction.atomic
def call_off(*, actor: User, battle_id: UUID) -> Battle:
    """Call a battle off, at any point before its sequence. The Registers leave the field. Refuses later (R11)."""
    battle, sides = lock_battle(battle_id)
    if battle.status == Battle.Status.CANCELLED:
        return battle
    if battle.status in (Battle.Status.SEQUENCE, Battle.Status.CLOSED):
        raise refuse("R11", "The Post-Battle Sequence has begun: this battle cannot be called off.")
    if battle.status != Battle.Status.MUSTERING:
        left: list[Effect] = [FieldLeft(rule="R11", why="the battle was called off")]
        for register in lock_registers(sides).values():
            ledger.append(actor=actor, register=register, act=Act.BEGIN, effects=left, battle=str(battle.pk))
    battle.status = Battle.Status.CANCELLED
    battle.save(update_fields=["status"])
    Side.objects.filter(battle=battle).update(open=False)
    return battle


# --- Locks: first the battle, then its Registers in the order of their keys -----------------------------------


def lock_battle(battle_id: UUID) -> tuple[Battle, list[Side]]:
    """The battle, locked, with its sides (blue first) and their Registers."""
    battle = Battle.objects.select_for_update().get(pk=battle_id)
    sides = list(Side.objects.filter(battle=battle).select_related("register", "battle").order_by("colour"))
    for side in sides:
        side.battle = battle
    return battle, sides


def lock_battle_of(side_id: int) -> tuple[Battle, list[Side]]:
    """The battle of a side, locked, with both sides."""
    return lock_battle(Side.objects.values_list("battle_id", flat=True).get(pk=side_id))


def lock_registers(sides: list[Side]) -> dict[UUID, Register]:
    """The Registers of both sides, locked in primary-key order, by key; the sides carry them from now on."""
    registers = {
        register.pk: register
        for register in ledger.lock(*(side.register_id for side in sides if side.register_id))
    }
    for side in sides:
        if side.register_id:
            side.register = registers[side.own_register.pk]
    return registers


# --- Parts ---------------------------------------------------------------------------------------------------


def _enlisted(campaign: Campaign, *contenders: Contender) -> dict[UUID | None, Register]:
    keys = [contender.register_id for contender in contenders if contender.register_id]
    return {register.pk: register for register in campaign.registers.filter(pk__in=keys)}


def _plan_problems(
    size: int,
    contenders: Mapping[str, Contender],
    registers: Mapping[UUID | None, Register],
    forces: Mapping[UUID | None, Force],
    owner: str,
) -> Iterator[Problem]:
    if size < 1:
        yield Problem("R18", "Agree on a size in points first.", "size")
    yield from _contender_problems(contenders, forces)
    for side in Side.objects.filter(register__in=[pk for pk in registers if pk], open=True):
        colour = next(c for c, contender in contenders.items() if contender.register_id == side.register_id)
        yield _in_another_battle(colour)
    sides = [forces.get(contender.register_id) for contender in contenders.values()]
    if registers and all(force is None or force.story_arc for force in sides):
        book = ledger.book_for(next(iter(registers.values())))
        yield from armies.turning_point_problems(book, sides[0], sides[1], owner)


def _contender_problems(
    contenders: Mapping[str, Contender], forces: Mapping[UUID | None, Force]
) -> Iterator[Problem]:
    if not forces:
        yield Problem("R17", "At least one side plays a Register.")
    elif len(forces) != sum(contender.register_id is not None for contender in contenders.values()):
        yield Problem("R17", "Two different Registers of this campaign fight, or one and a guest.")
    for colour, contender in contenders.items():
        force = forces.get(contender.register_id)
        if contender.register_id is None and not contender.guest_name.strip():
            yield Problem("R17", "A guest has a name.", "guest_name")
        if force and not force.commissioned:
            yield Problem("R4", f"{force.name or 'This Register'} is not commissioned yet.", colour)
        if force and force.saga_complete:
            yield Problem("R49", f"The saga of {force.name} is complete: it fights no more.", colour)


def _gone(
    campaign: Campaign, contenders: Mapping[str, Contender], registers: Mapping[UUID | None, Register]
) -> Iterator[Problem]:
    playing = set(players_of(campaign).values_list("user_id", flat=True))
    for colour, contender in contenders.items():
        register = registers.get(contender.register_id)
        if register and register.owner_id not in playing:
            yield Problem("", f"The player of {register} does not play in the campaign now.", colour)
        if register and register.enlistment.awaits_consent:
            text = f"An organiser has yet to consent to what {register} took over from a list."
            yield Problem("", text, colour)


def _in_another_battle(colour: str) -> Problem:
    return Problem("R11", "This Register is in another battle that is not over yet.", colour)


def _create_side(battle: Battle, colour: str, contender: Contender) -> None:
    try:
        with transaction.atomic():
            Side.objects.create(
                battle=battle,
                colour=colour,
                register_id=contender.register_id,
                guest_name="" if contender.register_id else contender.guest_name.strip(),
                guest_faction="" if contender.register_id else contender.guest_faction,
                guest_points=0 if contender.register_id else contender.guest_points,
                mustered=contender.register_id is None,
            )
    except IntegrityError as error:
        raise Refusal([_in_another_battle(colour)]) from error


def _take_the_field(actor: User, battle: Battle, sides: list[Side], registers: dict[UUID, Register]) -> None:
    for register in registers.values():
        effects = take_the_field(ledger.force_of(register), str(battle.pk))
        ledger.append(actor=actor, register=register, act=Act.BEGIN, effects=effects, battle=str(battle.pk))
    battle.status, battle.terms = Battle.Status.IN_PLAY, battle.campaign.terms
    battle.save(update_fields=["status", "terms"])
