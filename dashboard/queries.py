"""The Registers, campaigns and events on a player's home page."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.models import User
from campaign.battles.models import Battle
from campaign.battles.pages.register_lines import RegisterLine, register_lines
from campaign.models import Campaign, Enlistment, Membership
from campaign.organizer_tasks.queries import campaigns_with_tasks
from core.db.prepared import Prepared
from members.models import Role
from registers.models import Register
from registers.queries.readiness import touched_at
from rules.core.values import Value
from tournaments.pages.inbox import next_step
from tournaments.queries.inbox import OwnEvent


class Home(Value):
    """A player's home page without their tasks (`dashboard.inbox`).

    `put_away` are the archived campaigns, and the deleted ones that the player can restore. Each of the others has the
    numbers of its members (`members`), ready Registers (`ready`) and battles (`fought`), the `role` of the player,
    whether they have a Register in it (`own`), and the tasks of `campaigns_with_tasks`.
    """

    registers: Sequence[RegisterLine]
    campaigns: Sequence[Any]
    put_away: Sequence[Campaign]
    events: Sequence[dict[str, Any]]


def home(user: User, events: Iterable[OwnEvent]) -> Home:
    """Return the Registers and campaigns of a player, and their events (`tournaments.queries.inbox.own_events`). The
    Registers of an archived campaign are on its pages.
    """
    registers = list(_registers(user.pk))
    for register in registers:
        register.owner = user
    lines = register_lines(registers)
    active, put_away = [], []
    for campaign in _campaigns(user.pk):
        away = campaign.deleted_at or campaign.state == Campaign.State.ARCHIVED
        (put_away if away else active).append(campaign)
    now = timezone.now()
    rows = [
        {"name": own.event.name, "step": next_step(own, now), "href": own.href, "delete": own.delete_href}
        for own in events
    ]
    return Home(lines, active, put_away, rows)


@Prepared
def _registers(owner: int) -> QuerySet[Register]:
    archived = Q(enlistment__campaign__state=Campaign.State.ARCHIVED, enlistment__campaign__deleted_at=None)
    own = Register.objects.filter(owner__pk=owner, discarded=False).exclude(archived)
    return own.annotate(touched_at=touched_at()).select_related("enlistment__campaign")


@Prepared
def _campaigns(member: int) -> QuerySet[Any]:
    serving = Enlistment.objects.filter(campaign=OuterRef("pk"), register__discarded=False)
    # Separate counts: one join would return members times battles as rows.
    shown = campaigns_with_tasks().filter(Q(deleted_at=None) | Q(role=Role.ORGANIZER), member=member)
    return shown.annotate(
        members=_number_of(Membership.objects.all()),
        ready=_number_of(Enlistment.objects.filter(register__commissioned=True, status=Enlistment.Status.PLAYING)),
        fought=_number_of(Battle.objects.all()),
        own=Exists(serving.filter(register__owner=OuterRef("member"))),
    )


def _number_of(rows_of_campaigns: QuerySet[Any]) -> Coalesce:
    rows = rows_of_campaigns.filter(campaign=OuterRef("pk")).order_by().values("campaign")
    return Coalesce(Subquery(rows.annotate(number=Count("pk")).values("number")), 0)
