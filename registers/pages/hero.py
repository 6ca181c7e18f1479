"""The head of a Dossier: portrait, rank, Story Arc and last deed. The Register shows that of its Paragon."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any
from zlib import crc32

from django.urls import reverse
from django.utils.text import capfirst

from registers.campaign_side import BattleName
from registers.ledger.session import effects_of_entry
from registers.ledger.text import sentence
from registers.models import LedgerEntry, Register
from registers.pages.sheet import unit_card
from rules.core.rulebook import Rulebook
from rules.core.translation import translated
from rules.post_battle.experience import MOST_FEARED
from rules.register import effects as e
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from uploads.models import Picture

#: What counts as a deed, the rarest first. Experience has reasons: an effect's `why` begins with the second word.
DEEDS: tuple[tuple[type[e.Effect], str], ...] = (
    (e.UnitFell, ""),
    (e.TraitGained, ""),
    (e.ExperienceGained, MOST_FEARED),
    (e.VeteranRankReached, ""),
    (e.CommendationAwarded, ""),
    (e.CommandCardUnlocked, ""),
    (e.ExperienceGained, "only criticals"),
    (e.SetbackGained, ""),
    (e.MaximumVeteranRankRaised, ""),
    (e.ExperienceGained, "escaped"),
    (e.ExperienceGained, "at an objective"),
    (e.ExperienceGained, ""),
)
#: Beginnings of the reasons that say what happened without the Experience for it.
TELLING = (MOST_FEARED, "escaped", "at an objective", "took part")
#: How many shields `registers/_shield.html` knows.
SHIELDS = 6
#: Deeds that the ledger tells without naming a unit: they are the Paragon's.
OF_PARAGON = (e.CommandCardUnlocked, e.TraitGained)


def last_deed(
    book: Rulebook, state: RegisterState, unit: str, entries: Iterable[LedgerEntry], names: Mapping[str, BattleName]
) -> dict[str, Any] | None:
    """Return the rarest deed of a unit in the last battle in which it did more than take part, or else in its last one:
    `text` and `battle` (a BattleName); None without one.

    `entries` are those of battles that name the unit and count, newest first; `names` are the names of their battles.
    """
    found: list[tuple[e.Effect, str]] = []
    for battle, own in groupby((entry for entry in entries if entry.battle), attrgetter("battle")):
        effects = (effect for entry in own for effect in effects_of_entry(entry))
        if deeds := [effect for effect in effects if _is_deed(effect, unit, state.paragon)]:
            found.append((min(deeds, key=_rarity), battle))
    if not found:
        return None
    deed, battle = next((each for each in found if _rarity(each[0]) < len(DEEDS) - 1), found[0])
    label = unit_label(book, state, unit)
    reason = translated(deed.why) if isinstance(deed, e.ExperienceGained) and deed.why.startswith(TELLING) else ""
    return {
        "text": capfirst(reason or sentence(deed, {unit: label}, book).removeprefix(f"{label}: ")),
        "battle": names.get(battle),
    }


def _is_deed(effect: e.Effect, unit: str, paragon: str) -> bool:
    if isinstance(effect, OF_PARAGON):
        return unit == paragon
    return getattr(effect, "unit", "") == unit and _rarity(effect) < len(DEEDS)


def _rarity(effect: e.Effect) -> int:
    fits = (type(effect) is kind and effect.why.startswith(why) for kind, why in DEEDS)
    return next((place for place, fit in enumerate(fits) if fit), len(DEEDS))


def shield_of(card: str, key: str) -> int:
    """Return the number of a unit's shield, which stands for it until it has a picture; never another. Twins differ."""
    return (crc32(card.encode()) + int(key)) % SHIELDS


def hero_of(
    book: Rulebook,
    state: RegisterState,
    dossier: Dossier,
    register: Register,
    *,
    picture: Picture | None,
    deed: Mapping[str, Any] | None,
    fallen_in: str = "",
    painted: bool = False,
) -> dict[str, Any]:
    """Return the head of a Dossier as `registers/_hero.html` takes it."""
    arc = book.story_arcs.get(state.story_arc) if dossier.key == state.paragon else None
    return {
        "card": unit_card(book, state, dossier, register, fallen_in=fallen_in, painted=painted),
        "faction": state.faction,
        "shield": shield_of(dossier.card, dossier.key),
        "arc": {"slug": arc.slug, "name": arc.name} if arc else None,
        "deed": deed,
        "picture": {
            "url": reverse("registers:photo", args=[register.pk, picture.pk, "medium"]),
            "alt": picture.alt,
            "focus": picture.focus,
            **picture.sizes["medium"],
        }
        if picture
        else None,
    }
