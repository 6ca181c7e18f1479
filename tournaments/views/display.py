"""An event for others to look at: the projector, the clock, sheets to print, share cards, and the feed.

They show what players may know and nothing more, also to a leader: the whole hall reads them (E26).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.adapters import check_limit
from core.atom import FeedEntry, feed_answer
from core.open_page import open_page
from core.pdf import document_answer, png_answer, to_png
from core.qr import qr_png, qr_svg
from rules.tournaments.results import ENDINGS
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, event_for
from tournaments.models import Event, Game, LogKind, LogLine, Round
from tournaments.pages.bracket import Bracket, BracketCell, bracket_of
from tournaments.pages.clock import SEEN, TABLE, clock_context
from tournaments.pages.rounds import NameLine, PairingLine, RoundLink, pairings_of, rounds_of
from tournaments.pages.standings import columns_of, standings_of, standings_table
from tournaments.pages.teams import team_lines
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import are_factions_public
from tournaments.queries.history import history_of
from tournaments.queries.results import ENDING_NAMES, record_of
from tournaments.queries.rounds import round_name
from tournaments.queries.schedule import schedule_of
from tournaments.queries.standings import Places, places_of
from tournaments.queries.tables import zone_name, zones_of
from tournaments.views.results import entry_of_places

#: The views that the address can ask for.
AUTO, NAMES, TABLES, STANDINGS, BRACKET, CLOCK = "auto", "names", "tables", "standings", "bracket", "clock"
TEAMS, MAP, SCHEDULE = "teams", "map", "schedule"
#: What a stream shows, by the name in the address.
OVERLAYS = {TABLE: TABLES, STANDINGS: STANDINGS, BRACKET: BRACKET, CLOCK: CLOCK}
#: Half of the names, for two screens.
HALVES = ("names-1", "names-2")
#: What the hall sees before anything else is published.
WELCOME = "welcome"
#: Lines of a column that can be read from eight meters, also of one of names, and columns of a screen by what it shows.
#: Two screens have the names of 300 players in four pages each.
LINES, NAME_LINES = 12, 13
COLUMNS = {NAMES: 3, TABLES: 2, STANDINGS: 2}
#: More tables than these are small on the map.
MOST_LARGE_TABLES = 80
#: Most games of a bracket's column that fit on a screen.
MOST_GAMES = 8
#: Paper sizes, and the lines of a column of names on a page of each.
LINES_A_PAGE = {"a4": 40, "letter": 37}
SLIPS_A_PAGE = 4
#: Letters of a name above which it is printed smaller, so that it stands in full (E11).
LONG_NAME = 26
#: Games of a bracket's first column that fit on a page lying on its side.
MOST_ACROSS = 8
#: Pixels of the share card, and its page.
WIDTH, HEIGHT = 1200, 630
PAGE_OF_CARD = f"@page {{ size: {WIDTH}px {HEIGHT}px; margin: 0 }} body {{ margin: 0 }} svg {{ display: block }}"
#: Other sites may show the card; it does not change once the event is finished, except for a deleted name.
SHARED = {"Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=600"}
NEWEST_IN_FEED = 12
#: Letters that fit on a line of the share card at its largest size, by part.
FITTING = {"player": 15, "event": 34}
IN_FEED = (LogKind.PUBLISHED, LogKind.CLOSED, LogKind.STATE)


# --- The projector and the clock --------------------------------------------------------------------------------------


@open_page
def projector(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the projector. The address can choose a view; "auto" shows pairings from their publication until the clock
    starts, then the clock, standings after a round is closed, and the bracket. A poll that names what it shows gets
    204 until something has changed.
    """
    event, _role = event_for(request, pk)
    views = _views(event)
    wished = request.GET.get("view")
    wished = wished if wished in views else AUTO
    choices = [{"label": label, "href": f"?view={name}", "current": name == wished} for name, label in views.items()]
    return _shown(request, event, wished, {"view": wished}, "projector", {"views": choices})


