"""Sheets of an event on paper: pairings by name and by table, result slips, standings, the bracket. Each is a page that
prints from the browser and a PDF, on A4 or Letter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.adapters import too_often
from core.pdf import PdfRefused, PdfUnavailable, answer_with, to_pdf
from rules.tournaments.results import ENDINGS, Ending
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, event_for
from tournaments.models import Event, Round
from tournaments.pages.bracket import Bracket, BracketCell, bracket_of
from tournaments.pages.rounds import RoundLink, pairings_of, rounds_of
from tournaments.pages.standings import standings_table
from tournaments.queries.history import history_of

#: Paper sizes, and the lines of a column of names on a page of each.
LINES = {"a4": 40, "letter": 37}
SLIPS_A_PAGE = 4
#: Letters of a name above which it is printed smaller, so that it stands in full (E11).
LONG_NAME = 26
#: Games of a bracket's first column that fit on a page lying on its side.
MOST_ACROSS = 8


@login_not_required
@require_safe
def sheet(request: HttpRequest, pk: UUID, sheet: str) -> HttpResponse:
    """Show a sheet as a page to print. Raises Http404 for an unknown sheet or round."""
    context = _context(request, pk, sheet)
    return render(request, "tournaments/display/print.html", context)


@login_not_required
@require_safe
def pdf(request: HttpRequest, pk: UUID, sheet: str) -> HttpResponse:
    """Return a sheet as PDF; if that is impossible, the page to print, which says why (503)."""
    context = _context(request, pk, sheet)
    if limited := too_often(request, "print" if request.user.is_authenticated else "public_print"):
        return limited
    template = "tournaments/display/print.html"
    try:
        content = to_pdf(render_to_string(template, {**context, "for_pdf": True}))
    except PdfUnavailable as unavailable:
        return render(request, template, {**context, "missing": str(unavailable)}, status=503)
    except PdfRefused as refused:
        return refused.on(render(request, template, {**context, "refused": str(refused)}, status=503))
    return answer_with(content, f"{context['event'].name} {context['title']}")


def _context(request: HttpRequest, pk: UUID, sheet: str) -> dict[str, Any]:
    event, role = event_for(request, pk)
    fill = SHEETS.get(sheet)
    if fill is None:
        raise Http404("No such sheet")
    paper = "letter" if request.GET.get("paper") == "letter" else "a4"
    rounds = rounds_of(event, with_drafts=role.is_leader)
    shown = _round(request, rounds)
    asked = {"round": shown.number} if shown and sheet in ROUND_SHEETS else {}
    context: dict[str, Any] = {
        "event": event, "sheet": sheet, "paper": paper, "shown": shown,
        "papers": [
            {"label": label, "href": f"?{urlencode({**asked, 'paper': slug})}", "current": slug == paper}
            for slug, label in (("a4", "A4"), ("letter", "Letter"))
        ],
        "pdf_query": urlencode({**asked, "paper": paper}),
    }  # fmt: skip
    return {**context, **fill(event, role, shown, paper)}


def _round(request: HttpRequest, rounds: Sequence[RoundLink]) -> RoundLink | None:
    """Return the round of the address, by default the last published one. Raises Http404 for one that is not there."""
    asked = request.GET.get("round")
    if asked is None:
        return next((each for each in reversed(rounds) if each.state != Round.State.DRAFT), None)
    found = next((each for each in rounds if str(each.number) == asked), None)
    if found is None:
        raise Http404("No such round")
    return found


def _names(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    lines = pairings_of(event, shown.number).by_name() if shown else []
    rows = LINES[paper]
    columns = [lines[start : start + rows] for start in range(0, len(lines), rows)]
    pages = [columns[place : place + 2] for place in range(0, len(columns), 2)]
    return {"title": _("Pairings by name"), "pages": pages, "long_name": LONG_NAME}


def _tables(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    return {"title": _("Pairings by table"), "pairings": pairings_of(event, shown.number) if shown else None}


def _slips(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    games = pairings_of(event, shown.number).playing if shown else []
    pages = [games[start : start + SLIPS_A_PAGE] for start in range(0, len(games), SLIPS_A_PAGE)]
    endings = [_ending_words(each) for each in ENDINGS[RuleSet(event.rule_set)]]
    return {"title": _("Result slips"), "pages": pages, "endings": endings, "long_name": LONG_NAME}


def _standings(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    table = standings_table(history_of(event))
    return {"title": _("Standings"), "table": table if table.after else None}


def _bracket(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    found = bracket_of(history_of(event))
    across = bool(found.columns) and len(found.columns[0].games) <= MOST_ACROSS
    return {"title": _("Bracket"), "bracket": found, "rows": _bracket_rows(found), "lies": across}


def _bracket_rows(bracket: Bracket) -> list[list[tuple[int, BracketCell]]]:
    """Return the bracket as rows of a table: each game with the number of rows that it spans, in its first row."""
    if not bracket.columns:
        return []
    rows: list[list[tuple[int, BracketCell]]] = [[] for _game in bracket.columns[0].games]
    for column in bracket.columns:
        span = len(rows) // len(column.games)
        for place, game in enumerate(column.games):
            rows[place * span].append((span, game))
    return rows


def _ending_words(ending: Ending) -> str:
    return {
        Ending.VICTORY: _("Victory"),
        Ending.TIME: _("Time"),
        Ending.DRAW: _("Agreed draw"),
        Ending.CONCEDED: _("Conceded"),
        Ending.NO_SHOW: _("No-show"),
        Ending.ALL_DEFEATED: _("All units defeated"),
        Ending.BOTH_DEFEATED: _("Both sides defeated"),
        Ending.SIX_ROUNDS: _("Six rounds"),
    }[ending]


SHEETS: dict[str, Callable[[Event, EventRole, RoundLink | None, str], dict[str, Any]]] = {
    "names": _names, "tables": _tables, "slips": _slips, "standings": _standings, "bracket": _bracket,
}  # fmt: skip
#: Sheets of one round.
ROUND_SHEETS = ("names", "tables", "slips")
