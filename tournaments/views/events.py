"""The list of events, a new event, its public page, its settings and its state."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.adapters import check_limit
from accounts.models import User
from core import ics
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import OptionLabel, pressed_button
from core.open_page import open_page
from core.qr import qr_svg
from core.ui.reachable import address_for_others
from rules.tournaments.rule_sets import RuleSet
from tournaments import access
from tournaments.access import EventRole
from tournaments.forms.events import CancelForm, EventForm, SettingsForm, usual_start, usual_zone
from tournaments.models import Event, League
from tournaments.pages.events import PAST_A_PAGE, EventPage, event_line, event_lists, event_page, past_events
from tournaments.pages.teams import team_lines
from tournaments.queries.calendar import public_appointments
from tournaments.queries.events import CHOICES, plan_for, players_counted, structure_title
from tournaments.queries.history import history_of
from tournaments.queries.leaders import leaders_kept_out
from tournaments.queries.schedule import schedule_of
from tournaments.queries.standings import Places
from tournaments.queries.trophies import trophies_of
from tournaments.services import events as services
from tournaments.services.entries import registration_violation

from .common import frame

#: The buttons that change the state of an event.
OPEN, CLOSE, CANCEL = "open", "close", "cancel"


@open_page
def events(request: HttpRequest) -> HttpResponse:
    """Show the public events, and those that the reader leads or plays in on top."""
    page = Paginator(past_events(request.user), PAST_A_PAGE).get_page(request.GET.get("page"))
    lists, past = event_lists(request.user), [event_line(each) for each in page]
    knows_events = request.user.is_authenticated and bool(lists["own"] or lists["running"] or past)
    context = {"lists": lists, "page": page, "past": past, "knows_events": knows_events}
    return render(request, "tournaments/events/events.html", context)


def new(request: HttpRequest) -> HttpResponse:
    """Create an event that the user organizes."""
    zone = usual_zone(request.user)
    initial = {
        "event": uuid4(), "time_zone": zone, "starts_at": usual_start(zone), "rule_set": RuleSet.GALACTIC_CONQUEST,
    }  # fmt: skip
    form = EventForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        check_limit(request, "new_event")
        words = form.cleaned_data
        with refusals_on(form):
            event = services.create_event(
                actor=request.user, name=words["name"], rule_set=RuleSet(words["rule_set"]),
                starts_at=form.moment("starts_at"), time_zone=words["time_zone"], place=words["place"],
                event_id=words["event"],
            )  # fmt: skip
            return redirect("tournaments:detail", pk=event.pk)
    context = {"form": form, "crumbs": [{"label": _("Events"), "href": reverse("tournaments:events")}]}
    return form_page(request, "tournaments/events/new.html", context)


@open_page
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the public page of an event, with the reader's next step."""
    event, role = access.event_for(request, pk)
    return detail_page(request, event, role)


