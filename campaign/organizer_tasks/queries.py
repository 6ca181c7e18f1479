"""Tasks of a campaign's organizers in groups, and their number for the inbox."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    Case,
    Count,
    DateField,
    Exists,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    When,
)
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, JSONObject, Now
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy

from accounts.models import User
from campaign.battles.models import Battle, Side
from campaign.battles.pages.sequence import waits_for
from campaign.battles.queries.battles import both_ways
from campaign.battles.state_machine import BEGUN, FOUGHT, OPEN, OVER
from campaign.discussion.models import Notice
from campaign.models import Activity, ActivityKind, Campaign, Enlistment, Membership
from core.db.prepared import Prepared, prefetch
from members.models import MembershipChange, Role
from registers.models import LedgerEntry, Register
from registers.queries.readiness import over_potential
from rules.core.values import KeywordValue

#: Armies are due this long before the day of a battle.
ARMIES_DUE = timedelta(days=2)
#: How long a battle may stay in play, and in its Post-Battle Sequence, before it is overdue.
OVERDUE_AFTER = timedelta(days=7)
#: How long a side of a sequence may rest before it is stuck.
STUCK_AFTER = timedelta(days=2)
#: Unconfirmed reports and missing armies are listed at once, but counted only after this time: on a game day they are
#: a matter of minutes.
COUNTED_AFTER = timedelta(days=1)

OVERDUE, ARMIES, REPORTS, SEQUENCES = "overdue", "armies", "reports", "sequences"
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


class Task(KeywordValue):
    """A task of organizers: a line that leads to the page where it is done.

    `group` is a slug of GROUPS. `since` is when it began. `due` are players whom it waits for and who can sign in.
    `battle` is set if they can be reminded of it. `counts`: the badge counts it.
    """

    group: str
    title: str
    note: str
    href: str
    since: datetime
    due: Sequence[User] = ()
    battle: Battle | None = None
    counts: bool = True

    @property
    def campaign_id(self) -> UUID | None:
        """The key of the battle's campaign."""
        return self.battle.campaign_id if self.battle else None


def tasks_of(campaign: Campaign, *, weeks: int = USUAL_WEEKS) -> list[dict[str, Any]]:
    """Return the groups of tasks for a campaign's organizers; players are absent after `weeks`: five queries."""
    groups: dict[str, list[Task]] = defaultdict(list)
    battles = with_progress(campaign.battles.filter(status__in=OPEN))
    found = [*battle_tasks(battles), *_approvals(campaign), *_over_potential(campaign), *_absent(campaign, weeks)]
    for task in found:
        groups[task.group].append(task)
    return [{"slug": slug, "title": title, "tasks": groups[slug]} for slug, title in GROUPS.items() if groups[slug]]


def absent_players(members: QuerySet[Membership], weeks: int = USUAL_WEEKS) -> QuerySet[Any]:
    """Return the players among these memberships who have not played for so many weeks. `last_played` is the day of
    their last battle in the campaign, or None; `joined_at` is when they joined. Organizers without a Register in the
    campaign do not count as players.
    """
    long_ago = Now() - timedelta(weeks=weeks)  # of the statement, since the inbox keeps this query
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
        .exclude(Exists(played.filter(battle__date__gte=Cast(long_ago, DateField()))))
        .filter(Exists(played) | Q(joined_at__lt=long_ago))
    )


def campaigns_with_tasks() -> QuerySet[Any]:
    """Return a query of all campaigns and their members, to be filtered by `member`, with the member's `role`.
    `approvals` are the Registers that wait for an organizer ({key, name}). For organizers of an open campaign, `absent`
    is the number of absent players, and `over` that of Registers over their Combat Potential. `unseen` are the notices
    that the member has not seen ({key, kind, by, known_as, battle}); reminders of battles that are over are left out.
    """
    here = OuterRef("pk")
    playing = {"campaign": here, "status": Enlistment.Status.PLAYING}
    waiting = Enlistment.objects.filter(**playing, awaits_consent=True, register__commissioned=True).order_by("pk")
    absent = absent_players(Membership.objects.filter(campaign=here))
    over = over_potential(
        Register.objects.filter(
            commissioned=True, enlistment__campaign=here, enlistment__status=Enlistment.Status.PLAYING
        )
    )
    notices = Notice.objects.filter(campaign=here, user=OuterRef("member"), seen_at=None)
    notices = notices.exclude(kind=Notice.Kind.REMINDER, battle__status__in=OVER)
    names = {"by": "by__username", "known_as": "by__known_as", "battle": "battle__number"}
    notice = JSONObject(key="pk", kind="kind", **names)
    members = (
        Campaign.everything.filter(solo=None).alias(member=F("memberships__user")).annotate(role=F("memberships__role"))
    )
    return members.order_by("name", "pk").annotate(
        approvals=ArraySubquery(waiting.values(json=JSONObject(key="register", name="register__name"))),
        absent=_number_for_organizers(absent, "campaign"),
        over=_number_for_organizers(over, "enlistment__campaign"),
        unseen=ArraySubquery(notices.order_by("at", "pk").values(json=notice)),
    )


