"""Fair dice: a seed is promised, players mix in a word, every draw follows from both, and the seed is revealed.

Draws are written down in the transaction that takes them as an answer, so that none is made and not kept.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import User
from campaign import access
from campaign.life import OVER
from campaign.models import Battle, DiceSeed, Draw, Side
from rules import fair_dice
from rules.language import gettext
from rules.refusal import refuse
from rules.script import ChooseSeveral, Question, Roll

from .life import lock_battle_of

#: The pool of order tokens in a label: a bag has no key of its own.
TOKENS = "tokens"


def promise(battle: Battle) -> DiceSeed:
    """Make the next seed of a locked battle; its commitment is open from now on, its words are empty."""
    secret = secrets.token_bytes(32)
    last = battle.dice_seeds.aggregate(last=Max("number"))["last"] or 0
    return DiceSeed.objects.create(
        battle=battle, number=last + 1, secret=secret, commitment=fair_dice.commitment(secret)
    )


def reveal(battle: Battle) -> None:
    """Show the seed of a battle that is over: whoever doubts its dice can reckon them again."""
    battle.dice_seeds.filter(revealed_at=None).update(revealed_at=timezone.now())


@transaction.atomic
def mix_in(*, actor: User, side_id: int, word: str) -> Battle:
    """Mix a player's own word (at most 80 letters, empty for none) into the dice of a battle.

    Refuses everybody but the side's own player, a battle that is over, one whose dice have been rolled already or
    whose seed is not promised yet, and what `rules.fair_dice.word` refuses. Twice changes nothing.
    """
    battle, sides = lock_battle_of(side_id)
    side = next(side for side in sides if side.pk == side_id)
    if not access.plays_side(actor, side):
        raise refuse("", gettext("A word is its player’s own."))
    said = fair_dice.word(word)
    seed = battle.dice_seeds.filter(revealed_at=None).first()
    if seed is None or battle.status in OVER or seed.draws.exists():
        raise refuse("", gettext("The dice of this battle take no word any more."), "word")
    setattr(seed, f"{side.colour}_word", said)
    seed.save(update_fields=[f"{side.colour}_word"])
    return battle


def draw(*, actor: User, side: Side, question: Question, ordinal: int) -> tuple[Any, list[int]]:
    """The answer to `question` by the app's dice, and the numbers of the draws it is made of.

    `ordinal` counts the rolls of the side's running step, from 1. The battle is locked. One whose seed was revealed,
    or that is older than its dice, goes on with a new one. Refuses a question that dice do not answer.
    """
    battle = side.battle
    seed = battle.dice_seeds.filter(revealed_at=None).first() or promise(battle)
    asked = {
        "battle": battle,
        "seed": seed,
        "colour": side.colour,
        "step": side.step,
        "ordinal": ordinal,
        "by": actor,
    }
    answer: Any
    if isinstance(question, Roll):
        drawn = [_fallen(Draw(**asked, pool=pool.key, die=pool.die), pool.count) for pool in question.pools]
        answer = {row.pool: row.faces for row in drawn}
    elif isinstance(question, ChooseSeveral) and question.kind == "ranks":
        bag = sorted(token for token, times in question.bag.items() for _ in range(times))
        drawn = [_fallen(Draw(**asked, pool=TOKENS, bag=bag), question.count)]
        answer = drawn[0].faces
    else:
        raise refuse(question.rule, gettext("This is not for the dice to answer."))
    last = battle.draws.aggregate(last=Max("number"))["last"] or 0
    for number, row in enumerate(drawn, start=last + 1):
        row.number = number
    Draw.objects.bulk_create(drawn)
    return answer, [row.number for row in drawn]


def _fallen(row: Draw, count: int) -> Draw:
    """A draw with what its seed gives for it."""
    secret = bytes(row.seed.secret)
    text = fair_dice.text_of(str(row.battle_id), row.seed.words, row.label)
    if row.die:
        row.faces = fair_dice.roll(secret, text, row.die, count)
    else:
        row.faces = fair_dice.take(secret, text, row.bag, count)
    return row
