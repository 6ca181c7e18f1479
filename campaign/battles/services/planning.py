"""Plan a battle, change its plan, and cancel it (R11, R17, R18, R22)."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Max, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access, state_machine
from campaign.battles.models import Battle, Side
from campaign.battles.queries.battles import setup_for
from campaign.battles.report_data import army_of, book_of
from campaign.battles.services import fair_dice
from campaign.battles.services.contenders import (
    NO_SIZE,
    Contender,
    check_may_plan,
    lock_contenders,
    plan_violations,
    side_of,
)
from campaign.battles.services.locks import lock_battle
from campaign.battles.services.mission import PLAN_CHANGED
from campaign.battles.services.transition import append_to_all, arbiter_facts, on_behalf_of, record_action, transition
from campaign.models import Campaign, activity
from campaign.services.locks import lock_campaign
from core.time_zones import time_violations, zone_of
from registers.ledger.session import LedgerSession
from registers.models import EntryType, Register
from registers.projection import states_of
from rules.battle import army as armies
from rules.core.values import KeywordValue
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse
from rules.register.effects import FieldLeft
from rules.register.state import RegisterState

NO_REASON = Fault("", gettext_noop("Enter a reason."))

LONGEST_REASON = 500
#: Maximum length, in characters, of a battle's arrangements and of a report's notes.
LONGEST_TEXT = 4000


class BattlePlan(KeywordValue):
    """A battle to be created with `size` points; `owner` is the color whose Turning Point Mission is played, or empty.

    `date` (today if left out), `time`, `place` and `arrangements` are what the players agreed on; the time is that of
    `time_zone` (an IANA name, the campaign's if left out). `rank_table` is the format whose rank limits are shown, or
    empty for that of the size (R18). `battle_id` is the primary key, so that a form sent twice plans one battle.
    """

    size: int
    blue: Contender
    red: Contender
    owner: str = ""
    date: datetime.date | None = None
    time: datetime.time | None = None
    time_zone: str = ""
    place: str = ""
    arrangements: str = ""
    mission: str = ""
    rank_table: str = ""
    battle_id: UUID = field(default_factory=uuid4)

    @property
    def contenders(self) -> dict[str, Contender]:
        """Both sides by their color, blue first."""
        return {Side.BLUE: self.blue, Side.RED: self.red}

    def own(self, registers: Mapping[UUID | None, Register]) -> dict[UUID | None, Register]:
        """Return those of `registers` that fight in it, by key."""
        keys = [each.register_id for each in self.contenders.values()]
        return {key: registers[key] for key in keys if key in registers}


@transaction.atomic
def plan_battle(*, actor: User, campaign: Campaign, **plan: Any) -> Battle:
    """Create a battle; `plan` are the values of a `BattlePlan`.

    Refuses a user who plays none of its Registers and does not organize. Also refuses, all reported at once: two guests
    (R17), an empty size (R18), a Register entered twice, one that is not commissioned (R4), one that has finished its
    last Story Arc (R49), one whose player is gone, and a Turning Point Mission that may not be, or must be, played
    (R22).
    """
    [battle] = plan_battles(actor=actor, campaign=lock_campaign(campaign), plans=[BattlePlan(**plan)])
    return battle


@transaction.atomic
def plan_battles(*, actor: User, campaign: Campaign, plans: Sequence[BattlePlan]) -> list[Battle]:
    """Create several battles of a locked campaign at once, all or none, and return them in the order of their `plans`.

    Refuses what `plan_battle` refuses. If there are several plans, each sentence begins with the two sides, and
    `about` is the key of the battle.
    """
    registers = lock_contenders(campaign, *(each for plan in plans for each in (plan.blue, plan.red)))
    known = Battle.objects.in_bulk([plan.battle_id for plan in plans])
    if any(battle.campaign_id != campaign.pk for battle in known.values()):
        raise refuse("", gettext("This battle belongs to another campaign. Reload the page."))
    new = [plan for plan in plans if plan.battle_id not in known]
    if new:
        role = access.campaign_role(actor, campaign)
        for plan in new:
            check_may_plan(role, plan.own(registers).values())
        states: Mapping[Any, RegisterState] = states_of(registers.values())
        raise_if_any(
            violation
            for plan in new
            for violation in _plan_violations(plan, campaign, registers, states, several=len(plans) > 1)
        )
        known |= {battle.pk: battle for battle in _create(actor, campaign, new, registers)}
    return [known[plan.battle_id] for plan in plans]


def _plan_violations(
    plan: BattlePlan,
    campaign: Campaign,
    registers: Mapping[UUID | None, Register],
    states: Mapping[Any, RegisterState],
    *,
    several: bool,
) -> Iterator[Violation]:
    own = plan.own(registers)
    found = [
        *text_violations(plan.arrangements, "arrangements"),
        *_time_violations(plan.date, plan.time, plan.time_zone or campaign.time_zone),
        *plan_violations(plan.size, plan.contenders, own, {key: states[key] for key in own}, plan.owner),
    ]
    if not several:
        yield from found
        return
    gone = gettext("a Register that left the campaign")
    blue, red = (str(own.get(each.register_id) or each.guest_name or gone) for each in (plan.blue, plan.red))
    pair = gettext("%(blue)s against %(red)s") % {"blue": blue, "red": red}
    yield from (Violation(each.rule, f"{pair}: {each.text}", str(plan.battle_id)) for each in found)


def _time_violations(date: datetime.date | None, time: datetime.time | None, zone: str) -> Iterator[Violation]:
    """Yield a time that does not exist, if there is a time."""
    if time:
        yield from time_violations(datetime.datetime.combine(date or timezone.localdate(), time, zone_of(zone)), "time")


def _create(
    actor: User, campaign: Campaign, plans: Sequence[BattlePlan], registers: Mapping[UUID | None, Register]
) -> list[Battle]:
    last = campaign.battles.aggregate(last=Max("number"))["last"] or 0
    battles = Battle.objects.bulk_create(
        Battle(
            pk=plan.battle_id,
            campaign=campaign,
            number=number,
            size=plan.size,
            rank_table=plan.rank_table,
            owner=plan.owner,
            turning_point_id=_turning_point_of(plan, registers),
            date=plan.date or timezone.localdate(),
            time=plan.time,
            time_zone=(plan.time_zone or campaign.time_zone) if plan.time else "",
            place=plan.place,
            arrangements=plan.arrangements,
            mission=plan.mission,
        )
        for number, plan in enumerate(plans, last + 1)
    )
    Side.objects.bulk_create(
        side_of(battle, colour, contender, registers.get(contender.register_id))
        for battle, plan in zip(battles, plans, strict=True)
        for colour, contender in plan.contenders.items()
    )
    prefetch_related_objects(battles, battle_access.SIDES)
    for battle, seed in zip(battles, fair_dice.promise_first(battles), strict=True):
        record_action(
            actor=actor, battle=battle, act=activity.Action.PLAN, was="", on_behalf_of=on_behalf_of(actor, battle),
            size=battle.size, date=battle.date.isoformat(), time=_plain(battle.time), place=battle.place,
            commitment=seed.commitment,
        )  # fmt: skip
    return battles


def _turning_point_of(plan: BattlePlan, registers: Mapping[UUID | None, Register]) -> str | None:
    """Return the Story Arc of the Turning Point Mission, which is that of the Blue Player (R22)."""
    return registers[plan.blue.register_id].story_arc_id if plan.owner and plan.blue.register_id else None


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

    `version` is that of the plan on the page. Refuses an empty size (R18), a smaller size than an army already chosen
    needs (R19), anyone who neither plays nor organizes, and a plan that has changed since. Repeating the same change
    does nothing.
    """
    battle, sides, session = lock_battle(battle_id)
    time_zone = (time_zone or battle.campaign.time_zone) if time else ""
    wanted = {
        "size": size,
        "date": date,
        "time": time,
        "time_zone": time_zone,
        "place": place,
        "arrangements": arrangements,
    }
    changed = {name: value for name, value in wanted.items() if getattr(battle, name) != value}
    if battle.plan_version == version + 1 and not changed:
        return battle
    state_machine.check_actor(actor, battle, activity.Action.REPLAN)
    if battle.plan_version != version:
        raise RuleViolation([PLAN_CHANGED()])
    if not changed:
        return battle
    was, smaller = {name: _plain(getattr(battle, name)) for name in changed}, size < battle.size
    for name, value in changed.items():
        setattr(battle, name, value)
    raise_if_any([
        *text_violations(arrangements, "arrangements"), *_time_violations(date, time, time_zone),
        *(_size_violations(battle, sides, session) if smaller else ()),
    ])  # fmt: skip
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


def text_violations(text: str, field: str) -> Iterator[Violation]:
    """Yield the reasons why the text of `field` cannot be saved."""
    if len(text) > LONGEST_TEXT:
        sentence = gettext("This text has %(letters)s characters. Shorten it to %(longest)s or fewer.")
        yield Violation("", sentence % {"longest": LONGEST_TEXT, "letters": len(text)}, field)


def _size_violations(battle: Battle, sides: list[Side], session: LedgerSession) -> Iterator[Violation]:
    if battle.size < 1:
        yield NO_SIZE("size")
        return
    for side in sides:
        if side.register and side.army_chosen:
            book, state = book_of(side), session.state(side.register)
            setup = setup_for(battle, side, sides)
            if armies.army_points(book, state, army_of(book, side.army)) > setup.size + setup.reinforcements:
                text = gettext("%(side)s has a larger army. Its player has to change it first.") % {"side": side.name}
                yield Violation("R19", text, "size")


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value
