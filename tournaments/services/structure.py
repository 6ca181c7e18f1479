"""How many rounds an event has and who advances, by its structure and the number of its players (E14, E15, E42)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.translation import gettext
from rules.core.violations import Violation, refuse
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.structures import FEWEST_PLAYERS, Proposal, Structure, propose
from tournaments.models import Event, StructureChoice

_GC, _TR = RuleSet.GALACTIC_CONQUEST, RuleSet.TOURNAMENT_REGULATIONS
#: The printed structures by rule set and choice.
_PRINTED: dict[tuple[str, str], Structure] = {
    (_GC, StructureChoice.STANDARD): Structure.GALACTIC_CONQUEST,
    (_GC, StructureChoice.FULL_SWISS): Structure.FULL_SWISS,
    (_TR, StructureChoice.STANDARD): Structure.BASIC,
    (_TR, StructureChoice.ADVANCED): Structure.ADVANCED,
}
#: Players without whom nobody could play.
_FEWEST_TO_PLAY = 2


def structure_violations(rule_set: str, structure: str) -> Iterator[Violation]:
    """Yield a structure that a rule set does not know: for a form (E14, E15, E42)."""
    if structure in (StructureChoice.CUSTOM, StructureChoice.STANDARD) or (rule_set, structure) in _PRINTED:
        return
    if structure == StructureChoice.ELIMINATION and rule_set == _TR:
        return
    rule = "E14" if rule_set == _GC else "E15"
    yield Violation(rule, gettext("These rules do not have this structure. Choose another one."), "structure")


def proposal(event: Event, players: int) -> Proposal:
    """Return the Swiss rounds and the cut of an event for a number of players.

    A custom structure has its own, except that 0 rounds are as printed. Single elimination has no Swiss rounds (E42).
    Refuses fewer players than the printed structure is for.
    """
    if event.structure == StructureChoice.ELIMINATION:
        return Proposal(0)
    if event.structure == StructureChoice.CUSTOM:
        if event.rounds:
            return Proposal(event.rounds, event.cut)
        return Proposal(propose(_PRINTED[event.rule_set, StructureChoice.STANDARD], players).rounds, event.cut)
    return propose(_PRINTED[event.rule_set, event.structure], players)


def check_players(event: Event, players: int) -> None:
    """Refuse to start an event or to publish its first pairings with too few players (E14, E15).

    Galactic Conquest needs four, a printed structure of the regulations as many as it is for, any other one two.
    """
    if event.rule_set == _GC and players < FEWEST_PLAYERS:
        text = gettext("An event needs at least {number} players. Check more players in.", number=FEWEST_PLAYERS)
        raise refuse("E14", text)
    if players < _FEWEST_TO_PLAY:
        raise refuse("E15", gettext("Nobody can play yet. Check more players in."))
    proposal(event, players)
