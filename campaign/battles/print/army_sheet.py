"""Printable army sheet of a side: its army, with all upgrades and effects of each unit.

Both players read it at the table, so it never shows a Command Hand (R24).
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from campaign.battles.models import Battle, Side
from campaign.battles.queries.armies import FIELDED, SideView
from campaign.battles.report_data import army_of
from registers.print.dossiers import agenda_state, told, what_counts
from registers.print.paper_sizes import ColumnPage, Paper, flow
from registers.print.typesetting import Block, Boxes, Caption, Card, Columns, Pair, Text, Title
from registers.queries.sheet import dossier_terms, trait_terms
from rules.battle import army as rules
from rules.battle.army import Lent
from rules.core.rulebook import Rulebook
from rules.register.labels import unit_label
from rules.register.state import RegisterState


def is_printable(view: SideView) -> bool:
    """Return whether the viewer may see this army of a Register, and its sequence is not over."""
    side = view.side
    return not side.is_guest and side.army_chosen and not view.hidden and side.battle.status in FIELDED


def army_pages(
    book: Rulebook, battle: Battle, side: Side, state: RegisterState, allowed: int, paper: Paper
) -> list[ColumnPage]:
    """Return the printed pages of a side that has chosen its army. `allowed` is its points limit (R18, R20)."""
    army = army_of(book, side.army)
    units = [
        _unit(book, state, key, upgrades) for key, upgrades in army.fielded.items() if key in state.dossiers
    ]
    lent = [_lent(book, item) for item in army.lent if item.unit or item.upgrades]
    return flow(_head(book, battle, side, state, army, allowed), [*units, *lent], paper)


def _head(
    book: Rulebook, battle: Battle, side: Side, state: RegisterState, army: rules.Army, allowed: int
) -> Card:
    agenda = book.agendas.get(army.agenda)
    points = rules.army_points(book, state, army)
    size, arc = (
        _("%(size)s points") % {"size": battle.size},
        book.story_arcs.get(battle.turning_point_id or ""),
    )
    occasion = [
        str(battle.campaign),
        str(battle),
        date_format(battle.date, "DATE_FORMAT"),
        battle.place,
        size,
    ]
    occasion.append(arc.turning_point.name if arc else "")
    facts: list[Block] = [
        Text(", ".join(filter(None, occasion))),
        Text(_("%(points)s of %(allowed)s") % {"points": points, "allowed": allowed}, _("Army points:")),
        Text(str(state.reputation), _("Reputation:")),
    ]
    if army.battle_force in book.battle_forces:
        facts.append(Text(book.battle_forces[army.battle_force].name, _("Battle force:")))
    if army.rank_reason:
        facts.append(Text(army.rank_reason, _("Ranks outside the limits:")))
    assets = [{"name": book.assets[slug].name, "text": book.assets[slug].effect} for slug in army.assets]
    left = (*facts, *told(_("Strategic Assets"), assets))
    if agenda is None:
        return Card(head=(Title(side.name),), body=left)
    right = (Caption(_("Agenda")), *agenda_state(state, agenda), *what_counts(agenda))
    return Card(head=(Title(side.name),), body=(Columns("halves", (left, right)),))


def _unit(book: Rulebook, state: RegisterState, key: str, upgrades: Sequence[str]) -> Card:
    dossier = state.dossiers[key]
    unit = book.units[dossier.card]
    terms = [*trait_terms(book, state, dossier), *dossier_terms(book, dossier)]
    cards = [book.upgrades[slug] for slug in upgrades if slug in book.upgrades]
    return Card(
        head=(Title(unit_label(book, state, key)),),
        body=(
            Pair(unit.full_name, str(unit.points)),
            *(Pair(card.full_name, str(card.points)) for card in cards),
            *told(_("Setbacks"), (term for term in terms if term.get("kind") in ("setback", "trait"))),
            *told(_("Commendations"), (term for term in terms if term.get("kind") == "commendation")),
            *told(_("Keywords gained"), (term for term in terms if not term.get("kind"))),
        ),
        foot=_foot(rules.unit_points(book, state, key, [card.slug for card in cards])),
        corner=_("Paragon") if key == state.paragon else "",
    )


def _lent(book: Rulebook, item: Lent) -> Card:
    cards = [item.unit, *item.upgrades] if item.unit else list(item.upgrades)
    return Card(
        head=(
            Title(cards[0].full_name),
            Text(_("lent: %(asset)s") % {"asset": book.assets[item.asset].name}),
        ),
        body=tuple(Pair(card.full_name, str(card.points)) for card in cards),
        foot=_foot(rules.lent_points(item)) if item.unit else (),
    )


def _foot(points: int) -> tuple[Block, ...]:
    ticks = (_("defeated"), _("objective"), _("marked"))
    return (
        Columns("thirds", tuple((Boxes(word, 0, 1),) for word in ticks)),
        Pair(_("Army points"), str(points), bold=True),
    )
