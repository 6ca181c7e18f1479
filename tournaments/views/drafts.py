"""The pairings of a round before it starts (E24)."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.form_errors import refusals_on
from core.form_fields import pressed_button
from tournaments.access import EventRole, entry_in, organized_event_for
from tournaments.forms.console import DraftForm, FixedTableForm, PublishForm
from tournaments.models import Event
from tournaments.pages.rounds import Draft, draft_of
from tournaments.services import rounds
from tournaments.views.common import frame


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show the pairings of a round with their warnings; change, fix tables, or publish them."""
    event, role = organized_event_for(request, pk)
    found = draft_of(event, number)
    if found is None:
        # A draft that was drawn again, or an old address: the console knows what comes next.
        return redirect("tournaments:console", pk=pk)
    if request.method != "POST":
        return _page(request, role, found)
    match pressed_button(request.POST, "publish", "fix", *DraftForm.BUTTONS):
        case "publish":
            return _publish(request, role, found)
        case "fix":
            return _fix(request, role, found)
    return _change(request, role, found)


def _publish(request: HttpRequest, role: EventRole, found: Draft) -> HttpResponse:
    form = PublishForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            version = form.cleaned_data["version"]
            rounds.publish_round(actor=request.user, event=found.event, number=found.round.number, version=version)
            if found.is_draft:
                messages.success(request, _("The pairings are published."))
            return redirect("tournaments:console", pk=found.event.pk)
    return _page(request, role, _now(found), publish_form=form)


def _fix(request: HttpRequest, role: EventRole, found: Draft) -> HttpResponse:
    form = FixedTableForm(_players(found), request.POST)
    if form.is_valid():
        with refusals_on(form):
            cleaned = form.cleaned_data
            entry = entry_in(found.event, int(cleaned["entry"]))
            rounds.fix_table(actor=request.user, entry=entry, table=cleaned["table"], reason=cleaned["reason"])
            messages.success(request, _("Saved."))
            return _here(found)
    return _page(request, role, _now(found), fixed_form=form)


def _change(request: HttpRequest, role: EventRole, found: Draft) -> HttpResponse:
    form = DraftForm(request.POST)
    if form.is_valid():
        with refusals_on(form):
            _do(request, found.event, found.round.number, form.cleaned_data)
            messages.success(request, _("Changed. The log says what it was."))
            return _here(found)
    return _page(request, role, _now(found), form=form)


def _do(request: HttpRequest, event: Event, number: int, cleaned: dict[str, Any]) -> None:
    words = {
        "actor": request.user, "event": event, "number": number,
        "reason": cleaned["reason"], "version": cleaned["version"],
    }  # fmt: skip
    match cleaned["do"]:
        case "swap":
            one, other = (entry_in(event, each) for each in cleaned["players"])
            rounds.swap_players(**words, one=one, other=other)
        case "bye":
            rounds.give_bye(**words, entry=entry_in(event, cleaned["players"][0]))
        case "offer":
            rounds.give_bye(**words, entry=entry_in(event, cleaned["offered"] or 0), again=True)
        case "tables":
            rounds.set_tables(**words, tables=cleaned["tables"])
        case "restore":
            rounds.restore_draw(**words)


def _here(found: Draft) -> HttpResponse:
    return redirect("tournaments:draft", pk=found.event.pk, number=found.round.number)


def _now(found: Draft) -> Draft:
    """Return the draft as it is after a refusal, which may have come from a change by somebody else."""
    return draft_of(found.event, found.round.number) or found


def _players(found: Draft) -> list[tuple[int, str]]:
    paired = [entry for row in found.games for entry in row.game.pair]
    entries = sorted((*paired, *found.byes), key=lambda entry: entry.name.casefold())
    return [
        (entry.number, f"{entry.name} ({entry.fixed_table})" if entry.fixed_table else entry.name) for entry in entries
    ]


def _page(
    request: HttpRequest,
    role: EventRole,
    found: Draft,
    *,
    form: DraftForm | None = None,
    publish_form: PublishForm | None = None,
    fixed_form: FixedTableForm | None = None,
) -> HttpResponse:
    asked = form or publish_form or fixed_form
    ticked = [str(each) for each in form["players"].data or ()] if form else []
    # A refusal was about older pairings: the tables typed for them would be put on other games.
    typed = {}
    if form and form["version"].data == found.version:
        typed = {str(place): table for place, table in (form["tables"].data or {}).items()}
    context = {
        **frame(found.event, role, "console"),
        "draft": found,
        "rows": [(row, typed.get(str(row.game.place), str(row.game.table))) for row in found.games],
        "ticked": ticked,
        "form": form or DraftForm(),
        "publish_form": publish_form or PublishForm(),
        "fixed_form": fixed_form or FixedTableForm(_players(found)),
        "fixed": bool(fixed_form),
    }
    return render(request, "tournaments/rounds/draft.html", context, status=422 if asked else 200)
