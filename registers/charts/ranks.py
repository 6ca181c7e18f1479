"""Chart of the Combat Potential used, by rank (R2). Each bar begins where the one before it ends, so they add up."""

from collections.abc import Iterator

from registers.charts.geometry import Scale, per_cent
from rules.core.card_types import RANKS
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.register.building import combat_potential_left, combat_potential_spent, dossier_points
from rules.register.state import RegisterState
from rules.register.upgrade_slots import spoken


class Bar(KeywordValue):
    """The points that the `units` of a rank take; `x` and `width` are per cent."""

    rank: str
    name: str
    units: int
    points: int
    x: str
    width: str


class Ranks(KeywordValue):
    """Combat Potential and its use, in points.

    `over` is the excess, `free_bar` the x and width of the unused part, `limit` the place of the limit.
    """

    bars: list[Bar]
    spent: int
    capacity: int
    free: int
    over: int
    free_bar: tuple[str, str]
    limit: str


def by_rank(book: Rulebook, state: RegisterState) -> Ranks:
    """Return the chart of a Register's Combat Potential. Ranks without units are left out."""
    spent, left = combat_potential_spent(book, state), combat_potential_left(book, state)
    across = Scale(0, max(spent, state.combat_potential), 0, 100)
    return Ranks(
        bars=list(_bars(book, state, across)),
        spent=spent,
        capacity=state.combat_potential,
        free=max(0, left),
        over=max(0, -left),
        free_bar=(per_cent(across(spent)), per_cent(across.length(max(0, left)))),
        limit=per_cent(across(state.combat_potential)) if left < 0 else "",
    )


def _bars(book: Rulebook, state: RegisterState, across: Scale) -> Iterator[Bar]:
    before = 0
    for rank in RANKS:
        units = [dossier for dossier in state.dossiers.values() if book.units[dossier.card].rank == rank]
        if units:
            points = sum(dossier_points(book, dossier) for dossier in units)
            yield Bar(
                rank=rank,
                name=spoken(rank),
                units=len(units),
                points=points,
                x=per_cent(across(before)),
                width=per_cent(across.length(points)),
            )
            before += points
