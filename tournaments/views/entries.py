"""The players of an event as its organizers manage them: list, adding, import, one player, claims, personal links."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.adapters import too_often
from core.form_errors import as_context, refusals_as_messages, refusals_on
from core.form_fields import pressed_button
from core.qr import qr_svg
from rules.core.translation import ngettext
from tournaments import access
from tournaments.access import EventRole
from tournaments.forms.registration import (
    ClaimForm,
    EntryForm,
    LeaderPlaysForm,
    NamesForm,
    PaidForm,
    StateForm,
    TableForm,
)
from tournaments.models import Entry, Event
from tournaments.queries.entry_list import entry_lines, filtered, filters_of, has_started, last_lists, lines_of
from tournaments.queries.leaders import leaders_kept_out, leaders_of, playing_leaders
from tournaments.services import registration as services
from tournaments.services.player_csv import PlayerTable, read_players
from tournaments.services.registration import name_keys

from .common import frame

#: Personal links on one page: each has a QR code, which takes time to draw.
LINKS_A_PAGE = 60
#: The states that an organizer may give before the start, with the label of the button, by the state before.
MOVES = {
    Entry.State.REGISTERED: (Entry.State.WAITING, Entry.State.DROPPED),
    Entry.State.WAITING: (Entry.State.REGISTERED, Entry.State.DROPPED),
    Entry.State.CHECKED_IN: (Entry.State.REGISTERED, Entry.State.DROPPED),
    Entry.State.DROPPED: (Entry.State.REGISTERED, Entry.State.WAITING),
}


@require_http_methods(["GET", "HEAD", "POST"])
def entries(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all players with filters; a POST notes with one tap who has paid, or lets a leader play."""
    event, role = access.organized_event_for(request, pk)
    if request.method == "POST":
        paid_form = PaidForm(request.POST)
        if paid_form.is_valid():
            return _set_paid(request, event, *paid_form.pressed)
        return _register_leader(request, event, role)
    return entries_page(request, event, role)


def entries_page(
    request: HttpRequest,
    event: Event,
    role: EventRole,
    *,
    names_form: NamesForm | None = None,
    leader_form: LeaderPlaysForm | None = None,
) -> HttpResponse:
    """Show the list, with a refused form as it was typed."""
    lines = entry_lines(event)
    people = leaders_of(event)
    chosen, words = request.GET.get("show", ""), request.GET.get("q", "")[:80]
    last = max((line.entry.number for line in lines), default=0)
    context = {
        **frame(event, role, "entries"),
        "lines": filtered(lines, chosen, words),
        "number": len(lines),
        "filters": filters_of(event, lines),
        "chosen": chosen,
        "words": words,
        "claims": [line for line in lines if line.entry.claimant_id and not line.entry.user_id],
        "names_form": names_form or NamesForm(initial={"after": last}),
        "leader_form": leader_form or LeaderPlaysForm(event),
        "kept_out": leaders_kept_out(event, people),
        "breaking": playing_leaders(event, people, [line.entry for line in lines]),
        "started": has_started(event),
    }
    refused = any(form and form.errors for form in (names_form, leader_form))
    return render(request, "tournaments/entries/entries.html", context, status=422 if refused else 200)