@Prepared
def campaigns_in_play(user: int) -> QuerySet[Any]:
    """Return the campaigns of a user (by key) that are neither archived nor deleted, as in `campaigns_with_tasks`."""
    return campaigns_with_tasks().filter(member=user, deleted_at=None).exclude(state=Campaign.State.ARCHIVED)


def _number_for_organizers(rows: QuerySet[Any], campaign: str) -> Case:
    number = Subquery(rows.order_by().values(campaign).annotate(number=Count("pk")).values("number"))
    organized = Q(role=Role.ORGANIZER, state=Campaign.State.OPEN, deleted_at=None)
    return Case(When(organized, then=Coalesce(number, 0)), default=0, output_field=IntegerField())


def _approvals(campaign: Campaign) -> Iterator[Task]:
    enlisted = campaign.activity.filter(kind=ActivityKind.ENLISTED).alias(key=KT("facts__register"))
    added = enlisted.filter(key=Cast(OuterRef("register"), TextField()))
    waiting = campaign.enlistments.filter(
        status=Enlistment.Status.PLAYING, awaits_consent=True, register__commissioned=True
    )
    waiting = waiting.select_related("register__owner").annotate(
        added_at=Coalesce(Subquery(added.order_by("-at").values("at")[:1]), F("register__created_at"))
    )
    note = _("%(who)s: imported values, waiting since %(since)s")
    for each in waiting.order_by("added_at"):
        yield Task(
            group=APPROVALS,
            title=str(each.register),
            note=note % {"who": _name_of(each.register.owner), "since": _day(each.added_at)},
            href=reverse("campaign:consent", args=[campaign.pk, each.register_id]),
            since=each.added_at,
        )


def _over_potential(campaign: Campaign) -> Iterator[Task]:
    """Yield the Registers whose cards cost more than their Combat Potential (R2)."""
    note = _("%(who)s: %(spent)d of %(limit)d points, last change on %(since)s")
    last = LedgerEntry.objects.filter(register=OuterRef("pk")).order_by("-position").values("created_at")[:1]
    over = over_potential(campaign.registers.filter(commissioned=True, enlistment__status=Enlistment.Status.PLAYING))
    dated = over.annotate(changed_at=Coalesce(Subquery(last), F("created_at")))
    for each in dated.select_related("owner").order_by("changed_at"):
        words = {"spent": each.spent, "limit": each.combat_potential, "since": _day(each.changed_at)}
        yield Task(
            group=POTENTIAL,
            title=str(each),
            note=note % {"who": _name_of(each.owner), **words},
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
            note=note % {"since": _day(since)},
            href=reverse("battles:plan", args=[campaign.pk]),
            since=since,
        )


def _since(member: Any) -> datetime:
    return _start_of_day(member.last_played) if member.last_played else member.joined_at


def with_progress(battles: QuerySet[Battle]) -> list[Any]:
    """Return battles for `battle_task`: with `changed_at` and their sides (`load_sides`). Two queries."""
    return load_sides(battles.annotate(changed_at=changed_at()))


def changed_at() -> Coalesce:
    """Return the expression for when anything last happened to a battle of a query."""
    acts = Activity.objects.filter(battle=OuterRef("pk"), kind=ActivityKind.BATTLE)
    return Coalesce(Subquery(acts.order_by("-at").values("at")[:1]), F("created_at"))


def load_sides(battles: Iterable[Any]) -> list[Any]:
    """Return battles with their sides. `changed_at` of a side is when its Register last changed (None for a guest), and
    `player_role` that of its player in the campaign.
    """
    found = list(battles)
    prefetch(found, "sides", _sides, "battle")
    return found


@Prepared
def _sides(battles: Collection[UUID]) -> QuerySet[Any]:
    entries = LedgerEntry.objects.filter(register=OuterRef("register")).order_by("-position").values("created_at")
    roles = Membership.objects.filter(campaign=OuterRef("battle__campaign"), user=OuterRef("register__owner"))
    sides = Side.objects.filter(battle__pk__in=battles).select_related("register__owner").defer("register__biography")
    return sides.order_by("colour").annotate(
        changed_at=Subquery(entries[:1]), player_role=Subquery(roles.values("role")[:1])
    )


