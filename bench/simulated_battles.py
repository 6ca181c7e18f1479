"""Random battles through the real services, then the proof that the books balance.

    .venv/bin/python bench/simulated_battles.py --battles 200 --seed 1

plays in the current database (DATABASE_URL, else the embedded server), in a campaign of its own that stays.
Two players answer in turn, as chance has it; some post twice, some undo an answer. The exit status is
that of `manage.py verify_registers`.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import use_current_database

if TYPE_CHECKING:
    from accounts.models import User
    from bench.simulation import Supply
    from campaign.battles.models import Battle, Side
    from campaign.models import Campaign
    from registers.models import Register
    from rules.battle.report import Report

TAKES_BACK, POSTS_TWICE, A_GUEST = 0.05, 0.1, 0.1
BATTLES_A_CAMPAIGN = 12


def play(*, battles: int, seed: int) -> int:
    """Play so many battles, a few in each campaign; how many questions were answered."""
    from bench.simulation import Supply
    from catalogue.snapshot import rulebook

    random, supply, answered = Random(seed), Supply(rulebook()), 0  # noqa: S311
    for number in range(battles):
        if number % BATTLES_A_CAMPAIGN == 0:
            campaign, registers = begun(random, supply)
        answered += play_one(campaign, registers, random, supply)
    return answered


def play_in(random: Random, supply: Supply, entries: int) -> list[Register]:
    """Two Registers that have fought each other until each ledger has at least so many entries."""
    campaign, registers = begun(random, supply)
    while min(register.position for register in registers) < entries:
        play_one(campaign, registers, random, supply)
        for register in registers:
            register.refresh_from_db()
    return registers


def begun(random: Random, supply: Supply) -> tuple[Campaign, list[Register]]:
    """A campaign of two players, each with a Register."""
    from campaign.models import Campaign, Enlistment, Membership

    campaign = Campaign.objects.create(name="Simulated")
    registers = []
    for place in (1, 2):
        owner = player(f"simulated-{place}")
        Membership.objects.get_or_create(campaign=campaign, user=owner, defaults={"role": "player"})
        registers.append(found(owner, random, supply, f"Simulated {place}"))
        Enlistment.objects.create(campaign=campaign, register=registers[-1])
    return campaign, registers


def player(name: str) -> User:
    """The user of that name, who is made if need be."""
    from accounts.models import User

    return User.objects.get_or_create(username=name)[0]


def found(owner: User, random: Random, supply: Supply, name: str) -> Register:
    """A random Register; its founding is one entry."""
    from django.db import transaction

    from bench import simulation as simulate
    from registers.ledger.session import LedgerSession
    from registers.models import EntryType, Register

    with transaction.atomic():
        register = Register.objects.create(owner=owner)
        effects = simulate.found(supply, random, name).effects
        session = LedgerSession([register])
        session.stage(register, actor=owner, act=EntryType.OPEN, effects=effects)
        session.commit()
    return register


# --- A battle ------------------------------------------------------------------------------------------------


def play_one(campaign: Campaign, registers: list[Register], random: Random, supply: Supply) -> int:
    """A battle from its plan to its end; how many questions were answered."""
    return walk(fought(campaign, registers, random, supply), random, supply)


def fought(
    campaign: Campaign, registers: list[Register], random: Random, supply: Supply, guests: float = A_GUEST
) -> Battle:
    """A battle from its plan to the beginning of its sequence; `guests` as in `plan`."""
    return fight(plan(campaign, registers, random, guests), random, supply)


def fight(battle: Battle, random: Random, supply: Supply) -> Battle:
    """A planned battle until its sequence begins."""
    from campaign.battles.services import army as army_service, reports

    army_reports = choose_army(battle, random, supply)
    actor, *others = players(battle)
    army_service.begin(actor=actor, battle_id=battle.pk)
    reported, winner = facts(army_reports)
    reports.report(
        actor=actor,
        battle_id=battle.pk,
        version=None,
        report=reports.BattleReport(winner=winner, facts=reported, victory_points={}),
    )
    reports.confirm_report(actor=(others or [actor])[0], battle_id=battle.pk, version=None)
    return battle


def players(battle: Battle) -> list[User]:
    """Who fights: both players, or the one against a guest."""
    sides = battle.sides.select_related("register__owner").order_by("colour")
    return [side.own_register.owner for side in sides if side.register]


def plan(campaign: Campaign, registers: list[Register], random: Random, guests: float = A_GUEST) -> Battle:
    """Whatever R22 allows: who is blue, and whether its Turning Point Mission is played. The second plans: it fights
    in any case, while the first may give way to a guest, so often as `guests` says."""
    from campaign.battles.services.planning import Contender, plan_battle
    from rules.core.violations import RuleViolation

    first, second = (Contender(register_id=register.pk) for register in registers)
    if random.random() < guests:
        first = Contender(guest_name="A guest", guest_points=600)
    ways = [(first, second, ""), (second, first, ""), (first, second, "blue"), (second, first, "blue")]
    random.shuffle(ways)
    for blue, red, owner in ways:
        try:
            return plan_battle(
                actor=registers[1].owner, campaign=campaign, size=random.choice((600, 800, 1000)),
                blue=blue, red=red, owner=owner,
            )  # fmt: skip
        except RuleViolation:
            continue
    raise AssertionError("these Registers cannot fight at all")


def choose_army(battle: Battle, random: Random, supply: Supply) -> dict[str, Report]:
    """Random armies and Agendas, and random reports of them, by colour."""
    from bench import simulation as simulate
    from campaign.battles.queries.battles import setup_for
    from campaign.battles.services import agendas, army as army_service
    from registers.projection import state_of
    from rules.post_battle.dialogue import Context

    sides = list(battle.sides.select_related("register").order_by("colour"))
    playing = []
    for side in (side for side in sides if side.register):
        state = state_of(side.own_register)
        army = simulate.choose_army(state, setup_for(battle, side, sides), supply, random)
        chosen = replace(army, agenda="")
        army_service.choose_army(actor=side.own_register.owner, side_id=side.pk, army=chosen)
        playing.append((side.colour, simulate.SimulatedSide(Context(supply.book, state), army)))
    for side, (_colour, fighter) in zip((side for side in sides if side.register), playing, strict=True):
        agendas.choose_agenda(actor=side.own_register.owner, side_id=side.pk, agenda=fighter.army.agenda)
    # A report speaks for two sides; that of a guest is made up from the other one and not used.
    pair = [one for _, one in playing] if len(playing) == 2 else [playing[0][1]] * 2
    if playing[0][0] != "blue":
        pair.reverse()
    made = simulate.fight(pair, str(battle.pk), bool(battle.owner), random)
    reports = dict(zip(("blue", "red"), made, strict=True))
    return {colour: report for colour, report in reports.items() if colour in dict(playing)}


def facts(army_reports: dict[str, Report]) -> tuple[dict[str, object], str]:
    """What is reported, by colour, and who won."""
    from campaign.battles.report_data import Facts

    found: dict[str, object] = {
        colour: Facts(
            defeated=list(report.defeated),
            contesting=list(report.contesting),
            marked=list(report.marked),
            agenda=report.agenda,
            tokens=report.tokens,
            secondary_vp=report.secondary_vp,
            confirmed=sorted(report.confirmed),
            claims=sorted(report.claims),
            asks=dict(report.asks),
            conceded=report.conceded,
            in_game_experience=dict(report.in_game_experience),
            in_game_supply=report.in_game_supply,
        )
        for colour, report in army_reports.items()
    }
    for colour, report in army_reports.items():
        other = "red" if colour == "blue" else "blue"
        if report.opponent_conceded and other not in found:
            found[other] = Facts(conceded=True)
    colour, report = next(iter(army_reports.items()))
    other = "red" if colour == "blue" else "blue"
    return found, {"won": colour, "lost": other, "drawn": ""}[report.result]


# --- The sequence --------------------------------------------------------------------------------------------


def walk(battle: Battle, random: Random, supply: Supply) -> int:
    """Both players answer in turn until the battle is closed; how many answers that took."""
    from campaign.battles.models import Battle

    answered = 0
    while Battle.objects.get(pk=battle.pk).status != Battle.Status.CLOSED:
        sides = list(battle.sides.select_related("register", "battle").order_by("colour"))
        random.shuffle(sides)
        moved = [answer(side, other, random, supply) for side, other in zip(sides, sides[::-1], strict=True)]
        if not any(moved):
            raise AssertionError("both sides wait for each other")
        answered += sum(moved)
    return answered


def answer(side: Side, other: Side, random: Random, supply: Supply) -> bool:
    """Answer for a side, if it is asked anything."""
    from bench import simulation as simulate
    from campaign.battles.services import sequence
    from rules.core.violations import RuleViolation
    from rules.post_battle.dialogue import Await, Context

    side.refresh_from_db()
    other.refresh_from_db()
    if side.done:
        return False
    standing = sequence.running_step(side, other)
    if standing.question is None or isinstance(standing.question, Await):
        return False
    who = {"actor": side.own_register.owner, "turn": side.turn}
    if random.random() < TAKES_BACK:
        try:
            sequence.undo_answers(**who, battle_id=side.battle_id, colour=side.colour)
        except RuleViolation:
            pass
        else:
            return True
    context = Context(standing.book, standing.progress.state)
    given = simulate.answer(standing.question, context, random, supply)
    for _ in range(2 if random.random() < POSTS_TWICE else 1):
        sequence.answer(**who, side_id=side.pk, answer=given)
    return True


def main() -> None:
    """Set up Django, play, and verify."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--battles", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    use_current_database()
    from django.core.management import call_command

    began = time.monotonic()
    answered = play(battles=words.battles, seed=words.seed)
    took = time.monotonic() - began
    print(f"{words.battles} battles, {answered} answers, {1000 * took / max(1, answered):.1f} ms an answer")
    call_command("verify_registers")


if __name__ == "__main__":
    main()
