"""The events of the demo: one that runs, one that is over, and one open for registration."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from django.utils import timezone

from accounts.models import User
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Entry, Event, Game, StructureChoice, SubmittedList, Tier
from tournaments.services import bracket, clock, entries, events, judging, pairing, results, rounds

#: Legal army lists of 1,000 points, by the columns of `SubmittedList`. Some players have the same one.
LISTS = Path(__file__).parent / "demo_lists.json"
#: Names of players without an account. Who stands earlier in `STRENGTH` wins.
GUESTS = ("Mia", "Jon", "Petra", "Sam", "Noor", "Luis", "Kofi", "Lena", "Theo", "Yuki")
STRENGTH = ("Ada", "Noor", "Theo", "Ben", "Mia", "Kofi", "Cora", "Yuki", "Sam", "Petra", "Luis", "Lena", "Jon")
#: Points defeated and victory tokens of a winner and a loser, by the table.
SCORES = (
    ((1000, 505), (7, 2)), ((655, 610), (5, 4)), ((820, 340), (6, 3)), ((480, 455), (8, 5)), ((730, 690), (4, 3)),
    ((910, 275), (6, 1)),
)  # fmt: skip
SMALL_SCORES = (((560, 410), (6, 3)), ((645, 520), (5, 2)), ((430, 395), (8, 6)), ((615, 180), (7, 4)))


def set_up_events(*, cora: User, ada: User, ben: User) -> None:
    """Create the events: Cora, Ada and Ben organize one each and play in the others, always alike but for dates."""
    _running(cora, {"Ada": ada, "Ben": ben})
    _finished(ben, {"Ada": ada, "Cora": cora})
    _open(ada, {"Cora": cora, "Ben": ben})


def _running(organizer: User, people: Mapping[str, User]) -> None:
    """A Galactic Conquest event of twelve, in its third round."""
    event = _event(
        "Hoth Winter Conquest", RuleSet.GALACTIC_CONQUEST, organizer, days=0, place="Cora’s kitchen and cellar"
    )
    lists = list(islice(cycle(json.loads(LISTS.read_text())), 2 + len(GUESTS)))
    _add(event, organizer, people, GUESTS, army_points=[each["points"] for each in lists])
    everyone = list(event.entries.select_related("user"))
    SubmittedList.objects.bulk_create(
        SubmittedList(entry=entry, number=1, submitted_by=entry.user, **cards)
        for entry, cards in zip(everyone, lists, strict=True)
    )
    entries.check_in(actor=organizer, event=event, entries=everyone)
    events.start(actor=organizer, event=event)
    for _ in range(2):
        _play_round(event, organizer)
    _publish_round(event, organizer)
    clock.start_clock(actor=organizer, event=event, now=timezone.now() - timedelta(minutes=50))
    _play_half_a_round(event, organizer, set(people))


def _play_half_a_round(event: Event, organizer: User, people: set[str]) -> None:
    """Leave the first game of a person with an account open and report the second one's by the opponent; of the others
    one is disputed, one waits for a judge, and the rest has results.
    """
    games = list(_games(event))
    own = [game for game in games if {entry.name for entry in game.pair} & people]
    others = [game for game in games if game not in own]
    if len(own) > 1:
        _report(own[1], next(entry for entry in own[1].pair if entry.name not in people))
    disputed, called, *rest = others
    reported, other = _report(disputed, disputed.pair[0]), disputed.pair[1]
    results.dispute_result(
        actor=None, entry=other, game=reported, version=reported.version,
        text="We counted 5 victory tokens for me, not 4.",
    )  # fmt: skip
    judging.call_judge(
        actor=None, entry=called.pair[1], game=called,
        question="Does the barricade block line of sight to the speeder?",
    )  # fmt: skip
    for game in rest:
        results.save_result(actor=organizer, game=game, result=_result(game))


def _finished(organizer: User, people: Mapping[str, User]) -> None:
    """A tournament of nine with three Swiss rounds and a final."""
    event = _event(
        "Dune Sea Open", RuleSet.TOURNAMENT_REGULATIONS, organizer, days=-21, place="The game store, upstairs",
        structure=StructureChoice.ADVANCED, rounds=3, cut=2,
    )  # fmt: skip
    _add(event, organizer, people, GUESTS[:7], army_points=range(784, 802, 2))
    entries.check_in(actor=organizer, event=event, entries=list(event.entries.all()))
    events.start(actor=organizer, event=event, reason="The judges checked the lists on paper.")
    for _ in range(3):
        _play_round(event, organizer)
    bracket.make_cut(actor=organizer, event=event)
    _play_round(event, organizer)
    events.finish(actor=organizer, event=event)


def _open(organizer: User, people: Mapping[str, User]) -> None:
    """A tournament in two weeks with five players so far."""
    event = _event(
        "Spring Skirmish", RuleSet.TOURNAMENT_REGULATIONS, organizer, days=14, place="The game store, upstairs",
        registration_limit=16,
        about="Casual, for everybody. Bring 800 points, your cards and your dice; mats and terrain are there.",
    )  # fmt: skip
    _add(event, organizer, people, GUESTS[:3])


def _event(name: str, rule_set: RuleSet, organizer: User, *, days: int, place: str, **more: object) -> Event:
    """Create an event that starts at ten o'clock in a number of days, with the seed that belongs to its name."""
    at = (timezone.now() + timedelta(days=days)).replace(hour=10, minute=0, second=0, microsecond=0)
    event = events.create_event(
        actor=organizer, name=name, rule_set=rule_set, starts_at=at, place=place, tier=Tier.CASUAL,
        event_id=uuid5(NAMESPACE_URL, f"musterbook:{name}"),
    )  # fmt: skip
    seed = hashlib.sha256(name.encode()).digest()
    Event.objects.filter(pk=event.pk).update(seed=seed, **more)
    return events.open_registration(actor=organizer, event=event)


