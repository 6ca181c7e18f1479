"""What needs an organizer: the tasks of a campaign in groups, and their number for the inbox."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, Count, Exists, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, TextField, When
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, JSONObject
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from campaign.battles.models import Side
from campaign.battles.state_machine import BEGUN, FOUGHT, OPEN, OVER
from campaign.desk.battle_tasks import (
    ARMIES,
    OVERDUE,
    REPORTS,
    SEQUENCES,
    Task,
    battle_tasks,
    day,
    name_of,
    start_of_day,
    with_progress,
)
from campaign.discussion.models import Notice
from campaign.models import Activity, ActivityKind, Campaign, Enlistment, Membership
from members.models import MembershipChange, Role
from registers.models import LedgerEntry, Register
from registers.queries.readiness import over_potential

APPROVALS, ABSENT, POTENTIAL = "approvals", "absent", "potential"
#: The groups in the order of the page.
GROUPS = {
    OVERDUE: gettext_lazy("Overdue battles"),
    REPORTS: gettext_lazy("Reports to confirm or settle"),
    SEQUENCES: gettext_lazy("Stuck Post-Battle Sequences"),
    ARMIES: gettext_lazy("Armies to choose"),
    APPROVALS: gettext_lazy("Registers to approve"),
    POTENTIAL: gettext_lazy("Registers over their Combat Potential"),
    ABSENT: gettext_lazy("Players without a recent battle"),
}
#: After how many weeks without a battle a player is listed, unless the page asks for another number.
USUAL_WEEKS = 4
MOST_WEEKS = 52


@dataclass(frozen=True, slots=True)
class TaskGroup:
    """Tasks of one kind."""

    slug: str
    title: Any
    tasks: Sequence[Task]


def tasks_of(campaign: Campaign, *, weeks: int = USUAL_WEEKS) -> list[TaskGroup]:
    """Return the tasks of a campaign's organizers, in groups: five queries. Players are listed after `weeks` without a
    battle.
    """
    groups: dict[str, list[Task]] = defaultdict(list)
    battles = with_progress(campaign.battles.filter(status__in=OPEN))
    found = [*battle_tasks(battles), *_approvals(campaign), *_over_potential(campaign), *_absent(campaign, weeks)]
    for task in found:
        groups[task.group].append(task)
    return [TaskGroup(slug, title, groups[slug]) for slug, title in GROUPS.items() if groups[slug]]


def absent_players(members: QuerySet[Membership], weeks: int = USUAL_WEEKS) -> QuerySet[Any]:
    """Return the players among these memberships who have not played for so many weeks. `last_played` is the day of
    their last battle in the campaign, or None; `joined_at` is when they joined. Organizers without a Register in the
    campaign do not count as players.
    """
    long_ago = timezone.now() - timedelta(weeks=weeks)
    own = Side.objects.filter(register__owner=OuterRef("user"), battle__campaign=OuterRef("campaign"))
    played = own.filter(battle__status__in=(*FOUGHT, *BEGUN)).order_by()
    joins = Activity.objects.filter(campaign=OuterRef("campaign"), kind=MembershipChange.JOINED)
    joined = joins.alias(who=KT("facts__user")).filter(who=Cast(OuterRef("user"), TextField()))
    registers = Enlistment.objects.filter(campaign=OuterRef("campaign"), register__owner=OuterRef("user"))
    return (
        members.exclude(role=Role.VIEWER)
        .filter(~Q(role=Role.ORGANIZER) | Exists(registers))
        .annotate(
            last_played=Subquery(played.values("battle__campaign").annotate(last=Max("battle__date")).values("last")),
            joined_at=Coalesce(Subquery(joined.order_by("-at").values("at")[:1]), F("campaign__created_at")),
        )
        # Not by `last_played`: PostgreSQL would compute it for each player, and the inbox only counts them.
        .exclude(Exists(played.filter(battle__date__gte=long_ago.date())))
        .filter(Exists(played) | Q(joined_at__lt=long_ago))
    )


def registers_over_potential(registers: QuerySet[Register]) -> QuerySet[Any]:
    """Return the Registers whose cards cost more than their Combat Potential (R2), with `spent` and `changed_at`, the
    time of their last change.
    """
    last = LedgerEntry.objects.filter(register=OuterRef("pk")).order_by("-position").values("created_at")[:1]
    return over_potential(registers).annotate(changed_at=Coalesce(Subquery(last), F("created_at")))


def campaigns_with_tasks(user: User) -> QuerySet[Any]:
    """Return the campaigns of which a user is a member, with their `role`, in one query. `approvals` are the Registers
    that wait for an organizer ({key, name}). For organizers, `absent` is the number of absent players, and `over` that
    of Registers over their Combat Potential. `unseen` are the notices that the user has not seen ({key, kind, by,
    known_as, battle}); reminders of battles that are over are left out.
    """
    here = OuterRef("pk")
    playing = {"campaign": here, "status": Enlistment.Status.PLAYING}
    waiting = Enlistment.objects.filter(**playing, awaits_consent=True, register__discarded=False).order_by("pk")
    absent = absent_players(Membership.objects.filter(campaign=here))
    over = over_potential(
        Register.objects.filter(enlistment__campaign=here, enlistment__status=Enlistment.Status.PLAYING)
    )
    notices = Notice.objects.filter(campaign=here, user=user, seen_at=None)
    notices = notices.exclude(kind=Notice.Kind.REMINDER, battle__status__in=OVER)
    names = {"by": "by__username", "known_as": "by__known_as", "battle": "battle__number"}
    notice = JSONObject(key="pk", kind="kind", **names)
    own = Campaign.objects.filter(memberships__user=user).annotate(role=F("memberships__role"))
    return own.order_by("name", "pk").annotate(
        approvals=ArraySubquery(waiting.values(json=JSONObject(key="register", name="register__name"))),
        absent=_number_for_organizers(absent, "campaign"),
        over=_number_for_organizers(over, "enlistment__campaign"),
        unseen=ArraySubquery(notices.order_by("at", "pk").values(json=notice)),
    )


def _number_for_organizers(rows: QuerySet[Any], campaign: str) -> Case:
    number = Subquery(rows.order_by().values(campaign).annotate(number=Count("pk")).values("number"))
    return Case(When(role=Role.ORGANIZER, then=Coalesce(number, 0)), default=0, output_field=IntegerField())


def _approvals(campaign: Campaign) -> Iterator[Task]:
    enlisted = campaign.activity.filter(kind=ActivityKind.ENLISTED).alias(key=KT("facts__register"))
    added = enlisted.filter(key=Cast(OuterRef("register"), TextField()))
    waiting = campaign.enlistments.filter(
        status=Enlistment.Status.PLAYING, awaits_consent=True, register__discarded=False
    )
    waiting = waiting.select_related("register__owner").annotate(
        added_at=Coalesce(Subquery(added.order_by("-at").values("at")[:1]), F("register__created_at"))
    )
    note = _("%(who)s: imported values, waiting since %(since)s")
    for each in waiting.order_by("added_at"):
        yield Task(
            group=APPROVALS,
            title=str(each.register),
            note=note % {"who": name_of(each.register.owner), "since": day(each.added_at)},
            href=reverse("campaign:consent", args=[campaign.pk, each.register_id]),
            since=each.added_at,
        )


def _over_potential(campaign: Campaign) -> Iterator[Task]:
    note = _("%(who)s: %(spent)d of %(limit)d points, last change on %(since)s")
    over = registers_over_potential(
        campaign.registers.filter(enlistment__status=Enlistment.Status.PLAYING)
    ).select_related("owner")
    for each in over.order_by("changed_at"):
        words = {"spent": each.spent, "limit": each.combat_potential, "since": day(each.changed_at)}
        yield Task(
            group=POTENTIAL,
            title=str(each),
            note=note % {"who": name_of(each.owner), **words},
            href=reverse("registers:correct", args=[each.pk]),
            since=each.changed_at,
        )


def _absent(campaign: Campaign, weeks: int) -> Iterator[Task]:
    found = absent_players(campaign.memberships.all(), weeks).select_related("user")
    for each in sorted(found, key=_since):
        note = _("Last battle on %(since)s") if each.last_played else _("No battle since joining on %(since)s")
        since = _since(each)
        yield Task(
            group=ABSENT,
            title=each.user.get_username(),
            note=note % {"since": day(since)},
            href=reverse("battles:plan", args=[campaign.pk]),
            since=since,
        )


def _since(member: Any) -> datetime:
    return start_of_day(member.last_played) if member.last_played else member.joined_at
