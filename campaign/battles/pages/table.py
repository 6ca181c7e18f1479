"""A battle in play at the table: round, victory points, Agendas, and units with their current effects and marks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.battles.access import may_see_hand
from campaign.battles.models import Battle, CommandHand, Side, Tally
from campaign.battles.report_data import army_of, book_of, facts_at_table, report_of
from campaign.battles.signals import answer_to, mission_map_shown
from catalogue.snapshot import rulebook
from registers import projection
from registers.pages.sheet import keyword_term, unit_card
from rules.arcs.card_text import condition_text
from rules.battle.report import Report
from rules.core import reward_effects
from rules.core.card_types import Agenda, CommandCard, ParagonCommandCard, Unit
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.post_battle.agendas import progressions
from rules.register.labels import unit_label
from rules.register.state import RegisterState
from rules.register.upgrade_slots import spoken

#: Marks of a unit that its report starts from: the service's word, the icon, the column, and a sentence.
WORDS = {
    "contesting": ("objective", gettext_noop("objective"), gettext_noop("%(unit)s is contesting or holding")),
    "marked": ("marked", gettext_noop("marked"), gettext_noop("%(unit)s is marked")),
    "defeated": ("fallen", gettext_noop("defeated"), gettext_noop("%(unit)s was defeated")),
}


class UnitRow(Value):
    """A unit in a battle. `terms` are as `components/term.html` takes them; those with a kind are shown at once."""

    key: str
    label: str
    card: str
    rank: str
    rank_name: str
    is_paragon: bool
    terms: Sequence[Mapping[str, Any]]
    upgrades: Sequence[str]
    lent_by: str
    boxes: Sequence[dict[str, Any]]

    @property
    def marks(self) -> list[Mapping[str, Any]]:
        """The unit's Trait, Setbacks and Commendations."""
        return [term for term in self.terms if term.get("kind")]

    @property
    def keywords(self) -> str:
        """The unit's keywords, printed and gained, in one line."""
        return " · ".join(str(term["name"]) for term in self.terms if not term.get("kind"))


class Threshold(Value):
    """A condition of an Agenda's progress in words, and whether it is met by what is recorded so far (R25)."""

    text: str
    is_met: bool


@dataclass(slots=True, kw_only=True)
class TableSide:
    """A side at the table. `tokens` is None if its Agenda counts none; `version` is that of its tally (0 without
    one). `activated` and `defeated` are numbers of units; only undefeated units count as activated.
    """

    side: Side
    faction: str
    version: int = 0
    units: Sequence[UnitRow] = ()
    columns: Sequence[str] = ()
    agenda: Agenda | None = None
    agenda_done: int = 0
    thresholds: Sequence[Threshold] = ()
    victory_points: int = 0
    activated: int = 0
    defeated: int = 0
    tokens: int | None = None
    assets: Sequence[Mapping[str, Any]] = ()
    hand: "HandView | None" = None
    plays_hand: bool = False

    @property
    def undefeated(self) -> int:
        """How many units are still on the table."""
        return len(self.units) - self.defeated


def table_sides(user: User, battle: Battle) -> list[TableSide]:
    """Return both sides of a battle in play, blue first."""
    sides = list(battle.sides.all())
    book = book_of(next(side for side in sides if side.register))
    states = projection.states_of([side.register for side in sides if side.register])
    hands, tallies = hands_of(user, battle, book), tallies_of(battle)
    shown = []
    for side, other in zip(sides, reversed(sides), strict=True):
        tally = tallies.get(side.pk) or Tally(side=side, version=0)
        if side.register is None:
            shown.append(
                TableSide(
                    side=side, faction=side.guest_faction, version=tally.version, victory_points=tally.victory_points
                )
            )
            continue
        side.report = facts_at_table(side, tally).as_data()  # only for the rules to check; not saved
        at_table = _own_side(book, states[side.register.pk], side, tally, report_of(book, battle, side, other))
        at_table.hand = hands.get(side.pk)
        at_table.plays_hand = at_table.hand is not None and may_see_hand(user, side)
        shown.append(at_table)
    return shown


def tallies_of(battle: Battle) -> dict[int, Tally]:
    """Return the tallies of a battle by primary key of the side: one query."""
    return {tally.side_id: tally for tally in Tally.objects.filter(side__battle=battle)}


def _own_side(book: Rulebook, state: RegisterState, side: Side, tally: Tally, report: Report) -> TableSide:
    army = army_of(book, side.army)
    agenda = book.agendas.get(army.agenda)
    done = state.agendas.get(army.agenda, 0)
    words = [word for word in WORDS if word != "marked" or (agenda and agenda.marks)]
    counts = agenda and _counts_tokens(agenda.progress)
    units = list(_rows(book, state, side, tally, words))
    present = {row.key for row in units}
    return TableSide(
        side=side,
        faction=state.faction,
        version=tally.version,
        units=units,
        columns=[gettext("activated"), *(gettext(WORDS[word][1]) for word in words)],
        agenda=agenda,
        agenda_done=done,
        thresholds=list(_thresholds(agenda, report, done)) if agenda else (),
        victory_points=tally.victory_points,
        activated=sum(
            number == side.battle.round and key in present and key not in tally.defeated
            for key, number in tally.activated.items()
        ),
        defeated=len(present.intersection(tally.defeated)),
        tokens=tally.tokens if counts else None,
        assets=[
            {"name": book.assets[slug].name, "text": book.assets[slug].effect, "rule": "R21"} for slug in army.assets
        ],
    )


