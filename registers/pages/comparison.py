"""Differences of a Register between two moments, by value and by Dossier, in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from registers.ledger.text import card_name, names_of
from rules.core.rulebook import Rulebook
from rules.register.state import Dossier, RegisterState, placed
from rules.register.upgrade_slots import faction_name
from rules.register.veterans import maximum_veteran_rank

#: Shown for an empty value.
NOTHING = "–"


def compare_states(book: Rulebook, before: RegisterState, after: RegisterState) -> list[dict[str, Any]]:
    """Return the changes of the Register itself, then those of each unit, in the order in which they joined."""
    names = names_of(book, before) | names_of(book, after)
    parts = [{"name": gettext("The Register"), "changes": _changes(_REGISTER, book, before, after), "key": ""}]
    for key in sorted(names, key=int):
        was, now = placed(before, key), placed(after, key)
        parts.append({"name": names[key], "changes": _changes(_DOSSIER, book, was, now), "key": key})
    return [part for part in parts if part["changes"]]


Say = Callable[[Rulebook, Any], str]


def _changes(values: Iterable[tuple[str, Say]], book: Rulebook, before: Any, after: Any) -> list[dict[str, Any]]:
    found = []
    for label, say in values:
        was, now = say(book, before), say(book, after)
        if was != now:
            found.append({"label": gettext(label), "before": was or NOTHING, "after": now or NOTHING})
    return found


def _cards(cards: Mapping[str, Any], slugs: Iterable[str]) -> str:
    return ", ".join(_times([card_name(cards, slug) for slug in slugs]))


def _times(names: list[str]) -> Iterator[str]:
    for name in dict.fromkeys(names):
        number = names.count(name)
        yield f"{name} ×{number}" if number > 1 else name


def _yes(is_so: bool) -> str:
    return gettext("yes") if is_so else ""


def _agendas(book: Rulebook, state: RegisterState) -> str:
    return ", ".join(f"{card_name(book.agendas, slug)} {progress}" for slug, progress in sorted(state.agendas.items()))


def _trait(book: Rulebook, state: RegisterState) -> str:
    if state.trait is None:
        return ""
    games = ngettext("%(number)s game left", "%(number)s games left", state.trait.games_left) % {
        "number": state.trait.games_left
    }
    return f"{card_name(book.defining_traits, state.trait.slug)} ({games})"


_REGISTER: tuple[tuple[str, Say], ...] = (
    (gettext_noop("Name"), lambda book, state: state.name),
    (gettext_noop("Faction"), lambda book, state: state.faction and faction_name(state.faction)),
    (gettext_noop("Combat Potential"), lambda book, state: str(state.combat_potential)),
    (gettext_noop("Supply Points"), lambda book, state: str(state.supply_points)),
    (gettext_noop("Reputation"), lambda book, state: str(state.reputation)),
    (gettext_noop("Finished"), lambda book, state: _yes(state.commissioned)),
    (gettext_noop("Draft deleted"), lambda book, state: _yes(state.discarded)),
    (gettext_noop("Story Arc"), lambda book, state: state.story_arc and card_name(book.story_arcs, state.story_arc)),
    (gettext_noop("Agendas"), _agendas),
    (gettext_noop("Story Arcs ended"), lambda book, state: str(state.arcs_ended)),
    (gettext_noop("All Story Arcs complete"), lambda book, state: _yes(state.saga_complete)),
    (gettext_noop("Strategic Assets"), lambda book, state: _cards(book.assets, state.assets)),
    (gettext_noop("Defining Trait"), _trait),
    (gettext_noop("Command Cards"), lambda book, state: _cards(book.command_cards, state.command_cards)),
    (gettext_noop("Command Cards to choose"), lambda book, state: str(state.command_cards_owed)),
    (gettext_noop("In a battle"), lambda book, state: _yes(bool(state.in_field))),
)


def _of_dossier(say: Callable[[Rulebook, Dossier], object]) -> Say:
    def value(book: Rulebook, unit: tuple[str, Dossier | None]) -> str:
        _place, dossier = unit
        return str(say(book, dossier) or "") if dossier else ""

    return value


_DOSSIER: tuple[tuple[str, Say], ...] = (
    (gettext_noop("Status"), lambda book, unit: unit[0] and gettext(unit[0])),
    (gettext_noop("Unit"), _of_dossier(lambda book, dossier: card_name(book.units, dossier.card))),
    (gettext_noop("Name"), _of_dossier(lambda book, dossier: dossier.name)),
    (gettext_noop("Faction"), _of_dossier(lambda book, dossier: dossier.faction and faction_name(dossier.faction))),
    (gettext_noop("Experience"), _of_dossier(lambda book, dossier: dossier.experience)),
    (gettext_noop("Veteran Rank"), _of_dossier(lambda book, dossier: dossier.veteran_rank)),
    (gettext_noop("Maximum Veteran Rank"), _of_dossier(maximum_veteran_rank)),
    (gettext_noop("Setbacks"), _of_dossier(lambda book, dossier: _cards(book.setbacks, dossier.setbacks))),
    (
        gettext_noop("Commendations"),
        _of_dossier(lambda book, dossier: _cards(book.commendations, dossier.commendations)),
    ),
    (gettext_noop("Commendations to choose"), _of_dossier(lambda book, dossier: dossier.owed)),
    (gettext_noop("Keywords"), _of_dossier(lambda book, dossier: ", ".join(_times(list(dossier.keywords))))),
    (gettext_noop("Upgrades"), _of_dossier(lambda book, dossier: _cards(book.upgrades, dossier.upgrades))),
)
