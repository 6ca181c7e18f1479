"""The tables of the rulebook, made from the catalogue and the rules: no number is typed here.

Custom Story Arcs are left out: this page is public, and those arcs belong to the people who imported them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from django.utils.formats import number_format
from django.utils.translation import gettext as _, ngettext

from rules.arcs.card_text import Paragraph, end_of_game_text, progress_text, reward_text, shield_text
from rules.core import card_types
from rules.core.dice import BLACK_ATTACK, DICE, FACES
from rules.core.rulebook import Rulebook
from rules.core.translation import sentences_of
from rules.post_battle.casualty_odds import check_odds
from rules.register.state import Dossier
from rules.register.upgrade_slots import faction_name, spoken
from rules.register.veterans import MAXIMUM_VETERAN_RANK, THRESHOLDS

from .passages import Passage, PassageRow, Table

_SENTENCES = sentences_of(__file__)
#: Most dice of a Casualty Check for which the odds are shown.
MOST_DICE = 5


def dice(_book: Rulebook) -> Table:
    """Return the number of sides of each die by face."""
    faces = [face for face in FACES if any(face in die for die in DICE.values())]
    rows = (
        PassageRow(f"die-{name.replace('_', '-')}", (spoken(name), *(str(sides.get(face, "–")) for face in faces)))
        for name, sides in DICE.items()
    )
    return Table((_("Die"), *map(spoken, faces)), tuple(rows))


def veteran_ranks(_book: Rulebook) -> Table:
    """Return the XP of each VR (R12)."""
    ends = [*(str(next_one - 1) for next_one in THRESHOLDS[1:]), ""]
    rows = (
        PassageRow(f"vr-{rank}", (_("VR %(rank)s") % {"rank": rank}, f"{first}–{last}" if last else str(first)))
        for rank, (first, last) in enumerate(zip(THRESHOLDS, ends, strict=True))
    )
    return Table((_("Veteran Rank"), _("Experience")), tuple(rows))


def maximum_veteran_ranks(_book: Rulebook) -> Table:
    """Return the highest VR of each rank (R12)."""
    rows = (
        PassageRow(f"maximum-{rank}", (spoken(rank), _("VR %(rank)s") % {"rank": highest}), icon=rank)
        for rank, highest in MAXIMUM_VETERAN_RANK.items()
    )
    return Table((_("Rank"), _("Maximum")), tuple(rows))


def rank_limits(book: Rulebook) -> Table:
    """Return how many units of each rank an army of each size may have (R18)."""
    rows = (
        PassageRow(
            f"rank-limit-{rank}",
            (spoken(rank), *("–".join(map(str, limits.limits[rank])) for limits in book.rank_limits)),
            icon=rank,
        )
        for rank in card_types.RANKS
    )
    return Table((_("Rank"), *(limits.name for limits in book.rank_limits)), tuple(rows))


def assets(book: Rulebook) -> Table:
    """Return the table of Strategic Assets (R21, R43)."""
    rows = (
        PassageRow(
            f"asset-{asset.slug}",
            (asset.name, _("%(cost)s SP") % {"cost": asset.cost}, " · ".join(_manner(asset)), asset.effect),
        )
        for asset in book.assets.values()
    )
    return Table((_("Asset"), _("Cost"), _("Limits"), _("Effect")), tuple(rows), prose=True)


def keywords(book: Rulebook) -> Table:
    """Return the table of Tours of Duty keywords."""
    rows = (
        PassageRow(f"keyword-{keyword.name.lower().replace(' ', '-')}", (keyword.name, keyword.effect))
        for keyword in book.keywords.values()
    )
    return Table((_("Keyword"), _("Effect")), tuple(rows), prose=True)


def setbacks(book: Rulebook) -> Table:
    """Return the table of Setbacks (R36)."""
    rows = (_setback(book, setback) for setback in book.setbacks.values() if printed(book, setback.story_arc))
    return Table((_("Setback"), _("Die"), _("If gained twice"), _("Effect")), tuple(rows), prose=True)


def defining_traits(book: Rulebook) -> Table:
    """Return the table of Defining Traits (R37)."""
    rows = (_trait(book, trait) for trait in book.defining_traits.values() if printed(book, trait.story_arc))
    return Table((_("Trait"), _("Die"), _("Lasts"), _("Effect")), tuple(rows), prose=True)


def commendations(book: Rulebook, *, high: bool = False, of_arcs: bool = False) -> Table:
    """Return the table of Commendations that are high or not, and of printed Story Arcs or of none (R15)."""
    rows = (
        PassageRow(f"commendation-{card.slug}", (card.name, ", ".join(_requires(book, card)), card.effect))
        for card in book.commendations.values()
        if bool(card.story_arc) is of_arcs and (of_arcs or card.high is high) and printed(book, card.story_arc)
    )
    return Table((_("Commendation"), _("Requires"), _("Effect")), tuple(rows), prose=True)


def aid_requests(book: Rulebook) -> Table:
    """Return the table of Aid Requests (R41)."""
    rows = (
        PassageRow(
            f"aid-{aid.slug}",
            (
                aid.name,
                _("%(cost)s SP") % {"cost": aid.cost_text} if aid.cost_text.isdecimal() else aid.cost_text,
                _("repeatable") if aid.repeatable else _("once"),
                aid.effect,
            ),
        )
        for aid in book.aid_requests.values()
    )
    return Table((_("Request"), _("Cost"), _("In a sequence"), _("Effect")), tuple(rows), prose=True)


def printed(book: Rulebook, story_arc: str) -> bool:
    """Return whether a card belongs to no Story Arc, or to a printed one."""
    return not story_arc or (story_arc in book.story_arcs and not book.story_arcs[story_arc].own)


def _setback(book: Rulebook, setback: card_types.Setback) -> PassageRow:
    second = _(_SENTENCES["second"][setback.second])
    cells = (setback.name, _die(book, setback.face, setback.story_arc), second, setback.effect)
    return PassageRow(f"setback-{setback.slug}", cells, face=setback.face or "critical", die=BLACK_ATTACK)


def _trait(book: Rulebook, trait: card_types.DefiningTrait) -> PassageRow:
    games = ngettext("%(games)s game", "%(games)s games", trait.games) % {"games": trait.games}
    cells = (trait.name, _die(book, trait.face, trait.story_arc), games, trait.effect)
    return PassageRow(f"trait-{trait.slug}", cells, face=trait.face or "critical", die=BLACK_ATTACK)


def _die(book: Rulebook, face: str, story_arc: str) -> str:
    return spoken(face) if face else _("critical, %(arc)s") % {"arc": book.story_arcs[story_arc].name}


def _requires(book: Rulebook, card: card_types.Commendation) -> Iterator[str]:
    """Yield the requirements of a Commendation one by one (R15)."""
    needs: card_types.Requirement = card.requires
    if card.story_arc:
        yield book.story_arcs[card.story_arc].name
    if needs.paragon:
        yield _("Paragon")
    if needs.unit_keyword:
        yield needs.unit_keyword
    ranks = _(" or ").join(spoken(rank) for rank in needs.rank)
    kinds = needs.unit_type or ((needs.unit_class,) if needs.unit_class else ())
    kind = _(" or ").join(map(spoken, kinds))
    if ranks or kind:
        yield " ".join(part for part in (ranks, kind) if part)
    for slug in needs.commendations:
        yield book.commendations[slug].name
    if needs.veteran_rank:
        yield _("VR %(rank)s") % {"rank": needs.veteran_rank}


def _manner(asset: card_types.StrategicAsset) -> Iterator[str]:
    """Yield how often a Register may have an asset, and where it may not be used (R21, R43)."""
    if asset.per_sequence > 1:
        yield _("up to %(number)s") % {"number": asset.per_sequence}
    if asset.not_in_own_turning_point:
        yield _("not in your own Turning Point Mission")
    if asset.kept_if_unused:
        yield _("stays if unused")


def command_cards(book: Rulebook) -> Table:
    """Return the table of Paragon Command Cards (R16)."""
    rows = (
        PassageRow(
            f"command-card-{card.slug.removeprefix('paragon-')}",
            (
                card.name,
                ngettext("%(pips)s pip", "%(pips)s pips", card.pips) % {"pips": card.pips},
                _("Orders %(whom)s.") % {"whom": card.orders},
            ),
        )
        for card in book.command_cards.values()
    )
    return Table((_("Card"), _("Pips"), _("Effect")), tuple(rows), prose=True)


def odds(book: Rulebook) -> Table:
    """Return the odds by number of dice, for a unit without rerolls that has only the most common kind of Setbacks."""
    common = book.setback_by_face.get("hit")
    rows = []
    for number in range(1, MOST_DICE + 1) if common else ():
        chances = check_odds(book, Dossier(key="1", card="", setbacks=(common,) * number))
        parts = (chances.casualty, chances.boon, chances.setback, chances.escaped)
        rows.append(PassageRow(f"odds-{number}", (str(number), *map(_per_cent, parts))))
    columns = (_("Dice"), _("Casualty"), _("2 XP, Setback"), _("Setback"), _("1 XP"))
    return Table(columns, tuple(rows))


def _per_cent(chance: Fraction) -> str:
    """Return a chance above 0 to a tenth of a percent; it is never shown as zero."""
    least = Fraction(1, 1000)
    shown = number_format(round(float(max(chance, least) * 100), 1), 1)
    return shown if chance >= least else f"< {shown}"


def story_arcs(book: Rulebook) -> tuple[Passage, ...]:
    """Return a passage for every printed Story Arc; steps 4 and 6 list its Setback, Trait and Commendation."""
    return tuple(_arc(book, arc) for arc in book.story_arcs.values() if not arc.own)


def _arc(book: Rulebook, arc: card_types.StoryArc) -> Passage:
    rows = [
        PassageRow(f"agenda-{agenda.slug}", (agenda.name, "\n".join(_agenda(book, agenda)))) for agenda in arc.agendas
    ]
    mission = arc.turning_point
    rows.append(PassageRow(f"mission-{mission.slug}", (mission.name, "\n".join(_mission(book, mission)))))
    meant = _("Intended for: %(faction)s.") % {"faction": faction_name(arc.intended_for)} if arc.intended_for else ""
    text = _("%(briefing)s %(meant)s Cards: %(commendation)s, %(setback)s, %(trait)s.") % {
        "briefing": arc.briefing,
        "meant": meant,
        "commendation": book.commendations[arc.commendation].name,
        "setback": book.setbacks[arc.setback].name,
        "trait": book.defining_traits[arc.defining_trait].name,
    }
    table = Table((_("Agenda or mission"), _("Conditions and rewards")), tuple(rows), prose=True)
    return Passage(f"arc-{arc.slug}", arc.name, text, table=table, on_sheet=False)


def _agenda(book: Rulebook, agenda: card_types.Agenda) -> Iterator[str]:
    yield agenda.tally
    yield " ".join(progress_text(agenda))
    yield ngettext(
        "%(number)s progression completes it.", "%(number)s progressions complete it.", agenda.progressions_to_complete
    ) % {"number": agenda.progressions_to_complete}
    yield from _titled(_("Reward"), reward_text(book, agenda.reward, marks=agenda.marks))
    if agenda.casualty_shield:
        yield from _lines([shield_text(book, agenda.casualty_shield)])


def _mission(book: Rulebook, mission: card_types.TurningPoint) -> Iterator[str]:
    yield _("Turning Point Mission.")
    yield _("Setup: %(text)s") % {"text": mission.setup}
    yield _("Scoring: %(text)s") % {"text": mission.scoring}
    yield _("Secondary objective: %(text)s") % {"text": mission.secondary}
    for side in ("blue", "red", "both"):
        if advantage := mission.advantages.get(side):
            yield _("Advantage for %(side)s: %(advantage)s") % {"side": spoken(side), "advantage": advantage}
    ends = [end_of_game_text(book, entry, asks=mission.asks) for entry in mission.end_of_game]
    yield from _titled(_("At the end of the game, for each player"), ends)
    yield from _titled(_("Victory Reward"), reward_text(book, mission.victory, asks=mission.asks))
    yield from _titled(_("Loss Reward (also for a draw)"), reward_text(book, mission.defeat, asks=mission.asks))


def _titled(title: str, paragraphs: Sequence[Paragraph]) -> Iterator[str]:
    """Yield lines, the first of them after a title; nothing without lines."""
    for number, line in enumerate(_lines(paragraphs)):
        yield line if number else _("%(title)s: %(text)s") % {"title": title, "text": line}


def _lines(paragraphs: Iterable[Paragraph]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield paragraph.text
        yield from (f"• {line}" for line in _lines(paragraph.items))


def upgrade_types(_book: Rulebook) -> Table:
    """Return the eighteen upgrade types: what a Register may have of each, and what its cards do."""
    brings = _SENTENCES["brings"]
    rows = (
        PassageRow(
            f"upgrade-{kind}",
            (spoken(kind).title(), _on_a_register(kind), _(brings.get(kind, brings["other"]))),
            icon=kind,
        )
        for kind in card_types.UPGRADE_TYPES
    )
    return Table((_("Type"), _("On a Register"), _("Effect")), tuple(rows), prose=True)


def _on_a_register(kind: str) -> str:
    joining = _SENTENCES["joining"]
    sentences = [_(joining[kind])] if kind in joining else []
    if kind in card_types.BANNED_UNIQUE_TYPES:
        sentences.append(_("No unique cards (R5)."))
    return " ".join(sentences)


#: The tables of the reference by the anchor of the passage that shows them.
TABLES: Mapping[str, Callable[[Rulebook], Table]] = {
    "table-veteran-ranks": veteran_ranks,
    "table-maximum-veteran-ranks": maximum_veteran_ranks,
    "table-rank-limits": rank_limits,
    "table-strategic-assets": assets,
    "table-setbacks": setbacks,
    "table-defining-traits": defining_traits,
    "table-odds": odds,
    "table-commendations": commendations,
    "table-high-commendations": partial(commendations, high=True),
    "table-arc-commendations": partial(commendations, of_arcs=True),
    "table-paragon-command-cards": command_cards,
    "table-aid-requests": aid_requests,
    "table-upgrade-types": upgrade_types,
    "table-keywords": keywords,
    "table-dice": dice,
}
