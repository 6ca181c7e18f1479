"""After the day: players' pages, statistics, share cards, the feed, and deleting a name."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import too_often
from core.form_errors import refusals_as_messages
from core.pdf import PdfRefused, PdfUnavailable, to_png
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, entry_in, event_for
from tournaments.models import Entry, Event, LogKind, LogLine, Round
from tournaments.pages.standings import statistics_of
from tournaments.queries import results as record_queries
from tournaments.queries.army_lists import opponents_of, visible_parts
from tournaments.queries.entry_list import are_factions_public, last_lists
from tournaments.queries.standings import Places, places_of
from tournaments.services.entries import forget_player
from tournaments.views.common import frame
from tournaments.views.exchange import EVENTS

#: Pixels of the share card, and its page.
WIDTH, HEIGHT = 1200, 630
PAGE_OF_CARD = f"@page {{ size: {WIDTH}px {HEIGHT}px; margin: 0 }} body {{ margin: 0 }} svg {{ display: block }}"
#: Other sites may show the card; it does not change once the event is finished, except for a deleted name.
SHARED = {"Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=600"}
#: Entries of the feed, newest first.
NEWEST_IN_FEED = 12
#: In addition to control characters and surrogates, XML does not allow these.
NO_LETTERS = "\ufffe\uffff"
#: Letters that fit on a line of the share card at its largest size, by part.
FITTING = {"player": 15, "event": 34}
#: The lines of the log that the feed is made of.
IN_FEED = (LogKind.PUBLISHED, LogKind.CLOSED, LogKind.STATE)


@login_not_required
@require_safe
def record(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show what a player played in an event, round by round."""
    event, role = event_for(request, pk)
    places = places_of(event)
    entry = _entry(places, number)
    own = bool(role.entry and role.entry.pk == entry.pk)
    context = {
        **frame(event, role, "record"),
        "entry": entry,
        "record": record_queries.record_of(places, entry),
        "conquest": event.rule_set == RuleSet.GALACTIC_CONQUEST,
        "finished": event.state == Event.State.FINISHED,
        "has_list": visible_parts(event, role, entry, opponents_of(role.entry)).units and entry.lists.exists(),
        "others": record_queries.other_entries(entry),
        "may_forget": (own or role.is_organizer) and entry.name != record_queries.forgotten_name(entry),
        "own": own,
    }
    return render(request, "tournaments/results/record.html", context)


