"""Shared parts of the views of events: the frame of a page, and how a refusal by a service is shown."""

from functools import lru_cache
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from core.ui.reachable import address_for_others
from tournaments.access import EventRole
from tournaments.models import Entry, Event, StructureChoice, SubmittedList
from tournaments.pages.player import current_game_of
from tournaments.queries.console import board_of
from tournaments.queries.events import importer_of
from tournaments.roles import judge_words

#: Under this name a browser session keeps an army list from a registration that its player has to look at.
TYPED_LIST = "typed_list"


def frame(event: Event, role: EventRole, current: str, *above: tuple[str, str]) -> dict[str, Any]:
    """Return what every page of an event needs: the event, the reader's role, the tabs, the rule set's words for its
    judges (E1), and who imported it. `current` is the name of the URL of the tab that is open, `above` are the names of
    the pages above this one, with their labels.
    """
    judges = judge_words(event.rule_set)
    tabs = [
        {"label": label, "href": _address(name, event.pk), "current": name == current}
        for name, label in _pages(event, role, judges["many"]).items()
    ]
    crumbs = [{"label": _("Events"), "href": reverse("tournaments:events")}]
    if current != "detail":
        above = ((event.name, "detail"), *above)
    crumbs += [{"label": label, "href": _address(name, event.pk)} for label, name in above]
    return {
        "event": event, "role": role, "tabs": tabs, "crumbs": crumbs, "judges": judges, "importer": importer_of(event),
    }  # fmt: skip


@lru_cache(maxsize=1000)
def _address(name: str, pk: UUID) -> str:
    return reverse(f"tournaments:{name}", args=[pk])


def personal_link(request: HttpRequest, entry: Entry) -> str:
    """Return the address that opens a player's page without an account."""
    return address_for_others(request, reverse("tournaments:personal", args=[entry.token]))


def _pages(event: Event, role: EventRole, judges: str) -> dict[str, str]:
    """Return the labels of the tabs that a reader may have, in order, by the name of the URL."""
    has_bracket = event.cut or event.structure == StructureChoice.ELIMINATION
    found = {
        "console": _("Console") if role.is_leader else "",
        "judges": judges if role.is_leader else "",
        "entries": _("Players") if role.is_organizer else "",
        "player": _("My table") if role.entry else "",
        "detail": _("Event"),
        "pairings": _("Pairings"),
        "standings": _("Standings"),
        "teams": _("Teams") if event.team_size else "",
        "bracket": _("Bracket") if has_bracket else "",
        "statistics": _("Statistics") if event.state == Event.State.FINISHED else "",
        "lists": _("Lists") if role.is_leader or role.entry else "",
        "log": _("Log"),
    }
    return {name: label for name, label in found.items() if label}


def say_submitted(request: HttpRequest, submitted: SubmittedList) -> None:
    """Say that a list was submitted, and whether an organizer has to decide on it (E8)."""
    number = len(submitted.violations)
    if submitted.needs_decision:
        text = ngettext(
            "List submitted with %(number)d problem. An organizer decides whether to accept it.",
            "List submitted with %(number)d problems. An organizer decides whether to accept it.",
            number,
        )
        messages.warning(request, text % {"number": number})
    else:
        messages.success(request, _("List submitted. It is legal in this event."))


def say_late_entry(request: HttpRequest, event: Event, entry: Entry) -> None:
    """Say where a late entry plays, or warn that they may have no game (E21, E38)."""
    words: dict[str, Any] = {"player": entry.name}
    if game := current_game_of(event, entry):
        words |= {"table": game.table, "opponent": game.opponent_of(entry)}
        messages.success(request, _("%(player)s plays at table %(table)s against %(opponent)s.") % words)
    elif board_of(event).has_round_left:
        messages.success(request, _("%(player)s plays from the next round on.") % words)
    elif event.cut:
        messages.warning(request, _("%(player)s plays only if a place in the bracket is left.") % words)
    else:
        messages.warning(request, _("%(player)s has no game: no Swiss round is left.") % words)
