"""The standings of an event: the table, how figures came about, the bracket, and statistics (E33–E43)."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from accounts.adapters import check_limit
from core.open_page import open_page
from rules.tournaments.explain import explain
from rules.tournaments.what_if import sentence
from tournaments.access import entry_in, event_for
from tournaments.models import Event
from tournaments.pages.bracket import bracket_of
from tournaments.pages.explain import figures_context
from tournaments.pages.standings import ordered_after, outlooks, standings_of, statistics_of
from tournaments.queries.army_lists import lists_by_entry
from tournaments.queries.entries import are_factions_public
from tournaments.queries.history import history_of
from tournaments.queries.results import records_of
from tournaments.queries.rounds import round_name
from tournaments.queries.standings import places_of
from tournaments.queries.trophies import trophies_of
from tournaments.views.common import frame


@open_page
def standings(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the standings after the last closed Swiss round, or after the one that `after` names (E33–E36). Once the
    event is over, its champion and the final places come first (E43).
    """
    event, role = event_for(request, pk)
    after = _number(request, "after")
    table = standings_of(event, after)
    places = places_of(event) if event.state == Event.State.FINISHED and after is None else None
    own = next((row for row in table.rows if role.entry and row.number == role.entry.number), None)
    context = {
        **frame(event, role, "standings"), "table": table, "own": own,
        "winner": places.winner if places else None, "trophies": trophies_of(event) if places else (),
        "records": records_of(places) if places and places.bracket else [],
    }  # fmt: skip
    return render(request, "tournaments/standings/standings.html", context)


@open_page
def figures(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show how each figure of a player was computed (E37). Raises Http404 for somebody who has not played."""
    event, role = event_for(request, pk)
    entry = entry_in(event, number)
    history = history_of(event)
    after = _number(request, "after")
    if entry.ticket is None:
        raise Http404("No figures yet")
    rounds, ordered = ordered_after(history, after)
    explanation = explain(event.rules, history.tickets, rounds, entry.key, ordered)
    chance = outlooks(history, ordered).get(entry.key) if after is None else None
    context = {
        **frame(event, role, "standings", (_("Standings"), "standings")), "entry": entry, "chance": chance,
        "chance_sentence": sentence(chance) if chance else "", **figures_context(history, explanation),
    }  # fmt: skip
    return render(request, "tournaments/standings/figures.html", context)


@open_page
def bracket(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the bracket with its results and places (E39–E43)."""
    event, role = event_for(request, pk)
    history = history_of(event)
    context = {**frame(event, role, "bracket"), "bracket": bracket_of(history)}
    return render(request, "tournaments/bracket/bracket.html", context)


@open_page
def statistics(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show final places, factions, missions and endings; strangers can ask for them only so often."""
    event, role = event_for(request, pk)
    known, finished = role.is_leader or role.entry is not None, event.state == Event.State.FINISHED
    if not known:
        check_limit(request, "event_records")
    places = places_of(event)
    records = records_of(places)
    lists = lists_by_entry(event) if are_factions_public(event) else {}
    context = {
        **frame(event, role, "statistics"), "has_lists": bool(lists) and known, "records": records,
        "winner": places.winner, "statistics": statistics_of(places.history, records, lists), "finished": finished,
        "rounds": [
            (each.number, round_name(each, len(games)), sum(bool(game.second_id) for game in games))
            for each in places.history.rounds
            for games in [each.games.all()]
        ],
        "seed": bytes(event.seed).hex() if finished else "", "may_export": finished or role.is_leader,
    }  # fmt: skip
    return render(request, "tournaments/standings/statistics.html", context)


def _number(request: HttpRequest, name: str) -> int | None:
    """Return a round number from the address; None if there is none or it is no such number."""
    text = request.GET.get(name, "")
    return (int(text) or None) if text.isdecimal() and len(text) < 4 else None
