"""One side of a battle, as the Post-Battle Sequence needs it. The other side may be a guest (R17)."""

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from rules.core.card_types import TurningPoint, Unit, Upgrade
from rules.core.values import KeywordValue, Value

Result = Literal["won", "lost", "drawn"]


def result_for(colour: str, winner: str) -> Result:
    """Return the result for the side of that color; `winner` is the color of the side that won, empty for a draw."""
    if not winner:
        return "drawn"
    return "won" if winner == colour else "lost"


class Lent(Value):
    """A unit or upgrade that a Strategic Asset brought into the army for this battle, or a unit that it exempts (R21).

    A unit (Request Assistance, Heroic Intervention) has a `key` of its own, such as "L1", and its upgrades.
    Special equipment is an upgrade without a unit card, on the fielded unit `bearer` (or on none named).
    Authorized Extraordinary Use brings nothing and names the unit it exempts as `bearer`.
    """

    asset: str
    key: str = ""
    unit: Unit | None = None
    upgrades: tuple[Upgrade, ...] = ()
    bearer: str = ""


class Report(KeywordValue):
    """One side of a battle, reported for the Register that fought it. Units are named by their keys.

    `fielded` are the Dossiers of the army with the upgrades they used; `lent` the units and upgrades from assets;
    `battle_force` the one that the army was built as, or empty. `agenda` is the Agenda in play at the end. `confirmed`
    and `claims` are the texts of those conditions of the Agenda and of the mission's end of game that the player
    confirms. VP are victory points; the in-game gains are XP by unit and SP. `turning_point` is the mission played,
    `owns_turning_point` whether it is this Register's own (R22).
    """

    battle: str = ""
    opponent: str = "the opponent"
    opponent_is_guest: bool = False
    opponent_conceded: bool = False
    result: Result = "drawn"
    conceded: bool = False
    fielded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lent: tuple[Lent, ...] = ()
    assets: tuple[str, ...] = ()
    battle_force: str = ""
    agenda: str = ""
    contingency_switched: bool = False
    tokens: int = 0
    secondary_vp: int = 0
    opponent_secondary_vp: int = 0
    confirmed: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    asks: Mapping[str, int] = field(default_factory=dict)
    marked: tuple[str, ...] = ()
    defeated: tuple[str, ...] = ()
    contesting: tuple[str, ...] = ()
    in_game_experience: Mapping[str, int] = field(default_factory=dict)
    in_game_supply: int = 0
    turning_point: TurningPoint | None = None
    owns_turning_point: bool = False

    @property
    def lent_units(self) -> Mapping[str, Unit]:
        """The units lent by assets, by their key."""
        return {lent.key: lent.unit for lent in self.lent if lent.unit}

    @property
    def won(self) -> bool:
        """Whether this side won; a draw is not a win (R29)."""
        return self.result == "won"

    @property
    def lost(self) -> bool:
        """Whether this side lost; a draw is not a loss."""
        return self.result == "lost"
