"""Contents of printed Dossiers: as forms and as cards, with their Register and Story Arc."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _, ngettext

from core.templatetags.icons import emblem
from registers.pages.sheet import arc_of, assets_of, command_cards_of, dossier_terms, keyword_term, trait_terms
from registers.print.typesetting import (
    Block,
    Boxes,
    Caption,
    Card,
    Columns,
    Figure,
    Pair,
    Picture,
    Plate,
    Text,
    ToWrite,
    Track,
)
from rules.arcs.card_text import Paragraph, end_of_game_text, marks_text, progress_text, reward_text, shield_text
from rules.core.card_types import Agenda, StoryArc, TurningPoint, Unit
from rules.core.rulebook import Rulebook
from rules.register.building import combat_potential_spent, dossier_points
from rules.register.labels import unit_label
from rules.register.state import Dossier, RegisterState, everyone
from rules.register.upgrade_slots import spoken
from rules.register.veterans import HIGHEST, THRESHOLDS, maximum_veteran_rank

#: Agendas of a Story Arc, and the circles that the printed form has for each of them.
AGENDAS, CIRCLES = 3, 5
#: How many Setbacks and how many Commendations a form lists below each other; more of them are in two columns.
SETBACKS_LISTED, HONORS_LISTED = 3, 6
#: The lines of a form for Setbacks, those it lists included.
SETBACK_LINES = 2

Term = dict[str, str]


def register_form(book: Rulebook, state: RegisterState, name: str, *, player: str = "", campaign: str = "") -> Card:
    """Return the form of a Register: its numbers, its Strategic Assets, and its three Agendas with circles.

    `player` and `campaign` are names for the title plate; empty if there are none.
    """
    cards = command_cards_of(book, state)
    return _register(
        plate=_register_plate(book, state, name, player, campaign),
        numbers=(
            str(state.reputation), str(state.supply_points), str(state.combat_potential),
            str(combat_potential_spent(book, state)),
        ),
        left=(
            Caption(_("Strategic Assets")), *(Text(term["name"]) for term in assets_of(book, state)),
            ToWrite(lines=1, fills=not cards),
            *_captioned(_("Paragon Command Cards"), [Text(term["name"]) for term in cards]),
            *([ToWrite(lines=1, fills=True)] if cards else []),
        ),
        agendas=(
            Caption(_("Agendas")), *_agendas(book, state), Caption(_("Notes")), ToWrite(lines=1, fills=True),
        ),
    )  # fmt: skip


def blank_register() -> Card:
    """Return a blank Register form to fill in by hand."""
    return _register(
        plate=Plate(title=_("Register"), icon="arc-own", to_write=_("Name")),
        numbers=("", "", "", ""),
        left=(
            ToWrite(_("Story Arc")), ToWrite(_("Player")), Caption(_("Strategic Assets")), ToWrite(lines=2),
            Caption(_("Paragon Command Cards")), ToWrite(lines=1, fills=True),
        ),
        agendas=(Caption(_("Agendas")), *_blank_agendas(), Caption(_("Notes")), ToWrite(lines=1, fills=True)),
    )  # fmt: skip


def register_card(book: Rulebook, state: RegisterState, name: str, *, player: str = "") -> Card:
    """Return a Register as a card: its numbers and Agendas, and the effects of its assets."""
    spent = {"spent": combat_potential_spent(book, state), "all": state.combat_potential}
    figures = ((_("Reputation"), str(state.reputation)), (_("Supply Points"), str(state.supply_points)))
    return Card(
        head=(_register_plate(book, state, name, player, ""),),
        body=(
            Columns("halves", tuple((Figure(*figure),) for figure in figures)),
            Text(_("%(spent)s of %(all)s spent") % spent, _("Combat Potential:")),
            *_captioned(_("Agendas"), _agendas(book, state)),
            *named_effects(_("Strategic Assets"), assets_of(book, state)),
            *named_effects(_("Paragon Command Cards"), command_cards_of(book, state)),
            ToWrite(lines=0, fills=True),
        ),
    )


def blank_register_card() -> Card:
    """Return a blank Register card for a sleeve."""
    return Card(
        head=(Plate(title=_("Register"), icon="arc-own", to_write=_("Name")),),
        body=(
            Columns("halves", tuple((Figure(word),) for word in (_("Reputation"), _("Supply Points")))),
            ToWrite(_("Combat Potential")),
            Caption(_("Agendas")), *_blank_agendas(),
            Caption(_("Strategic Assets")), ToWrite(lines=1),
            Caption(_("Command Cards")), ToWrite(lines=1, fills=True),
        ),
    )  # fmt: skip


def dossier_form(book: Rulebook, state: RegisterState, dossier: Dossier, *, picture: Picture | None = None) -> Card:
    """Return a Dossier as on the printed form, with names only, and lines to write on."""
    trait = [term["name"] for term in trait_terms(book, state, dossier)]
    setbacks = [term["name"] for term in dossier_terms(book, dossier) if term.get("kind") == "setback"]
    honors = [term["name"] for term in dossier_terms(book, dossier) if term.get("kind") != "setback"]
    words = {"experience": dossier.experience, "rank": dossier.veteran_rank}
    return _dossier(
        plate=_dossier_plate(book, state, dossier, picture, write_name=True),
        track=experience_track(book, dossier),
        experience=_("%(experience)s Experience · Veteran Rank %(rank)s") % words,
        setbacks=[*setbacks, *trait],
        upgrades=_costs(book, dossier),
        honors=honors,
        due=_due(dossier),
        points=Pair(_("Points Spent"), str(dossier_points(book, dossier)), bold=True),
    )


def blank_dossier() -> Card:
    """Return a blank Dossier form to fill in by hand; it fits any unit, so it has the highest Veteran Rank (R12)."""
    return _dossier(
        plate=Plate(title=_("Dossier"), icon="plus", to_write=_("Name")),
        track=Track(0, 0, THRESHOLDS[1 : HIGHEST + 1]),
        experience="",
        points=ToWrite(_("Points Spent")),
        unit=[ToWrite(_("Unit Name"))],
    )


def dossier_card(
    book: Rulebook, state: RegisterState, dossier: Dossier, name: str, *, picture: Picture | None = None
) -> Card:
    """Return a Dossier as a card for the table: the unit's rules in our words. `name` is the Register's."""
    unit = book.units[dossier.card]
    terms = [*trait_terms(book, state, dossier), *dossier_terms(book, dossier)]
    honors = named_effects("", (term for term in terms if term.get("kind") == "commendation"))
    return Card(
        head=(_dossier_plate(book, state, dossier, picture),),
        body=(
            Text(unit_facts(unit)),
            Boxes(_("%(number)s Experience") % {"number": dossier.experience}, dossier.veteran_rank,
                  maximum_veteran_rank(book, dossier), _rank_words(book, dossier)),
            experience_track(book, dossier, is_short=True),
            *named_effects(_("Setbacks"), (term for term in terms if term.get("kind") in ("setback", "trait"))),
            *_captioned(_("Upgrades"), _costs(book, dossier)),
            *_captioned(_("Commendations"), [*honors, *_due(dossier)]),
            *named_effects(_("Gained keywords"), (term for term in terms if not term.get("kind"))),
            *printed_keywords(book, unit),
            ToWrite(lines=0, fills=True),
        ),
        foot=(Pair(name, str(dossier_points(book, dossier)), bold=True),),
    )  # fmt: skip


def blank_card(setbacks: int, upgrades: int, commendations: int) -> Card:
    """Return a blank card for a sleeve, with at least so many lines for each of these."""
    return Card(
        head=(Plate(title=_("Dossier"), icon="plus", to_write=_("Name")),),
        body=(
            ToWrite(_("Unit")), Boxes(_("Veteran Rank"), 0, HIGHEST),
            Columns("halves", ((ToWrite(_("Experience")),), (ToWrite(_("Points")),))),
            Caption(_("Setbacks")), ToWrite(lines=setbacks),
            Caption(_("Upgrades")), ToWrite(lines=upgrades),
            Caption(_("Commendations")), ToWrite(lines=commendations, fills=True),
        ),
    )  # fmt: skip


def agenda_boxes(name: str, done: int, total: int) -> list[Block]:
    """Return an Agenda with a circle for each progression."""
    words = _("%(done)s of %(total)s progressions") % {"done": done, "total": total}
    return [Boxes(name, done, total, words, is_round=True)]


def named_effects(caption: str, terms: Iterable[Term]) -> list[Block]:
    """Return terms under a caption, each with its effect and count; empty if there are none."""
    blocks: list[Block] = []
    for (name, text), times in Counter((term["name"], term.get("text", "")) for term in terms).items():
        often = f" ×{times}" if times > 1 else ""
        blocks.append(Text(text, f"{name}{often}{'.' if text else ''}"))
    return _captioned(caption, blocks)


def printed_keywords(book: Rulebook, unit: Unit) -> list[Block]:
    """Return the keywords on a unit's card: the names of those without a text in one paragraph, then the others."""
    terms = [keyword_term(book, keyword, core=False) for keyword in unit.keywords]
    plain = ", ".join(term["name"] for term in terms if not term["text"])
    blocks: list[Block] = [Text(plain)] if plain else []
    return _captioned(_("Keywords"), blocks + named_effects("", (term for term in terms if term["text"])))


