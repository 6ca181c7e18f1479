"""The structure of an event: which ones its rule set knows, and what the chosen one means for its players (E14–E16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.translation import gettext
from rules.core.violations import RuleViolation, Violation
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.structures import Structure, most_rounds, propose
from tournaments.models import Entry, Event, StructureChoice

GC, TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
#: The printed structure of each choice.
PRINTED: Mapping[tuple[str, str], Structure] = {
    (GC, StructureChoice.STANDARD): Structure.GALACTIC_CONQUEST,
    (GC, StructureChoice.FULL_SWISS): Structure.FULL_SWISS,
    (TR, StructureChoice.STANDARD): Structure.BASIC,
    (TR, StructureChoice.ADVANCED): Structure.ADVANCED,
}
#: What an organizer may choose in each rule set.
CHOICES: Mapping[str, tuple[StructureChoice, ...]] = {
    GC: (StructureChoice.STANDARD, StructureChoice.FULL_SWISS, StructureChoice.CUSTOM),
    TR: (
        StructureChoice.STANDARD, StructureChoice.ADVANCED, StructureChoice.CUSTOM, StructureChoice.ELIMINATION,
    ),
}  # fmt: skip
#: The ruling about structures in each rule set.
RULE = {GC: "E14", TR: "E15"}
#: States of the players for whom a structure is proposed before the first pairings.
COUNTED = (Entry.State.REGISTERED, Entry.State.CHECKED_IN, Entry.State.PLAYING)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a structure means for a number of players.

    `rounds` are the Swiss rounds, and `cut` the players who advance, 0 for none. `violation` says why the structure
    does not fit so few players, None if it does. `warning` is that of E16, else empty.
    """

    players: int
    rounds: int = 0
    cut: int = 0
    violation: Violation | None = None
    warning: str = ""
    elimination: bool = False

    @property
    def text(self) -> str:
        """The structure as a short sentence: "4 rounds, then the top 8 play on."."""
        if self.violation:
            return self.violation.text
        if self.elimination:
            return gettext("Single elimination: one loss, and you are out.")
        if not self.rounds:
            return gettext("Your own rounds and cut.")
        if self.cut:
            return gettext("{rounds} rounds, then the top {cut} play on.", rounds=self.rounds, cut=self.cut)
        return gettext("{rounds} rounds, no cut.", rounds=self.rounds)


def structure_title(rule_set: str, structure: str) -> str:
    """Return the name of a structure as its rule set prints it."""
    if rule_set == TR and structure == StructureChoice.STANDARD:
        return gettext("Basic")
    titles = {
        StructureChoice.STANDARD: gettext("As printed"),
        StructureChoice.FULL_SWISS: gettext("Without a cut"),
        StructureChoice.ADVANCED: gettext("Advanced"),
        StructureChoice.CUSTOM: gettext("Custom"),
        StructureChoice.ELIMINATION: gettext("Single elimination only"),
    }
    return titles[StructureChoice(structure)]


def players_counted(event: Event) -> int:
    """Return for how many players the structure is: frozen with the first pairings, registered until then."""
    if event.frozen_players is not None:
        return event.frozen_players
    return event.entries.filter(state__in=COUNTED).count()


def plan_for(event: Event, players: int, structure: str = "") -> Plan:
    """Return what the event's structure, or another `structure`, means for a number of players (E14–E16)."""
    chosen = structure or event.structure
    if chosen == StructureChoice.ELIMINATION:
        return Plan(players, elimination=True)
    settled = event.frozen_players is not None and not structure
    if settled or chosen == StructureChoice.CUSTOM:
        return _warned(Plan(players, event.rounds, event.cut))
    printed = PRINTED.get((event.rule_set, chosen))
    if printed is None:
        text = gettext("This structure does not belong to the rule set. Choose another one.")
        return Plan(players, violation=Violation(RULE[RuleSet(event.rule_set)], text))
    try:
        proposal = propose(printed, players)
    except RuleViolation as refusal:
        return Plan(players, violation=refusal.violations[0])
    return _warned(Plan(players, proposal.rounds, proposal.cut))


def _warned(plan: Plan) -> Plan:
    """Return a plan with the warning of E16, if so few players cannot meet that often without a rematch."""
    most = most_rounds(plan.players)
    if not plan.players or plan.rounds <= most:
        return plan
    text = gettext(
        "{players} players can play {most} rounds without a rematch, and {rounds} are planned.",
        players=plan.players, most=most, rounds=plan.rounds,
    )  # fmt: skip
    return Plan(plan.players, plan.rounds, plan.cut, warning=text)
