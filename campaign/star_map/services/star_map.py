"""Create and change a star map, choose the system of a battle, and award bonuses."""

from collections.abc import Collection, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.access import campaign_role
from campaign.battles.access import plays
from campaign.battles.models import Battle
from campaign.battles.models.battle import BEFORE_PLAY
from campaign.models import Activity, ActivityKind, Campaign
from campaign.services.activity import log_activity
from campaign.services.locks import lock_campaign, lock_organized
from campaign.star_map.holders import Holder
from campaign.star_map.layouts import LAYOUTS
from campaign.star_map.models import LONGEST_NAME, BonusAward, HolderChange, MapSettings, System, SystemBattle
from campaign.star_map.queries import awarded_in, possible_holders, registers_for_bonus, settings_of, star_map_of
from registers.ledger.session import lock_registers
from registers.models import LedgerEntry, Register
from registers.services.awards import RegisterAward, give
from rules.adjustments.awards import MOST as LARGEST_BONUS, Gift
from rules.core.violations import OUT_OF_RANGE, Violation, raise_if_any, refuse

ONLY_ORGANIZERS = gettext_noop("Only organizers can change the star map.")
#: More systems do not fit on a phone.
MOST = 30
#: Statuses in which a player of a battle may choose its system: its result is not known yet.
PLAYERS_CHOOSE = (*BEFORE_PLAY, Battle.Status.IN_PLAY)


@transaction.atomic
def start_map(*, actor: User, campaign: Campaign, layout: str) -> None:
    """Create a map from one of the LAYOUTS, with systems called "System 1" and so on. If the campaign has systems
    already, nothing changes, so a form sent twice creates one map. Refuses anyone but an organizer, and an unknown
    layout.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if layout not in LAYOUTS:
        raise refuse("", gettext("Choose a set of systems."))
    if campaign.systems.exists():
        return
    chosen = LAYOUTS[layout]
    systems = System.objects.bulk_create(
        System(campaign=campaign, number=number, name=gettext("System %(number)s") % {"number": number}, x=x, y=y)
        for number, (x, y) in enumerate(chosen.places, start=1)
    )
    lane = System.lanes.through
    lane.objects.bulk_create(
        lane(from_system=systems[one], to_system=systems[other])
        for pair in chosen.lanes
        for one, other in (pair, pair[::-1])
    )
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="started", number=len(systems))


@transaction.atomic
def save_system(
    *,
    actor: User,
    campaign: Campaign,
    system_id: UUID,
    name: str,
    x: int,
    y: int,
    lanes: Collection[UUID] = (),
    bonus_supply: int = 0,
    bonus_experience: int = 0,
) -> System:
    """Create the system with this primary key at `x` and `y` percent of the map, or change it. `lanes` are the systems
    it is connected with. A form sent twice creates one system. Refuses anyone but an organizer, an empty, overlong or
    taken name, a place outside the map, a bonus that no award could give, an unknown lane, more than MOST systems, and
    a key of another campaign's system.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    systems = {system.pk: system for system in campaign.systems.all()}
    name = " ".join(name.split())
    values = {"name": name, "x": x, "y": y, "bonus_supply": bonus_supply, "bonus_experience": bonus_experience}
    others = {pk: each for pk, each in systems.items() if pk != system_id}
    raise_if_any(_violations(values, lanes, others))
    if (system := systems.get(system_id)) is None:
        if System.objects.filter(pk=system_id).exists():
            raise refuse("", gettext("This form is out of date. Reload the page."))
        if len(systems) >= MOST:
            raise refuse("", gettext("A star map can have up to %(most)s systems. Remove one first.") % {"most": MOST})
        number = 1 + (campaign.systems.aggregate(last=Max("number"))["last"] or 0)
        system = System(pk=system_id, campaign=campaign, number=number)
        log_activity(actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="created", system=name)
    elif system.name != name:
        log_activity(
            actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="renamed", before=system.name, system=name
        )  # fmt: skip
    for field, value in values.items():
        setattr(system, field, value)
    system.save()
    system.lanes.set(others[pk] for pk in lanes)
    return system


