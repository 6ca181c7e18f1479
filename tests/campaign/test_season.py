"""A season: its players, phases, rounds, map and reminders, played to the end through the services."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import combinations
from random import Random
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from accounts.models import User
from bench import simulated_battles as simulated
from bench.simulation import Supply
from campaign.battles.models import Battle
from campaign.enlistments.services.enlistments import change_status
from campaign.models import Campaign, Enlistment
from campaign.organizer_tasks.queries import tasks_of
from campaign.organizer_tasks.services import remind_players
from campaign.pages.campaign import overview_of
from campaign.reminders.services import send_due
from campaign.schedule.models import Round
from campaign.schedule.queries import next_number, phase_with_size
from campaign.schedule.services import rounds
from campaign.schedule.services.availability import set_availability
from campaign.schedule.services.phases import save_phase
from campaign.services import campaigns
from campaign.star_map.queries import star_map_of
from campaign.star_map.services import star_map
from catalogue.snapshot import rulebook
from members.services import membership
from notifications.models import PersonalNotification
from notifications.services import people
from registers.ledger.verification import differences
from registers.models import Register
from tests.registers.factories import make_player

TODAY = timezone.localdate()


class Season:
    """A campaign of some players with a Register each, and its organizer."""

    def __init__(self, players: int) -> None:
        self.random, self.supply = Random(1), Supply(rulebook())
        self.organizer = make_player("cora")
        self.campaign: Campaign = campaigns.create_campaign(actor=self.organizer, name="Outer Rim Winter")
        self.registers = [self.enlisted(f"player{number}") for number in range(1, players + 1)]

    def enlisted(self, name: str) -> Register:
        player = make_player(name)
        EmailAddress.objects.create(user=player, email=f"{name}@example.org", verified=True)
        membership.add_member(actor=self.organizer, group=self.campaign, username=name)
        register = simulated.found(player, self.random, self.supply, f"Register of {name}")
        Enlistment.objects.create(campaign=self.campaign, register=register)
        return register

    @property
    def by_organizer(self) -> dict[str, User | Campaign]:
        return {"actor": self.organizer, "campaign": self.campaign}

    def pair(self, day: int, *, only_available: bool = False) -> Round:
        """The next round, due so many days from now, with the size that its phase suggests."""
        due = TODAY + timedelta(days=day)
        phase = phase_with_size(self.campaign, due)
        draft = rounds.open_draft(
            **self.by_organizer, round_id=uuid4(), due=due, size=phase.size, only_available=only_available
        )
        return rounds.create_battles(**self.by_organizer, number=draft.number, version=draft.version)

    def play(self, found: Round) -> list[Battle]:
        """All battles of a round, until each is closed."""
        battles = [pairing.battle for pairing in found.pairings.select_related("battle") if pairing.battle]
        for battle in battles:
            simulated.walk(simulated.fight(battle, self.random, self.supply), self.random, self.supply)
            battle.refresh_from_db()
        return battles


def met(found: Round) -> set[frozenset[str]]:
    """Who met in a round; a bye is a set of one."""
    return {frozenset(each.name for each in (pair.blue, pair.red) if each) for pair in found.pairings.all()}


def delivered() -> Counter[str]:
    """How many mails each player got, once all are sent that wait; the outbox is empty afterwards."""
    for pk in PersonalNotification.objects.filter(mailed_at=None).values_list("pk", flat=True):
        people.send_mail(pk)
    found = Counter(name.partition("@")[0] for message in mail.outbox for name in message.to)
    mail.outbox.clear()
    return found


@pytest.mark.parametrize(("players", "last"), [(4, 2), pytest.param(16, 4, marks=pytest.mark.nightly)])
def test_a_season(book, players, last):
    season = Season(players)
    by_organizer, names = season.by_organizer, [register.name for register in season.registers]
    for number, (name, size) in enumerate((("Muster", 600), ("War", 800))):
        first = TODAY + timedelta(days=14 * number)
        save_phase(
            **by_organizer, phase_id=uuid4(), version=0, name=name, first_day=first,
            last_day=first + timedelta(days=13), size=size,
        )  # fmt: skip
    star_map.start_map(**by_organizer, layout="6")
    [system, *_others] = star_map_of(season.campaign).systems
    for register in season.registers[:-1]:
        set_availability(actor=register.owner, campaign=season.campaign, number=1, can_play=True)

    # The last player is absent in the first round; with an odd number, somebody has a bye.
    opening = season.pair(2, only_available=True)
    assert sorted(name for pair in met(opening) for name in pair) == sorted(names[:-1])
    delivered()
    evening = datetime.combine(opening.due - timedelta(days=1), datetime.min.time(), UTC) + timedelta(hours=20)
    fighting = {name for pair in met(opening) for name in pair if len(pair) == 2}
    assert send_due(evening) == len(fighting)
    assert send_due(evening) == 0
    assert delivered() == Counter(name.removeprefix("Register of ") for name in fighting)

    # The winner of a battle takes its system; the organizer gives it to nobody.
    contested = opening.pairings.exclude(red=None).first().battle
    star_map.fight_for(actor=season.organizer, battle=contested, system_id=system.row.pk)
    season.play(opening)
    contested.refresh_from_db()
    winner = contested.sides.filter(colour=contested.winner).first()
    [shown, *_others] = star_map_of(season.campaign).systems
    assert (shown.holder and shown.holder.faction) == (winner and winner.own_register.faction)
    star_map.give_system(**by_organizer, system_id=system.row.pk, holder="")
    assert star_map_of(season.campaign).systems[0].holder is None

    # One Register is withdrawn; the others are paired without a rematch or a second bye.
    gone = season.registers[0]
    change_status(**by_organizer, register_id=gone.pk, status=Enlistment.Status.WITHDRAWN)
    played = [opening]
    while next_number(season.campaign) <= last:
        played.append(season.pair(2 + 6 * len(played)))
        season.play(played[-1])
    for found in played[1:]:
        assert sorted(name for pair in met(found) for name in pair) == sorted(names[1:])
    for one, other in combinations(played, 2):
        assert met(one) & met(other) == set()
    sizes = [found.size for found in played]
    assert sizes == [600, 600, 800, 800][:last]
    assert {battle.size for battle in season.campaign.battles.all()} == set(sizes)

    # What waits is shown to the organizer, and one tap reminds both players.
    late = season.pair(0)
    season.campaign.battles.filter(pairing__round=late).update(date=TODAY - timedelta(days=1))
    delivered()
    waiting = [pairing.battle for pairing in late.pairings.exclude(red=None)]
    tasks = {group["slug"]: group["tasks"] for group in tasks_of(season.campaign)}
    assert len(tasks["overdue"]) == len(waiting)
    _battle, reminded, _violations = remind_players(**by_organizer, battle_id=waiting[0].pk)
    assert delivered() == Counter(user.username for user in reminded)
    assert len(reminded) == 2

    # The withdrawn Register is listed below the others; every ledger adds up to what pages show.
    overview = overview_of(season.campaign, season.organizer)
    assert overview["gone"] == [gone]
    assert sorted(register.name for register in overview["registers"]) == sorted(names[1:])
    assert [found for register in Register.objects.all() for found in differences(register)] == []