@require_POST
def add_entries(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add players by name, one a line."""
    event, role = access.organized_event_for(request, pk)
    if limited := too_often(request, "add_players"):
        return limited
    form = NamesForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            added = services.add_players(
                actor=request.user, event=event, players=form.players(), now=timezone.now(),
                after=form.cleaned_data["after"],
            )  # fmt: skip
            _say_added(request, added)
            return redirect("tournaments:entries", pk=pk)
    return entries_page(request, event, role, names_form=form)


@require_http_methods(["GET", "HEAD", "POST"])
def import_players(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a CSV table of players would add and what is wrong with it, by line; then add all of them or none."""
    event, role = access.organized_event_for(request, pk)
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    if request.method != "POST":
        return _import_page(request, event, role, TableForm(initial={"after": last}))
    if limited := too_often(request, "add_players"):
        return limited
    form = TableForm(request.POST, request.FILES)
    if not form.is_valid():
        return _import_page(request, event, role, form)
    adds = bool(pressed_button(request.POST, "add"))
    after = form.cleaned_data["after"] if adds else last
    known = name_keys(event) if not adds else set()
    table = read_players(form.cleaned_data["text"], known)
    if adds and table.is_good:
        with refusals_on(form):
            added = services.add_players(
                actor=request.user, event=event, players=table.players, now=timezone.now(), after=after
            )
            _say_added(request, added)
            return redirect("tournaments:entries", pk=pk)
    # Without the file, which a browser cannot send again: the table is in the text.
    again = TableForm({"text": form.cleaned_data["text"], "after": after})
    again.full_clean()
    for error in form.non_field_errors().as_data():
        again.add_error(None, error)
    return _import_page(request, event, role, again, read_players(form.cleaned_data["text"], name_keys(event)))


@require_http_methods(["GET", "HEAD", "POST"])
def entry(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a player to an organizer: edit the entry, change its state before the start, show the personal link."""
    event, role = access.organized_event_for(request, pk)
    found = access.entry_in(event, number)
    if request.method != "POST":
        return _entry_page(request, event, role, found, EntryForm(found))
    button = pressed_button(request.POST, "state", "paid", "unpaid")
    if button:
        with refusals_as_messages(request):
            _press(request, found, button)
        return redirect("tournaments:entry", pk=pk, number=number)
    form = EntryForm(found, request.POST)
    if form.is_valid():
        with refusals_on(form):
            services.edit_entry(actor=request.user, entry=found, changes=form.changes())
            messages.success(request, _("%(player)s saved.") % {"player": found.name})
            return redirect("tournaments:entries", pk=pk)
    return _entry_page(request, event, role, access.entry_in(event, number), form)


@require_POST
def claim(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Ask to take over an entry without an account, take that back, or as an organizer consent or decline (E5)."""
    event, _role = access.event_for(request, pk)
    found = access.entry_in(event, number)
    button = pressed_button(request.POST, "consent", "decline", "take_back")
    if button in ("consent", "decline"):
        _answer_claim(request, pk, found, consent=button == "consent")
        return redirect("tournaments:entries", pk=pk)
    if limited := too_often(request, "register_for_event"):
        return limited
    with refusals_as_messages(request):
        if button == "take_back":
            services.drop_claim(actor=request.user, entry=found)
        else:
            services.claim(actor=request.user, entry=found)
            text = _("You have asked for the entry of %(player)s. An organizer decides.")
            messages.success(request, text % {"player": found})
    return redirect("tournaments:detail", pk=pk)


@require_safe
@never_cache
def personal_links(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the personal links of all players without an account, to print and cut out."""
    event, role = access.organized_event_for(request, pk)
    without = event.entries.filter(user=None, state__in=services.ACTIVE).order_by("name", "number")
    page = Paginator(without, LINKS_A_PAGE).get_page(request.GET.get("page"))
    cards = [
        {"entry": each, "link": link, "qr": qr_svg(link)} for each in page if (link := _personal_link(request, each))
    ]
    context = {**frame(event, role, "personal_links"), "cards": cards, "page": page}
    return render(request, "tournaments/entries/personal_links.html", context)


def _set_paid(request: HttpRequest, event: Event, number: int, paid: bool) -> HttpResponse:
    """Note whether a player has paid."""
    found = access.entry_in(event, number)
    with refusals_as_messages(request):
        services.set_paid(actor=request.user, entry=found, paid=paid)
    if request.htmx:
        line = next(line for line in entry_lines(event) if line.entry.pk == found.pk)
        return render(request, "tournaments/entries/_entry_row.html", {"line": line, "event": event})
    return redirect(request.get_full_path())


def _register_leader(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = LeaderPlaysForm(event, request.POST)
    if form.is_valid():
        with refusals_on(form):
            entry = services.register_leader(actor=request.user, event=event, now=timezone.now(), **form.cleaned_data)
            messages.success(request, _("%(player)s plays. The log says why.") % {"player": entry.name})
            return redirect("tournaments:entries", pk=event.pk)
    return entries_page(request, event, role, leader_form=form)


def _import_page(
    request: HttpRequest, event: Event, role: EventRole, form: TableForm, table: PlayerTable | None = None
) -> HttpResponse:
    context = {**frame(event, role, "import_players"), "form": form, "table": table}
    context["refusals"] = as_context(table.violations) if table else ()
    refused = form.errors or (table and not table.is_good)
    return render(request, "tournaments/entries/import.html", context, status=422 if refused else 200)


def _entry_page(request: HttpRequest, event: Event, role: EventRole, found: Entry, form: EntryForm) -> HttpResponse:
    started = has_started(event)
    link = "" if found.user_id else _personal_link(request, found)
    line = lines_of(event, [found], last_lists(event))[0]
    context = {
        **frame(event, role, "entries"),
        "line": line,
        "form": form,
        "moves": [] if started or event.is_over else [_move(found, to) for to in MOVES.get(found.state, ())],
        "link": link,
        "qr": qr_svg(link) if link else "",
        "started": started,
    }
    context["crumbs"].append({"label": _("Players"), "href": reverse("tournaments:entries", args=[event.pk])})
    return render(request, "tournaments/entries/entry.html", context, status=422 if form.errors else 200)


def _move(found: Entry, to: str) -> dict[str, str]:
    labels = {
        Entry.State.REGISTERED: _("Give a place"),
        Entry.State.WAITING: _("Put on the waiting list"),
        Entry.State.DROPPED: _("Withdraw"),
    }
    if found.state == Entry.State.CHECKED_IN and to == Entry.State.REGISTERED:
        return {"value": to, "label": _("Undo check-in")}
    return {"value": to, "label": labels[Entry.State(to)]}


def _press(request: HttpRequest, found: Entry, button: str) -> None:
    if button in ("paid", "unpaid"):
        services.set_paid(actor=request.user, entry=found, paid=button == "paid")
        return
    form = StateForm(request.POST)
    if form.is_valid():
        services.move_entry(actor=request.user, entry=found, state=form.cleaned_data["state"], now=timezone.now())


def _answer_claim(request: HttpRequest, pk: UUID, found: Entry, *, consent: bool) -> None:
    access.organized_event_for(request, pk)
    form = ClaimForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This request was withdrawn."))
        return
    person = form.cleaned_data["claimant"]
    names = {"person": person, "player": found.name}
    with refusals_as_messages(request):
        if services.answer_claim(actor=request.user, entry=found, claimant=person, consent=consent):
            messages.success(request, _("%(player)s is linked to the account of %(person)s now.") % names)
        else:
            messages.success(request, _("Declined. %(player)s stays without an account.") % names)


def _say_added(request: HttpRequest, added: list[Entry]) -> None:
    waiting = sum(entry.state == Entry.State.WAITING for entry in added)
    text = ngettext("{number} player added.", "{number} players added.", len(added))
    if waiting:
        text += " " + ngettext("{number} is on the waiting list.", "{number} are on the waiting list.", waiting)
    messages.success(request, text)


def _personal_link(request: HttpRequest, found: Entry) -> str:
    """Return the address that opens a player's page without an account."""
    return request.build_absolute_uri(reverse("tournaments:personal", args=[found.token]))
