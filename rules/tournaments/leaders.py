"""Leaders of an event: when they may play in it, who rules on their games (E2), and when ejection is proposed (E4)."""

from collections.abc import Collection, Hashable, Mapping
from enum import StrEnum
from typing import TypeVar

from rules.core.translation import gettext
from rules.tournaments.rule_sets import RuleSet

Person = TypeVar("Person", bound=Hashable)
#: Warnings at which the app proposes ejection; a person decides (E4).
WARNINGS = 3


class Leader(StrEnum):
    """What a leader is, as the roles of memberships."""

    ORGANIZER = "organizer"
    HEAD_JUDGE = "head_judge"
    JUDGE = "judge"


def playing_violation(rule_set: RuleSet, role: str, others: Collection[str], *, is_competitive: bool = False) -> str:
    """Return why a leader cannot play in the event, or an empty text (E2). An override needs a reason. `role` is that
    of the leader, `others` are those of the other leaders of the event, `is_competitive` is the tier of the Tournament
    Regulations. In Galactic Conquest the judges are the Consulars, or the organizer if there are none.
    """
    if rule_set == RuleSet.GALACTIC_CONQUEST:
        judges = (Leader.JUDGE, Leader.HEAD_JUDGE)
        if role in judges:
            return gettext("A Consular cannot play in the event.")
        if not any(other in judges for other in others):
            return gettext(
                "An event without a Consular is judged by its organizer, who cannot play then. Add a Consular first."
            )
        return ""
    if is_competitive:
        return gettext("No leader can play in a competitive event.")
    if not others:
        return gettext("A leader can play only if another leader is there. Add a judge first.")
    return ""


def ruling_leaders(leaders: Mapping[Person, str], playing: Collection[Person]) -> frozenset[Person]:
    """Return the leaders who may rule on a game between the people in `playing` (E2). `leaders` has the role of each.
    The games of a leader are ruled by the others. If two leaders play each other, the head judge rules, or the
    organizers if there is none. A head judge who plays in that game leaves it to the others.
    """
    others = frozenset(leaders) - frozenset(playing)
    if sum(person in leaders for person in playing) < 2:
        return others
    heads, organizers = (
        frozenset(person for person in others if leaders[person] == role)
        for role in (Leader.HEAD_JUDGE, Leader.ORGANIZER)
    )
    return heads or organizers or others


def proposes_ejection(warnings: int) -> bool:
    """Return whether the app proposes to eject a player with so many warnings (E4)."""
    return warnings >= WARNINGS
