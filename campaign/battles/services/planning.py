"""Plan a battle, change its plan, and cancel it (R11, R17, R18, R22)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Max, prefetch_related_objects
from django.utils import timezone

from accounts.models import User
from campaign.battles import access as battle_access
from campaign.battles import state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import army_of, book_of
from campaign.battles.services import fair_dice
from campaign.battles.services.contenders import (
    Contender,
    check_may_plan,
    in_another_battle,
    lock_contenders,
    plan_violations,
    side_of,
)
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.setup import setup_for
from campaign.battles.services.transition import append_to_all, arbiter_facts, on_behalf_of, record_action, transition
from campaign.models import Campaign, activity
from campaign.services.locks import lock_campaign
from registers.ledger.session import LedgerSession
from registers.models import EntryType, Register
from registers.projection import states_of
from rules.battle import army as armies
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.register.effects import FieldLeft
from rules.register.state import RegisterState

LONGEST_REASON = 500
#: Maximum length, in characters, of a battle's arrangements and of a report's notes.
LONGEST_TEXT = 4000


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
    time: datetime.time | None = None,
    time_zone: str = "",
    place: str = "",
    arrangements: str = "",
    mission: str = "",
    rank_table: str = "",
    battle_id: UUID | None = None,
) -> Battle:
    """Create a battle of `size` points; `owner` is the color whose Turning Point Mission is played, or empty.

    `date` (today if left out), `time`, `place` and `arrangements` are what the players agreed on; the time is that of
    `time_zone` (an IANA name, the campaign's if left out). `rank_table` is the format
    whose rank limits are shown, or empty for that of the size (R18). `battle_id` is the new primary key, so that a
    form sent twice plans one battle. Refuses a user who plays none of its Registers and does not organize. Also
    refuses, all reported at once: two guests (R17), an empty size (R18), a Register entered twice or in another open
    battle (R11), one that is not commissioned (R4), one that has finished its last Story Arc (R49), one whose player
    is gone, and a Turning Point Mission that may not be, or must be, played (R22).
    """
    contenders = {Side.BLUE: blue, Side.RED: red}
    pk = battle_id or uuid4()
    locked = lock_campaign(campaign)  # battle numbers are assigned one at a time
    registers = lock_contenders(locked, *contenders.values())
    if planned := Battle.objects.filter(pk=pk).first():
        if planned.campaign_id != locked.pk:
            raise refuse("", gettext("This battle belongs to another campaign. Load the page again."))
        return planned
    check_may_plan(actor, locked, registers.values())
    states: Mapping[Any, RegisterState] = states_of(registers.values())
    wanted = [each.register_id for each in contenders.values() if each.register_id]
    fighting = Side.objects.filter(register__in=wanted, open=True).values_list("register", flat=True)
    violations = plan_violations(size, contenders, registers, states, fighting, owner)
    raise_if_any([*text_violations(arrangements, "arrangements"), *violations])
    battle = Battle.objects.create(
        pk=pk,
        campaign=campaign,
        number=(locked.battles.aggregate(last=Max("number"))["last"] or 0) + 1,
        size=size,
        rank_table=rank_table,
        owner=owner,
        turning_point_id=registers[blue.register_id].story_arc_id if owner and blue.register_id else None,
        date=date or timezone.localdate(),
        time=time,
        time_zone=(time_zone or locked.time_zone) if time else "",
        place=place,
        arrangements=arrangements,
        mission=mission,
    )
    _create_sides(battle, contenders, registers)
    seed = fair_dice.promise(battle, number=1)
    record_action(
        actor=actor, battle=battle, act=activity.Action.PLAN, was="", on_behalf_of=on_behalf_of(actor, battle),
        size=size, date=battle.date.isoformat(), time=_plain(time), place=place, commitment=seed.commitment,
    )  # fmt: skip
    return battle


@transaction.atomic
def replan(
    *,
    actor: User,
    battle_id: UUID,
    version: int,
    size: int,
    date: datetime.date,
    time: datetime.time | None = None,
    time_zone: str = "",
    place: str = "",
    arrangements: str = "",
) -> Battle:
    """Change the date, time, place, arrangements or size (points) of a battle before it begins.

    `version` is that of the plan on the page. Refuses an empty size (R18), a size too small for an army already
    chosen (R19), anyone who neither plays nor organizes, and a plan that has changed since. Repeating the same change
    does nothing.
    """
    battle, sides, session = lock_battle(battle_id)
    wanted = {
        "size": size,
        "date": date,
        "time": time,
        "time_zone": (time_zone or battle.campaign.time_zone) if time else "",
        "place": place,
        "arrangements": arrangements,
    }
    changed = {name: value for name, value in wanted.items() if getattr(battle, name) != value}
    if battle.plan_version == version + 1 and not changed:
        return battle
    state_machine.check(battle, activity.Action.REPLAN)
    state_machine.check_actor(actor, battle, activity.Action.REPLAN)
    if battle.plan_version != version:
        raise refuse("", gettext("The plan changed a moment ago. Check it, then make your changes again."))
    if not changed:
        return battle
    was = {name: _plain(getattr(battle, name)) for name in changed}
    for name, value in changed.items():
        setattr(battle, name, value)
    raise_if_any([*text_violations(arrangements, "arrangements"), *_size_violations(battle, sides, session)])
    battle.plan_version += 1
    transition(
        actor=actor, battle=battle, act=activity.Action.REPLAN, to=battle.status, changed=[*changed, "plan_version"],
        on_behalf_of=on_behalf_of(actor, battle),
        before=was, after={name: _plain(value) for name, value in changed.items()},
    )  # fmt: skip
    return battle


@transaction.atomic
def cancel(*, actor: User, battle_id: UUID, reason: str = "", stage: str | None = None) -> Battle:
    """Cancel a battle before its sequence has begun. Repeating it does nothing.

    Registers in a battle leave it (R11), and a report is dropped; only the chronicle keeps its content. `reason` is
    optional; `stage` is the battle's progress on the page (None: the present one). Refuses a battle in its sequence
    or closed, one that has changed since, and anyone who neither plays nor organizes. Once a report is written, only
    an organizer may cancel (`state_machine.decides`).
    """
    battle, sides, session = lock_battle(battle_id)
    if battle.status == Battle.Status.CANCELLED:
        return battle
    state_machine.check(battle, activity.Action.CANCEL)
    state_machine.check_actor(actor, battle, activity.Action.CANCEL)
    if stage not in (None, battle.stage):
        raise refuse("R11", gettext("The battle changed a moment ago. Check it, then try again."))
    took_the_field = battle.status in state_machine.FOUGHT
    decided = arbiter_facts(actor, battle) if battle.version else {}
    battle.winner = ""
    transition(
        actor=actor,
        battle=battle,
        act=activity.Action.CANCEL,
        to=Battle.Status.CANCELLED,
        on_behalf_of=on_behalf_of(actor, battle),
        changed=["winner"],
        reason=reason.strip()[:LONGEST_REASON],
        **decided,
    )
    fair_dice.reveal(battle)
    for side in sides:
        side.open, side.report, side.victory_points = False, {}, 0
    Side.objects.bulk_update(sides, ["open", "report", "victory_points"])
    left = [FieldLeft(rule="R11", why=gettext_noop("the battle was canceled"))] if took_the_field else []
    append_to_all(session, actor=actor, battle=battle, act=EntryType.CANCEL, effects_for=lambda _state: left)
    return battle


def _create_sides(
    battle: Battle, contenders: Mapping[str, Contender], registers: Mapping[UUID | None, Register]
) -> None:
    sides = [
        side_of(battle, colour, contender, registers.get(contender.register_id))
        for colour, contender in contenders.items()
    ]
    try:
        with transaction.atomic():
            Side.objects.bulk_create(sides)
    except IntegrityError as error:  # last safeguard: other battles were already checked under the lock
        raise RuleViolation([in_another_battle("")]) from error
    prefetch_related_objects([battle], battle_access.SIDES)


def text_violations(text: str, field: str) -> Iterator[Violation]:
    """Yield the reasons why the text of `field` cannot be saved."""
    if len(text) > LONGEST_TEXT:
        sentence = gettext(
            "This text has {letters} letters. Shorten it to {longest} or fewer.",
            longest=LONGEST_TEXT,
            letters=len(text),
        )
        yield Violation("", sentence, field)


def _size_violations(battle: Battle, sides: list[Side], session: LedgerSession) -> Iterator[Violation]:
    if battle.size < 1:
        yield Violation("R18", gettext("Choose a size in points."), "size")
        return
    for side in sides:
        if side.register and side.army_chosen:
            book, state = book_of(side), session.state(side.register)
            setup = setup_for(battle, side, sides)
            if armies.army_points(book, state, army_of(book, side.army)) > setup.size + setup.reinforcements:
                text = gettext("{side} has a larger army. Its player has to change it first.", side=side.name)
                yield Violation("R19", text, "size")


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value