def unit_facts(unit: Unit) -> str:
    """Return the numbers on a unit's card in one line; what its card does not print is left out."""
    facts = [ngettext("%(number)d mini", "%(number)d minis", unit.minis) % {"number": unit.minis}] if unit.minis else []
    if unit.wounds:
        facts.append(ngettext("%(number)d wound", "%(number)d wounds", unit.wounds) % {"number": unit.wounds}
                     + (_(" each") if unit.minis > 1 else ""))  # fmt: skip
    if unit.courage not in ("", "-"):
        facts.append(_("courage %(number)s") % {"number": unit.courage})
    if unit.resilience not in ("", "-"):
        facts.append(_("resilience %(number)s") % {"number": unit.resilience})
    facts.append(_("speed %(number)s") % {"number": unit.speed})
    dice = {"red": _("red defense"), "white": _("white defense")}
    if unit.defense_die in dice:
        facts.append(dice[unit.defense_die])
    return " · ".join(facts)


def experience_track(book: Rulebook, dossier: Dossier, *, is_short: bool = False) -> Track:
    """Return a unit's Experience up to its maximum Veteran Rank (R12); `is_short`: up to the next one only."""
    thresholds = THRESHOLDS[1 : maximum_veteran_rank(book, dossier) + 1]
    words = _rank_words(book, dossier)
    return Track(dossier.experience, dossier.veteran_rank, thresholds, words, is_short)


