"""Compare a Register with what a scenario expects; only given keys count."""

from collections.abc import Mapping
from typing import Any

from rules.core.rulebook import Rulebook
from rules.register.building import combat_potential_spent, dossier_points
from rules.register.state import Dossier, RegisterState
from rules.register.veterans import maximum_veteran_rank

from .answers import Handles


def differences(book: Rulebook, state: RegisterState, handles: Handles, expected: Mapping[str, Any]) -> list[str]:
    """Return each value that differs, as "where: expected …, found …"."""
    return list(_compare(_as_expected(book, state, handles), expected, ""))


def _as_expected(book: Rulebook, state: RegisterState, handles: Handles) -> dict[str, Any]:
    """Return the whole Register as a STATE of the scenario form."""
    return {
        "supply_points": state.supply_points,
        "combat_potential": state.combat_potential,
        "combat_potential_spent": combat_potential_spent(book, state),
        "reputation": state.reputation,
        "story_arc": state.story_arc,
        "agendas": {slug: progress for slug, progress in state.agendas.items() if progress},
        "assets": sorted(state.assets),
        "fallen": sorted(handles.handle(key) for key in state.fallen),
        "dossiers": {handles.handle(key): _dossier(book, state, dossier) for key, dossier in state.dossiers.items()},
    }


def _dossier(book: Rulebook, state: RegisterState, dossier: Dossier) -> dict[str, Any]:
    paragon = dossier.key == state.paragon
    trait = state.trait if paragon else None
    return {
        "experience": dossier.experience,
        "veteran_rank": dossier.veteran_rank,
        "maximum_veteran_rank": maximum_veteran_rank(book, dossier),
        "setbacks": sorted(dossier.setbacks),
        "commendations": sorted(dossier.commendations),
        "command_cards": sorted(state.command_cards) if paragon else [],
        "keywords": sorted(dossier.keywords),
        "trait": {"slug": trait.slug, "games_left": trait.games_left} if trait else None,
        "upgrades": sorted(dossier.upgrades),
        "points": dossier_points(book, dossier),
    }


def _compare(found: Any, expected: Any, where: str) -> list[str]:
    lines: list[str] = []
    for key, value in expected.items():
        place = f"{where}.{key}".lstrip(".")
        if key == "dossiers" or where == "dossiers":
            lines += _compare(found[key], value, place) if key in found else [f"{place}: not on the Register"]
        elif (sorted(value) if key == "fallen" else value) != found.get(key):
            lines.append(f"{place}: expected {value!r}, found {found.get(key)!r}")
    return lines
