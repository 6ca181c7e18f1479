"""Contents of printed Dossiers: as forms and as cards, with their Register and Story Arc."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from registers.print.typesetting import Block, Boxes, Caption, Card, Columns, Pair, Text, Title, ToWrite
from registers.queries.sheet import arc_of, assets_of, command_cards_of, dossier_terms, trait_terms
from rules.arcs.card_text import (
    Paragraph,
    end_of_game_text,
    marks_text,
    progress_text,
    reward_text,
    shield_text,
)
from rules.core.card_types import Agenda, StoryArc, TurningPoint
from rules.core.rulebook import Rulebook
from rules.register.building import combat_potential_spent, dossier_points
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState
from rules.register.veterans import HIGHEST

#: Agendas of a Story Arc, and the circles that the printed form has for each of them.
AGENDAS, CIRCLES = 3, 5

Term = dict[str, str]


def register_form(book: Rulebook, state: RegisterState, name: str) -> Card:
    """Return the form of a Register: its numbers, its Strategic Assets, and its three Agendas with boxes."""
    arc = arc_of(book, state)
    agendas = [(agenda["name"], agenda["done"], agenda["total"]) for agenda in arc["agendas"]] if arc else []
    extras = [
        *_captioned(_("Strategic Assets"), [Text(term["name"]) for term in assets_of(book, state)]),
        *_captioned(
            _("Paragon Command Cards"), [Text(term["name"]) for term in command_cards_of(book, state)]
        ),
    ]
    return _register(
        _value(_("Name"), name, bold=True),
        _value(_("Reputation"), str(state.reputation)),
        _value(_("Story Arc"), arc["name"] if arc else ""),
        _value(_("Combat Potential"), str(state.combat_potential)),
        _value(_("Combat Potential Spent"), str(combat_potential_spent(book, state))),
        _value(_("Supply Points"), str(state.supply_points)),
        extras=extras or _value(_("Strategic Assets"), ""),
        agendas=[block for agenda in agendas for block in agenda_boxes(*agenda)],
    )


def blank_register() -> Card:
    """Return a blank Register form to fill in by hand."""
    words = (
        _("Name"), _("Reputation"), _("Story Arc"), _("Combat Potential"), _("Combat Potential Spent"),
        _("Supply Points"),
    )  # fmt: skip
    agenda = (ToWrite(_("Agenda")), Boxes(_("Progression"), 0, CIRCLES, is_round=True))
    return _register(
        *([ToWrite(word)] for word in words),
        extras=[ToWrite(_("Strategic Assets"), 6)],
        agendas=agenda * AGENDAS,
    )


def dossier_form(book: Rulebook, state: RegisterState, dossier: Dossier) -> Card:
    """Return a Dossier as on the printed form, with names only."""
    unit = _unit_name(book, state, dossier)
    trait = [term["name"] for term in trait_terms(book, state, dossier)]
    setbacks = [term["name"] for term in dossier_terms(book, dossier) if term.get("kind") == "setback"]
    honors = [term["name"] for term in dossier_terms(book, dossier) if term.get("kind") != "setback"]
    upgrades = [book.upgrades[slug] for slug in dossier.upgrades]
    return _dossier(
        head=(_value(_("Dossier Name"), dossier.name, bold=True), _value(_("Unit Name"), unit)),
        setbacks=[Text(word) for word in (*setbacks, *trait)],
        ranks=[_ranks(dossier.veteran_rank)],
        experience=[Text(str(dossier.experience))],
        upgrades=[Pair(card.full_name, str(card.points)) for card in upgrades],
        commendations=[Text(word) for word in honors],
        points=Pair(_("Points Spent"), str(dossier_points(book, dossier)), bold=True),
        corner=_("Paragon") if dossier.key == state.paragon else "",
    )


def blank_dossier() -> Card:
    """Return a blank Dossier form to fill in by hand."""
    return _dossier(
        head=([Caption(_("Dossier Name")), ToWrite()], [Caption(_("Unit Name")), ToWrite()]),
        setbacks=[ToWrite(lines=2)],
        ranks=[_ranks(0)],
        experience=[ToWrite(lines=2)],
        upgrades=[ToWrite(lines=6)],
        commendations=[ToWrite(lines=6)],
        points=ToWrite(_("Points Spent")),
    )


def dossier_card(book: Rulebook, state: RegisterState, dossier: Dossier, name: str) -> Card:
    """Return a Dossier as a card for the table: the unit's rules in our words. `name` is the Register's."""
    unit = _unit_name(book, state, dossier)
    terms = [*trait_terms(book, state, dossier), *dossier_terms(book, dossier)]
    upgrades = [book.upgrades[slug] for slug in dossier.upgrades]
    return Card(
        head=(Title(dossier.name or unit), *([Text(unit)] if dossier.name else [])),
        body=(
            *told(_("Setbacks"), (term for term in terms if term.get("kind") in ("setback", "trait"))),
            _ranks(dossier.veteran_rank, _("Veteran Rank")),
            Pair(_("Experience"), str(dossier.experience)),
            *_captioned(_("Upgrades"), [Pair(card.full_name, str(card.points)) for card in upgrades]),
            *told(_("Commendations"), (term for term in terms if term.get("kind") == "commendation")),
            *told(_("Keywords"), (term for term in terms if not term.get("kind"))),
        ),
        foot=(Pair(name, str(dossier_points(book, dossier)), bold=True),),
        corner=_("Paragon") if dossier.key == state.paragon else "",
    )


def blank_card(setbacks: int, honors: int) -> Card:
    """Return a blank card for a sleeve, with so many lines for Setbacks and honors."""
    return Card(
        head=(ToWrite(_("Name")), ToWrite(_("Unit"))),
        body=(
            Caption(_("Setbacks")), ToWrite(lines=setbacks),
            _ranks(0, _("Veteran Rank")), ToWrite(_("Experience")),
            Caption(_("Upgrades")), ToWrite(lines=honors),
            Caption(_("Commendations")), ToWrite(lines=honors),
        ),
        foot=(ToWrite(_("Points")),),
    )  # fmt: skip


def register_card(book: Rulebook, state: RegisterState, name: str) -> Card:
    """Return a Register as a card: its numbers and Agendas, and the effects of its assets."""
    arc = arc_of(book, state)
    agendas = [(agenda["name"], agenda["done"], agenda["total"]) for agenda in arc["agendas"]] if arc else []
    potential = f"{combat_potential_spent(book, state)}/{state.combat_potential}"
    return Card(
        head=(Title(name), *([Text(arc["name"])] if arc else [])),
        body=(
            Text(str(state.reputation), _("Reputation")),
            Text(potential, _("Combat Potential")),
            Text(str(state.supply_points), _("Supply Points")),
            *_captioned(_("Agendas"), [block for agenda in agendas for block in agenda_boxes(*agenda)]),
            *told(_("Strategic Assets"), assets_of(book, state)),
            *told(_("Paragon Command Cards"), command_cards_of(book, state)),
        ),
    )


def agenda_boxes(name: str, done: int, total: int) -> list[Block]:
    """Return an Agenda with a circle for each progression."""
    spoken = _("%(done)s of %(total)s progressions") % {"done": done, "total": total}
    return [Boxes(name, done, total, spoken, is_round=True)]


def told(caption: str, terms: Iterable[Term]) -> list[Block]:
    """Return terms under a caption, each with its effect and count; empty if there are none."""
    blocks: list[Block] = []
    for (name, text), times in Counter((term["name"], term.get("text", "")) for term in terms).items():
        often = f" ×{times}" if times > 1 else ""
        blocks.append(Text(text, f"{name}{often}{'.' if text else ''}"))
    return _captioned(caption, blocks)


def agenda_state(state: RegisterState, agenda: Agenda) -> list[Block]:
    """Return a Register's progress on an Agenda."""
    total = agenda.progressions_to_complete
    return agenda_boxes(agenda.name, min(state.agendas.get(agenda.slug, 0), total), total)


