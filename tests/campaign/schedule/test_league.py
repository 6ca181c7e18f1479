"""Sixteen players: four rounds are paired and played, out of order, with an absent player and a withdrawal."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from random import Random
from uuid import uuid4

import pytest

from bench import simulated_battles as simulated
from campaign.battles.models import Battle, Side
from campaign.battles.report_data import book_of
from campaign.battles.services import mission
from campaign.models import Enlistment
from campaign.schedule.models import Pairing, Round
from campaign.schedule.queries import round_lines, round_page
from campaign.schedule.services import rounds
from campaign.schedule.services.availability import set_availability
from campaign.schedule.services.phases import save_phase
from campaign.services.campaigns import create_campaign
from catalogue.snapshot import rulebook
from members.services import membership
from registers.ledger.verification import differences
from registers.models import Register
from registers.projection import state_of
from rules.battle.army import may_play_turning_point, must_play_turning_point
from rules.simulation.simulate import Supply
from tests.registers.factories import make_player

START = date(2026, 1, 5)


def play(battle: Battle, random: Random, supply: Supply) -> None:
    """From the armies to the end of both sequences. Its mission is what the Registers may and must play by now."""
    blue, *_red = sides = list(battle.sides.select_related("register__owner").order_by("colour"))
    states = {side: state_of(side.own_register) for side in sides}
    must = next((side for side in sides if must_play_turning_point(book_of(side), states[side])), None)
    fits = battle.turning_point_id == states[blue].story_arc and may_play_turning_point(book_of(blue), states[blue])
    if (battle.owner and not fits) or (must and not battle.owner):
        mission.change_mission(
            actor=blue.own_register.owner, battle_id=battle.pk, version=battle.plan_version,
            owner=must.own_register.pk if must else None,
        )  # fmt: skip
        battle.refresh_from_db()
    simulated.walk(simulated.fight(battle, random, supply), random, supply)


@pytest.mark.nightly
def test_four_rounds_of_sixteen(book):
    random, supply = Random(16), Supply(rulebook())
    cora = make_player("cora")
    campaign = create_campaign(actor=cora, name="The League")
    for number in range(16):
        user = simulated.player(f"player-{number}")
        membership.add_member(actor=cora, group=campaign, username=user.username)
        Enlistment.objects.create(
            campaign=campaign, register=simulated.found(user, random, supply, f"Register {number}")
        )
    for number, size in enumerate((600, 800)):
        save_phase(
            actor=cora, campaign=campaign, phase_id=uuid4(), version=0, name=f"Season {number + 1}", size=size,
            first_day=START + timedelta(days=14 * number), last_day=START + timedelta(days=14 * number + 13),
        )  # fmt: skip
    players = list(campaign.memberships.exclude(user=cora).order_by("user__username"))
    absent, gone = players[3].user, players[7].user
    late: list[Battle] = []
    for number in range(1, 5):
        due = START + timedelta(days=7 * (number - 1))
        if number == 4:
            campaign.memberships.filter(user=gone).update(role="viewer")
        for each in players:
            if each.user not in (absent if number == 2 else None, gone if number == 4 else None):
                set_availability(actor=each.user, campaign=campaign, number=number, can_play=True)
        found = rounds.open_draft(
            actor=cora, campaign=campaign, round_id=uuid4(), due=due, size=600, only_available=True,
            nearness=Round.Nearness.RECORD,
        )  # fmt: skip
        rounds.create_battles(actor=cora, campaign=campaign, number=number, version=found.version)
        battles = [pairing.battle for pairing in found.pairings.exclude(battle=None).select_related("battle")]
        random.shuffle(battles)
        theirs = set(Side.objects.filter(register__owner=gone).values_list("battle", flat=True))
        battles.sort(key=lambda battle: battle.pk in theirs)
        for battle in [*battles[1:], *late]:  # one battle of each round is played after the next round
            play(Battle.objects.get(pk=battle.pk), random, supply)
        late = battles[:1]
        assert round_page(Round.objects.get(pk=found.pk)).open == 1
    play(Battle.objects.get(pk=late[0].pk), random, supply)
    assert [(line.round.number, line.battles, line.open, line.round.phase.name) for line in round_lines(campaign)] == [
        (4, 7, 0, "Season 2"), (3, 8, 0, "Season 2"), (2, 7, 0, "Season 1"), (1, 8, 0, "Season 1"),
    ]  # fmt: skip
    pairs = Counter(frozenset(pair) for pair in Pairing.objects.exclude(red=None).values_list("blue", "red"))
    assert set(pairs.values()) == {1}
    byes = Pairing.objects.filter(red=None).values_list("round__number", flat=True)
    assert sorted(byes) == [2, 4]
    assert all(list(differences(register)) == [] for register in Register.objects.all())
