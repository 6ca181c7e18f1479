"""The start page of the admin: searches for a Register, an event and a person, and what needs somebody's attention."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import has_right
from campaign.battles.models import Battle
from campaign.battles.pages.corrections import correction_rows
from campaign.battles.queries.corrections import correction_entries, first_of_each
from campaign.models import Campaign, CampaignState
from campaign.organizer_tasks.queries import Task, battle_tasks, with_progress
from catalogue.snapshot import rulebook
from core.admin_theme import may_view
from members.roles import ORGANIZE
from registers.models import Register
from registers.queries.readiness import over_potential
from rules.core.values import Value
from tournaments.models import Event, Game, JudgeCall

#: Number of corrections, and of stuck sequences, on the start page.
LATEST = 8
#: Number of cards on the start page that become playable next.
MOST_RELEASES = 20


class Card(Value):
    """A number with the list that it counts; `alarm` if somebody should look at it."""

    number: int
    label: str
    address: str
    alarm: bool = False


def start_page(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the admin's start page. Unfold calls this (DASHBOARD_CALLBACK)."""
    latest = first_of_each(correction_entries()).order_by("-created_at", "-pk")[:LATEST]
    return {
        **context,
        "searches": [(title, words, _list_of(model)) for model, title, words in _SEARCHED if may_view(model, request)],
        "corrections": correction_rows(latest) if may_view("battles.ledgercorrection", request) else [],
        "stuck": _stuck_sequences() if may_view("battles.battle", request) else [],
        "organizes": has_right(request.user, ORGANIZE),
        "cards": list(_cards(request)),
        "releases": _next_releases(request),
    }


def _next_releases(request: HttpRequest) -> list[tuple[str, str, str]]:
    """Return the cards that become playable next, or wait for their points: release, name, page in the admin."""
    book = rulebook()
    kinds = (("unit", book.units), ("upgrade", book.upgrades), ("commandcard", book.commands))
    found = [
        (card.release, card.full_name, reverse(f"admin:catalogue_{kind}_change", args=[card.slug]))
        for kind, cards in kinds
        if may_view(f"catalogue.{kind}", request)
        for card in cards.values()
        if not (card.retired or book.is_released(card))
    ]
    return sorted(found)[:MOST_RELEASES]


def _stuck_sequences() -> list[Task]:
    """Return the Post-Battle Sequences that have waited for a player for days, the longest first; none of the demo."""
    open_campaigns = Campaign.objects.filter(state=CampaignState.OPEN, guest=None)
    battles = Battle.objects.filter(status=Battle.Status.SEQUENCE, campaign__in=open_campaigns)
    return battle_tasks(with_progress(battles.select_related("campaign")))[:LATEST]


#: The searches: the list that each searches, its heading, and what it finds.
_SEARCHED = (
    ("registers.register", "Correct a Register", "Register, player, campaign, or unit"),
    ("tournaments.event", "Find an event", "Event, player, organizer, or place"),
    ("accounts.user", "Find a person", "Username, name, or email address"),
)
_REGISTERS = Register.objects.filter(owner__guest_until=None)

#: The cards: the list that each counts, its label, the filter, the rows, and whether they are an alarm.
_COUNTED = (
    ("registers.register", "Registers over their Combat Potential", "over=yes",
     over_potential(_REGISTERS), True),
    ("registers.register", "Registers in a battle", "in_battle=yes",
     _REGISTERS.exclude(in_field_battle=""), False),
    ("battles.battle", "Disputed reports", f"status__exact={Battle.Status.DISPUTED}",
     Battle.objects.filter(status=Battle.Status.DISPUTED), True),
    ("tournaments.event", "Events running", f"state__exact={Event.State.RUNNING}",
     Event.objects.filter(state=Event.State.RUNNING), False),
    ("tournaments.game", "Disputed results of events", f"state__exact={Game.State.DISPUTED}",
     Game.objects.filter(state=Game.State.DISPUTED), True),
    ("tournaments.judgecall", "Judge calls waiting", f"state__exact={JudgeCall.State.WAITING}",
     JudgeCall.objects.filter(state=JudgeCall.State.WAITING), True),
    ("procrastinate.procrastinatejob", "Failed jobs", "status=failed",
     ProcrastinateJob.objects.filter(status="failed"), True),
)  # fmt: skip


def _cards(request: HttpRequest) -> Iterator[Card]:
    for model, label, query, rows, is_alarm in _COUNTED:
        if may_view(model, request):
            number = rows.all().count()
            yield Card(number, label, f"{_list_of(model)}?{query}", is_alarm and number > 0)


def _list_of(model: str) -> str:
    """Return the address of the list of a model ("app.model")."""
    return reverse(f"admin:{model.replace('.', '_')}_changelist")
