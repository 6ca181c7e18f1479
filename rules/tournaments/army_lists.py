"""Army lists of an event: the core rules, and what an event adds to them (E7, E8, E12)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import zip_longest

from rules.battle.battle_deck import CARD_TWICE, OF_EACH, TYPES, WRONG_NUMBER
from rules.battle.plain_army import PlainArmy, plain_army_violations
from rules.core.card_types import CommandCard, Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext
from rules.core.values import KeywordValue
from rules.core.violations import POINTS_UNPUBLISHED, Violation
from rules.tournaments.rule_sets import RuleSet

#: Days after its release from which a card is legal in a competitive event (E12).
COMPETITIVE_DAYS = 11
#: Battle cards of each type in the Battle Deck of 2020 (E8).
TYPED_OF_EACH = 4


class ListRules(KeywordValue):
    """What an event asks of an army list. `army_size` is in army points (E7). `first_day` is the first day of the
    event, if it is known. With `other_cards` cards are legal before their release (E12, option). A list of the
    Tournament Regulations has a Battle Deck of today, or typed names of 2020 if `deck_of_2020` (E8, option).
    """

    rule_set: RuleSet
    army_size: int
    first_day: date | None = None
    is_competitive: bool = False
    other_cards: bool = False
    deck_of_2020: bool = False


def list_violations(book: Rulebook, army: PlainArmy, rules: ListRules) -> Iterator[Violation]:
    """Yield every violation of an army list in an event, whatever size the list itself names (E7, E8, E12). The `about`
    of a violation is the place of a unit in `army.units`, or the slug of a card.
    """
    is_typed = rules.deck_of_2020 and rules.rule_set == RuleSet.TOURNAMENT_REGULATIONS
    sized = replace(army, size=rules.army_size, battle_cards=() if is_typed else army.battle_cards)
    # E12 judges releases: the core check is to leave them alone.
    released = book.under(replace(book.campaign_rules, unreleased=True), book.adopted_arcs)
    if not army.units:
        yield Violation("E8", gettext("This list has no units. Add some."))
    yield from plain_army_violations(released, sized)
    if not army.command_cards:
        yield Violation("E8", gettext("A Command Hand has seven cards; this list has none. Add it."), "command_hand")
    if is_typed:
        yield from _typed_deck_violations(army.typed_deck)
    elif rules.rule_set == RuleSet.TOURNAMENT_REGULATIONS and not army.battle_cards:
        text = gettext(
            "A list has {number} battle cards, {of_each} of each type; this one has none. Add them.",
            number=OF_EACH * len(TYPES),
            of_each=OF_EACH,
        )
        yield Violation("E8", text, "battle_deck")
    if not rules.other_cards:
        yield from _release_violations(book, army, rules)


def typed_names() -> tuple[str, str, str]:
    """Return the three types of battle cards of 2020, in the plural."""
    return gettext("objectives"), gettext("deployments"), gettext("conditions")


def _typed_deck_violations(deck: Sequence[Sequence[str]]) -> Iterator[Violation]:
    for kind, cards in zip_longest(typed_names(), deck, fillvalue=()):
        if len(cards) != TYPED_OF_EACH:
            yield WRONG_NUMBER("battle_deck", rule="E8", of_each=TYPED_OF_EACH, kind=kind, number=len(cards))
    for name, times in Counter(card.casefold() for cards in deck for card in cards).items():
        if times > 1:
            yield CARD_TWICE("battle_deck", rule="E8", card=name)


def is_legal_release(release: str, rules: ListRules) -> bool:
    """Return whether a card is legal by its release: empty if the card is released, else the day as in 2026-08-14 or
    an expected month, as the catalogue has it (E12).

    Galactic Conquest: released before the first day. Tournament Regulations: released by the first day; competitive
    events: at least 11 days before it. A card whose day nobody knows is not legal.
    """
    if not release:
        return True
    try:
        day = date.fromisoformat(release)
    except ValueError:
        return False
    if rules.first_day is None:
        return False
    passed = (rules.first_day - day).days
    if rules.rule_set == RuleSet.GALACTIC_CONQUEST:
        return passed > 0
    return passed >= (COMPETITIVE_DAYS if rules.is_competitive else 0)


def _release_violations(book: Rulebook, army: PlainArmy, rules: ListRules) -> Iterator[Violation]:
    if rules.first_day is None and book.today:
        rules = replace(rules, first_day=date.fromisoformat(book.today))
    for card, about in _cards(book, army):
        if card.points_unpublished and card.release <= book.today:
            yield POINTS_UNPUBLISHED(about, rule="E12", card=card.full_name)
        elif not is_legal_release(card.release, rules):
            text = gettext(
                "{card} is not legal in this event: its release is {release}. Replace it, or ask the organizer.",
                card=card.full_name,
                release=card.release,
            )
            yield Violation("E12", text, about)


def _cards(book: Rulebook, army: PlainArmy) -> Iterator[tuple[Unit | Upgrade | CommandCard, str]]:
    """Yield each card of an army that can be unreleased, once for each unit, with what a violation is about."""
    for place, unit in enumerate(army.units):
        if unit.card in book.units:
            yield book.units[unit.card], str(place)
        if unit.counterpart in book.counterparts:
            yield book.counterparts[unit.counterpart].card, str(place)
        for slug in dict.fromkeys((*unit.upgrades, *unit.counterpart_upgrades, *unit.loadout)):
            if slug in book.upgrades:
                yield book.upgrades[slug], str(place)
    for slug in dict.fromkeys(army.command_cards):
        if slug in book.commands:
            yield book.commands[slug], slug