@open_page
def calendar(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send the dates of an event to a calendar program: the same for everybody, without players."""
    event, _role = access.event_for(request, pk)
    return ics.feed(request, event.name, public_appointments(event))


def detail_page(
    request: HttpRequest, event: Event, role: EventRole, reason_form: CancelForm | None = None
) -> HttpResponse:
    """Show the public page, with a refused reason for cancelling as it was typed."""
    page = event_page(event, role)
    history = history_of(event) if event.state == Event.State.FINISHED or event.team_size else None
    link = address_for_others(request, reverse("tournaments:register", args=[event.pk]))
    closed = registration_violation(event, timezone.now())
    kept_out = leaders_kept_out(event, page.leaders)
    is_kept_out = any(role.user and each.membership.user_id == role.user.pk for each in kept_out)
    context = {
        **frame(event, role, "detail"),
        "page": page,
        "winner": Places(history).winner if history else None,
        "lines": team_lines(history.published) if history and event.team_size and page.has_started else [],
        "trophies": trophies_of(event),
        "closed": closed,
        "schedule": schedule_of(event),
        "may_register": not closed and not page.is_coming and not is_kept_out,
        "link": link,
        "webcal": "webcal:"
        + request.build_absolute_uri(reverse("tournaments:calendar", args=[event.pk])).partition(":")[2],
        "qr": qr_svg(link) if role.is_leader and not closed else "",
        "links": _links(event, role),
        "claims": _claims(page, role),
        "cancel_form": reason_form or CancelForm(),
    }
    return form_page(request, "tournaments/events/detail.html", context)


def settings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the settings of an event, and change them."""
    event, role = access.organized_event_for(request, pk)
    leagues = League.objects.filter(owner=request.user).only("pk")
    data = request.POST if request.method == "POST" else None
    form = SettingsForm(event, data, locked=services.locked_settings(event), leagues=leagues)
    if form.is_valid():
        with refusals_on(form):
            services.change_settings(actor=request.user, event=event, changes=form.changes())
            messages.success(request, _("Settings saved."))
            return redirect("tournaments:settings", pk=pk)
    return _settings_page(request, event, role, form)


def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Say what is lost when a draft is deleted, and delete it."""
    event, role = access.organized_event_for(request, pk)
    if request.method == "POST":
        services.delete_draft(actor=request.user, event=event)
        messages.success(request, _("%(event)s is deleted.") % {"event": event})
        return redirect("home")
    if event.state != Event.State.DRAFT:
        return redirect(event)
    context = {**frame(event, role, "detail"), "players": event.entries.count()}
    return render(request, "tournaments/events/delete.html", context)


@require_POST
def state(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Open, close or reopen registration, or cancel the event with a reason."""
    event, role = access.organized_event_for(request, pk)
    button = pressed_button(request.POST, OPEN, CLOSE, CANCEL)
    if button == CANCEL:
        return _cancel(request, event, role)
    with refusals_as_messages(request):
        if button == OPEN:
            services.open_registration(actor=request.user, event=event)
            messages.success(request, _("Registration is open. Show the code or send the link."))
        elif button == CLOSE:
            services.close_registration(actor=request.user, event=event)
            messages.success(request, _("Registration is closed. You can still add players."))
    return redirect("tournaments:detail", pk=pk)


def _cancel(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = CancelForm(request.POST)
    with refusals_on(form):
        services.cancel_event(actor=request.user, event=event, reason=valid(form)["reason"])
        messages.success(request, _("The event is cancelled. Its page says why."))
        return redirect("tournaments:detail", pk=event.pk)
    return detail_page(request, event, role, form)


def _settings_page(request: HttpRequest, event: Event, role: EventRole, form: SettingsForm) -> HttpResponse:
    players = players_counted(event)
    plans = [
        {
            "title": structure_title(event.rule_set, each),
            "plan": plan_for(event, players, each),
            "chosen": each == event.structure,
        }
        for each in CHOICES[event.rule_set]
    ]
    if "structure" in form.fields:
        form.fields["structure"].choices = [
            (each.value, OptionLabel(line["title"], line["plan"].text if players else ""))
            for each, line in zip(CHOICES[event.rule_set], plans, strict=True)
        ]
    context = {
        **frame(event, role, "settings"),
        "form": form, "groups": form.groups(), "players": players, "plans": plans,
        "frozen": event.frozen_players is not None,
        "is_galactic": event.rule_set == RuleSet.GALACTIC_CONQUEST,
    }  # fmt: skip
    return form_page(request, "tournaments/events/settings.html", context)


def _claims(page: EventPage, role: EventRole) -> dict[str, Any]:
    """Return what a reader with an account, but without an entry, can take over (E5)."""
    if not isinstance(role.user, User) or role.entry or role.former or role.is_leader or page.event.is_over:
        return {"own": None, "offered": []}
    lines = (*page.players, *page.waiting)
    own = next((line for line in lines if line.entry.claimant_id == role.user.pk), None)
    return {"own": own, "offered": [] if own else page.claimable()}


def _links(event: Event, role: EventRole) -> dict[str, str]:
    """Return the addresses of other pages by name."""
    names = ("player", "lists", "console", "pairings", "standings", "statistics", "log")
    arguments: dict[str, tuple[Any, ...]] = dict.fromkeys(names, (event.pk,))
    if role.entry:
        arguments["army_list"] = (event.pk, role.entry.number)
    if event.league_id:
        arguments["league"] = (event.league_id,)
    return {name: reverse(f"tournaments:{name}", args=args) for name, args in arguments.items()}