@open_page
def overlay(request: HttpRequest, pk: UUID, view: str) -> HttpResponse:
    """Show a part of the projector without a background, for a stream: a table (`table` in the address), the standings,
    the bracket, or the clock. A poll gets 204 until something has changed. Raises Http404 for another view.
    """
    event, _role = event_for(request, pk)
    if view not in OVERLAYS:
        raise Http404("No such overlay")
    table = request.GET.get(TABLE, "")[:5]
    query = {TABLE: table} if table else {}
    return _shown(request, event, OVERLAYS[view], query, "overlay", {"view": view}, table if view == TABLE else None)


def _shown(
    request: HttpRequest, event: Event, wished: str, query: dict[str, str], page: str, more: dict[str, Any],
    table: str | None = None,
) -> HttpResponse:  # fmt: skip
    """Return a page with a screen, if wished of one table alone; the screen to a poll, or 204 if that shows it."""
    rounds = rounds_of(event, with_drafts=False)
    seen = _token(event, f"{wished}{table or ''}", rounds)
    if request.GET.get(SEEN) == seen:
        return HttpResponse(status=204)
    screen = _screen(event, wished, rounds)
    if table is not None:
        lines = [line for page in screen["pages"] for column in page for line in column]
        screen |= {"columns": 1, "pages": [[[line for line in lines if str(line.table) == table]]]}
    context = {"event": event, "screen": screen, "poll": f"{request.path}?{urlencode({**query, SEEN: seen})}", **more}
    if SEEN in request.GET:
        return render(request, "tournaments/display/_screen.html", {**context, "polled": True})
    context["clock"] = clock_context(event, at=timezone.now())
    return render(request, f"tournaments/display/{page}.html", context)


def _views(event: Event) -> dict[str, str]:
    views = {
        AUTO: _("Automatic"),
        NAMES: _("By name"),
        HALVES[0]: _("Names, screen 1"),
        HALVES[1]: _("Names, screen 2"),
    }
    views |= {TABLES: _("By table"), STANDINGS: _("Standings")}
    if event.team_size:
        views[TEAMS] = _("Teams")
    if event.cut or event.structure == "elimination":
        views[BRACKET] = _("Bracket")
    if zones_of(event.table_names):
        views[MAP] = _("Map")
    if event.schedule:
        views[SCHEDULE] = _("Schedule")
    return {**views, CLOCK: _("Clock")}


def _token(event: Event, wished: str, rounds: Sequence[RoundLink]) -> str:
    """Return a word that changes with what the projector shows; of the clock only whether it has started."""
    started = str(bool(rounds) and rounds[-1].has_started)
    texts = (event.name, event.announcement, event.place, event.schedule, event.table_names)
    facts = "/".join([wished, event.state, *texts, started, *(each.version for each in rounds)])
    return blake2b(facts.encode(), digest_size=8).hexdigest()


def _current_view(rounds: Sequence[RoundLink]) -> str:
    """Return what is current: pairings until a round starts, then its clock, standings when it is closed."""
    if not rounds:
        return WELCOME
    last = rounds[-1]
    if last.is_bracket:
        return BRACKET
    if last.state == Round.State.CLOSED:
        return STANDINGS
    return CLOCK if last.has_started else NAMES