@login_not_required
@require_safe
def statistics(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show final places, factions, missions and endings of an event. People who neither lead nor play can ask for them
    only so often.
    """
    event, role = event_for(request, pk)
    known = role.is_leader or role.entry is not None
    if not known and (limited := too_often(request, "event_records")):
        return limited
    places = places_of(event)
    records = record_queries.records_of(places)
    lists = last_lists(event) if are_factions_public(event) else {}
    context = {
        **frame(event, role, "statistics"),
        "has_lists": bool(lists) and known,
        "records": records,
        "winner": places.winner,
        "rounds": [
            {"round": each, "games": sum(bool(game.second_id) for game in each.games.all())}
            for each in places.history.rounds
            if each.state != Round.State.DRAFT
        ],
        "statistics": statistics_of(places.history, records, lists),
        "finished": event.state == Event.State.FINISHED,
        "seed": bytes(event.seed).hex() if event.state == Event.State.FINISHED else "",
        "may_export": event.state == Event.State.FINISHED or role.is_leader,
        "conquest": event.rule_set == RuleSet.GALACTIC_CONQUEST,
    }
    return render(request, "tournaments/standings/statistics.html", context)


@login_not_required
@require_safe
def share_card(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Send a drawing (SVG) of a player's final result. Raises Http404 before the event is finished."""
    event, _role = event_for(request, pk)
    if limited := too_often(request, "event_records"):
        return limited
    return HttpResponse(_drawing(event, number), content_type="image/svg+xml", headers=SHARED)


@login_not_required
@require_safe
def share_picture(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Send the share card as a PNG for messengers, or an error 503 if it cannot be made now."""
    event, _role = event_for(request, pk)
    if limited := too_often(request, "event_records"):
        return limited
    html = f"<!doctype html><style>{PAGE_OF_CARD}</style>{_drawing(event, number)}"
    try:
        content = to_png(html, width=WIDTH, height=HEIGHT)
    except PdfUnavailable as unavailable:
        return HttpResponse(str(unavailable), status=503, content_type="text/plain")
    except PdfRefused as refused:
        return refused.on(HttpResponse(str(refused), status=503, content_type="text/plain"))
    return HttpResponse(content, content_type="image/png", headers=SHARED)


def _drawing(event: Event, number: int) -> str:
    places = places_of(event)
    entry = _entry(places, number)
    found = record_queries.record_of(places, entry)
    if event.state != Event.State.FINISHED or found.placed is None:
        raise Http404("No final result")
    submitted = last_lists(event).get(entry.pk) if are_factions_public(event) else None
    context = {
        "event": event,
        "entry": entry,
        "record": found,
        "players": len(places.all),
        "faction": submitted.faction if submitted else "",
        "sizes": {
            "player": _size(entry.name, FITTING["player"], 104),
            "event": _size(event.name, FITTING["event"], 52),
            "place": 176 if len(found.place) < 3 else 128,
        },
    }
    return render_to_string("tournaments/display/share_card.svg", context).strip()


@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Show the events that the reader played in."""
    context = {"records": record_queries.events_played(request.user), "crumbs": [EVENTS]}
    return render(request, "tournaments/results/history.html", context)


@login_not_required
@require_POST
def forget(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Delete a player's name."""
    event, role = event_for(request, pk)
    entry = entry_in(event, number)
    if not _may_forget(role, entry):
        raise Http404("Neither an organizer nor the player")
    with refusals_as_messages(request):
        forget_player(actor=role.user, entry=entry, own=role.entry)
        messages.success(
            request, _("The name is deleted. The results stay under number %(number)s.") % {"number": number}
        )
    return redirect("tournaments:record", pk=pk, number=number)


def _may_forget(role: EventRole, entry: Entry) -> bool:
    """Return whether a post may delete this name; one that is sent again finds it deleted."""
    forgotten = entry.user_id is None and entry.name == record_queries.forgotten_name(entry)
    return role.is_organizer or bool(role.entry and role.entry.pk == entry.pk) or forgotten


def _entry(places: Places, number: int) -> Entry:
    entry = places.history.entries.get(str(number))
    if entry is None:
        raise Http404("No such player")
    entry.event = places.event
    return entry


def _size(text: str, fitting: int, largest: int) -> int:
    """Return a font size in px at which a text fits on its line."""
    return max(24, min(largest, largest * fitting // max(1, len(text))))


class EventFeed(Feed):
    """An Atom feed of an event: published pairings, results of closed rounds, the winner. It says nothing of clocks,
    drafts, or results of a round under way.
    """

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, pk: UUID) -> Places:
        """Return the event with its rounds. Raises Http404 for a draft of others."""
        event, _role = event_for(request, pk)
        return places_of(event)

    def title(self, places: Places) -> str:
        return printable(places.event.name)

    def subtitle(self, places: Places) -> str:
        return _("Pairings and results")

    def author_name(self, places: Places) -> str:
        """Return the event's name: Atom requires an author, and names of accounts are not public."""
        return self.title(places)

    def link(self, places: Places) -> str:
        return places.event.get_absolute_url()

    def feed_guid(self, places: Places) -> str:
        return places.event.pk.urn

    def items(self, places: Places) -> list[dict[str, Any]]:
        """Return what happened, newest first."""
        lines = places.event.log.filter(kind__in=IN_FEED).order_by("-at", "-pk")
        by_number = {each.number: each for each in places.history.rounds if each.state != Round.State.DRAFT}
        found: dict[str, dict[str, Any]] = {}
        for line in lines:
            item = _feed_item(places, line, by_number)
            if item and item["key"] not in found:
                found[item["key"]] = item
        return list(found.values())[:NEWEST_IN_FEED]

    def item_title(self, item: dict[str, Any]) -> str:
        return printable(item["title"])

    def item_description(self, item: dict[str, Any]) -> str:
        return printable(render_to_string("tournaments/display/_feed_item.html", item))

    def item_link(self, item: dict[str, Any]) -> str:
        return item["href"]

    def item_guid(self, item: dict[str, Any]) -> str:
        return f"{item['places'].event.pk.urn}:{item['key']}"

    def item_pubdate(self, item: dict[str, Any]) -> datetime:
        return item["at"]

    def item_updateddate(self, item: dict[str, Any]) -> datetime:
        return item["at"]


def _feed_item(places: Places, line: LogLine, rounds: dict[int, Round]) -> dict[str, Any] | None:
    """Return a line of the log as an entry of the feed; None for what is not in it."""
    event = places.event
    item = {"places": places, "at": line.at, "href": _address(event)}
    if line.kind == LogKind.STATE:
        after = line.facts.get("after")
        if after == Event.State.RUNNING:
            return {**item, "key": "started", "title": _("The event has started")}
        if after == Event.State.FINISHED and places.winner:
            title = _("%(player)s wins %(event)s") % {"player": places.winner.name, "event": event.name}
            return {**item, "key": "finished", "title": title, "winner": places.winner, "podium": places.all[:8]}
        return None
    each = rounds.get(line.facts.get("round") or 0)
    if each is None or (line.kind == LogKind.CLOSED and each.state != Round.State.CLOSED):
        return None
    closed = line.kind == LogKind.CLOSED
    title = _("Round %(number)s: results") if closed else _("Round %(number)s: pairings")
    item["href"] = reverse("tournaments:round", args=[event.pk, each.number])
    return {
        **item, "key": f"round-{each.number}-{line.kind}", "title": title % {"number": each.number}, "round": each,
        "games": each.games.all(), "closed": closed,
    }  # fmt: skip


def _address(event: Event) -> str:
    return reverse("tournaments:statistics", args=[event.pk])


def printable(text: Any) -> str:
    """Remove characters that XML does not allow: pasted names may contain invisible ones."""

    def holds(letter: str) -> bool:
        return letter not in NO_LETTERS and unicodedata.category(letter) not in ("Cc", "Cs")

    return "".join(letter for letter in str(text) if letter in "\n\t" or holds(letter))


_feed = EventFeed()


@login_not_required
@never_cache
@require_safe
def feed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send the newest pairings and results of an event as an Atom feed."""
    if limited := too_often(request, "event_records"):
        return limited
    return _feed(request, pk=pk)