def _register(*values: Sequence[Block], extras: Sequence[Block], agendas: Sequence[Block]) -> Card:
    name, reputation, arc, potential, spent, supply = (tuple(value) for value in values)
    return Card(
        head=(Title(_("Register")),),
        body=(
            Columns("halves", ((*name, *arc, *extras), (Columns("halves", (reputation, supply)),
                Columns("halves", (potential, spent)), Caption(_("Agendas: progression")), *agendas))),
        ),
    )  # fmt: skip


def _dossier(
    *,
    head: tuple[Sequence[Block], Sequence[Block]],
    setbacks: Sequence[Block],
    ranks: Sequence[Block],
    experience: Sequence[Block],
    upgrades: Sequence[Block],
    commendations: Sequence[Block],
    points: Block,
    corner: str = "",
) -> Card:
    name, unit = (tuple(half) for half in head)
    return Card(
        head=(Columns("halves", (name, unit)),),
        body=(
            Columns(
                "ranks",
                (
                    (Caption(_("Setbacks")), *setbacks),
                    (Caption(_("Veteran Rank")), *ranks),
                    (Caption(_("Experience")), *experience),
                ),
            ),
            Columns(
                "halves",
                ((Caption(_("Upgrades")), *upgrades), (Caption(_("Commendations")), *commendations)),
            ),
        ),
        foot=(points,),
        corner=corner,
    )


def _value(caption: str, text: str, *, bold: bool = False) -> list[Block]:
    return [Caption(caption), Text("", text) if bold else Text(text)]


