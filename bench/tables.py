"""Tables at which a battle is in its Post-Battle Sequence, and answers that are given there as chance has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from bench.acts import Act, answer_of, browser_of, foreseen

if TYPE_CHECKING:
    from accounts.models import User
    from bench.simulation import Supply
    from campaign.battles.models import Battle, Side

TRIES = 5


@cache
def supply() -> Supply:
    """What random players choose from."""
    from bench.simulation import Supply
    from catalogue.snapshot import rulebook

    return Supply(rulebook())


def table(name: str, random: Random) -> Battle:
    """Two Registers of 12 Dossiers, in a campaign of their own, after a battle; nothing is answered yet."""
    from bench import simulated_battles as simulated
    from bench.speed_data import register_of
    from campaign.models import Campaign, Enlistment, Membership

    campaign = Campaign.objects.create(name=name)
    registers = [register_of(simulated.player(f"{name}-{place}"), f"{name} {place}") for place in (1, 2)]
    for register in registers:
        Membership.objects.create(campaign=campaign, user=register.owner, role="player")
        Enlistment.objects.create(campaign=campaign, register=register)
    battle = simulated.fought(campaign, registers, random, supply(), guests=0)
    battle.refresh_from_db()
    return battle


@dataclass(frozen=True)
class Answer:
    """A form that answers what a side is asked, and that the rules take."""

    who: User
    act: Act


def answers(random: Random, at_once: int) -> Iterator[Answer]:
    """Answers for ever, by turns at so many tables; each has been given when the next one is asked for.

    Where a battle is over another one begins.
    """
    names = count(1)
    tables = [table(f"At table {next(names)}", random) for _ in range(at_once)]
    while True:
        for place, battle in enumerate(tables):
            battle.refresh_from_db()
            if battle.status != "sequence":
                tables[place] = battle = table(f"At table {next(names)}", random)
            for colour in ("blue", "red"):
                sides = battle.sides.select_related("register__owner", "battle")
                side = sides.get(colour=colour)
                if found := _answer(side, random):
                    yield found
                elif not side.done:
                    _by_service(side, sides.exclude(pk=side.pk).get(), random)


def _answer(side: Side, random: Random) -> Answer | None:
    who = side.own_register.owner
    address = f"/battles/{side.battle_id}/sequence/{side.colour}/"
    for _ in range(TRIES):
        act = Act("answer", browser := browser_of(who), address, answer_of(browser, address, random))
        if act.sent and foreseen(act, side):
            return Answer(who, act)
    return None


def _by_service(side: Side, other: Side, random: Random) -> None:
    """Answer what chance finds no form for, such as an edit that somebody owes."""
    from bench.simulated_battles import answer

    answer(side, other, random, supply())