def _screen(event: Event, wished: str, rounds: Sequence[RoundLink]) -> dict[str, Any]:
    kind = _current_view(rounds) if wished == AUTO else wished
    last = rounds[-1] if rounds else None
    screen: dict[str, Any] = {"kind": kind, "wished": wished, "title": "", "pages": []}
    if kind in (NAMES, *HALVES, TABLES) and last:
        return {**screen, **_pairings_screen(event, last, kind)}
    if kind == MAP and last:
        zones = _zones(event, last)
        columns = 1 + (sum(len(lines) for _name, lines in zones) > MOST_LARGE_TABLES)
        return {**screen, "title": last.name, "zones": zones, "columns": columns}
    if kind == STANDINGS:
        return {**screen, **_standings_screen(event)}
    if kind == TEAMS:
        lines = team_lines(history_of(event).published)
        heads = columns_of(event)[:2] if any(line.rank for line in lines) else ()
        return {**screen, "kind": STANDINGS, "title": _("Teams"), "heads": heads, **_paged(STANDINGS, lines)}
    if kind == BRACKET:
        return {**screen, **_bracket_screen(event, last)}
    if kind == CLOCK:
        return {**screen, "title": last.name if last else ""}
    return {**screen, "kind": WELCOME, "schedule": schedule_of(event)}


def _pairings_screen(event: Event, shown: RoundLink, kind: str) -> dict[str, Any]:
    pairings = pairings_of(event, shown.number)
    if kind != TABLES:
        lines: Sequence[Any] = _half(pairings.by_name(), kind)
        title, letters = _("%(round)s: your table") % {"round": shown.name}, [each.side.name[:1] for each in lines]
        title += f" · {letters[0]}–{letters[-1]}" if kind in HALVES and lines else ""
        kind = NAMES
    else:
        lines = [*pairings.playing, *(game for game in pairings.games if game.is_bye)]
        title = shown.name
    return {"kind": kind, "title": title, **_paged(kind, lines)}


def _zones(event: Event, shown: RoundLink) -> list[tuple[str, list[PairingLine]]]:
    """Return the games of a round by zone, as the organizer listed them, then those at tables in none."""
    rest = pairings_of(event, shown.number).playing
    found = []
    for zone in zones_of(event.table_names):
        found.append((zone.name, [line for line in rest if zone.first <= line.table <= zone.last]))
        rest = [line for line in rest if line not in found[-1][1]]
    return [(name, lines) for name, lines in (*found, (_("Other tables"), rest)) if lines]


def _half(lines: list[NameLine], kind: str) -> list[NameLine]:
    """Return the lines of one of two screens. A letter stands on one of them alone, as far as it can."""
    if kind not in HALVES:
        return lines
    middle, letters = len(lines) // 2, [each.side.name[:1].casefold() for each in lines]
    ends = [place for place in range(1, len(lines)) if letters[place] != letters[place - 1]]
    end = min(ends, key=lambda place: abs(place - middle), default=middle)
    return lines[:end] if kind == HALVES[0] else lines[end:]


def _standings_screen(event: Event) -> dict[str, Any]:
    table = standings_of(event)
    if not table.after:
        return {"kind": WELCOME}
    return {
        "title": _("Standings after round %(number)s") % {"number": table.after},
        "heads": table.columns[:2], "cut": table.cut_after, **_paged(STANDINGS, table.rows),
    }  # fmt: skip


def _bracket_screen(event: Event, last: RoundLink | None) -> dict[str, Any]:
    found = bracket_of(history_of(event))
    if not found.columns or not last:
        return {"kind": WELCOME}
    if (current := next((each for each in found.columns if each.number == last.number), None)) and len(
        current.games
    ) > MOST_GAMES:
        return _pairings_screen(event, last, TABLES)
    shown = tuple(each for each in found.columns if len(each.games) <= MOST_GAMES)
    return {"title": _("Bracket"), "bracket": replace(found, columns=shown), "pages": [()]}


def _paged(kind: str, lines: Sequence[Any]) -> dict[str, Any]:
    """Return lines in pages of columns, as many as can be read; few lines stand alone in large letters."""
    most = NAME_LINES if kind == NAMES else LINES
    columns = COLUMNS[kind] if len(lines) > most else 1
    size = most * columns
    pages = [
        [lines[start : start + most] for start in range(first, min(first + size, len(lines)), most)]
        for first in range(0, len(lines), size)
    ]
    return {"pages": pages, "columns": columns}


