"""The Battle Deck (core rules): nine battle cards, open to both players.

Army Building does not count them; players and list builders use three of each type, none twice. Only the Command Hand
is secret by the rules, so the deck is open.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from rules.core.card_types import BattleCard, CommandCard
from rules.core.rulebook import Rulebook
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import Fault, Violation, retired
from rules.register.upgrade_slots import faction_name

TYPES = ("objective", "secondary", "advantage")
OF_EACH = 3

#: The source that violations cite instead of a ruling of Tours of Duty.
BATTLE_DECK = gettext_noop("Core: Battle Deck")
CARD_TWICE = Fault(BATTLE_DECK, gettext_noop("{card} is in the Battle Deck more than once. Choose another card."))
WRONG_NUMBER = Fault(BATTLE_DECK, gettext_noop("A Battle Deck has {of_each} {kind}. This one has {number}."))


def deck_violations(book: Rulebook, deck: Sequence[str], *, game: str, faction: str) -> Iterator[Violation]:
    """Yield violations of a Battle Deck (slugs): three of a type, of this `game` and its Faction, none twice."""
    for slug, times in Counter(deck).items():
        if times > 1:
            yield CARD_TWICE(slug, card=book.battle_cards[slug].name if slug in book.battle_cards else slug)
    number = Counter(book.battle_cards[slug].type for slug in deck if slug in book.battle_cards)
    for kind in TYPES:
        if number[kind] != OF_EACH:
            yield WRONG_NUMBER(kind, of_each=OF_EACH, kind=plural(kind), number=number[kind])
    for slug in dict.fromkeys(deck):
        yield from _card_violations(book, slug, game, faction)


def choosable(book: Rulebook, *, game: str, faction: str) -> list[BattleCard]:
    """Return the cards that the Battle Deck of an army may hold, in printed order."""
    return [card for slug, card in book.battle_cards.items() if not [*_card_violations(book, slug, game, faction)]]


def plural(kind: str) -> str:
    """Return the plural of a type of battle card, as a player says it."""
    return {
        "objective": gettext("objectives"),
        "secondary": gettext("secondary objectives"),
        "advantage": gettext("advantages"),
    }[kind]


def _card_violations(book: Rulebook, slug: str, game: str, faction: str) -> Iterator[Violation]:
    if slug not in book.battle_cards:
        yield Violation(BATTLE_DECK, gettext("This battle card does not exist. Choose another one."), slug)
        return
    card = book.battle_cards[slug]
    if card.retired:
        yield retired(BATTLE_DECK, card.name, slug)
    if card.format != game:
        text = gettext(
            "{card} is a {format} card, but this battle is {game}. Choose another card.",
            card=card.name,
            format=gettext(card.format),
            game=gettext(game),
        )
        yield Violation(BATTLE_DECK, text, slug)
    if card.faction not in ("", faction):
        yield of_another_faction(BATTLE_DECK, card)


def of_another_faction(rule: str, card: BattleCard | CommandCard) -> Violation:
    """Return the violation for a card that another Faction has."""
    text = gettext("{card} is only for the Faction {faction}.", card=card.name, faction=faction_name(card.faction))
    return Violation(rule, text, card.slug)
