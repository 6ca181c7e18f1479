"""Template context for the shared forms, used by this app's pages and by higher apps."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from registers.options import offers
from rules.core.card_types import StoryArc
from rules.core.rulebook import Rulebook
from rules.register.building import MINIMUM_COMMANDERS, MINIMUM_CORPS, combat_potential_spent, has_arcs_left
from rules.register.state import RegisterState

#: Value of the `fold` parameter that opens the names of the units.
NAMES = "names"


def edit_form(book: Rulebook, state: RegisterState, query: QueryDict) -> dict[str, Any]:
    """Return `edit` for `registers/_edit_form.html`, from a page's GET or POST.

    Reads `q` (search), `rank` (open rank), `unit` (joins with upgrades), `upgrades` (ticked) and `name`.
    """
    return {
        **unit_form(book, state, query),
        "upgrades": offers.upgrade_offers(book, state),
        "names": offers.units_to_name(book, state),
        "to_let_go": offers.units_to_let_go(book, state),
    }


def closed_edit_form(book: Rulebook, state: RegisterState, query: QueryDict) -> dict[str, Any]:
    """Return `edit` for `registers/_edit_form.html`, without the folded parts.

    `fold` names the open part: a unit's key, or NAMES.
    """
    fold, names = query.get("fold", ""), offers.units_to_name(book, state)
    wanted = any(unit["wanted"] for unit in names)
    return {
        **unit_form(book, state, query, closed=True),
        "upgrades": offers.units_with_upgrades_due(book, state, opened=fold),
        "names": names if fold == NAMES or wanted else [],
        "names_closed": bool(names) and fold != NAMES and not wanted,
        "to_let_go": offers.units_to_let_go(book, state),
        "fold": fold,
    }


def next_arcs(book: Rulebook, state: RegisterState) -> list[StoryArc]:
    """Return the Story Arcs that can continue a complete campaign (R49); empty if it cannot continue."""
    goes_on = state.saga_complete and has_arcs_left(book, state.arcs_ended)
    return list(book.arcs_offered.values()) if goes_on else []


def unit_form(book: Rulebook, state: RegisterState, query: QueryDict, *, closed: bool = False) -> dict[str, Any]:
    """Return `edit` for `registers/_unit_form.html`. For `closed` ranks it has only the number of offers."""
    search, rank = query.get("q", "").strip(), query.get("rank", "") or _wanted_rank(book, state)
    only_one = closed and not search
    shown = offers.closed_shelves(book, state, rank=rank) if only_one else offers.shelves(book, state, query=search)
    found_upgrades = offers.upgrade_search(book, state, search) if len(search) > 1 else []
    return {
        "q": search,
        "rank": rank,
        "shelves": shown,
        "found_upgrades": found_upgrades,
        "nothing_found": search and not found_upgrades and not any(each.offers or each.refused for each in shown),
        "choice": offers.unit_choice(book, state, query.get("unit", ""), query.getlist("upgrades"), search),
        "name": query.get("name", ""),
    }


def _wanted_rank(book: Rulebook, state: RegisterState) -> str:
    """Return the rank to open for a Register that lacks a commander or corps units (R4)."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    if ranks.count("commander") < MINIMUM_COMMANDERS:
        return "commander"
    return "corps" if ranks.count("corps") < MINIMUM_CORPS else ""


def aid_form(book: Rulebook, state: RegisterState, query: QueryDict) -> dict[str, Any]:
    """Return `aid` for `registers/_aid_form.html`; reads the `request` and `unit` chosen so far."""
    request, unit = query.get("request", ""), query.get("unit", "")
    return {
        "supply_points": state.supply_points,
        "requests": offers.aid_offers(book, state, request=request, unit=unit),
        "unit": state.dossiers.get(unit),
    }


def tally(book: Rulebook, state: RegisterState) -> dict[str, Any]:
    """Return the values for `registers/_tally.html`: Combat Potential, commanders and corps units, SP."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    return {
        "spent": combat_potential_spent(book, state),
        "capacity": state.combat_potential,
        "commanders": ranks.count("commander"),
        "commanders_needed": MINIMUM_COMMANDERS,
        "corps": ranks.count("corps"),
        "corps_needed": MINIMUM_CORPS,
        "supply_points": state.supply_points,
    }
