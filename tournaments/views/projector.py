"""The projector: one full screen for the hall, which follows the event automatically.

It shows what players may know and nothing more, also to a leader: the whole hall reads it (E26).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.access import event_for
from tournaments.models import Event, Round
from tournaments.pages.bracket import bracket_of
from tournaments.pages.clock import SEEN, clock_context
from tournaments.pages.rounds import RoundLink, pairings_of, rounds_of
from tournaments.pages.standings import standings_of
from tournaments.queries.history import history_of

#: The views that the address can ask for.
AUTO, NAMES, TABLES, STANDINGS, BRACKET, CLOCK = "auto", "names", "tables", "standings", "bracket", "clock"
#: What the hall sees before anything else is published.
WELCOME = "welcome"
#: Lines of a column that can be read from eight meters, and columns of a screen by what it shows.
LINES = 12
COLUMNS = {NAMES: 3, TABLES: 2, STANDINGS: 2}
#: Most games of a bracket's column that fit on a screen.
MOST_GAMES = 8


@login_not_required
@require_safe
def projector(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the projector. The address can choose a view; "auto" shows pairings after they are published, standings
    after a round is closed, and the bracket. A poll that names what it shows gets 204 until something has changed.
    """
    event, _role = event_for(request, pk)
    rounds = rounds_of(event, with_drafts=False)
    views = _views(event)
    wished = request.GET.get("view")
    wished = wished if wished in views else AUTO
    seen = _token(event, wished, rounds)
    if request.GET.get(SEEN) == seen:
        return HttpResponse(status=204)
    context = {
        "event": event,
        "screen": _screen(event, wished, rounds),
        "poll": f"{request.path}?{urlencode({'view': wished, SEEN: seen})}",
    }
    if SEEN in request.GET:
        return render(request, "tournaments/display/_screen.html", context)
    context["clock"] = clock_context(event, at=timezone.now())
    context["views"] = [
        {"label": label, "href": f"?view={name}", "current": name == wished} for name, label in views.items()
    ]
    return render(request, "tournaments/display/projector.html", context)


def _views(event: Event) -> dict[str, str]:
    views = {AUTO: _("Automatic"), NAMES: _("By name"), TABLES: _("By table"), STANDINGS: _("Standings")}
    if event.cut or event.structure == "elimination":
        views[BRACKET] = _("Bracket")
    return {**views, CLOCK: _("Clock")}


def _token(event: Event, wished: str, rounds: Sequence[RoundLink]) -> str:
    """Return a word that changes with what the projector shows; nothing of the clock is in it."""
    facts = "/".join([wished, event.state, event.name, *(each.version for each in rounds)])
    return blake2b(facts.encode(), digest_size=8).hexdigest()


def _current_view(rounds: Sequence[RoundLink]) -> str:
    """Return what is current: pairings while a round is played, standings when it is closed."""
    if not rounds:
        return WELCOME
    last = rounds[-1]
    if last.is_bracket:
        return BRACKET
    return STANDINGS if last.state == Round.State.CLOSED else NAMES


def _screen(event: Event, wished: str, rounds: Sequence[RoundLink]) -> dict[str, Any]:
    kind = _current_view(rounds) if wished == AUTO else wished
    last = rounds[-1] if rounds else None
    screen: dict[str, Any] = {"kind": kind, "wished": wished, "title": "", "pages": []}
    if kind in (NAMES, TABLES) and last:
        return {**screen, **_pairings(event, last, kind)}
    if kind == STANDINGS:
        return {**screen, **_standings(event)}
    if kind == BRACKET:
        return {**screen, **_bracket(event, last)}
    if kind == CLOCK:
        return {**screen, "title": last.name if last else ""}
    return {**screen, "kind": WELCOME}


def _pairings(event: Event, shown: RoundLink, kind: str) -> dict[str, Any]:
    pairings = pairings_of(event, shown.number)
    if kind == NAMES:
        lines: Sequence[Any] = pairings.by_name()
        title = _("%(round)s: your table") % {"round": shown.name}
    else:
        lines = [*pairings.playing, *(game for game in pairings.games if game.is_bye)]
        title = shown.name
    return {"kind": kind, "title": title, **_paged(kind, lines)}


def _standings(event: Event) -> dict[str, Any]:
    table = standings_of(event)
    if not table.after:
        return {"kind": WELCOME}
    return {
        "title": _("Standings after round %(number)s") % {"number": table.after},
        "heads": table.columns[:2], "cut": table.cut_after, **_paged(STANDINGS, table.rows),
    }  # fmt: skip


def _bracket(event: Event, last: RoundLink | None) -> dict[str, Any]:
    found = bracket_of(history_of(event))
    if not found.columns or not last:
        return {"kind": WELCOME}
    if (current := next((each for each in found.columns if each.number == last.number), None)) and len(
        current.games
    ) > MOST_GAMES:
        return _pairings(event, last, TABLES)
    shown = tuple(each for each in found.columns if len(each.games) <= MOST_GAMES)
    return {"title": _("Bracket"), "bracket": replace(found, columns=shown), "pages": [()]}


def _paged(kind: str, lines: Sequence[Any]) -> dict[str, Any]:
    """Return lines in pages of columns, as many as can be read; few lines stand alone in large letters."""
    columns = COLUMNS[kind] if len(lines) > LINES else 1
    size = LINES * columns
    pages = [
        [lines[start : start + LINES] for start in range(first, min(first + size, len(lines)), LINES)]
        for first in range(0, len(lines), size)
    ]
    return {"pages": pages, "columns": columns}
