"""The data of the campaign page, in eight queries."""

from collections.abc import Iterable, Mapping
from datetime import time
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from campaign.battles.access import fighters_of, sides_of
from campaign.battles.models import Battle
from campaign.battles.pages.battle_lines import BattleLine, battle_lines
from campaign.battles.state_machine import BEFORE_PLAY, OPEN
from campaign.models import Activity, ActivityKind, Campaign, Membership
from campaign.models.activity import Action
from campaign.queries.registers import by_standing, registers_of
from campaign.schedule.queries import schedule_summary
from core.db.prepared import Prepared, prefetch

#: How many finished battles are listed with the open ones.
LATELY_OVER = 3
#: How many events are shown.
LATELY = 5


def overview_of(campaign: Campaign, user: User) -> dict[str, Any]:
    """Return the rows of the campaign page for a member: eight queries.

    `registers` are those that play, `gone` those that were withdrawn or retired; both come with their players. `drafts`
    are the user's own that are not finished, `unenlisted` their Registers that are in no campaign. `members` have a
    name and a role in words (empty for players who have an account). `open` are the battles that are not over (the
    user's own first, then planned ones by date), `over` the last few finished ones. `events` are the latest, for
    `activity_lines`. `awaiting` are Registers that an organizer has to accept. `schedule`: the running phase and the
    latest round.
    """
    found = by_standing(registers_of(campaign, and_own_of=user))
    inside = [register for register in found if hasattr(register, "enlistment")]
    registers = [register for register in inside if register.commissioned]
    playing = [register for register in registers if register.enlistment.plays]
    battles, events = list(_battles(campaign.pk)), list(_events(campaign.pk))
    for row in (*battles, *events):
        row.campaign = campaign
    prefetch([*battles, *(event.battle for event in events if event.battle)], "sides", sides_of, "battle")
    lines = battle_lines(battles)
    return {
        "schedule": schedule_summary(campaign),
        "registers": playing,
        "drafts": [register for register in inside if not register.commissioned],
        "gone": [register for register in registers if not register.enlistment.plays],
        "members": [_member(each) for each in _memberships(campaign.pk)],
        "unenlisted": [register for register in found if not hasattr(register, "enlistment")],
        "open": _in_order((line for line in lines if line.battle.status in OPEN), user),
        "over": [line for line in lines if line.battle.status not in OPEN],
        "events": events,
        "awaiting": [each.enlistment for each in playing if each.enlistment.awaits_consent],
    }


@Prepared
def _battles(campaign: UUID) -> QuerySet[Battle]:
    battles = Battle.objects.filter(campaign__pk=campaign)
    over = battles.exclude(status__in=OPEN).order_by("-number").values("pk")[:LATELY_OVER]
    return battles.filter(Q(status__in=OPEN) | Q(pk__in=over))


@Prepared
def _events(campaign: UUID) -> QuerySet[Activity]:
    # The line of a new round says how many battles it has: theirs are in the whole log only.
    of_battle = Q(kind=ActivityKind.BATTLE, facts__act=Action.PLAN) | Q(kind=ActivityKind.MAP, facts__what="fought_for")
    events = Activity.objects.filter(campaign__pk=campaign).select_related("actor", "on_behalf_of", "battle")
    return events.exclude(of_battle, battle__pairing__isnull=False)[:LATELY]


@Prepared
def _memberships(campaign: UUID) -> QuerySet[Membership]:
    names = ("username", "known_as", "is_active", "merged_into")
    return (
        Membership.objects.filter(campaign__pk=campaign)
        .select_related("user")
        .only("role", *(f"user__{name}" for name in names))
    )


def _in_order(lines: Iterable[BattleLine], user: User) -> list[BattleLine]:
    listed = list(lines)
    to_come = [line for line in listed if line.battle.status in BEFORE_PLAY]
    under_way = [line for line in listed if line not in to_come]
    to_come.sort(key=lambda line: (line.battle.date, line.battle.time or time.max, line.battle.number))
    return sorted([*to_come, *under_way], key=lambda line: user.pk not in fighters_of(line.battle))


def _member(membership: Membership) -> Mapping[str, str]:
    is_player = membership.role == Membership.Role.PLAYER
    role = "" if is_player else str(membership.get_role_display())
    if membership.user.is_placeholder:
        role = gettext("no account")
    return {"name": membership.user.get_username(), "role": role}