@transaction.atomic
def delete_system(*, actor: User, campaign: Campaign, system_id: UUID) -> None:
    """Remove a system and its history, but no awards. Repeating it changes nothing. Refuses all but organizers."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if system := campaign.systems.filter(pk=system_id).first():
        system.delete()
        log_activity(actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="deleted", system=system.name)


@transaction.atomic
def give_system(
    *, actor: User, campaign: Campaign, system_id: UUID, holder: str, battle_id: UUID | None = None
) -> None:
    """Give a system to a side: `holder` is the `value` of a Holder, empty for nobody. `battle_id` is the battle whose
    result the organizer follows, if any. Giving it to its holder changes nothing. Refuses anyone but an organizer, an
    unknown system, and a side that is not in the campaign.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    shown = next((each for each in star_map_of(campaign).systems if each.row.pk == system_id), None)
    if shown is None:
        raise refuse("", gettext("This system was removed from the map. Reload the page."))
    known: dict[str, Holder | None] = {"": None, **{each.value: each for each in possible_holders(campaign)}}
    if holder not in known:
        raise refuse("", gettext("Choose a team or Faction of this campaign."), "holder")
    side = known[holder]
    if side == shown.holder or (side and side.same_as(shown.holder)):
        return
    battle = campaign.battles.filter(pk=battle_id).first() if battle_id else None
    HolderChange.objects.create(
        system=shown.row, team_id=side.team if side else None, faction=side.faction if side else "", battle=battle,
        by=actor,
    )  # fmt: skip
    what, name = ("held", side.name) if side else ("freed", "")
    log_activity(
        actor=actor, campaign=campaign, kind=ActivityKind.MAP, battle=battle, what=what, system=shown.name, holder=name
    )  # fmt: skip


@transaction.atomic
def fight_for(*, actor: User, battle: Battle, system_id: UUID | None) -> None:
    """Choose the system that a battle is fought for, None for none. Choosing the same one again changes nothing.
    Players of the battle choose until it is reported, organizers at any time. Refuses everybody else, a canceled
    battle, and a system that is not on the map.
    """
    campaign = lock_campaign(battle.campaign)
    battle = Battle.objects.prefetch_related("sides__register").get(pk=battle.pk)
    role = campaign_role(actor, campaign)
    if battle.status == Battle.Status.CANCELLED:
        raise refuse("", gettext("This battle was canceled."))
    if not role.is_organizer and not plays(role, battle):
        raise refuse("", gettext("Only its players and the organizers can choose the system."))
    if not role.is_organizer and battle.status not in PLAYERS_CHOOSE:
        raise refuse("", gettext("The battle is reported. Ask an organizer to change its system."))
    before = SystemBattle.objects.filter(battle=battle).first()
    if (before and before.system_id) == system_id:
        return
    about: dict[str, Any] = {"actor": actor, "campaign": campaign, "kind": ActivityKind.MAP, "battle": battle}
    if system_id is None:
        SystemBattle.objects.filter(battle=battle).delete()
        log_activity(**about, what="not_fought_for")
        return
    if (system := campaign.systems.filter(pk=system_id).first()) is None:
        raise refuse("", gettext("Choose a system of this campaign."), "system")
    automatic = settings_of(campaign).winner_takes
    SystemBattle.objects.update_or_create(battle=battle, defaults={"system": system, "automatic": automatic})
    log_activity(**about, what="fought_for", system=system.name)


def fight_for_all(*, actor: User, campaign: Campaign, systems: Mapping[Battle, System]) -> None:
    """Choose the systems that new battles of a locked campaign are fought for, with a line each in the log."""
    automatic = settings_of(campaign).winner_takes
    SystemBattle.objects.bulk_create(
        SystemBattle(battle=battle, system=system, automatic=automatic) for battle, system in systems.items()
    )
    Activity.objects.bulk_create(
        Activity(
            campaign=campaign, battle=battle, kind=ActivityKind.MAP, actor=actor,
            facts={"what": "fought_for", "system": system.name},
        )
        for battle, system in systems.items()
    )  # fmt: skip


