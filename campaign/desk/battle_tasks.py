"""Battles that need an organizer: overdue, without armies, unconfirmed or disputed, or stuck in their sequence."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from accounts.models import User
from campaign.battles.access import SIDES
from campaign.battles.models import Battle, Side
from campaign.battles.pages.sequence import waits_for
from campaign.battles.queries.battles import both_ways
from campaign.models import Activity, ActivityKind
from registers.models import LedgerEntry

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A task of organizers: a line that leads to the page where it is done.

    `group` is one of OVERDUE, … or of those in `campaign.desk.queries`. `since` is when it began. `due` are players
    whom it waits for and who can sign in. `battle` is set if they can be reminded of it. `counts`: the badge
    counts it.
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


def with_progress(battles: QuerySet[Battle]) -> QuerySet[Any]:
    """Return battles for `battle_task`, with both sides: `changed_at` is when anything last happened to the battle, and
    `blue_at` and `red_at` when the Registers of its sides last changed (None for a guest). Two queries.
    """
    return progress_of(battles).prefetch_related(SIDES)


def progress_of(battles: QuerySet[Battle]) -> QuerySet[Any]:
    """Return the battles of `with_progress` without their sides, in one query."""
    acts = Activity.objects.filter(battle=OuterRef("pk"), kind=ActivityKind.BATTLE)
    last = acts.order_by("-at").values("at")[:1]
    return battles.annotate(
        changed_at=Coalesce(Subquery(last), F("created_at")), blue_at=_entry_of(Side.BLUE), red_at=_entry_of(Side.RED)
    )


def _entry_of(colour: str) -> Subquery:
    register = Side.objects.filter(battle=OuterRef(OuterRef("pk")), colour=colour).values("register")[:1]
    entries = LedgerEntry.objects.filter(register=Subquery(register)).order_by("-position")
    return Subquery(entries.values("created_at")[:1])


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
        return _task(battle, OVERDUE, without or _both(battle), note, start_of_day(battle.date))
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
        rests = max(filter(None, (battle.changed_at, getattr(battle, f"{side.colour}_at"))))
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
    who = get_text_list([name_of(owner) for owner in owners], _("and"))
    blue, red = battle.sides.all()
    title = _("Battle %(number)d: %(blue)s against %(red)s")
    places = {"who": who, "since": day(since), "date": date_format(battle.date, "MONTH_DAY_FORMAT"), **words}
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


def name_of(owner: User | None) -> str:
    """Return the name of a Register's player, in words if it has none."""
    return owner.get_username() if owner else _("no player")


def day(at: datetime) -> str:
    """Return a day without its year."""
    return date_format(timezone.localtime(at), "MONTH_DAY_FORMAT")


def start_of_day(on: date) -> datetime:
    """Return when a day begins, in the time zone of the site."""
    return timezone.make_aware(datetime.combine(on, time.min))