def agenda_state(state: RegisterState, agenda: Agenda) -> list[Block]:
    """Return a Register's progress on an Agenda."""
    total = agenda.progressions_to_complete
    return agenda_boxes(agenda.name, min(state.agendas.get(agenda.slug, 0), total), total)


def unit_plate_lines(book: Rulebook, state: RegisterState, key: str) -> tuple[str, tuple[str, ...]]:
    """Return the title of a unit, and the lines below it: its card if it has a name, its rank, and its number.

    It has a number only if another unit without a name has the same card.
    """
    dossier = everyone(state)[key]
    card = book.units[dossier.card]
    rank = spoken(card.rank).capitalize()
    if dossier.name:
        return dossier.name, (card.full_name, rank)
    numbered = unit_label(book, state, key) != card.name
    number = _("#%(key)s") % {"key": key}
    return card.full_name, (f"{rank} · {number}" if numbered else rank,)


def _register_plate(book: Rulebook, state: RegisterState, name: str, player: str, campaign: str) -> Plate:
    arc = book.story_arcs.get(state.story_arc)
    lines = (arc.name if arc else "", " · ".join(filter(None, (player_words(player), campaign))))
    return Plate(
        title=name,
        lines=tuple(filter(None, lines)),
        icon=emblem(state.story_arc),
        marks=(f"faction-{state.faction}",) if state.faction else (),
    )


def _dossier_plate(
    book: Rulebook, state: RegisterState, dossier: Dossier, picture: Picture | None, *, write_name: bool = False
) -> Plate:
    title, lines = unit_plate_lines(book, state, dossier.key)
    marks = ("paragon",) if dossier.key == state.paragon else ()
    if marks:
        lines = (*lines[:-1], " · ".join((lines[-1], _("Paragon"))))
    if picture:
        marks = marks if write_name else ()  # a card for a sleeve has no space for both
    elif state.faction:
        marks += (f"faction-{state.faction}",)
    return Plate(
        title=title,
        lines=lines,
        icon=book.units[dossier.card].rank,
        marks=marks,
        picture=picture,
        large_picture=write_name,
        to_write="" if dossier.name or not write_name else _("Dossier Name"),
    )


def player_words(player: str) -> str:
    """Return a player's name with its label; empty without a name."""
    return _("Player: %(name)s") % {"name": player} if player else ""


def _agendas(book: Rulebook, state: RegisterState) -> list[Block]:
    arc = arc_of(book, state)
    agendas = [(agenda["name"], agenda["done"], agenda["total"]) for agenda in arc["agendas"]] if arc else []
    return [block for agenda in agendas for block in agenda_boxes(*agenda)]


def _blank_agendas() -> list[Block]:
    return [Boxes("", 0, CIRCLES, is_round=True, to_write=True)] * AGENDAS


