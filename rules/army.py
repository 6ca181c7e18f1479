"""An army for a battle (R17 to R23): what it is, what it costs, and what it may be chosen from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .cards import Agenda, StoryArc, Unit
from .force import Force
from .language import gettext
from .report import Lent
from .rulebook import BattleForce, RankLimits, Rulebook
from .terms import allows

POINTS_PER_REPUTATION = 50
LARGEST_RECON = 800
AGENDAS_TO_MAY = 2
AGENDAS_TO_MUST = 3

CONTINGENCY_PLAN = "contingency-plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Army:
    """The army of one Register: Dossiers fielded with the upgrades they take, assets used and what they lend.

    `battle_force` is the one it is built as, or empty; `battle_deck` the cards of its Battle Deck, if recorded;
    `rank_reason` why its ranks may be outside the limits, which warn and do not block (R18).
    """

    fielded: Mapping[str, tuple[str, ...]]
    assets: tuple[str, ...] = ()
    lent: tuple[Lent, ...] = ()
    agenda: str = ""
    battle_force: str = ""
    battle_deck: tuple[str, ...] = ()
    rank_reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleTerms:
    """What both players agreed on: the size in points, extra points (R20), whose Turning Point it is (R22)."""

    size: int
    reinforcements: int = 0
    own_turning_point: bool = False


# --- Points --------------------------------------------------------------------------------------------------


def reinforcements(own_reputation: int, opposing_reputation: int) -> int:
    """Extra army points: 50 for each point of Reputation the opposing Register is ahead (R20)."""
    return max(0, opposing_reputation - own_reputation) * POINTS_PER_REPUTATION


def unit_points(book: Rulebook, force: Force, key: str, upgrades: Sequence[str]) -> int:
    """Army points of one fielded Dossier: its cards and what its Setbacks add, 15 for each Downtrodden (R19)."""
    dossier = force.dossiers[key]
    cards = book.units[dossier.card].points + sum(book.upgrades[slug].points for slug in upgrades)
    return cards + sum(book.setbacks[slug].army_points_each for slug in dossier.setbacks)


def lent_points(lent: Lent) -> int:
    """Army points of what an asset brings: the unit, if it is one, and its upgrades (R19)."""
    return (lent.unit.points if lent.unit else 0) + sum(card.points for card in lent.upgrades)


def army_points(book: Rulebook, force: Force, army: Army) -> int:
    """Army points of all that is fielded and lent (R19). Units that are not on the Register count nothing."""
    own = sum(
        unit_points(book, force, key, [slug for slug in upgrades if slug in book.upgrades])
        for key, upgrades in army.fielded.items()
        if key in force.dossiers
    )
    return own + sum(lent_points(lent) for lent in army.lent)


# --- Turning Points and Agendas (R22, R23) -------------------------------------------------------------------


def completed_agendas(arc: StoryArc, force: Force) -> int:
    """How many Agendas of its current arc a Register has completed, when they were in the catalogue."""
    return sum(is_complete(agenda, force) for agenda in (*arc.agendas, *arc.agendas_of_before))


def is_complete(agenda: Agenda, force: Force) -> bool:
    """Whether an Agenda has all its progressions."""
    return force.agendas.get(agenda.slug, 0) >= agenda.progressions_to_complete


def may_play_turning_point(book: Rulebook, force: Force) -> bool:
    """Whether a Register has completed enough Agendas for its Turning Point Mission (R22)."""
    return completed_agendas(book.story_arcs[force.story_arc], force) >= AGENDAS_TO_MAY


def must_play_turning_point(book: Rulebook, force: Force) -> bool:
    """Whether a Register has completed all it can and must play its Turning Point Mission (R22)."""
    return completed_agendas(book.story_arcs[force.story_arc], force) >= AGENDAS_TO_MUST


def open_agendas(book: Rulebook, force: Force) -> list[Agenda]:
    """The Agendas a Register may bring: of its current arc, not completed (R23)."""
    return [agenda for agenda in book.story_arcs[force.story_arc].agendas if not is_complete(agenda, force)]


# --- Battle forces and ranks (R18) ---------------------------------------------------------------------------


def open_battle_forces(book: Rulebook, faction: str) -> list[BattleForce]:
    """The battle forces that an army of a Faction may be built as."""
    return [
        force
        for slug, force in book.battle_forces.items()
        if force.faction == faction and not force.retired and allows(book.terms.battle_forces, slug)
    ]


def rank_limits_for(book: Rulebook, size: int, battle_force: str = "") -> RankLimits | None:
    """The rank table for a game of `size` points: the smallest that holds it, else the largest (R18).

    An army of a battle force (a slug) has the limits of that: Recon up to 800 points, else standard.
    """
    if battle_force in book.battle_forces:
        return book.battle_forces[battle_force].ranks.get(card_format(size))
    tables = sorted(book.rank_limits, key=lambda table: table.max_points)
    return next((table for table in tables if size <= table.max_points), tables[-1] if tables else None)


def game_type(size: int) -> str:
    """Recon up to 800 points, standard above (R18)."""
    return gettext("Recon") if size <= LARGEST_RECON else gettext("standard")


def card_format(size: int) -> str:
    """The format of battle cards and battle forces for a game of `size` points: "recon" or "standard" (R18)."""
    return "recon" if size <= LARGEST_RECON else "standard"


def army_rank(book: Rulebook, card: Unit, battle_force: str) -> str:
    """The rank at which a unit stands in an army: what its battle force lists it as, else the printed one."""
    force = book.battle_forces.get(battle_force)
    return force.units[card.slug].rank if force and card.slug in force.units else card.rank
