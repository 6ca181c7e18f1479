"""What the shared forms need, for pages of this room and of those above."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from rules.building import MINIMUM_COMMANDERS, MINIMUM_CORPS, combat_potential_spent, has_arcs_left
from rules.cards import StoryArc
from rules.force import Force
from rules.refusal import Problem
from rules.rulebook import Rulebook

from .offers import (
    aid_offers,
    closed_shelves,
    said,
    shelves,
    unit_choice,
    units_to_let_go,
    units_to_name,
    units_with_upgrades_due,
    upgrade_offers,
    upgrade_search,
)

#: What the fold with the names of the units is called in an address.
NAMES = "names"


def edit_form(book: Rulebook, force: Force, query: QueryDict) -> dict[str, Any]:
    """What `registers/_edit_form.html` takes as `edit`; `query` is the page's GET or POST.

    It reads `q` (what is searched for), `rank` (the shelf that is open), `unit` (the unit that is to join with
    upgrades), `upgrades` (those that are ticked) and `name` (its name).
    """
    return {
        **unit_form(book, force, query),
        "upgrades": upgrade_offers(book, force),
        "names": units_to_name(book, force),
        "to_let_go": units_to_let_go(book, force),
    }


def closed_edit_form(book: Rulebook, force: Force, query: QueryDict) -> dict[str, Any]:
    """The same with what is folded left out: for a page on which mostly nothing of it is opened.

    Besides it reads `fold`, which is open: the key of a unit with upgrades due, or NAMES.
    """
    fold, names = query.get("fold", ""), units_to_name(book, force)
    wanted = any(unit["wanted"] for unit in names)
    return {
        **unit_form(book, force, query, closed=True),
        "upgrades": units_with_upgrades_due(book, force, opened=fold),
        "names": names if fold == NAMES or wanted else [],
        "names_closed": bool(names) and fold != NAMES and not wanted,
        "to_let_go": units_to_let_go(book, force),
        "fold": fold,
    }


def next_arcs(book: Rulebook, force: Force) -> list[StoryArc]:
    """The Story Arcs with which a saga that was complete may go on (R49); empty where it may not."""
    goes_on = force.saga_complete and has_arcs_left(book, force.arcs_ended)
    return list(book.arcs_offered.values()) if goes_on else []


def unit_form(book: Rulebook, force: Force, query: QueryDict, *, closed: bool = False) -> dict[str, Any]:
    """What `registers/_unit_form.html` takes as `edit`: as `edit_form`, for adding units alone.

    `closed`: of the shelves, unless something is searched for, only the one that is open says what it holds.
    """
    search, rank = query.get("q", "").strip(), query.get("rank", "") or _wanted_rank(book, force)
    shown = (
        closed_shelves(book, force, rank=rank)
        if closed and not search
        else shelves(book, force, query=search)
    )
    found_upgrades = upgrade_search(book, force, search) if len(search) > 1 else []
    return {
        "q": search,
        "rank": rank,
        "shelves": shown,
        "found_upgrades": found_upgrades,
        "nothing_found": search
        and not found_upgrades
        and not any(each.offers or each.refused for each in shown),
        "choice": unit_choice(book, force, query.get("unit", ""), query.getlist("upgrades"), search),
        "name": query.get("name", ""),
    }


def _wanted_rank(book: Rulebook, force: Force) -> str:
    """The shelf to open for a Register that still lacks a commander or corps units (R4)."""
    ranks = [book.units[dossier.card].rank for dossier in force.dossiers.values()]
    if ranks.count("commander") < MINIMUM_COMMANDERS:
        return "commander"
    return "corps" if ranks.count("corps") < MINIMUM_CORPS else ""


def aid_form(book: Rulebook, force: Force, query: QueryDict) -> dict[str, Any]:
    """What `registers/_aid_form.html` takes as `aid`; `query` is the page's GET or POST.

    It reads `request` and `unit`: what was chosen so far of a request that brings an upgrade.
    """
    request, unit = query.get("request", ""), query.get("unit", "")
    return {
        "supply_points": force.supply_points,
        "requests": aid_offers(book, force, request=request, unit=unit),
        "unit": force.dossiers.get(unit),
    }


def tally(book: Rulebook, force: Force) -> dict[str, Any]:
    """What `registers/_tally.html` takes: Combat Potential, commanders and corps units, SP."""
    ranks = [book.units[dossier.card].rank for dossier in force.dossiers.values()]
    return {
        "spent": combat_potential_spent(book, force),
        "capacity": force.combat_potential,
        "commanders": ranks.count("commander"),
        "commanders_needed": MINIMUM_COMMANDERS,
        "corps": ranks.count("corps"),
        "corps_needed": MINIMUM_CORPS,
        "supply_points": force.supply_points,
    }


def by_field(problems: tuple[Problem, ...], *fields: str) -> dict[str, tuple[dict[str, str], ...]]:
    """Problems as refusals, by the field they speak of; `general` are those of no other field."""
    groups: dict[str, list[Problem]] = {field: [] for field in (*fields, "general")}
    for problem in problems:
        groups[problem.about if problem.about in fields else "general"].append(problem)
    return {field: said(found) for field, found in groups.items()}
