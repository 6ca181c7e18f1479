"""Until when a result can be corrected (E31)."""

from rules.tournaments.rule_sets import RuleSet

#: Rounds of the Tournament Regulations after which an error stands.
WINDOW = 2


def is_correctable(rule_set: RuleSet, round_number: int, last_closed_round: int) -> bool:
    """Return whether a result of a round can be corrected without an organizer's override (E31).

    In the Tournament Regulations until the results of the second round after it are closed. Galactic Conquest sets no
    limit.
    """
    return rule_set == RuleSet.GALACTIC_CONQUEST or last_closed_round < round_number + WINDOW
