"""The start page of the admin: searches for a Register to correct and an event, and what needs somebody's attention."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from campaign.battles.models import Battle
from registers.models import EntryType, LedgerEntry, Register
from registers.queries.readiness import over_potential
from tournaments.models import Event, Game, JudgeCall

#: Number of corrections on the start page.
LATEST = 8


@dataclass(frozen=True, slots=True)
class Card:
    """A number with the list that it counts; `alarm` if somebody should look at it."""

    number: int
    label: str
    address: str
    alarm: bool = False


def start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the admin's start page. Unfold calls this (DASHBOARD_CALLBACK)."""
    return {
        **context,
        "search_page": reverse("admin:registers_register_changelist") if _may_view_registers(request) else "",
        "event_search": reverse("admin:tournaments_event_changelist") if _may_view_events(request) else "",
        "corrections": _latest_corrections() if _may_view_registers(request) else [],
        "cards": list(_cards(request)),
    }


def _may_view_registers(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("registers.view_register"))


def _may_view_events(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("tournaments.view_event"))


def _latest_corrections() -> QuerySet[LedgerEntry]:
    corrections = LedgerEntry.objects.filter(act=EntryType.CORRECT).select_related("register", "actor", "undone_by")
    return corrections.order_by("-created_at", "-pk")[:LATEST]


def _cards(request: HttpRequest) -> Iterator[Card]:
    if _may_view_registers(request):
        registers = reverse("admin:registers_register_changelist")
        over = over_potential(Register.objects.all()).count()
        yield Card(over, "Registers over their Combat Potential", f"{registers}?over=yes", over > 0)
        fighting = Register.objects.exclude(in_field_battle="").count()
        yield Card(fighting, "Registers in a battle", f"{registers}?in_battle=yes")
    if request.user.has_perm("battles.view_battle"):
        disputed = Battle.objects.filter(status=Battle.Status.DISPUTED).count()
        address = f"{reverse('admin:battles_battle_changelist')}?status__exact={Battle.Status.DISPUTED}"
        yield Card(disputed, "Disputed reports", address, disputed > 0)
    yield from _event_cards(request)
    if request.user.has_perm("procrastinate.view_procrastinatejob"):
        failed = ProcrastinateJob.objects.filter(status="failed").count()
        address = f"{reverse('admin:procrastinate_procrastinatejob_changelist')}?status=failed"
        yield Card(failed, "Failed jobs", address, failed > 0)


def _event_cards(request: HttpRequest) -> Iterator[Card]:
    if _may_view_events(request):
        running = Event.objects.filter(state=Event.State.RUNNING).count()
        address = f"{reverse('admin:tournaments_event_changelist')}?state__exact={Event.State.RUNNING}"
        yield Card(running, "Events running", address)
    if request.user.has_perm("tournaments.view_game"):
        disputed = Game.objects.filter(state=Game.State.DISPUTED).count()
        address = f"{reverse('admin:tournaments_game_changelist')}?state__exact={Game.State.DISPUTED}"
        yield Card(disputed, "Disputed results of events", address, disputed > 0)
    if request.user.has_perm("tournaments.view_judgecall"):
        waiting = JudgeCall.objects.filter(state=JudgeCall.State.WAITING).count()
        address = f"{reverse('admin:tournaments_judgecall_changelist')}?state__exact={JudgeCall.State.WAITING}"
        yield Card(waiting, "Judge calls waiting", address, waiting > 0)
