"""How many rounds an event has, and how many players its cut takes (E14–E16)."""

from enum import StrEnum

from rules.core.translation import gettext
from rules.core.values import Value
from rules.core.violations import refuse

FEWEST_PLAYERS = 4


class Structure(StrEnum):
    """The printed structures; an organizer's own choice of rounds and cut needs none of them."""

    GALACTIC_CONQUEST = "galactic_conquest"
    FULL_SWISS = "full_swiss"
    BASIC = "basic"
    ADVANCED = "advanced"


class Proposal(Value):
    """Swiss rounds of an event, and the players that advance to its bracket; 0 without a cut."""

    rounds: int
    cut: int = 0


#: The most players of each row, with what it proposes; None is open-ended.
_ROWS: dict[Structure, tuple[tuple[int | None, Proposal], ...]] = {
    Structure.GALACTIC_CONQUEST: (
        (16, Proposal(4)), (32, Proposal(4, 8)), (64, Proposal(5, 8)), (128, Proposal(6, 8)), (256, Proposal(7, 16)),
        (None, Proposal(8, 16)),
    ),
    Structure.FULL_SWISS: (
        (32, Proposal(5)), (64, Proposal(6)), (128, Proposal(7)), (256, Proposal(8)), (None, Proposal(9)),
    ),
    Structure.BASIC: ((8, Proposal(2)), (32, Proposal(3)), (48, Proposal(4)), (None, Proposal(5))),
    Structure.ADVANCED: ((24, Proposal(3, 2)), (44, Proposal(4, 2)), (90, Proposal(5, 2)), (None, Proposal(5, 4))),
}  # fmt: skip
_FEWEST = {Structure.ADVANCED: 9}
_RULES = {Structure.GALACTIC_CONQUEST: "E14", Structure.FULL_SWISS: "E14"}


def propose(structure: Structure, players: int) -> Proposal:
    """Return rounds and cut that a structure prints for so many players (E14, E15). Refuses too few: 4, Advanced 9."""
    fewest = _FEWEST.get(structure, FEWEST_PLAYERS)
    if players < fewest:
        text = gettext("This structure needs at least {number} players.", number=fewest)
        raise refuse(_RULES.get(structure, "E15"), text)
    return next(found for most, found in _ROWS[structure] if most is None or players <= most)


def most_rounds(players: int) -> int:
    """Return in how many rounds everyone can meet somebody new: one fewer than the players, with a bye all (E16)."""
    return players if players % 2 else max(players - 1, 0)
