"""A Register's history, its past days, and its export to other programs."""

from datetime import date
from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from core.form_errors import form_page
from lists.exporting import all_written, list_file
from registers.access import register_for
from registers.campaign_side import battle_names
from registers.forms.building import DayForm, DaysForm, blame
from registers.ledger.filters import LedgerFilter, filter_choices
from registers.ledger.lines import Sums, falls
from registers.ledger.past import WEEK, Span, at_entry, at_the_end_of, earlier, ledger_of, past_of, spans_of
from registers.ledger.session import counting_entries, replay_entries, rulebook_for
from registers.ledger.text import names_of, whole_number
from registers.models import LedgerEntry, Register
from registers.pages.comparison import compare_states
from registers.pages.history import history_entries, history_groups, page_with, pages_of, runs_of
from registers.pages.sheet import plain_register, sheet_of
from registers.projection import state_of
from registers.queries.ledger import asked_entries, entries_of
from registers.services.corrections import dismiss_notices
from rules.core.violations import RuleViolation, refuse

ENTRIES_A_PAGE = 50


@require_safe
def ledger(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the ledger in words, all of it or filtered. If the owner views it, their notices are dismissed."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    names = names_of(book, state)
    choices = filter_choices(register, names)
    asked = choices.asked(request.GET, book)
    position = whole_number(request.GET.get("entry", ""))
    page, found, sums = _page(request, register, asked, position)
    if register.owner_id == request.user.pk:
        dismiss_notices(actor=request.user, entries=[entry.pk for entry in found])
    entries = history_entries(found, names, book, asked, sums, choices.battles)
    context = {
        "register": register,
        "state": state,
        "entries": entries,
        "groups": history_groups(entries, names, position=position, unfold=bool(asked.battle or asked.unit)),
        "balance": next((amounts[-1][1] for amounts in reversed(sums.values()) if amounts), None),
        "page": page,
        "query": query_without(request, "page", "entry"),
        "asked": asked,
        "choices": choices,
        "heading": choices.numbers.get(asked.of, ""),
        "agenda": book.agendas.get(asked.agenda),
        "unknown": ", ".join(choices.unknown(request.GET, book)),
    }
    return render(request, "registers/ledger.html", context)


def _page(
    request: HttpRequest, register: Register, asked: LedgerFilter, position: int | None
) -> tuple[Page[Any], list[LedgerEntry], Sums]:
    """Return a page of the ledger with its entries, newest first, and the sums of the number asked for.

    A number is shown entry by entry; everything else in runs of the same battle, which no page tears apart.
    """
    if asked.of:
        matching, sums = asked_entries(register, asked)
        page = Paginator(matching, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
        return page, list(page.object_list), sums
    fitting = asked.among(entries_of(register)).order_by("-position")
    pages = pages_of(runs_of(fitting.values_list("position", "battle")))
    number = page_with(pages, position) if position is not None and not asked else request.GET.get("page")
    page = Paginator(pages, 1).get_page(number)
    runs = [run for of_page in page.object_list for run in of_page]
    if not runs:
        return page, [], {}
    return page, list(fitting.filter(position__range=(runs[-1].oldest, runs[0].newest))), {}


def query_without(request: HttpRequest, *names: str) -> str:
    """Return the query string of the address without these parameters."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return query.urlencode()


@require_safe
def as_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all Dossiers of a Register in every format, to copy or to download."""
    register = register_for(request.user, pk)
    context = {
        "name": str(register),
        "faction": register.faction,
        "crumbs": [{"label": str(register), "href": reverse("registers:detail", args=[pk])}],
        "lists": all_written(plain_register(state_of(register))),
    }
    return render(request, "registers/list.html", context)


@require_safe
def as_file(request: HttpRequest, pk: UUID, which: str) -> HttpResponse:
    """Download all Dossiers of a Register as a file."""
    return list_file(plain_register(state_of(register_for(request.user, pk))), which)


@require_safe
def on_day(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a Register at the end of a day (`?at=2026-04-21`, or today) or after an entry (`?after=17`)."""
    register = register_for(request.user, pk)
    form = DayForm(request.GET if "at" in request.GET else {"at": localdate()})
    context: dict[str, Any] = {"register": register, "form": form}
    if form.is_valid():
        try:
            entries = ledger_of(register)
            context |= _sheet(register, entries, _asked_position(request, entries, form.cleaned_data["at"]))
        except RuleViolation as refusal:
            blame(form, refusal, "at")
    return form_page(request, "registers/on_day.html", context)


def _asked_position(request: HttpRequest, entries: list[LedgerEntry], day: date) -> int:
    """Return the position asked for. Refuses an invalid one, and days before the Register was opened."""
    after = request.GET.get("after")
    position = at_the_end_of(entries, day) if after is None else at_entry(entries, after)
    if not position:
        raise refuse("", gettext("The Register was started after this day. Enter a later day."))
    return position


def _sheet(register: Register, entries: list[LedgerEntry], position: int) -> dict[str, Any]:
    past = past_of(entries, position)
    book = rulebook_for(register)
    fell = dict(falls(counting_entries(past.entries))) if past.state.fallen else {}
    battles = battle_names({entry.battle for entry in fell.values()})
    fallen_in = {key: battles[entry.battle].label for key, entry in fell.items() if entry.battle in battles}
    sheet = sheet_of(book, past.state, register, fallen_in)
    for card in (*sheet["units"], *sheet["fallen"], *sheet["reassigned"]):
        card["url"] = ""  # the Dossier's page shows it as it is today
    return {
        **sheet,
        "past": past,
        "last": past.entries[-1],
        "earlier": earlier(entries, past.entries[-1]),
        "later": position + 1 if position < entries[-1].position else None,
    }


@require_safe
def difference(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what changed between two days (`?from=&to=`) or entries (`?since=3&until=17`), or in the first span."""
    register = register_for(request.user, pk)
    entries = ledger_of(register)
    spans = spans_of(entries)
    by_day = {"from", "to"} & request.GET.keys()
    form = DaysForm(request.GET if by_day else {"from": localdate() - WEEK, "to": localdate()})
    context: dict[str, Any] = {"register": register, "form": form, "spans": spans}
    try:
        if not by_day:
            context |= _changes(request, register, entries, *_entries(request, entries, spans[0]))
        elif form.is_valid():
            days = (at_the_end_of(entries, form.cleaned_data[name]) for name in ("from_", "to"))
            context |= _changes(request, register, entries, *days)
    except RuleViolation as refusal:
        blame(form, refusal, "to")
    return form_page(request, "registers/difference.html", context)


def _entries(request: HttpRequest, entries: list[LedgerEntry], usual: Span) -> tuple[int, int]:
    since, until = (request.GET.get(name, "") for name in ("since", "until"))
    if not (since or until):
        return usual.since, usual.until
    return at_entry(entries, since or "0"), at_entry(entries, until or str(entries[-1].position))


def _changes(
    request: HttpRequest, register: Register, entries: list[LedgerEntry], since: int, until: int
) -> dict[str, Any]:
    if until < since:
        raise refuse("", gettext("The second day is before the first. Swap them."))
    book = rulebook_for(register)
    past = past_of(entries, until)
    before, after = replay_entries(entry for entry in past.entries if entry.position <= since), past.state
    between = entries_of(register).filter(position__gt=since, position__lte=until)
    pages = Paginator(between.order_by("-position"), ENTRIES_A_PAGE)
    pages.count = until - since  # positions have no gaps
    page = pages.get_page(request.GET.get("page"))
    names = names_of(book, before) | names_of(book, after)
    history = history_entries(page.object_list, names, book, LedgerFilter(), {})
    return {
        "since": since,
        "until": until,
        "parts": compare_states(book, before, after),
        "entries": history,
        "groups": history_groups(history, names),
        "page": page,
        "query": query_without(request, "page"),
    }