@open_page
def clock(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the clock, or 204 if the page shows it. Before "time" nothing depends on the round's length (E26)."""
    event, _role = event_for(request, pk)
    game = None
    if (table := request.GET.get(TABLE, "")).isdecimal() and len(table) < 6:
        playing = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED, table=int(table))
        game = playing.first()
    context = clock_context(event, at=timezone.now(), game=game)
    if request.GET.get(SEEN) == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "tournaments/clock/_clock.html", context)


# --- Sheets to print --------------------------------------------------------------------------------------------------


@open_page
def sheet(request: HttpRequest, pk: UUID, sheet: str) -> HttpResponse:
    """Show a sheet as a page to print. Raises Http404 for an unknown sheet or round."""
    context = _sheet_context(request, pk, sheet)
    return render(request, "tournaments/display/print.html", context)


@open_page
def pdf(request: HttpRequest, pk: UUID, sheet: str) -> HttpResponse:
    """Return a sheet as PDF; if that is impossible, the page to print, which says why (503)."""
    context = _sheet_context(request, pk, sheet)
    check_limit(request, "print" if request.user.is_authenticated else "public_print")
    name = f"{context['event'].name} {context['title']}"
    return document_answer(request, "tournaments/display/print.html", context, name)


def _sheet_context(request: HttpRequest, pk: UUID, sheet: str) -> dict[str, Any]:
    event, role = event_for(request, pk)
    if (fill := SHEETS.get(sheet)) is None:
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
    if (asked := request.GET.get("round")) is None:
        return next((each for each in reversed(rounds) if each.state != Round.State.DRAFT), None)
    found = next((each for each in rounds if str(each.number) == asked), None)
    if found is None:
        raise Http404("No such round")
    return found