def _add(
    event: Event, organizer: User, people: Mapping[str, User], guests: Sequence[str], army_points: Sequence[int] = ()
) -> None:
    """Add players, first the people with accounts."""
    before = (event.starts_at or timezone.now()) - timedelta(days=1)
    for name, user in people.items():
        entries.register(actor=user, event=event, name=name, now=before)
    for name in guests:
        entries.add_players(actor=organizer, event=event, players=[entries.NewPlayer(name)])
    if army_points:
        everyone = list(event.entries.all())
        for entry, points in zip(everyone, army_points, strict=True):
            entry.army_points = points
        Entry.objects.bulk_update(everyone, ["army_points"])


def _publish_round(event: Event, organizer: User) -> None:
    if not event.round_set.filter(state="draft").exists():
        pairing.draw_round(actor=organizer, event=event)
    rounds.publish_round(actor=organizer, event=event)


def _play_round(event: Event, organizer: User) -> None:
    """Publish the next round, enter all results, and close it."""
    _publish_round(event, organizer)
    for game in _games(event):
        results.save_result(actor=organizer, game=game, result=_result(game))
    rounds.close_round(actor=organizer, event=event)


def _games(event: Event) -> Sequence[Game]:
    """Return the games of the last round that have two players."""
    current = event.round_set.order_by("-number")[0]
    return list(current.games.exclude(second=None).select_related("first", "second", "round__event"))


def _result(game: Game) -> Result:
    """Return a result by which the stronger player wins."""
    winner, loser = sorted(game.pair, key=lambda entry: STRENGTH.index(entry.name))
    conquest = game.round.event.rule_set == RuleSet.GALACTIC_CONQUEST
    scores = SCORES if conquest else SMALL_SCORES
    points, tokens = scores[(game.place + game.round.number) % len(scores)]
    points = (min(points[0], loser.army_points or points[0]), points[1])
    if winner != game.first:
        points, tokens = points[::-1], tokens[::-1]
    how = Ending.VICTORY if conquest else Ending.SIX_ROUNDS
    return Result(how=how, winner=winner.key, points=points, tokens=tokens, blue="" if conquest else game.pair[0].key)


def _report(game: Game, by: Entry) -> Game:
    """Let a player report a game."""
    return results.report_result(actor=None, entry=by, game=game, result=_result(game), version=game.version)