@transaction.atomic
def set_winner_takes(*, actor: User, campaign: Campaign, automatic: bool) -> None:
    """Choose whether the winner of a battle takes its system automatically. Battles whose system is chosen already stay
    as they are. Refuses anyone but an organizer.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    MapSettings.objects.update_or_create(campaign=campaign, defaults={"winner_takes": automatic})


@transaction.atomic
def start_turn(*, actor: User, campaign: Campaign, after: int) -> None:
    """Start the next turn, with new bonuses. A form sent twice starts one. Refuses anyone but an organizer."""
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    settings = settings_of(campaign)
    if settings.turn != after:
        return
    settings.turn += 1
    settings.save()
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="turn", turn=settings.turn)


@transaction.atomic
def award_bonus(*, actor: User, campaign: Campaign, system_id: UUID, turn: int) -> int:
    """Award the bonus of a system for this turn to every Register of its holder, by the awards service, which writes
    the ledgers and can undo it. Return how many Registers got it. Awarding it twice in a turn changes nothing and
    returns 0. Refuses anyone but an organizer, a turn that is over, a system without a holder or a bonus, a side
    without Registers, and everything that the awards service refuses.
    """
    campaign = lock_organized(actor, campaign, gettext(ONLY_ORGANIZERS))
    if settings_of(campaign).turn != turn:
        raise refuse("", gettext("A new turn has started. Reload the page, then award the bonus."))
    shown = next((each for each in star_map_of(campaign).systems if each.row.pk == system_id), None)
    if shown is None or shown.holder is None:
        raise refuse("", gettext("Nobody holds this system, so nobody gets its bonus."))
    gift = Gift(supply_points=shown.row.bonus_supply, experience=shown.row.bonus_experience)
    if not (gift.supply_points or gift.experience):
        raise refuse("", gettext("This system has no bonus. Enter one first."))
    if system_id in awarded_in(campaign, turn):
        return 0
    keys = [register.pk for register in registers_for_bonus(campaign, shown.holder)]
    if not keys:
        text = gettext("%(holder)s has no Register that could get the bonus.")
        raise refuse("", text % {"holder": shown.holder.name})
    registers = lock_registers(Register.objects.filter(pk__in=keys))
    reason = gettext("Bonus of %(system)s, turn %(turn)s") % {"system": shown.name, "turn": turn}
    awards = {register.pk: RegisterAward(gift, register.position) for register in registers}
    given = give(actor=actor, registers=sorted(registers, key=str), awards=awards, reason=reason)
    bonus, _new = BonusAward.objects.get_or_create(system=shown.row, turn=turn)
    written = reduce(or_, (Q(register=register, position=register.position) for register in given))
    bonus.entries.set(LedgerEntry.objects.filter(written))
    log_activity(
        actor=actor, campaign=campaign, kind=ActivityKind.MAP, what="bonus", system=shown.name,
        holder=shown.holder.name, turn=turn,
    )  # fmt: skip
    return len(given)


def _violations(values: dict[str, Any], lanes: Collection[UUID], others: dict[UUID, System]) -> Iterator[Violation]:
    if not (name := values["name"]):
        yield Violation("", gettext("Enter a name for the system."), "name")
    if len(name) > LONGEST_NAME:
        yield Violation("", gettext("Use up to %(longest)s characters.") % {"longest": LONGEST_NAME}, "name")
    if name.casefold() in {each.name.casefold() for each in others.values()}:
        yield Violation("", gettext("Another system has this name. Enter a different one."), "name")
    for field in ("x", "y"):
        if not 0 <= values[field] <= 100:
            yield OUT_OF_RANGE(field, most=100)
    for field in ("bonus_supply", "bonus_experience"):
        if not 0 <= values[field] <= LARGEST_BONUS:
            yield OUT_OF_RANGE(field, most=LARGEST_BONUS)
    if not set(lanes) <= others.keys():
        yield Violation("", gettext("One of these systems was removed. Choose the lanes again."), "lanes")
