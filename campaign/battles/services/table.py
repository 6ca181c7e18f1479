"""Record what both players mark at the table, and their Command Hands. The same post may arrive twice."""

from collections.abc import Iterator, Sequence
from typing import Literal

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.battles import state_machine
from campaign.battles.access import may_see_hand, opposes
from campaign.battles.models import Battle, CommandHand, Side, Tally
from campaign.battles.report_data import book_of, facts_at_table, report_of
from campaign.battles.services.locks import lock_battle
from campaign.models import activity
from core.db.rows import update
from registers.ledger.session import LedgerSession
from rules.battle.army import Army
from rules.battle.command_hand import commanded, hand_violations
from rules.battle.report_violations import report_violations
from rules.core.rulebook import Rulebook
from rules.core.violations import Fault, RuleViolation, Violation, raise_if_any, refuse
from rules.register.state import RegisterState

GUEST_ARMY = Fault("R17", gettext_noop("A guest’s army is not recorded here."))

#: The marks a unit can have at the table.
Word = Literal["defeated", "contesting", "marked"]

MOST_TOKENS = 999
#: The highest round and victory points that the table page accepts. No game has more.
MOST_ROUNDS, MOST_VICTORY_POINTS = 99, 999


@transaction.atomic
def mark_unit(*, actor: User, side_id: int, word: Word, unit: str, yes: bool) -> Battle:
    """Mark a unit of the army as defeated, at an objective or marked, or remove that mark. Return its battle.

    `unit` is its key. A defeated unit also loses its mark at the objective, and its Agenda mark if that Agenda marks
    the undefeated. Refuses anything the report would refuse (R25, R39), and a battle that is not in play.
    """
    side, other, session = _sides_in_play(actor, side_id)
    tally = _tally(side)
    keys: list[str] = getattr(tally, word)
    if (unit in keys) == yes:
        return side.battle
    setattr(tally, word, [*keys, unit] if yes else [key for key in keys if key != unit])
    book = book_of(side)
    if word == "defeated" and yes:
        tally.contesting = [key for key in tally.contesting if key != unit]
        agenda = book.agendas.get(side.army.get("agenda", ""))
        if agenda and agenda.marks and agenda.marks.source == "undefeated":
            tally.marked = [key for key in tally.marked if key != unit]
    facts = facts_at_table(side, tally)
    side.report = facts.as_data()  # only for the rules to check; not saved
    report = report_of(book, side.battle, side, other)
    raise_if_any(report_violations(book, session.state(side.own_register), report, facts.agenda))
    return _saved(tally)


@transaction.atomic
def mark_activated(*, actor: User, side_id: int, unit: str, number: int, yes: bool) -> Battle:
    """Mark a unit as activated in round `number`, or remove that mark. Return its battle.

    `unit` is its key. A mark of a later round stays, so that a tap that arrives late changes nothing. Refuses a unit
    that is not in the army (R19), a round below 1 or above MOST_ROUNDS, and a battle that is not in play (R25).
    """
    side, _other, _session = _sides_in_play(actor, side_id)
    _check_round(number)
    lent = {item["key"] for item in side.army.get("lent", ()) if item["unit"]}
    if unit not in side.army.get("fielded", {}) and unit not in lent:
        raise refuse("R19", gettext("This unit is not in the army. Reload the page."), unit)
    tally = _tally(side)
    last = tally.activated.get(unit, 0)
    if last > number or (last == number) == yes:
        return side.battle
    if yes:
        tally.activated[unit] = number
    else:
        del tally.activated[unit]
    return _saved(tally)


@transaction.atomic
def set_round(*, actor: User, side_id: int, before: int, after: int) -> Battle:
    """Change the round of this side's battle from `before` to `after`, and return the battle. Refuses a round below 1
    or above MOST_ROUNDS, an outdated `before`, and a battle that is not in play (R25).
    """
    side, _other, _session = _sides_in_play(actor, side_id)
    battle = side.battle
    if battle.round == after:
        return battle
    _check_round(after)
    if battle.round != before:
        raise refuse("R25", gettext("The round changed a moment ago. It is %(number)s now.") % {"number": battle.round})
    update(battle, round=after)
    return battle


@transaction.atomic
def count_victory_points(*, actor: User, side_id: int, before: int, after: int) -> Battle:
    """Change a side's victory points from `before` to `after`, and return its battle. Refuses a number below 0 or above
    MOST_VICTORY_POINTS, an outdated `before`, and a battle that is not in play (R25).
    """
    side, _other, _session = _sides_in_play(actor, side_id, guests=True)
    tally = _tally(side)
    if tally.victory_points == after:
        return side.battle
    if not 0 <= after <= MOST_VICTORY_POINTS:
        raise refuse("R25", gettext("Enter 0 to %(most)s victory points.") % {"most": MOST_VICTORY_POINTS})
    if tally.victory_points != before:
        sentence = gettext("The victory points changed a moment ago. There are %(number)s now.")
        raise refuse("R25", sentence % {"number": tally.victory_points})
    tally.victory_points = tally.scores[str(side.battle.round)] = after
    return _saved(tally)


