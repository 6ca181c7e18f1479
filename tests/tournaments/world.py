"""A world for tests that ask for every page of events: people in all roles and an event in each state."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any
from uuid import uuid4

from accounts.models import User
from lists.models import ArmyList
from lists.services.army_lists import save_army_list
from members.models import Role
from members.services import invitations
from rules.battle.plain_army import PlainArmy, PlainUnit
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.registers.factories import make_player
from tests.tournaments.factories import add_player
from tests.world import Address, all_addresses, first_row_of, is_of_events
from tournaments.models import (
    Entry,
    Event,
    Game,
    Invitation,
    JudgeCall,
    League,
    Membership,
    SubmittedList,
    TerrainCheck,
)
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds

#: Who asks. The stranger organizes another event. Player and opponent play against each other in every event.
ROLES = ("anonymous", "stranger", "player", "opponent", "judge", "head_judge", "organizer", "staff")
#: Other players, without an account.
GUESTS = ("Mia", "Jon")
STARTS_AT = datetime(2026, 11, 28, 10, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventWorld:
    """What there is to ask for. `events` are by state, and "drafted" is one that runs with a draft of round 1.

    `entry` is the player's in the running event (number 1), `guest` one without an account (number 3).
    """

    people: Mapping[str, User]
    events: Mapping[str, Event]
    entry: Entry
    guest: Entry
    game: Game
    call: JudgeCall
    league: League
    invitation: Invitation
    army_list: ArmyList

    def arguments(self, name: str, route: str) -> dict[str, Any]:
        """Return what fills an address: by the first pattern of OF that its name fits."""
        given = {
            "pk": self.events["running"].pk,
            "number": self.entry.number,
            "place": 1,
            "user": self.people["judge"].pk,
            "token": self.guest.token,
            "code": self.guest.check_in_code,
            "call": self.call.pk,
            "table": 1,
            "sheet": "names",
            "file": uuid4(),  # nobody has sent one
            "which": "text",
            "league": self.league.pk,
            "invitation": self.invitation.pk,
        }
        filling = next((OF[each] for each in OF if fnmatchcase(name, each)), None)
        return given | (filling(self) if filling else {}) | first_row_of(route)

    def of(self, state: str, number: int = 1) -> dict[str, Any]:
        """Return the arguments of an address of the event in a state, and of its player with a number."""
        return {"pk": self.events[state].pk, "number": number}


#: What to ask for, by the name of a URL, where it is not the running event.
OF: dict[str, Any] = {
    "lists:*": lambda world: {"pk": world.army_list.pk, "place": 0},
    "tournaments:join": lambda world: {"token": world.invitation.token},
    "tournaments:teams": lambda world: {"pk": world.events["open"].pk},
    "tournaments:team": lambda world: {"pk": world.events["open"].pk, "team": 0},
    "tournaments:claim": lambda world: world.of("open", 3),
    "tournaments:forget": lambda world: world.of("finished", 3),
    "tournaments:draft": lambda world: world.of("drafted"),
    "tournaments:draw_round": lambda world: world.of("drafted"),
    "tournaments:undo": lambda world: {"act": "result", "number": world.game.pk},
    "tournaments:share_card": lambda world: world.of("finished"),
    "tournaments:share_picture": lambda world: world.of("finished"),
    "tournaments:bracket": lambda world: world.of("finished"),
    "tournaments:api_part": lambda world: {"name": "rounds"},
    "tournaments:api_missing": lambda world: {"name": "leagues"},
    "tournaments:overlay": lambda world: {"view": "table"},
    "tournaments:export_csv": lambda world: {"table": "standings"},
    **dict.fromkeys(
        (
            "tournaments:state", "tournaments:settings", "tournaments:register", "tournaments:withdraw",
            "tournaments:add_entries", "tournaments:import_players", "tournaments:submit_list",
            "tournaments:invite_players",
        ),
        lambda world: world.of("open"),
    ),
}  # fmt: skip


def event_addresses() -> Iterator[Address]:
    """Return the addresses that this world fills: those of events and army lists, with their admin."""
    return (address for address in all_addresses() if is_of_events(address))


@once
def make_event_world(mark: str = "") -> EventWorld:
    """Create all of it, by the services. Every name ends with `mark`, so that two worlds can be told apart."""
    people = {role: make_player(f"{role}{mark}") for role in ROLES[1:]}
    User.objects.filter(pk=people["staff"].pk).update(is_staff=True, is_superuser=True)
    people["staff"].refresh_from_db()
    organizer = people["organizer"]
    _event(f"Elsewhere{mark}", people["stranger"])
    league = League.objects.create(name=f"Winter League{mark}", owner=organizer, points=[5, 3, 1])
    made = {state: _event(f"{state}{mark}", organizer) for state in ("draft", "open", "closed", "running", "drafted")}
    made["finished"] = _event(f"finished{mark}", organizer, RuleSet.TOURNAMENT_REGULATIONS, rounds=1, cut=2)
    for event in made.values():
        for role in (Role.JUDGE, Role.HEAD_JUDGE):
            Membership.objects.create(event=event, user=people[role], role=role)
        _add_players(event, people, mark)
    for state in ("open", "closed"):
        Event.objects.filter(pk=made[state].pk).update(state=state)
    _finish(made["finished"], organizer)
    _start(made["drafted"], organizer)
    game = _report(made["running"], organizer)
    Event.objects.update(league=league)
    Event.objects.filter(pk=made["open"].pk).update(team_size=2)
    for event in made.values():
        event.refresh_from_db()
    entry, guest = (made["running"].entries.get(number=number) for number in (1, 3))
    for state in ("open", "running"):
        SubmittedList.objects.create(
            entry=made[state].entries.get(number=1), number=1, faction="rebel", points=990,
            submitted_by=people["player"],
        )  # fmt: skip
    TerrainCheck.objects.create(event=made["running"], table=1, checked_by=people["judge"])
    return EventWorld(
        people=people,
        events=made,
        entry=entry,
        guest=guest,
        game=game,
        call=JudgeCall.objects.create(
            event=made["running"], game=game, table=1, round_number=1, caller=entry, question=f"Is it cover{mark}?"
        ),
        league=league,
        invitation=invitations.invite(actor=organizer, group=made["running"], role=Role.JUDGE),
        army_list=save_army_list(
            actor=people["player"],
            list_id=uuid4(),
            army=PlainArmy(title=f"Ashen Patrol{mark}", faction="empire", units=(PlainUnit("stormtroopers"),)),
        ),
    )


def _event(
    name: str, organizer: User, rule_set: RuleSet = RuleSet.GALACTIC_CONQUEST, *, rounds: int = 0, cut: int = 0
) -> Event:
    event = events.create_event(
        actor=organizer, name=name, rule_set=rule_set, starts_at=STARTS_AT, rounds=rounds, cut=cut
    )
    Event.objects.filter(pk=event.pk).update(structure="custom" if rounds else "standard")
    event.refresh_from_db()
    return event


def _add_players(event: Event, people: Mapping[str, User], mark: str) -> None:
    """Add the player (number 1), the opponent (2) and the guests (3, 4)."""
    owner = event.memberships.get(role=Role.ORGANIZER).user
    for name in ("player", "opponent", *GUESTS):
        added = add_player(actor=owner, event=event, name=f"{name}{mark}", army_points=1000)
        Entry.objects.filter(pk=added.pk).update(user=people.get(name))


def _start(event: Event, organizer: User) -> None:
    """Start an event and draft its first round, in which player and opponent meet."""
    everyone = list(event.entries.all())
    entries.check_in(actor=organizer, event=event, entries=everyone)
    events.start(actor=organizer, event=event, reason="Lists are on paper.")
    draft_pairs(event, organizer, [(everyone[0], everyone[1]), (everyone[2], everyone[3])])


def draft_pairs(event: Event, organizer: User, pairs: Sequence[tuple[Entry, Entry]]) -> None:
    """Draft a round of these pairs, whatever the draw says, at tables 1, 2, …"""
    drafted = pairing.draw_round(actor=organizer, event=event)
    drafted.games.all().delete()
    Game.objects.bulk_create(
        Game(round=drafted, place=place, table=place, first=first, second=second)
        for place, (first, second) in enumerate(pairs, start=1)
    )


def _report(event: Event, organizer: User) -> Game:
    """Start an event and publish its first round; the player has reported their game."""
    _start(event, organizer)
    current = rounds.publish_round(actor=organizer, event=event)
    clock.start_clock(actor=organizer, event=event, now=STARTS_AT + timedelta(minutes=15))
    game = current.games.get(first__number=1)
    Game.objects.filter(pk=game.pk).update(
        state=Game.State.REPORTED, reported_by=game.first, reported_at=STARTS_AT + timedelta(hours=2),
        how=Ending.VICTORY, winner=game.first, first_points=700, second_points=450, first_tokens=6, second_tokens=4,
        version=1,
    )  # fmt: skip
    game.refresh_from_db()
    return game


def _finish(event: Event, organizer: User) -> None:
    """Play an event with one Swiss round and a final; the first player of each game wins."""
    _start(event, organizer)
    for stage in ("swiss", "bracket"):
        if stage == "bracket":
            bracket.make_cut(actor=organizer, event=event)
        current = rounds.publish_round(actor=organizer, event=event)
        for game in current.games.select_related("first", "second", "round__event"):
            first, _second = game.pair
            won = Result(how=Ending.SIX_ROUNDS, winner=first.key, points=(500, 300), tokens=(5, 3), blue=first.key)
            results.save_result(actor=organizer, game=game, result=won)
        rounds.close_round(actor=organizer, event=event)
    events.finish(actor=organizer, event=event)
