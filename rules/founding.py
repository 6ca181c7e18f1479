"""Founding a Register, from its first points to its commission (R1, R3, R4, R10, R49). Each act returns its effects."""

from __future__ import annotations

from collections.abc import Iterator

from .building import MINIMUM_CORPS
from .cards import FACTIONS
from .effects import (
    Effect,
    FactionChosen,
    RegisterCommissioned,
    RegisterDiscarded,
    RegisterNamed,
    RegisterOpened,
    StoryArcBegun,
)
from .force import Force
from .joining import checked_name
from .language import gettext, ngettext
from .refusal import Problem, refuse, refuse_any
from .rulebook import Rulebook
from .terms import STARTING_COMBAT_POTENTIAL, STARTING_SUPPLY_POINTS, allows

MINIMUM_COMMANDERS = 1


def open_register(
    *, combat_potential: int = STARTING_COMBAT_POTENTIAL, supply_points: int = STARTING_SUPPLY_POINTS
) -> list[Effect]:
    """A new Register with points of Combat Potential and SP, and Reputation 0 (R1)."""
    return [
        RegisterOpened(
            combat_potential=combat_potential, supply_points=supply_points, reputation=0, rule="R1"
        )
    ]


def factions_open(book: Rulebook) -> list[str]:
    """The Factions that the terms of the campaign allow a new Register (R3)."""
    return [faction for faction in FACTIONS if allows(book.terms.factions, faction)]


def choose_faction(book: Rulebook, force: Force, faction: str) -> list[Effect]:
    """Settle the Faction before any unit has done so.

    Refuses what is no Faction of the campaign, and a change that would leave units behind (R3).
    """
    if faction not in (choice := factions_open(book)):
        raise refuse("R3", gettext("Choose a Faction: {names}.", names=", ".join(choice)), "faction")
    if force.dossiers and faction != force.faction:
        raise refuse("R3", gettext("The Faction is settled by the units that are already on the Register."))
    return [FactionChosen(faction=faction, rule="R3")]


def begin_story_arc(book: Rulebook, story_arc: str) -> list[Effect]:
    """Begin a Story Arc, any that is offered, the same one again included (R10, R49). Refuses any other."""
    if story_arc not in book.arcs_offered:
        raise refuse("R49", gettext("Choose one of the Story Arcs."), "story_arc")
    return [StoryArcBegun(story_arc=story_arc, rule="R49")]


def next_story_arc(book: Rulebook, force: Force, story_arc: str) -> list[Effect]:
    """A saga that was complete goes on with another Story Arc, since the campaign is longer now (R49).

    Refuses a saga that is not complete, one to which no arc is left, and what `begin_story_arc` refuses.
    """
    if not force.saga_complete:
        raise refuse(
            "R49", gettext("The next Story Arc is chosen when the present one has ended."), "story_arc"
        )
    if not has_arcs_left(book, force.arcs_ended):
        raise refuse(
            "R49",
            gettext("The saga is complete after {arcs}.", arcs=arcs_words(force.arcs_ended)),
            "story_arc",
        )
    return begin_story_arc(book, story_arc)


def has_arcs_left(book: Rulebook, ended: int) -> bool:
    """Whether another Story Arc may begin when so many have ended (R49)."""
    return book.terms.length is None or ended < book.terms.length


def arcs_words(number: int) -> str:
    """A number of Story Arcs, in words."""
    return ngettext("{number} Story Arc", "{number} Story Arcs", number)


def name_register(name: str) -> list[Effect]:
    """Name the Register. Refuses an empty or overlong name (R10)."""
    return [
        RegisterNamed(
            name=checked_name(name, "R10", gettext("Give the Register a name."), "name"), rule="R10"
        )
    ]


def commission(book: Rulebook, force: Force) -> list[Effect]:
    """Finish founding. Refuses a Register without commander, two corps units, Faction, arc or name (R3, R4, R10)."""
    refuse_any(commission_problems(book, force))
    return [RegisterCommissioned(rule="R4")]


def discard(force: Force) -> list[Effect]:
    """Give up a founding. Refuses a Register that is commissioned (R10)."""
    if force.commissioned:
        raise refuse("R10", gettext("The Register is commissioned: it stays."))
    return [RegisterDiscarded(rule="R10")]


def commission_problems(book: Rulebook, force: Force) -> Iterator[Problem]:
    """Everything that is still missing before a Register can be commissioned."""
    ranks = [book.units[dossier.card].rank for dossier in force.dossiers.values()]
    if ranks.count("commander") < MINIMUM_COMMANDERS:
        yield Problem("R4", gettext("A Register needs at least 1 commander."))
    if ranks.count("corps") < MINIMUM_CORPS:
        yield Problem(
            "R4",
            gettext("A Register needs at least {minimum_corps} corps units.", minimum_corps=MINIMUM_CORPS),
        )
    if not force.faction:
        yield Problem(
            "R3", gettext("Mercenaries join a Register that has a Faction; add a unit that has one.")
        )
    if not force.story_arc:
        yield Problem("R10", gettext("Choose a Story Arc."), "story_arc")
    if not force.name:
        yield Problem("R10", gettext("Give the Register a name."), "name")
