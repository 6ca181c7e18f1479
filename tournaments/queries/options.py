"""The options of an event: for each gap in the printed rules, which reading is in force (E10, E12, E19, E30, E35)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.translation import gettext
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Event, ListsPublished, Tier


@dataclass(frozen=True, slots=True)
class Option:
    """A sentence that says which reading of a rule is in force."""

    rule: str
    text: str


def options_in_force(event: Event) -> list[Option]:
    """Return the options of an event as sentences, in the order of their rules."""
    return [
        Option("E10", _lists(event)),
        Option("E10", _hands(event)),
        Option("E12", _products(event)),
        Option(
            "E19", gettext("The bye is drawn before the pairs. If that forces a rematch, the organizer may swap it.")
        ),
        *([Option("E30", _awarded(event))] if event.rule_set == RuleSet.GALACTIC_CONQUEST else []),
        Option("E35", _byes(event)),
    ]


def _lists(event: Event) -> str:
    galactic = event.rule_set == RuleSet.GALACTIC_CONQUEST
    match event.lists_published:
        case ListsPublished.NEVER:
            return gettext("Army lists are not published. Leaders see them.")
        case ListsPublished.WITH_PAIRINGS:
            return gettext(
                "Army lists are published with the pairings of each round. Opponents see each other’s lists."
            )
        case _ if galactic:
            return gettext("Army lists are published when the event starts. All players see them.")
        case _:
            return gettext("Army lists are published when the event starts. Opponents see each other’s lists.")


def _hands(event: Event) -> str:
    if event.rule_set == RuleSet.GALACTIC_CONQUEST:
        if event.hands_published:
            return gettext("Command hands are published when the event ends.")
        return gettext("Command hands are not published.")
    if event.hands_published:
        return gettext("Command hands and battle cards are published when the event ends.")
    return gettext("Command hands and battle cards are not published.")


def _products(event: Event) -> str:
    if event.other_cards:
        return gettext("Unreleased cards may be played.")
    if event.rule_set == RuleSet.TOURNAMENT_REGULATIONS and event.tier == Tier.COMPETITIVE:
        return gettext("Only cards released at least 11 days before the event may be played.")
    return gettext("Only cards released before the event may be played.")


def _awarded(event: Event) -> str:
    return gettext(
        "A bye and a no-show count as {number} points defeated, a concession as at least {number}.",
        number=event.awarded_points,
    )


def _byes(event: Event) -> str:
    if event.bye_is_opponent:
        return gettext("A bye counts as an opponent with 0 points in the strength of schedule.")
    return gettext("A bye is left out of the strength of schedule.")
