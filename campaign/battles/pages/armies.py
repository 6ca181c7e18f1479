"""Armies, Agendas and reports on the page of a battle (R22, R23)."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext

from campaign.access import CampaignRole
from campaign.battles.access import may_act, may_act_for_opponent
from campaign.battles.models import Battle, Side
from campaign.battles.pages.table import HandView, hands_of
from campaign.battles.queries.battles import agendas_version, both_ways, side_to_choose
from campaign.battles.report_data import army_of, book_of, report_of
from campaign.battles.state_machine import BEFORE_PLAY, FOUGHT
from core.form_errors import as_context
from registers import projection
from registers.ledger import session
from registers.ledger.past import states_before
from registers.models import Register
from rules.battle import army as rules
from rules.battle.army import Army, BattleSetup, open_agendas
from rules.battle.plain_army import PlainArmy, as_plain, differences, notes, plain_army_violations
from rules.battle.report import Lent
from rules.core.card_types import Agenda, BattleCard
from rules.core.rulebook import RankLimits, Rulebook
from rules.core.values import Value
from rules.post_battle.agendas import progressions
from rules.register.labels import unit_label
from rules.register.state import RegisterState, everyone
from rules.register.upgrade_slots import spoken

#: States in which an army is printed and checked by the core rules; once the battle is fought, nobody needs either.
FIELDED = (*BEFORE_PLAY, *FOUGHT)


class UnitLine(Value):
    """A unit of an army. `marks` are its marks from the report, each as a name and its text for screen readers."""

    label: str
    card: str
    rank: str
    upgrades: Sequence[str] = ()
    points: int = 0
    marks: Sequence[tuple[str, str]] = ()
    is_paragon: bool = False
    lent_by: str = ""


@dataclass(slots=True)
class SideView:
    """A side on the page of its battle.

    `hidden`: the viewer may not see its army yet; its Agenda is open to all. `may_act_for`: see `access`. `state` is
    its Register's state for this battle (`states_in`), empty for a guest. `outcome`: what the report does to its
    Agenda.
    """

    side: Side
    mine: bool
    allowed: int
    state: RegisterState
    may_act_for: bool = False
    hidden: bool = False
    army: Sequence[UnitLine] = ()
    points: int = 0
    assets: Sequence[str] = ()
    may_bring_agenda: bool = False
    agenda: Agenda | None = None
    battle_force: str = ""
    rank_reason: str = ""
    deck: Sequence[BattleCard] = ()
    plain: dict[str, Any] | None = None
    hand: HandView | None = None
    facts: Sequence[tuple[str, object]] = field(default_factory=list)
    outcome: str = ""


def report_rows(views: Sequence[SideView]) -> list[dict[str, Any]]:
    """Return a report as rows: casualties, objectives, Agendas, and all else; each with lines of both `sides`."""
    marks = (
        ("defeated", gettext("Defeated")),
        ("contesting", gettext("Contesting or holding")),
        ("marked", gettext("Marked")),
    )
    rows = [
        {"name": label, "sides": [[unit.label for unit in view.army if name in dict(unit.marks)] for view in views]}
        for name, label in marks
    ]
    agendas = [[view.agenda.name, view.outcome] if view.agenda else [] for view in views]
    others = [[f"{label}: {value}" for label, value in view.facts] for view in views]
    rows += [{"name": gettext("Agenda"), "sides": agendas}, {"name": gettext("Also reported"), "sides": others}]
    always = rows[:2]
    return [row for row in rows if row in always or any(row["sides"])]


def limits_of(book: Rulebook, battle: Battle) -> RankLimits | None:
    """Return the rank limits of a battle: the agreed ones, or else those of its size (R18)."""
    agreed = [limits for limits in book.rank_limits if limits.format == battle.rank_table]
    return agreed[0] if agreed else rules.rank_limits_for(book, battle.size)


def states_in(battle: Battle, registers: Collection[Register]) -> dict[UUID, RegisterState]:
    """Return the states of a battle's Registers by primary key: current until the sequence, then as the battle began.

    Changes by the sequence, or by edits after it, do not belong to the army that fought. Before the sequence, only a
    correction can change a Register in a battle, and the report is checked against the corrected state.
    """
    if battle.status in FIELDED:
        return projection.states_of(registers)
    return states_before(str(battle.pk), registers)


def side_views(role: CampaignRole, battle: Battle) -> list[SideView]:
    """Return both sides of a battle, blue first, as this user sees them (`Battle.armies_hidden`)."""
    states = states_in(battle, [side.register for side in battle.sides.all() if side.register])
    views = [_side_view(role, battle, pair, states) for pair in both_ways(battle)]
    book = book_of(next(side for side in battle.sides.all() if side.register))
    hands = hands_of(role.user, battle, book)
    for view in views:
        view.hand = None if view.hidden else hands.get(view.side.pk)
    return views


def side_views_before_sequence(role: CampaignRole, battles: Sequence[Battle]) -> list[tuple[Battle, list[SideView]]]:
    """Return both sides of battles (prefetched) before their sequence, as this user sees them, without Command Hands:
    one query for all Registers.
    """
    sides = (side for battle in battles for side in battle.sides.all())
    states = projection.states_of({side.register.pk: side.register for side in sides if side.register}.values())
    return [(battle, [_side_view(role, battle, pair, states) for pair in both_ways(battle)]) for battle in battles]


def _side_view(
    role: CampaignRole, battle: Battle, pair: tuple[Side, Side], states: dict[UUID, RegisterState]
) -> SideView:
    side = pair[0]
    state, opposed = (states[one.register.pk] if one.register else RegisterState() for one in pair)
    setup = rules.BattleSetup(
        size=battle.size,
        reinforcements=rules.reinforcements(state.reputation, opposed.reputation) if side.register else 0,
        own_turning_point=battle.owner == side.colour,
    )
    view = SideView(side, may_act(role, side), setup.size + setup.reinforcements, state)
    view.may_act_for = may_act_for_opponent(role, side)
    if side.register is None:
        view.points = side.guest_points
        view.facts = list(_facts(None, side))
        return view
    view.hidden = battle.armies_hidden and not view.mine
    book = book_of(side)
    if state.story_arc:
        view.may_bring_agenda = rules.may_bring_agenda(book, state, setup)
    view.agenda = book.agendas.get(side.report.get("agenda") or side.agenda or "")
    if side.army_chosen and not view.hidden:
        _show_army(view, book, battle, setup)
    if battle.version and view.agenda:
        view.outcome = _outcome(book, view, view.agenda, pair)
    return view


def _outcome(book: Rulebook, view: SideView, agenda: Agenda, pair: tuple[Side, Side]) -> str:
    """Return what the report does to the Agenda in play (R25)."""
    already, total = view.state.agendas.get(agenda.slug, 0), agenda.progressions_to_complete
    if not (times := progressions(agenda, report_of(book, view.side.battle, *pair), already)):
        return gettext("no progress this battle, still %(done)s of %(total)s") % {"done": already, "total": total}
    if already + times >= total:
        return gettext("+%(times)s progress: completed") % {"times": times}
    return gettext("+%(times)s progress (%(done)s of %(total)s)") % {
        "times": times,
        "done": already + times,
        "total": total,
    }


def _show_army(view: SideView, book: Rulebook, battle: Battle, setup: rules.BattleSetup) -> None:
    state, army = view.state, army_of(book, view.side.army)
    view.army = [*_own_units(book, state, view.side, army), *_lent_units(book, view.side, army.lent)]
    view.points = rules.army_points(book, state, army)
    view.plain = plain_check(book, state, army, setup) if battle.status in FIELDED else None
    view.battle_force = getattr(book.battle_forces.get(army.battle_force), "name", "")
    view.rank_reason = army.rank_reason
    view.deck = [book.battle_cards[slug] for slug in army.battle_deck if slug in book.battle_cards]
    view.assets = [book.assets[slug].name for slug in army.assets]
    view.facts = list(_facts(book, view.side))


def _own_units(book: Rulebook, state: RegisterState, side: Side, army: rules.Army) -> Iterator[UnitLine]:
    dossiers = everyone(state)
    for key, upgrades in army.fielded.items():
        if key not in dossiers:
            continue  # the unit's joining was undone
        unit = book.units[dossiers[key].card]
        yield UnitLine(
            label=unit_label(book, state, key),
            card=unit.full_name if dossiers[key].name else "",
            rank=rules.army_rank(book, unit, army.battle_force),
            upgrades=[book.upgrades[slug].full_name for slug in upgrades],
            points=rules.unit_points(book, state, key, upgrades) if key in state.dossiers else 0,
            marks=_marks(side, key),
            is_paragon=key == state.paragon,
        )


def _lent_units(book: Rulebook, side: Side, lent: Sequence[Lent]) -> Iterator[UnitLine]:
    for item in lent:
        cards = [card.full_name for card in item.upgrades]
        points, lent_by = rules.lent_points(item), book.assets[item.asset].name
        if unit := item.unit:
            marks = _marks(side, item.key)
            yield UnitLine(unit.full_name, "", unit.rank, cards, points, marks, lent_by=lent_by)
        elif cards:
            yield UnitLine(cards[0], "", item.upgrades[0].type, points=points, lent_by=lent_by)


def _marks(side: Side, key: str) -> list[tuple[str, str]]:
    words = {"defeated": gettext("defeated"), "contesting": gettext("objective"), "marked": gettext("marked")}
    return [(name, word) for name, word in words.items() if key in side.report.get(name, ())]


def _facts(book: Rulebook | None, side: Side) -> Iterator[tuple[str, object]]:
    if not (reported := side.report):
        return
    for name, label in (
        ("tokens", gettext("Agenda tokens")),
        ("secondary_vp", gettext("VP from secondary objectives")),
    ):
        if reported.get(name):
            yield label, reported[name]
    for text in (*reported.get("confirmed", ()), *reported.get("claims", ())):
        yield text, gettext("yes")
    if reported.get("conceded"):
        yield gettext("Conceded"), gettext("yes")
    if reported.get("contingency_switched"):
        yield gettext("Contingency Plan"), gettext("the Agenda was switched")
    if book and side.register:
        yield from _gains(reported)


def _gains(reported: dict[str, dict[str, int]]) -> Iterator[tuple[str, object]]:
    if experience := sum(reported.get("in_game_experience", {}).values()):
        yield gettext("Experience during the game"), experience
    if reported.get("in_game_supply"):
        yield gettext("SP during the game"), reported["in_game_supply"]
    for name, number in reported.get("asks", {}).items():
        yield spoken(name).capitalize(), number


def plain_check(book: Rulebook, state: RegisterState, army: Army, setup: BattleSetup) -> dict[str, Any]:
    """Check an army by the core rules, without its Register. The Command Hand, which may be secret, and the Battle Deck
    are left out: their rules are the same with a Register.
    """
    plain = replace(as_plain(book, state, army, setup.size), battle_cards=())
    return {
        "violations": as_context(plain_army_violations(book, plain)),
        "differences": list(differences(book, state, army, setup)),
        "notes": notes(book, plain),
    }


def plain_side(side: Side) -> PlainArmy:
    """Return the army that a side fielded, with what was lent, and units that have since become casualties."""
    register = side.own_register
    book, state = session.rulebook_for(register), states_in(side.battle, [register])[register.pk]
    with_the_fallen = replace(state, dossiers=everyone(state))
    return as_plain(book, with_the_fallen, army_of(book, side.army), side.battle.size)


def agenda_choices(battle: Battle, views: Sequence[SideView]) -> dict[str, Any]:
    """Return the choice of Agendas between the sides, Blue first, of a battle that is ready; else nothing. No query.

    `turn` is the side that chooses next, from `options`; None once all have chosen. `chosen` are the sides that have
    chosen; only those of them in `changeable` may change their choice: the last one, and any whose Agenda an earlier
    battle has completed since. `version`: see `agendas_version`.
    """
    if battle.status != Battle.Status.READY:
        return {}
    due = side_to_choose(view.side for view in views)
    turn = next((view for view in views if view.side is due), None)
    free = [view for view in views if view.may_bring_agenda and view.side.agenda is not None]
    outdated = [view for view in views if view.side.agenda and view.side.agenda not in _open_agendas(view)]
    return {
        "turn": turn,
        "options": _options(turn) if turn and turn.mine else (),
        "chosen": [view for view in views if view in free or view in outdated],
        "changeable": [*free[-1:], *outdated],
        "version": agendas_version(view.side for view in views),
    }


def _open_agendas(view: SideView) -> list[str]:
    return [agenda.slug for agenda in open_agendas(book_of(view.side), view.state)] if view.may_bring_agenda else []


def _options(view: SideView) -> list[dict[str, Any]]:
    return [
        {
            "value": agenda.slug,
            "label": agenda.name,
            "note": agenda.tally,
            "done": view.state.agendas.get(agenda.slug, 0),
            "total": agenda.progressions_to_complete,
        }
        for agenda in open_agendas(book_of(view.side), view.state)
    ]