def _unit_name(book: Rulebook, state: RegisterState, dossier: Dossier) -> str:
    """Return the name of a unit's card, with its number if it has no name and is not the only one."""
    if dossier.name:
        return book.units[dossier.card].full_name
    return unit_label(book, state, dossier.key, full=True)


def _captioned(caption: str, blocks: Sequence[Block]) -> list[Block]:
    return [Caption(caption), *blocks] if blocks else []


def _ranks(reached: int, label: str = "") -> Boxes:
    spoken = _("%(done)s of %(total)s") % {"done": reached, "total": HIGHEST}
    return Boxes(label, reached, HIGHEST, spoken)


def arc_cards(book: Rulebook, arc: StoryArc) -> list[Card]:
    """Return the cards of a Story Arc: the arc, its Agendas, its Turning Point Mission."""
    return [
        _arc_card(book, arc),
        *(agenda_card(book, arc, agenda) for agenda in arc.agendas),
        mission_card(book, arc.turning_point, arc),
    ]


def agenda_card(book: Rulebook, arc: StoryArc, agenda: Agenda) -> Card:
    """Return the card of an Agenda: what counts, when it progresses, and its rewards."""
    total = agenda.progressions_to_complete
    return Card(
        head=(Title(agenda.name), Text(_("Agenda · %(arc)s") % {"arc": arc.name})),
        body=(*what_counts(agenda), *what_it_brings(book, agenda)),
        foot=tuple(agenda_boxes(_("Progression"), 0, total)),
    )


def what_counts(agenda: Agenda) -> Iterator[Block]:
    """Yield what a player watches during a battle: marked units, counts, and when the Agenda progresses."""
    if agenda.note:
        yield Text(agenda.note)
    if agenda.marks:
        yield Text(marks_text(agenda.marks))
    yield Text(agenda.tally)
    yield Caption(_("Progression"))
    for sentence in progress_text(agenda):
        yield Text(sentence)


def what_it_brings(book: Rulebook, agenda: Agenda) -> Iterator[Block]:
    """Yield the rewards of an Agenda that has progressed."""
    shield = [shield_text(book, agenda.casualty_shield)] if agenda.casualty_shield else []
    yield from _paragraphs(_("Reward"), [*reward_text(book, agenda.reward, marks=agenda.marks), *shield])


def mission_card(book: Rulebook, mission: TurningPoint, arc: StoryArc) -> Card:
    """Return the card of a Turning Point Mission."""
    sides = {"blue": _("Blue player."), "red": _("Red player."), "both": _("Both players.")}
    return Card(
        head=(Title(mission.name), Text(_("Turning Point Mission · %(arc)s") % {"arc": arc.name})),
        body=(
            Text(mission.setup, _("Setup.")),
            Text(mission.scoring, _("Scoring.")),
            Text(mission.secondary, _("Secondary.")),
            Caption(_("Advantages")),
            *(
                Text(mission.advantages[side], lead)
                for side, lead in sides.items()
                if side in mission.advantages
            ),
            *_paragraphs(
                _("At the end of the game, for each player"),
                [end_of_game_text(book, entry, asks=mission.asks) for entry in mission.end_of_game],
            ),
            *_paragraphs(_("Victory Reward"), reward_text(book, mission.victory, asks=mission.asks)),
            *_paragraphs(
                _("Loss Reward, also for a draw"), reward_text(book, mission.defeat, asks=mission.asks)
            ),
        ),
    )  # fmt: skip


def _arc_card(book: Rulebook, arc: StoryArc) -> Card:
    honor, setback = book.commendations[arc.commendation], book.setbacks[arc.setback]
    trait = book.defining_traits[arc.defining_trait]
    cards = (
        (_("Commendation"), honor.name, honor.effect),
        (_("Setback"), setback.name, setback.effect),
        (_("Defining Trait"), trait.name, trait.effect),
    )
    return Card(
        head=(Title(arc.name), Text(_("Story Arc"))),
        body=(
            Text(arc.briefing),
            *(
                block
                for caption, name, effect in cards
                for block in (Caption(caption), Text(effect, f"{name}."))
            ),
            Caption(_("Agendas")),
            *(Text(agenda.name) for agenda in arc.agendas),
            Caption(_("Turning Point Mission")),
            Text(arc.turning_point.name),
        ),
    )


def _paragraphs(caption: str, paragraphs: Iterable[Paragraph]) -> list[Block]:
    return _captioned(caption, [*_texts(paragraphs)])


def _texts(paragraphs: Iterable[Paragraph], depth: int = 0) -> Iterator[Block]:
    """Yield paragraphs as text, their items set in."""
    for paragraph in paragraphs:
        yield Text(paragraph.text, "•" if depth else "", depth=depth)
        yield from _texts(paragraph.items, depth + 1)
