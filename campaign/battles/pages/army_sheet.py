"""Printable army sheet of a side: units with upgrades and effects, boxes for the battle, no Command Hand (R24)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _, ngettext

from campaign.battles.models import Battle, Side
from campaign.battles.pages.armies import SideView
from campaign.battles.queries.battles import when_text
from campaign.battles.report_data import army_of
from core.templatetags.icons import emblem
from registers.pages.sheet import dossier_terms, trait_terms
from registers.print import dossiers
from registers.print.paper_sizes import ColumnPage, Paper, column_pages
from registers.print.typesetting import Block, Boxes, Caption, Card, Columns, Plate, Text, ToWrite
from rules.battle import army as rules
from rules.battle.army import Lent
from rules.core.card_types import Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState, everyone

#: Rounds of a battle, and the victory points and Agenda tokens that the sheet has boxes for.
ROUNDS, VICTORY_POINTS, TOKENS = 6, 15, 10
#: Types of upgrade cards that may add a mini to a unit. The catalogue does not say which of them do.
ADDS_A_MINI = frozenset({"heavy-weapon", "personnel", "squad-leader"})
#: By how much a Commendation raises the wound threshold, as its text says.
WOUNDS_OF_COMMENDATIONS = {"field-modifications": 1}


def is_printable(view: SideView) -> bool:
    """Return whether a side has a Register, has chosen its army, and the viewer may see it."""
    return not view.side.is_guest and view.side.army_chosen and not view.hidden


def army_pages(
    book: Rulebook, battle: Battle, side: Side, state: RegisterState, allowed: int, paper: Paper, *, against: str = ""
) -> list[ColumnPage]:
    """Return the printed pages of a side that has chosen its army, with units that have left since. `allowed` is its
    points limit (R18, R20), `state` its Register's for this battle, `against` the opponent's Register (empty: none).
    """
    army = army_of(book, side.army)
    known = replace(state, dossiers=everyone(state))
    units = [_unit(book, known, key, upgrades) for key, upgrades in army.fielded.items() if key in known.dossiers]
    lent = [_lent(book, item) for item in army.lent if item.unit or item.upgrades]
    banner = _head(book, battle, side, known, army, allowed, against)
    by_round = Card(body=(Caption(_("Notes by round")), ToWrite(lines=2, fills=True)))
    return column_pages(banner, [*units, *lent], paper, closing=by_round)


def _head(
    book: Rulebook, battle: Battle, side: Side, state: RegisterState, army: rules.Army, allowed: int, against: str
) -> Card:
    agenda = book.agendas.get(army.agenda)
    points = rules.army_points(book, state, army)
    arc = book.story_arcs.get(battle.turning_point_id or "")
    player = side.register.owner.get_username() if side.register and side.register.owner else ""
    occasion = [str(battle), _("against %(name)s") % {"name": against} if against else ""]
    occasion += [when_text(battle), battle.place]
    occasion.append(arc.turning_point.name if arc else "")
    activations = sum(key in state.dossiers for key in army.fielded) + sum(item.unit is not None for item in army.lent)
    words = (
        _("%(points)s of %(allowed)s") % {"points": points, "allowed": allowed},
        ngettext("%(number)d activation", "%(number)d activations", activations) % {"number": activations},
    )
    facts: list[Block] = [Text(" · ".join(words), _("Army points:")), Text(str(state.reputation), _("Reputation:"))]
    if army.battle_force in book.battle_forces:
        facts.append(Text(book.battle_forces[army.battle_force].name, _("Battle force:")))
    if army.rank_reason:
        facts.append(Text(army.rank_reason, _("Ranks outside the limits:")))
    assets = [{"name": book.assets[slug].name, "text": book.assets[slug].effect} for slug in army.assets]
    left = (
        *facts,
        Caption(_("Rounds and victory points")),
        Boxes(_("Round"), 0, ROUNDS, is_numbered=True),
        Boxes(_("Mine"), 0, VICTORY_POINTS, group=5),
        Boxes(_("Opponent’s"), 0, VICTORY_POINTS, group=5),
        *dossiers.named_effects(_("Strategic Assets"), assets),
    )
    right: tuple[Block, ...] = (Caption(_("Agenda")), Text(_("No Agenda in this battle.")))
    if side.agenda is None:  # printed before the Agendas are chosen (R23)
        right = (Caption(_("Agenda")), ToWrite(lines=2), Boxes(_("Tokens"), 0, TOKENS, is_round=True, group=5))
    if agenda:
        right = (
            Caption(_("Agenda")),
            *dossiers.agenda_state(state, agenda),
            *dossiers.what_counts(agenda),
            Boxes(_("Tokens"), 0, TOKENS, is_round=True, group=5),
        )
    plate = Plate(
        title=side.name,
        lines=(
            " · ".join(filter(None, (dossiers.player_words(player), str(battle.campaign)))),
            " · ".join(filter(None, occasion)),
        ),
        icon=emblem(state.story_arc),
        marks=(f"faction-{state.faction}",) if state.faction else (),
    )
    return Card(head=(plate,), body=(Columns("halves", (left, right)),))


def _unit(book: Rulebook, state: RegisterState, key: str, upgrades: Sequence[str]) -> Card:
    dossier = state.dossiers[key]
    unit = book.units[dossier.card]
    terms = [*trait_terms(book, state, dossier), *dossier_terms(book, dossier)]
    cards = [book.upgrades[slug] for slug in upgrades if slug in book.upgrades]
    title, lines = dossiers.unit_plate_lines(book, state, key)
    points = rules.unit_points(book, state, key, [card.slug for card in cards])
    words = [*lines, _("Paragon")] if key == state.paragon else list(lines)
    return Card(
        head=(_plate(title, words, unit.rank, points, marks=("paragon",) if key == state.paragon else ()),),
        body=(
            *_equipment([card.full_name for card in cards]),
            *_at_the_table(unit, cards, sum(WOUNDS_OF_COMMENDATIONS.get(slug, 0) for slug in dossier.commendations)),
            *dossiers.named_effects(
                _("Setbacks"), (term for term in terms if term.get("kind") in ("setback", "trait"))
            ),
            *dossiers.named_effects(_("Commendations"), (term for term in terms if term.get("kind") == "commendation")),
            *dossiers.named_effects(_("Gained keywords"), (term for term in terms if not term.get("kind"))),
            *dossiers.printed_keywords(book, unit),
        ),
    )


def _lent(book: Rulebook, item: Lent) -> Card:
    asset = _("lent: %(asset)s") % {"asset": book.assets[item.asset].name}
    if item.unit is None:
        [card, *others] = item.upgrades
        body = _equipment([each.full_name for each in others])
        return Card(head=(_plate(card.full_name, [asset], card.type, card.points),), body=tuple(body))
    unit = item.unit
    return Card(
        head=(_plate(unit.full_name, [asset], unit.rank, rules.lent_points(item)),),
        body=(
            *_equipment([card.full_name for card in item.upgrades]),
            *_at_the_table(unit, item.upgrades),
            *dossiers.printed_keywords(book, unit),
        ),
    )


def _plate(title: str, lines: Sequence[str], icon: str, points: int, marks: tuple[str, ...] = ()) -> Plate:
    amount = ngettext("%(number)d point", "%(number)d points", points) % {"number": points}
    return Plate(title=title, lines=(" · ".join(lines),), icon=icon, marks=marks, amount=amount)


def _equipment(names: Sequence[str]) -> list[Block]:
    return [Text(", ".join(names), _("Upgrades:"))] if names else []


def _at_the_table(unit: Unit, upgrades: Iterable[Upgrade], more_wounds: int = 0) -> list[Block]:
    """Return a unit's numbers, boxes for its wounds (`more_wounds` by Commendations), and what the report asks."""
    ticks = (_("Defeated"), _("Objective"), _("Marked"))
    return [
        Text(dossiers.unit_facts(unit)),
        _wounds(unit, upgrades, more_wounds),
        Boxes(_("Activated"), 0, ROUNDS, is_numbered=True),
        Columns("thirds", tuple((Boxes(word, 0, 1),) for word in ticks)),
    ]


def _wounds(unit: Unit, upgrades: Iterable[Upgrade], more_wounds: int) -> Block:
    """Return boxes for a unit's wounds, in a group for each mini, and spare ones for minis that upgrades may add. There
    is a line to write on if the catalogue knows no number of minis or wounds.
    """
    if not unit.wounds or not unit.minis:
        return ToWrite(_("Wounds"))
    each = unit.wounds + more_wounds
    spare = each * sum(card.type in ADDS_A_MINI for card in upgrades) if unit.minis > 1 else 0
    group = each if each > 1 and (unit.minis > 1 or spare) else 0
    return Boxes(_("Wounds"), 0, each * unit.minis, group=group, is_large=True, spare=spare)
