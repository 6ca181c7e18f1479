"""Fair dice: promise a seed, let players mix in a word, compute every draw from both, then reveal the seed.

A roll always gives the same result. A roll drawn before uses the seed of that draw, revealed or not; a new roll uses
a secret seed. Draws are saved in the transaction that takes them as an answer, so that none is lost.
"""

import secrets
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any, TypeGuard

from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models import Battle, DiceSeed, Draw, Side
from campaign.battles.services.locks import lock_battle
from campaign.battles.state_machine import OVER
from rules.core import dice
from rules.core.violations import refuse
from rules.post_battle.dialogue import ChooseSeveral, Question, Roll

#: The pool name of order tokens in a label, because a bag has no key.
TOKENS = "tokens"


def promise(battle: Battle, *, number: int) -> DiceSeed:
    """Create the next seed, `number`, of a locked battle with a public commitment and empty words."""
    secret = secrets.token_bytes(32)
    return DiceSeed.objects.create(battle=battle, number=number, secret=secret, commitment=dice.commitment(secret))


def promise_first(battles: Sequence[Battle]) -> list[DiceSeed]:
    """Create the first seed of each new battle as `promise` does, in one query."""
    secrets_of = [secrets.token_bytes(32) for _battle in battles]
    return DiceSeed.objects.bulk_create(
        DiceSeed(battle=battle, number=1, secret=secret, commitment=dice.commitment(secret))
        for battle, secret in zip(battles, secrets_of, strict=True)
    )


def reveal(*battles: Battle) -> None:
    """Reveal the seeds of battles that are over, so that anyone can compute their dice again."""
    DiceSeed.objects.filter(battle__in=battles, revealed_at=None).update(revealed_at=timezone.now())


@transaction.atomic
def mix_in(*, actor: User, side_id: int, word: str) -> Battle:
    """Mix a player's own word into the dice of a battle. Repeating it does nothing.

    The word has at most 80 letters; empty for none. Refuses anyone but the side's own player, a battle that is over,
    one whose dice have been rolled or whose seed is not promised yet, and anything that `rules.core.dice.word`
    refuses.
    """
    battle, sides, _session = lock_battle(Q(sides=side_id))
    side = next(side for side in sides if side.pk == side_id)
    if not battle_access.plays_side(access.campaign_role(actor, battle.campaign), side):
        raise refuse("", gettext("Only the player of this side can enter a word."))
    checked = dice.word(word)
    secret = battle.dice_seeds.filter(revealed_at=None)
    seed = secret.annotate(was_drawn_from=Exists(Draw.objects.filter(seed=OuterRef("pk")))).first()
    if seed is None or battle.status in OVER or seed.was_drawn_from:
        text = gettext("The app has already rolled dice in this battle, so the word can no longer change.")
        raise refuse("", text, "word")
    setattr(seed, f"{side.colour}_word", checked)
    seed.save(update_fields=[f"{side.colour}_word"])
    return battle


def secret_of(battle: Battle) -> DiceSeed:
    """Return the secret seed for draws of a locked battle: a new one if there is none or the last was revealed."""
    last = battle.dice_seeds.order_by("number").last()
    if last and last.revealed_at is None:
        return last
    return promise(battle, number=last.number + 1 if last else 1)


def promise_for(*, side: Side, question: Question, ordinal: int) -> DiceSeed | None:
    """Promise the new seed that a roll in a locked battle will need, or return None. `ordinal` as for `draw`."""
    seeds = list(_seeds(side, ordinal))
    new = set(_pools(question)) - set(_first_seeds(seeds))
    promised = any(seed.revealed_at is None for seed in seeds)
    if promised or not new:
        return None
    return promise(side.battle, number=_next(seeds))


def draw(*, actor: User, side: Side, question: Question, ordinal: int) -> tuple[Any, list[int]]:
    """Return the app's dice as the answer to `question`, and the numbers of the draws.

    `ordinal` counts the rolls of the side's running step, from 1. The battle is locked. A roll drawn in this battle
    before gives the same result, even if its seed has been revealed since; if it now has other dice, or more of them,
    they are computed from the same bytes. Refuses a question that dice do not answer.
    """
    battle = side.battle
    seeds = list(_seeds(side, ordinal).annotate(last=Max("draws__number")))
    before = _first_seeds(seeds)
    last = max((seed.last for seed in seeds if seed.last), default=0)
    secret: DiceSeed | None = next((seed for seed in seeds if seed.revealed_at is None), None)
    if secret is None and set(_pools(question)) - set(before):
        secret = promise(battle, number=_next(seeds))

    def fallen(pool: str, count: int, **of: Any) -> Draw:
        row = Draw(
            battle=battle, seed=before.get(pool) or secret, colour=side.colour, step=side.step,
            ordinal=ordinal, pool=pool, by=actor, **of,
        )  # fmt: skip
        text = dice.text_of(str(row.battle_id), row.seed.words, row.label)
        if row.die:
            row.faces = dice.roll(bytes(row.seed.secret), text, row.die, count)
        else:
            row.faces = dice.take(bytes(row.seed.secret), text, row.bag, count)
        return row

    answer: Any
    if isinstance(question, Roll):
        drawn = [fallen(pool.key, pool.count, die=pool.die) for pool in question.pools]
        answer = {row.pool: row.faces for row in drawn}
    elif _draws_tokens(question):
        bag = sorted(token for token, times in question.bag.items() for _ in range(times))
        drawn = [fallen(TOKENS, question.count, bag=bag)]
        answer = drawn[0].faces
    else:
        raise refuse(question.rule, gettext("This question is not answered by dice."))
    for number, row in enumerate(drawn, start=last + 1):
        row.number = number
    Draw.objects.bulk_create(drawn)
    return answer, [row.number for row in drawn]


def _draws_tokens(question: Question) -> TypeGuard[ChooseSeveral]:
    return isinstance(question, ChooseSeveral) and question.kind == "ranks"


def _pools(question: Question) -> list[str]:
    if isinstance(question, Roll):
        return [pool.key for pool in question.pools]
    return [TOKENS] if _draws_tokens(question) else []


def _seeds(side: Side, ordinal: int) -> QuerySet[DiceSeed]:
    """Return the seeds of a battle, each with its earlier draws for this roll of the side's step: pools and numbers."""
    drawn = Draw.objects.filter(seed=OuterRef("pk"), colour=side.colour, step=side.step, ordinal=ordinal)
    return DiceSeed.objects.filter(battle=side.battle_id).annotate(
        drawn=ArraySubquery(drawn.values(draw=JSONObject(pool="pool", number="number")))
    )


def _next(seeds: Iterable[DiceSeed]) -> int:
    return 1 + max((seed.number for seed in seeds), default=0)


def _first_seeds(seeds: Iterable[DiceSeed]) -> dict[str, DiceSeed]:
    """Return the seed of the first draw of each pool, among earlier draws of a roll."""
    drawn = [(draw["number"], draw["pool"], seed) for seed in seeds for draw in seed.drawn]  # type: ignore[attr-defined]
    return {pool: seed for _, pool, seed in sorted(drawn, key=itemgetter(0), reverse=True)}
