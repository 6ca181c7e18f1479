"""Template context for the shared forms, used by this app's pages and by higher apps."""

from collections.abc import Collection
from typing import Any

from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from registers.options import offers
from registers.starters import starter_effects
from rules.core.rulebook import Rulebook
from rules.register import building
from rules.register.labels import unit_label
from rules.register.state import RegisterState, replay
from rules.register.upgrade_slots import faction_name

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

    `fold` names the open part: a unit's key, or NAMES. Without it the corps units are open.
    """
    fold, names = query.get("fold", ""), offers.units_to_name(book, state)
    wanted = any(unit["wanted"] for unit in names)
    return {
        **unit_form(book, state, query, closed=True, opened="" if fold else "corps"),
        "upgrades": offers.units_with_upgrades_due(book, state, opened=fold),
        "names": names if fold == NAMES or wanted else [],
        "names_closed": bool(names) and fold != NAMES and not wanted,
        "to_let_go": offers.units_to_let_go(book, state),
        "fold": fold,
    }


def unit_form(
    book: Rulebook, state: RegisterState, query: QueryDict, *, closed: bool = False, opened: str = ""
) -> dict[str, Any]:
    """Return `edit` for `registers/_unit_form.html`. For `closed` ranks it has only the number of offers.

    `opened` is the rank to open if the query names none and none is missing.
    """
    search, rank = query.get("q", "").strip(), query.get("rank", "") or _wanted_rank(book, state) or opened
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
        "choose_paragon": not state.paragon and not state.commissioned,
    }


def roster(book: Rulebook, state: RegisterState, painted: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the units of a Register being built for `registers/_roster.html`, the Paragon first. `painted` are the
    keys of painted units.
    """
    units = sorted(state.dossiers.values(), key=lambda dossier: dossier.key != state.paragon)
    return [
        {
            "key": dossier.key,
            "label": unit_label(book, state, dossier.key),
            "card": book.units[dossier.card].full_name if dossier.name else "",
            "rank": book.units[dossier.card].rank,
            "points": building.dossier_points(book, dossier),
            "upgrades": ", ".join(book.upgrades[slug].full_name for slug in dossier.upgrades),
            "is_paragon": dossier.key == state.paragon,
            "painted": dossier.key in painted,
            "warnings": building.fielding_warnings(book, dossier),
        }
        for dossier in units
    ]


def missing_parts(book: Rulebook, state: RegisterState) -> list[dict[str, str]]:
    """Return what a Register lacks before it can be created, in a few words, with links to the building page (R10)."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    found = []
    if ranks.count("commander") < building.MINIMUM_COMMANDERS:
        found.append({"label": gettext("Paragon"), "href": "?rank=commander"})
    if corps := max(0, building.MINIMUM_CORPS - ranks.count("corps")):
        label = ngettext("%(number)s corps unit", "%(number)s corps units", corps) % {"number": corps}
        found.append({"label": label, "href": "?rank=corps"})
    for key, dossier in state.dossiers.items():
        for wanted in building.missing_upgrades(book, dossier):
            unit = unit_label(book, state, key)
            label = gettext("%(upgrade)s for %(unit)s") % {"upgrade": building.upgrade_words(wanted), "unit": unit}
            found.append({"label": label, "href": f"?change={key}"})
    if not state.story_arc:
        found.append({"label": gettext("Story Arc"), "href": "?stage=arc"})
    if not state.name:
        found.append({"label": gettext("Name"), "href": "?stage=name"})
    return found


def starter(book: Rulebook, state: RegisterState) -> dict[str, Any] | None:
    """Return the ready-made starter for a Register without units: its units and points; None if there is none."""
    effects = [effect for unit in starter_effects(book, state) for effect in unit]
    if not effects:
        return None
    built = replay(effects, state)
    return {"units": roster(book, built), "points": building.combat_potential_spent(book, built)}


def faction_choices(book: Rulebook, chosen: str | None = "") -> list[dict[str, Any]]:
    """Return the Factions that the campaign rules allow, as `components/choice.html` takes them. One that cannot be
    built yet is disabled, and its `note` says why and until when.
    """
    words = {
        ("commander",): gettext("No commander released yet"),
        ("corps",): gettext("No corps unit released yet"),
        ("commander", "corps"): gettext("No commander and no corps unit released yet"),
    }
    found = []
    for slug in building.factions_open(book):
        lacking = building.ranks_lacking(book, slug)
        note, days = words.get(tuple(lacking), ""), list(lacking.values())
        if lacking and all(days):
            day = parse_date(max(days))
            date = date_format(day) if day else max(days)
            note = gettext("%(what)s (expected %(date)s)") % {"what": note, "date": date}
        found.append(
            {"value": slug, "label": faction_name(slug), "faction": slug, "checked": slug == chosen and not lacking,
             "disabled": bool(lacking), "note": note}
        )  # fmt: skip
    return found


def _wanted_rank(book: Rulebook, state: RegisterState) -> str:
    """Return the rank to open for a Register that lacks a commander or corps units (R4)."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    if ranks.count("commander") < building.MINIMUM_COMMANDERS:
        return "commander"
    return "corps" if ranks.count("corps") < building.MINIMUM_CORPS else ""


def aid_form(book: Rulebook, state: RegisterState, query: QueryDict) -> dict[str, Any]:
    """Return `aid` for `registers/_aid_form.html`; reads the `request` and `unit` chosen so far."""
    request, unit = query.get("request", ""), query.get("unit", "")
    return {
        "supply_points": state.supply_points,
        "suggested": offers.suggested_aid(book, state) if not request else [],
        "requests": offers.aid_offers(book, state, request=request, unit=unit),
        "unit": state.dossiers.get(unit),
    }


def tally(book: Rulebook, state: RegisterState) -> dict[str, Any]:
    """Return the values for `registers/_tally.html`: Combat Potential, commanders and corps units, SP."""
    ranks = [book.units[dossier.card].rank for dossier in state.dossiers.values()]
    return {
        "spent": building.combat_potential_spent(book, state),
        "capacity": state.combat_potential,
        "commanders": ranks.count("commander"),
        "commanders_needed": building.MINIMUM_COMMANDERS,
        "corps": ranks.count("corps"),
        "corps_needed": building.MINIMUM_CORPS,
        "supply_points": state.supply_points,
    }
