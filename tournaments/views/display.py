"""Public pages of an event while it is played: pairings, standings with their figures, the bracket."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from rules.tournaments.what_if import sentence
from tournaments.access import EventRole, entry_in, event_for
from tournaments.models import Event, Round
from tournaments.pages.bracket import bracket_of
from tournaments.pages.clock import SEEN, clock_context
from tournaments.pages.rounds import RoundLink, pairings_of, rounds_of
from tournaments.pages.standings import chances_of, explanation_of, figures_context, standings_of
from tournaments.queries.history import history_of
from tournaments.views.common import frame

#: The orders of the pairings.
TABLE, NAME = "table", "name"
#: Most letters of a search that are looked at.
LONGEST_SEARCH = 80


@login_not_required
@require_safe
def pairings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the pairings of the last published round, with the results so far."""
    event, role = event_for(request, pk)
    rounds = rounds_of(event, with_drafts=role.is_leader)
    published = [each for each in rounds if each.state != Round.State.DRAFT]
    shown = published[-1] if published else None
    return _pairings_page(request, event, role, rounds, shown, polls=True)


@login_not_required
@require_safe
def round_page(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show the pairings and results of any round. Raises Http404 for a draft, except for leaders (E24)."""
    event, role = event_for(request, pk)
    rounds = rounds_of(event, with_drafts=role.is_leader)
    shown = next((each for each in rounds if each.number == number), None)
    if shown is None:
        raise Http404("No such round")
    return _pairings_page(request, event, role, rounds, shown, polls=shown.state == Round.State.PUBLISHED)


@login_not_required
@require_safe
def standings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the standings after the last closed Swiss round, or after the one that `after` names (E33–E36)."""
    event, role = event_for(request, pk)
    table = standings_of(event, _number(request, "after"))
    own = next((row for row in table.rows if role.entry and row.number == role.entry.number), None)
    context = {**frame(event, role, "standings"), "table": table, "own": own}
    return render(request, "tournaments/standings/standings.html", context)


@login_not_required
@require_safe
def figures(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show how each figure of a player was computed (E37). Raises Http404 for somebody who has not played."""
    event, role = event_for(request, pk)
    entry = entry_in(event, number)
    history = history_of(event)
    after = _number(request, "after")
    explanation = explanation_of(history, entry, after)
    if explanation is None:
        raise Http404("No figures yet")
    chance = chances_of(history).get(entry.key) if after is None else None
    context = {
        **frame(event, role, "standings"), "entry": entry, "chance": chance,
        "chance_sentence": sentence(chance) if chance else "", **figures_context(history, explanation),
    }  # fmt: skip
    context["crumbs"] = [*context["crumbs"], {"label": _("Standings"), "href": _address("standings", event)}]
    return render(request, "tournaments/standings/figures.html", context)


@login_not_required
@require_safe
def bracket(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the bracket with its results and places (E39–E43)."""
    event, role = event_for(request, pk)
    history = history_of(event)
    context = {**frame(event, role, "bracket"), "bracket": bracket_of(history)}
    return render(request, "tournaments/bracket/bracket.html", context)


def _pairings_page(
    request: HttpRequest,
    event: Event,
    role: EventRole,
    rounds: list[RoundLink],
    shown: RoundLink | None,
    *,
    polls: bool,
) -> HttpResponse:
    """Answer with a round's pairings; a poll that names what it shows gets 204 until something has changed."""
    version = shown.version if shown else "none"
    if request.GET.get(SEEN) == version:
        return HttpResponse(status=204)
    search = request.GET.get("q", "")[:LONGEST_SEARCH]
    order = NAME if request.GET.get("by") == NAME else TABLE
    found = pairings_of(event, shown.number) if shown else None
    asked = {"by": order, "q": search}
    poll = f"{request.path}?{urlencode({**asked, SEEN: version})}" if polls else ""
    matching, own = found.matching(search) if found else None, role.entry.number if role.entry else 0
    context: dict[str, Any] = {
        "event": event, "role": role, "rounds": rounds, "shown": shown, "order": order, "search": search, "poll": poll,
        "all": found, "found": matching,
        "playing": [(each, each.has(own)) for each in matching.playing] if matching and order == TABLE else [],
        "lines": found.names_matching(search) if found and order == NAME else [],
        "own": own,
    }  # fmt: skip
    if SEEN in request.GET:
        return render(request, "tournaments/rounds/_pairings.html", context)
    context |= frame(event, role, "pairings")
    context["orders"] = [
        {"label": label, "href": f"?{urlencode({'by': name, 'q': search})}", "current": name == order}
        for name, label in ((TABLE, _("By table")), (NAME, _("By name")))
    ]
    if shown and shown.state == Round.State.PUBLISHED:
        context["clock"] = clock_context(event, at=timezone.now())
    return render(request, "tournaments/rounds/pairings.html", context)


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a round number from the address; None if there is none or it is no such number."""
    text = request.GET.get(name, "")
    return (int(text) or None) if text.isdecimal() and len(text) < 4 else None


def _address(name: str, event: Event, *more: object) -> str:
    return reverse(f"tournaments:{name}", args=[event.pk, *more])