def _names_sheet(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    lines = pairings_of(event, shown.number).by_name() if shown else []
    rows = LINES_A_PAGE[paper]
    columns = [lines[start : start + rows] for start in range(0, len(lines), rows)]
    pages = [columns[place : place + 2] for place in range(0, len(columns), 2)]
    return {"title": _("Pairings by name"), "pages": pages, "long_name": LONG_NAME}


def _tables_sheet(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    return {"title": _("Pairings by table"), "pairings": pairings_of(event, shown.number) if shown else None}


#: QR codes of a page to print and of a PDF; the template draws one of them.
CODES = {"svg": qr_svg, "png": qr_png}


def _slips_sheet(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    games = pairings_of(event, shown.number).playing if shown else []
    tables = f"{settings.SITE_URL}{event.get_absolute_url()}tables"
    codes = [{name: partial(draw, f"{tables}/{game.table}/") for name, draw in CODES.items()} for game in games]
    slips = [(game, code, zone_name(event, game.table)) for game, code in zip(games, codes, strict=True)]
    pages = [slips[start : start + SLIPS_A_PAGE] for start in range(0, len(slips), SLIPS_A_PAGE)]
    endings = [str(ENDING_NAMES[each]).replace(" ", "\xa0") for each in ENDINGS[RuleSet(event.rule_set)]]
    return {"title": _("Result slips"), "pages": pages, "endings": endings, "long_name": LONG_NAME}


def _standings_sheet(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
    table = standings_table(history_of(event))
    return {"title": _("Standings"), "table": table if table.after else None}


def _bracket_sheet(event: Event, role: EventRole, shown: RoundLink | None, paper: str) -> dict[str, Any]:
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


SHEETS: dict[str, Callable[[Event, EventRole, RoundLink | None, str], dict[str, Any]]] = {
    "names": _names_sheet, "tables": _tables_sheet, "slips": _slips_sheet,
    "standings": _standings_sheet, "bracket": _bracket_sheet,
}  # fmt: skip
ROUND_SHEETS = ("names", "tables", "slips")


# --- Share cards ------------------------------------------------------------------------------------------------------


@open_page
def share_card(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Send a drawing (SVG) of a player's final result. Raises Http404 before the event is finished."""
    event, _role = event_for(request, pk)
    check_limit(request, "event_records")
    return HttpResponse(_drawing(event, number), content_type="image/svg+xml", headers=SHARED)


@open_page
def share_picture(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Send the share card as a PNG for messengers, or an error 503 if it cannot be made now."""
    event, _role = event_for(request, pk)
    check_limit(request, "event_records")
    html = f"<!doctype html><style>{PAGE_OF_CARD}</style>{_drawing(event, number)}"
    return png_answer(partial(to_png, html, width=WIDTH, height=HEIGHT), SHARED)


def _drawing(event: Event, number: int) -> str:
    places = places_of(event)
    entry = entry_of_places(places, number)
    found = record_of(places, entry)
    if event.state != Event.State.FINISHED or found.placed is None:
        raise Http404("No final result")
    submitted = lists_by_entry(event).get(entry.pk) if are_factions_public(event) else None
    context = {
        "event": event, "entry": entry, "record": found, "players": len(places.all),
        "faction": submitted.faction if submitted else "",
        "sizes": {
            "player": _size(entry.name, FITTING["player"], 104),
            "event": _size(event.name, FITTING["event"], 52),
            "place": 176 if len(found.place) < 3 else 128,
        },
    }  # fmt: skip
    return render_to_string("tournaments/display/share_card.svg", context).strip()


def _size(text: str, fitting: int, largest: int) -> int:
    """Return a font size in px at which a text fits on its line."""
    return max(24, min(largest, largest * fitting // max(1, len(text))))


# --- The feed ---------------------------------------------------------------------------------------------------------


@never_cache
@open_page
def feed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send an Atom feed: published pairings, results of closed rounds, the winner; no clocks, drafts, open rounds."""
    check_limit(request, "event_records")
    event, _role = event_for(request, pk)
    places = places_of(event)
    rounds = {each.number: each for each in places.history.rounds}
    entries: dict[str, FeedEntry] = {}
    for line in event.log.filter(kind__in=IN_FEED).order_by("-at", "-pk"):
        if entry := _feed_entry(places, line, rounds):
            entries.setdefault(entry["guid"], entry)
    template, newest = "tournaments/display/_feed_item.html", list(entries.values())[:NEWEST_IN_FEED]
    about = {"name": event.name, "subtitle": _("Pairings and results")}
    return feed_answer(request, template, newest, **about, link=event.get_absolute_url(), guid=event.pk.urn)


def _feed_entry(places: Places, line: LogLine, rounds: dict[int, Round]) -> FeedEntry | None:
    """Return a line of the log as an entry of the feed; None for what is not in it."""
    event, each, after = places.event, rounds.get(line.facts.get("round") or 0), line.facts.get("after")
    link, context, closed = reverse("tournaments:statistics", args=[event.pk]), {}, line.kind == LogKind.CLOSED
    if line.kind == LogKind.STATE and after == Event.State.RUNNING:
        key, title = "started", _("The event has started")
    elif line.kind == LogKind.STATE and after == Event.State.FINISHED and places.winner:
        key, title = "finished", _("%(player)s wins %(event)s") % {"player": places.winner.name, "event": event.name}
        context = {"winner": places.winner, "podium": places.all[:8]}
    elif each and (line.kind == LogKind.PUBLISHED or (closed and each.state == Round.State.CLOSED)):
        key, title = f"round-{each.number}-{line.kind}", _("%(round)s: pairings")
        title = (_("%(round)s: results") if closed else title) % {"round": round_name(each, len(each.games.all()))}
        link = reverse("tournaments:round", args=[event.pk, each.number])
        context = {"round": each, "games": each.games.all(), "closed": closed}
    else:
        return None
    return {
        "title": title, "link": link, "guid": f"{event.pk.urn}:{key}", "published": line.at, "changed": line.at,
        "context": context,
    }  # fmt: skip