def battle_tasks(battles: Iterable[Any]) -> list[Task]:
    """Return the tasks in these battles of `with_progress`, those that wait longest first."""
    return sorted(filter(None, map(battle_task, battles)), key=lambda task: task.since)


def battle_task(battle: Any) -> Task | None:
    """Return what an organizer has to do about a battle of `with_progress`, or None. No query."""
    match battle.status:
        case Battle.Status.PLANNED | Battle.Status.READY:
            return _before_play(battle)
        case Battle.Status.IN_PLAY if timezone.now() - battle.changed_at > OVERDUE_AFTER:
            note = _("%(who)s: in play since %(since)s")
            return _task(battle, OVERDUE, _both(battle), note, battle.changed_at)
        case Battle.Status.REPORTED:
            return _reported(battle)
        case Battle.Status.DISPUTED:
            note = _("Disputed since %(since)s")
            return _task(battle, REPORTS, (), note, battle.changed_at, href=f"{battle.get_absolute_url()}#dispute")
        case Battle.Status.SEQUENCE:
            return _in_sequence(battle)
    return None


def _before_play(battle: Any) -> Task | None:
    today = timezone.localdate()
    without = [side for side in _both(battle) if not side.army_chosen]
    if battle.date < today:
        note = _("%(who)s: planned for %(since)s, not started")
        return _task(battle, OVERDUE, without or _both(battle), note, _start_of_day(battle.date))
    if without and battle.date - today <= ARMIES_DUE:
        note = _("%(who)s: no army chosen for %(date)s, last change on %(since)s")
        return _task(battle, ARMIES, without, note, battle.changed_at, counts=_is_old(battle))
    return None


def _reported(battle: Any) -> Task:
    others = [side for side in _both(battle) if side.own_register.owner_id != battle.reported_by_id]
    note = _("%(who)s: report of %(since)s not confirmed")
    return _task(battle, REPORTS, others or _both(battle), note, battle.changed_at, counts=_is_old(battle))


def _is_old(battle: Any) -> bool:
    return bool(timezone.now() - battle.changed_at > COUNTED_AFTER)


def _in_sequence(battle: Any) -> Task | None:
    now, stuck = timezone.now(), []
    for side, other in both_ways(battle):
        rests = max(filter(None, (battle.changed_at, side.changed_at)))
        if not side.done and not waits_for(other, side) and now - rests > STUCK_AFTER:
            stuck.append((rests, side))
    if not stuck and now - battle.changed_at > OVERDUE_AFTER:
        note = _("%(who)s: Post-Battle Sequence since %(since)s")
        return _task(battle, OVERDUE, [side for side in _both(battle) if not side.done], note, battle.changed_at)
    if not stuck:
        return None
    since, first = min(stuck, key=lambda pair: pair[0])
    note = _("%(who)s: step %(step)d, waiting since %(since)s")
    where = reverse("battles:sequence_side", args=[battle.pk, first.colour])
    return _task(battle, SEQUENCES, [side for _rests, side in stuck], note, since, href=where, step=first.step)


def _both(battle: Battle) -> list[Side]:
    return [side for side in battle.sides.all() if side.register]


def _task(
    battle: Any,
    group: str,
    sides: Iterable[Side],
    note: str,
    since: datetime,
    *,
    href: str = "",
    counts: bool = True,
    **words: Any,
) -> Task:
    owners = {side.own_register.owner: None for side in sides}
    who = get_text_list([_name_of(owner) for owner in owners], _("and"))
    blue, red = battle.sides.all()
    title = _("Battle %(number)d: %(blue)s against %(red)s")
    places = {"who": who, "since": _day(since), "date": date_format(battle.date, "MONTH_DAY_FORMAT"), **words}
    return Task(
        group=group,
        title=title % {"number": battle.number, "blue": blue.name, "red": red.name},
        note=note % places,
        href=href or battle.get_absolute_url(),
        since=since,
        due=[owner for owner in owners if owner and owner.is_active],
        battle=battle,
        counts=counts,
    )


def _name_of(owner: User | None) -> str:
    return owner.get_username() if owner else _("no player")


def _day(at: datetime) -> str:
    return date_format(timezone.localtime(at), "MONTH_DAY_FORMAT")


def _start_of_day(on: date) -> datetime:
    return timezone.make_aware(datetime.combine(on, time.min))