def _costs(book: Rulebook, dossier: Dossier) -> list[Block]:
    """Return what the Points Spent on a Dossier are for: the unit, and each of its upgrades (R2)."""
    upgrades = (book.upgrades[slug] for slug in dossier.upgrades)
    unit = Pair(_("Unit"), str(book.units[dossier.card].points))
    return [unit, *(Pair(card.full_name, str(card.points)) for card in upgrades)]


def _register(*, plate: Plate, numbers: Sequence[str], left: Sequence[Block], agendas: Sequence[Block]) -> Card:
    labels = (_("Reputation"), _("Supply Points"), _("Combat Potential"), _("Combat Potential Spent"))
    figures = tuple((Figure(*pair),) for pair in zip(labels, numbers, strict=True))
    return Card(head=(plate,), body=(Columns("fourths", figures), Columns("halves", (tuple(left), tuple(agendas)))))


def _dossier(
    *,
    plate: Plate,
    track: Track,
    experience: str,
    points: Block,
    setbacks: Sequence[str] = (),
    upgrades: Sequence[Block] = (),
    honors: Sequence[str] = (),
    due: Sequence[Block] = (),
    unit: Sequence[Block] = (),
) -> Card:
    line, lines = ToWrite(lines=0, fills=True), ToWrite(lines=max(1, SETBACK_LINES - len(setbacks)))
    captions = [Caption(_("Setbacks")), Caption(_("Upgrades")), Caption(_("Commendations"))]
    left = (captions[0], *_names(setbacks, SETBACKS_LISTED), lines, captions[1], *upgrades)
    right = (captions[2], *_names(honors, HONORS_LISTED), *due)
    top = (*unit, Caption(experience or _("Experience and Veteran Rank")), track)
    lists = ((captions[0], *_names(setbacks, 1)), (captions[2], *_names(honors, 1), *due))
    return Card(
        head=(plate,),
        body=(*top, Columns("halves", ((*left, line), (*right, line)))),
        tight=(*top, Columns("halves", lists), captions[1], *_in_two_columns(upgrades, 1)),
        foot=(points,),
    )


def _names(names: Sequence[str], listed: int) -> list[Block]:
    """Return names below each other, so that each can be struck out; in two columns if more than `listed`."""
    return _in_two_columns([Text(name) for name in names], listed)


def _in_two_columns(blocks: Sequence[Block], listed: int) -> list[Block]:
    half = (len(blocks) + 1) // 2
    halves = (tuple(blocks[:half]), tuple(blocks[half:]))
    return list(blocks) if len(blocks) <= listed else [Columns("halves", halves)]


def _due(dossier: Dossier) -> list[Block]:
    """Return a line to write on for each Commendation that the player has still to choose, below their label."""
    return [ToWrite(_("Commendations to choose"), dossier.owed + 1)] if dossier.owed else []


def _rank_words(book: Rulebook, dossier: Dossier) -> str:
    words = {"done": dossier.veteran_rank, "total": maximum_veteran_rank(book, dossier)}
    return _("%(done)s of %(total)s") % words


def _captioned(caption: str, blocks: Sequence[Block]) -> list[Block]:
    return [Caption(caption), *blocks] if blocks and caption else list(blocks)


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
        head=(_arc_plate(arc, agenda.name, _("Agenda · %(arc)s") % {"arc": arc.name}),),
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
        head=(_arc_plate(arc, mission.name, _("Turning Point Mission · %(arc)s") % {"arc": arc.name}),),
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
                _("Loss Reward (also for a draw)"), reward_text(book, mission.defeat, asks=mission.asks)
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
        head=(_arc_plate(arc, arc.name, _("Story Arc")),),
        body=(
            Text(arc.briefing),
            *(block for caption, name, effect in cards for block in (Caption(caption), Text(effect, f"{name}."))),
            Caption(_("Agendas")),
            *(Text(agenda.name) for agenda in arc.agendas),
            Caption(_("Turning Point Mission")),
            Text(arc.turning_point.name),
        ),
    )


def _arc_plate(arc: StoryArc, title: str, line: str) -> Plate:
    return Plate(title=title, lines=(line,), icon=emblem(arc.slug))


def _paragraphs(caption: str, paragraphs: Iterable[Paragraph]) -> list[Block]:
    return _captioned(caption, [*_texts(paragraphs)])


def _texts(paragraphs: Iterable[Paragraph], depth: int = 0) -> Iterator[Block]:
    """Yield paragraphs as text, their items set in."""
    for paragraph in paragraphs:
        yield Text(paragraph.text, "•" if depth else "", depth=depth)
        yield from _texts(paragraph.items, depth + 1)
