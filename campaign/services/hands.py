"""Recording a Command Hand with the army that it commands (R24)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accounts.models import User
from campaign.access import opposes
from campaign.books import book_of
from campaign.models import Battle, CommandHand, Side
from rules.army import Army
from rules.command_hand import commanded, hand_problems
from rules.force import Force
from rules.language import gettext
from rules.refusal import Problem
from rules.rulebook import Rulebook


def entry_problems(
    *, actor: User, side: Side, force: Force, army: Army, hand: Sequence[str] | None
) -> Iterator[Problem]:
    """Why `actor` cannot record this hand (slugs of seven cards) with an army of the Register in the state `force`:
    R24. Nobody can record an opponent's.

    None leaves the hand as it is, and has no problems.
    """
    if hand is None:
        return
    if opposes(actor, side):
        yield Problem("R24", gettext("The Command Hand of your opponent is not yours to enter."), "hand")
    elif hand:
        book = book_of(side)
        yield from hand_problems(book, commanded(book, force, army), hand)


def problems_at_the_start(
    *, side: Side, book: Rulebook, force: Force, army: Army, hand: Sequence[str] | None
) -> Iterator[Problem]:
    """Whether a recorded hand is still legal now that the battle begins (R24); None has no problems.

    Whoever begins may be the opponent, so it says no more than that: neither cards nor what is wrong with them.
    """
    if hand and any(hand_problems(book, commanded(book, force, army), hand)):
        text = gettext(
            "{side}’s Command Hand is not legal any more: its player looks at it, and musters anew.",
            side=side.name,
        )
        yield Problem("R24", text, side.colour)


def recorded(battle: Battle) -> dict[int, list[str]]:
    """The slugs of all hands that are recorded, by the key of their side: not for pages (see `campaign.hands`)."""
    return dict(CommandHand.objects.filter(side__battle=battle).values_list("side", "cards"))


def stands(*, side: Side, hand: Sequence[str] | None) -> bool:
    """Whether this is the hand that the side brings already; None leaves it as it is."""
    if hand is None:
        return True
    recorded = CommandHand.objects.filter(side=side).first()
    return list(hand) == (recorded.cards if recorded else [])


def record_hand(*, side: Side, hand: Sequence[str] | None) -> None:
    """Record the hand that a side brings with its army. An empty one removes it, None leaves it as it is."""
    if hand:
        CommandHand.objects.update_or_create(side=side, defaults={"cards": list(hand), "discarded": []})
    elif hand is not None:
        CommandHand.objects.filter(side=side).delete()