@transaction.atomic
def count_tokens(*, actor: User, side_id: int, before: int, after: int) -> Battle:
    """Change a side's count of Agenda tokens from `before` to `after`, and return its battle. Refuses a number below 0
    or above MOST_TOKENS, an outdated `before`, and a battle that is not in play (R25).
    """
    side, _other, _session = _sides_in_play(actor, side_id)
    tally = _tally(side)
    if tally.tokens == after:
        return side.battle
    if not 0 <= after <= MOST_TOKENS:
        text = gettext("Enter 0 to %(most_tokens)s Agenda tokens.")
        raise refuse("R25", text % {"most_tokens": MOST_TOKENS}, "tokens")
    if tally.tokens != before:
        sentence = gettext("The tokens changed a moment ago. There are %(tokens)s now.") % {"tokens": tally.tokens}
        raise refuse("R25", sentence, "tokens")
    tally.tokens = after
    return _saved(tally)


@transaction.atomic
def play_card(*, actor: User, side_id: int, card: str, played: bool) -> Battle:
    """Move a card of the Command Hand (its slug) to the discard pile, which both see, or back (R24); return its battle.
    Refuses anyone but the hand's player, a card not in the hand, and a battle that is not in play.
    """
    side, _other, _session = _sides_in_play(actor, side_id)
    hand = CommandHand.objects.filter(side=side).first()
    if hand is None or not may_see_hand(actor, side):
        raise refuse("R24", gettext("Only its player can play cards of a Command Hand."), "hand")
    if card not in hand.cards:
        raise refuse("R24", gettext("This card is not in the Command Hand."), "hand")
    if (card in hand.discarded) == played:
        return side.battle
    update(hand, discarded=[*hand.discarded, card] if played else [slug for slug in hand.discarded if slug != card])
    return _saved(_tally(side))


def _check_round(number: int) -> None:
    if not 1 <= number <= MOST_ROUNDS:
        raise refuse("R25", gettext("Enter a round from 1 to %(most)s.") % {"most": MOST_ROUNDS})


def _sides_in_play(actor: User, side_id: int, *, guests: bool = False) -> tuple[Side, Side, LedgerSession]:
    """Lock a battle in play, and return the side, the other side and the session. Refuses anyone who could not report
    it, and a guest's side unless `guests`.
    """
    battle, sides, session = lock_battle(Q(sides=side_id))
    if battle.status != Battle.Status.IN_PLAY:
        raise refuse("R25", gettext("This battle is not in play. Enter this in its report."))
    state_machine.check_actor(actor, battle, activity.Action.REPORT)
    sides.sort(key=lambda side: side.pk != side_id)
    if sides[0].is_guest and not guests:
        raise RuleViolation([GUEST_ARMY()])
    return sides[0], sides[1], session


def _tally(side: Side) -> Tally:
    tally = Tally.objects.filter(side=side).first() or Tally()
    tally.side = side  # with the locked battle, which the page is drawn from
    return tally


def _saved(tally: Tally) -> Battle:
    tally.version += 1
    tally.save()
    return tally.side.battle


def hand_entry_violations(
    *, actor: User, side: Side, state: RegisterState, army: Army, hand: Sequence[str] | None
) -> Iterator[Violation]:
    """Yield why `actor` cannot record this hand (seven slugs; None: unchanged) with this army of the Register in
    `state` (R24). Nobody can record an opponent's hand.
    """
    if hand is None:
        return
    if opposes(actor, side):
        yield Violation("R24", gettext("You cannot enter your opponent’s Command Hand."), "hand")
    elif hand:
        book = book_of(side)
        yield from hand_violations(book, commanded(book, state, army), hand)


def violations_at_the_start(
    *, side: Side, book: Rulebook, state: RegisterState, army: Army, hand: Sequence[str] | None
) -> Iterator[Violation]:
    """Yield a violation if a recorded hand is no longer legal as the battle begins (R24), without cards and details:
    the opponent may read it.
    """
    if hand and any(hand_violations(book, commanded(book, state, army), hand)):
        text = gettext("%(side)s’s Command Hand is no longer legal. Its player has to change it.") % {"side": side.name}
        yield Violation("R24", text, side.colour)


def is_hand_unchanged(*, side: Side, hand: Sequence[str] | None) -> bool:
    """Return whether this hand is recorded already, or None, which leaves it unchanged."""
    if hand is None:
        return True
    recorded = CommandHand.objects.filter(side=side).first()
    return list(hand) == (recorded.cards if recorded else [])


def record_hand(*, side: Side, hand: Sequence[str] | None) -> None:
    """Record the hand that a side brings with its army. An empty one removes it, None leaves it unchanged."""
    if hand:
        CommandHand.objects.update_or_create(side=side, defaults={"cards": list(hand), "discarded": []})
    elif hand is not None:
        CommandHand.objects.filter(side=side).delete()
