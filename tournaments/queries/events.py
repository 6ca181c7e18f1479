"""The structure of an event: which ones its rule set knows, and what the chosen one means for its players (E14–E16,
E42). The dates of an event in its own time zone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils.translation import gettext, ngettext

from accounts.models import User
from members.models import Role
from rules.core.values import Value
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.structures import FEWEST_PLAYERS, Proposal, Structure, most_rounds, propose
from tournaments.models import Event, LogKind, StructureChoice
from tournaments.models.entry import PLACED

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
#: Players without whom nobody could play.
FEWEST_TO_PLAY = 2
#: Players that structures of the Tournament Regulations need, where it is not the usual number.
FEWEST: Mapping[str, int] = {
    StructureChoice.ADVANCED: 9, StructureChoice.CUSTOM: FEWEST_TO_PLAY, StructureChoice.ELIMINATION: FEWEST_TO_PLAY,
}  # fmt: skip


class Plan(Value):
    """What a structure means for a number of players. `rounds` are the Swiss rounds, and `cut` the players who advance,
    0 for none. `violation` says why the structure does not fit so few players, None if it does. `warning` is that of
    E16, else empty.
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
            return ngettext(
                "%(number)s round, then the top %(cut)s play on.",
                "%(number)s rounds, then the top %(cut)s play on.",
                self.rounds,
            ) % {"number": self.rounds, "cut": self.cut}
        return ngettext("%(number)s round, no cut.", "%(number)s rounds, no cut.", self.rounds) % {
            "number": self.rounds
        }


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
    return event.entries.filter(state__in=PLACED).count()


def plan_for(event: Event, players: int, structure: str = "") -> Plan:
    """Return what the event's structure, or another `structure`, means for a number of players (E14–E16)."""
    chosen = structure or event.structure
    if chosen == StructureChoice.ELIMINATION:
        return Plan(players, elimination=True)
    settled = event.frozen_players is not None and not structure
    if settled or chosen == StructureChoice.CUSTOM:
        return _warned(Plan(players, event.rounds, event.cut))
    try:
        found = _printed(event.rule_set, chosen, players)
    except RuleViolation as refusal:
        return Plan(players, violation=refusal.violations[0])
    return _warned(Plan(players, found.rounds, found.cut))


def structure_violations(rule_set: str, structure: str) -> Iterator[Violation]:
    """Yield a structure that a rule set does not know: for a form (E14, E15, E42)."""
    if structure not in CHOICES[rule_set]:
        text = gettext("This structure does not belong to the rule set. Choose another one.")
        yield Violation(RULE[RuleSet(rule_set)], text, "structure")


def proposal(event: Event, players: int) -> Proposal:
    """Return the Swiss rounds and the cut of an event for a number of players (E14, E15). A custom structure has its
    own, except that 0 rounds are as printed. Single elimination has no Swiss rounds (E42). Refuses fewer players than
    the printed structure is for.
    """
    if event.structure == StructureChoice.ELIMINATION:
        return Proposal(0)
    if event.structure == StructureChoice.CUSTOM:
        if event.rounds:
            return Proposal(event.rounds, event.cut)
        return Proposal(_printed(event.rule_set, StructureChoice.STANDARD, players).rounds, event.cut)
    return _printed(event.rule_set, event.structure, players)


def fewest_players(event: Event) -> int:
    """Return how many players the structure of an event needs (E14, E15)."""
    return FEWEST_PLAYERS if event.rule_set == GC else FEWEST.get(event.structure, FEWEST_PLAYERS)


def check_players(event: Event, players: int) -> None:
    """Refuse to start an event or to publish its first pairings with too few players (E14, E15). Galactic Conquest
    needs four, a printed structure of the regulations as many as it is for, any other one two.
    """
    if event.rule_set == GC and players < FEWEST_PLAYERS:
        text = gettext("An event needs at least %(number)s players. Check in more players.") % {
            "number": FEWEST_PLAYERS
        }
        raise refuse("E14", text)
    if players < FEWEST_TO_PLAY:
        raise refuse("E15", gettext("No game is possible yet. Check in more players."))
    proposal(event, players)


def _printed(rule_set: str, structure: str, players: int) -> Proposal:
    raise_if_any(structure_violations(rule_set, structure))
    return propose(PRINTED[rule_set, structure], players)


def _warned(plan: Plan) -> Plan:
    """Return a plan with the warning of E16, if so few players cannot meet that often without a rematch."""
    return replace(plan, warning=few_players_warning(plan.players, plan.rounds))


def few_players_warning(players: int, rounds: int) -> str:
    """Return that so many players cannot play so many rounds without a rematch, or an empty text (E16)."""
    most = most_rounds(players)
    if players < FEWEST_TO_PLAY or rounds <= most:
        return ""
    text = ngettext(
        "%(players)s players can play %(number)s round without a rematch. This event has %(rounds)s.",
        "%(players)s players can play %(number)s rounds without a rematch. This event has %(rounds)s.",
        most,
    )
    return text % {"players": players, "number": most, "rounds": rounds}


def importer_of(event: Event) -> User | None:
    """Return who imported an event from a file, in one query; None for an event of this site."""
    if event.origin is None:
        return None
    line = event.log.filter(kind=LogKind.IMPORTED).select_related("actor").last()
    return line.actor if line else None


def copies_organized_by(user: User, origin: UUID) -> QuerySet[Event]:
    """Return the event of this id, or imported from its file, that a person organizes."""
    own = Event.objects.filter(memberships__user=user, memberships__role=Role.ORGANIZER)
    return own.filter(Q(pk=origin) | Q(origin=origin))


class LocalTime(Value):
    """A moment in the event's time zone: `moment` without an offset, so that templates show it as it is."""

    moment: datetime
    zone: str


def local_time(event: Event, moment: datetime | None) -> LocalTime | None:
    """Return a moment in the time zone of an event; UTC if this machine does not know the zone. None stays None."""
    if moment is None:
        return None
    try:
        zone = ZoneInfo(event.time_zone)
    except (KeyError, ValueError):
        return LocalTime(moment.astimezone(ZoneInfo("UTC")).replace(tzinfo=None), "UTC")
    return LocalTime(moment.astimezone(zone).replace(tzinfo=None), event.time_zone.replace("_", " "))