def _thresholds(agenda: Agenda, report: Report, already: int) -> Iterator[Threshold]:
    """Yield when an Agenda progresses, and how far it is by the report so far (R25)."""
    times = progressions(agenda, report, already)
    for number, condition in enumerate(agenda.progress):
        text = condition_text(condition)
        yield Threshold(text[:1].upper() + text[1:], number < times)


def _rows(book: Rulebook, state: RegisterState, side: Side, tally: Tally, words: Sequence[str]) -> Iterator[UnitRow]:
    army = army_of(book, side.army)
    barred = book.agendas[army.agenda].marks if "marked" in words else None
    for key, upgrades in army.fielded.items():
        if key not in state.dossiers:
            continue  # the unit's joining was undone
        shown = unit_card(book, state, state.dossiers[key], side.own_register)
        label = unit_label(book, state, key)
        no_mark = bool(barred) and barred.source == "non_paragon" and shown["is_paragon"]
        yield UnitRow(
            key=key,
            label=label,
            card=shown["unit"] if shown["name"] else "",
            rank=shown["rank"],
            rank_name=shown["rank_name"],
            is_paragon=shown["is_paragon"],
            terms=[*shown["terms"], *_printed(book, book.units[state.dossiers[key].card])],
            upgrades=[book.upgrades[slug].full_name for slug in upgrades],
            lent_by="",
            boxes=list(_boxes(side, tally, key, label, words, no_mark=no_mark)),
        )
    for lent in army.lent:
        if unit := lent.unit:
            yield UnitRow(
                key=lent.key,
                label=unit.full_name,
                card="",
                rank=unit.rank,
                rank_name=spoken(unit.rank),
                is_paragon=False,
                terms=list(_printed(book, unit)),
                upgrades=[card.full_name for card in lent.upgrades],
                lent_by=book.assets[lent.asset].name,
                boxes=list(_boxes(side, tally, lent.key, unit.full_name, words)),
            )


def _printed(book: Rulebook, unit: Unit) -> Iterator[Mapping[str, Any]]:
    return (keyword_term(book, keyword) for keyword in unit.keywords)


def _boxes(
    side: Side, tally: Tally, key: str, label: str, words: Sequence[str], *, no_mark: bool = False
) -> Iterator[dict[str, Any]]:
    last = tally.activated.get(key, 0)
    spoken_of = gettext("%(unit)s was activated this round") % {"unit": label}
    yield {"word": "activated", "icon": "check", "spoken": spoken_of, "on": last == side.battle.round, "round": last}
    for word in words:
        icon, _, sentence = WORDS[word]
        off = (word == "contesting" and key in tally.defeated) or (word == "marked" and no_mark)
        spoken_of = gettext(sentence) % {"unit": label}
        yield {"word": word, "icon": icon, "spoken": spoken_of, "on": key in getattr(tally, word), "disabled": off}


def _counts_tokens(conditions: Sequence[reward_effects.Condition]) -> bool:
    return any(
        isinstance(condition, reward_effects.TokensAtLeast)
        or (isinstance(condition, reward_effects.All) and _counts_tokens(condition.parts))
        for condition in conditions
    )


Card = CommandCard | ParagonCommandCard


class HandView(Value):
    """A Command Hand as one person sees it. `cards` are those not discarded yet; None if they are secret."""

    size: int
    discarded: Sequence[Card]
    cards: Sequence[Card] | None


def hands_of(user: User, battle: Battle, book: Rulebook) -> dict[int, HandView]:
    """Return the recorded hands of a battle whose sides are prefetched, by the key of the side: one query."""
    sides, views = {side.pk: side for side in battle.sides.all()}, {}
    for hand in CommandHand.objects.filter(side__in=sides):
        held = [slug for slug in hand.cards if slug not in hand.discarded]
        views[hand.side_id] = HandView(
            size=len(held),
            discarded=_cards(book, hand.discarded),
            cards=_cards(book, held) if may_see_hand(user, sides[hand.side_id]) else None,
        )
    return views


def own_hands(user: User) -> QuerySet[CommandHand, Any]:
    """Return all hands that a user has recorded for their own Registers, and nobody else's, as plain values."""
    found = CommandHand.objects.filter(side__register__owner=user).order_by("side")
    return found.values("side__battle__campaign__name", "side__battle__number", "side__colour", "cards", "discarded")


def _cards(book: Rulebook, slugs: Sequence[str]) -> list[Card]:
    """Return the cards in their order, leaving out any that have left the catalogue."""
    found = (book.command_cards.get(slug) or book.commands.get(slug) for slug in slugs)
    return [card for card in found if card]


def map_of(battle: Battle) -> Any:
    """Return the map of a battle's Turning Point Mission. No query unless its Story Arc is a custom one."""
    arc = rulebook().story_arcs.get(battle.turning_point_id or "")
    return answer_to(mission_map_shown, battle=battle) if arc and arc.own else None
