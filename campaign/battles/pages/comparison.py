"""Compare two Registers before a battle by what every member sees: without armies and Command Hands."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from campaign.battles.models import Battle, Side
from campaign.battles.pages.register_lines import RegisterLine, register_lines
from campaign.battles.state_machine import BEFORE_PLAY
from campaign.models import Campaign
from registers.charts.ranks import Bar, by_rank
from registers.ledger import session
from registers.models import Register
from registers.pages.sheet import in_order
from rules.battle.army import AGENDAS_TO_MAY, AGENDAS_TO_MUST, completed_agendas, reinforcements
from rules.battle.report import result_for
from rules.core.card_types import RANKS
from rules.core.rulebook import Rulebook
from rules.core.values import KeywordValue
from rules.register.building import dossier_points
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.upgrade_slots import spoken


class Half(KeywordValue):
    """One of the two Registers. `extra` is its reinforcements against the other in points (R20); it `may` or `must`
    play its Turning Point Mission (R22); `trait` is its Paragon's.
    """

    line: RegisterLine
    extra: int
    ahead: int
    may: bool
    must: bool
    assets: Sequence[str]
    trait: str
    units: Sequence[dict[str, Any]]
    ranks: Mapping[str, Bar]

    @property
    def veterans(self) -> int:
        """The number of its units with a Veteran Rank."""
        return sum(unit["veteran_rank"] > 0 for unit in self.units)

    @property
    def setbacks(self) -> int:
        """The total number of Setbacks on its units."""
        return sum(unit["setbacks"] for unit in self.units)


class Comparison(KeywordValue):
    """Both Registers, the ranks of their units, and the battles between them: planned ones with each army's points
    limit (R20), and how many the first one has `won`, `drawn` and `lost`.
    """

    one: Half
    other: Half
    ranks: Sequence[dict[str, Any]]
    to_come: Sequence[dict[str, Any]]
    won: int
    drawn: int
    lost: int

    @property
    def favoured(self) -> Half | None:
        """The Register that may bring reinforcements (R20)."""
        return next((half for half in (self.one, self.other) if half.extra), None)


def compared(campaign: Campaign, one: Register, other: Register) -> Comparison:
    """Compare two Registers of a campaign, given with their owners: three queries."""
    left, right = register_lines([one, other])
    first, second = _half(left, right), _half(right, left)
    against = Side.objects.filter(register=other.pk).values("battle")
    sides = Side.objects.filter(register=one.pk, battle__in=against, battle__campaign=campaign)
    fought = list(sides.select_related("battle").order_by("-battle__number"))
    results = Counter(
        result_for(side.colour, side.battle.winner) for side in fought if side.battle.status == Battle.Status.CLOSED
    )
    return Comparison(
        one=first,
        other=second,
        ranks=[
            {"slug": rank, "name": spoken(rank), "one": first.ranks.get(rank), "other": second.ranks.get(rank)}
            for rank in RANKS
            if rank in first.ranks or rank in second.ranks
        ],
        to_come=[
            {"battle": battle, "one": battle.size + first.extra, "other": battle.size + second.extra}
            for battle in (side.battle for side in fought)
            if battle.status in BEFORE_PLAY
        ],
        won=results["won"],
        drawn=results["drawn"],
        lost=results["lost"],
    )


def _half(line: RegisterLine, other: RegisterLine) -> Half:
    state, book = line.state, session.rulebook_for(line.register)
    ahead = other.state.reputation - state.reputation
    done = completed_agendas(book.story_arcs[state.story_arc], state) if state.story_arc else 0
    return Half(
        line=line,
        extra=reinforcements(state.reputation, other.state.reputation),
        ahead=max(0, ahead),
        may=AGENDAS_TO_MAY <= done < AGENDAS_TO_MUST,
        must=done >= AGENDAS_TO_MUST,
        assets=[book.assets[slug].name for slug in state.assets],
        trait=book.defining_traits[state.trait.slug].name if state.trait else "",
        units=[_unit(book, state, dossier) for dossier in in_order(state)],
        ranks={bar.rank: bar for bar in by_rank(book, state).bars},
    )


def _unit(book: Rulebook, state: RegisterState, dossier: Dossier) -> dict[str, Any]:
    """Return a Dossier in brief; `points` is its cost with all its upgrades."""
    rank = book.units[dossier.card].rank
    return {
        "label": unit_label(book, state, dossier.key),
        "rank": rank,
        "rank_name": spoken(rank),
        "veteran_rank": dossier.veteran_rank,
        "setbacks": len(dossier.setbacks),
        "points": dossier_points(book, dossier),
        "is_paragon": dossier.key == state.paragon,
    }
