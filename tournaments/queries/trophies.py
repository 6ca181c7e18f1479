"""The trophies of an event: those that an organizer gives, and one by the votes of opponents."""

from collections import Counter
from typing import NamedTuple

from django.db.models import Q, QuerySet

from tournaments.models import Entry, Event, Game, Round
from tournaments.models.entry import LEFT


class Trophy(NamedTuple):
    """A trophy with its winners, and those with the most votes if nobody has it because they are several."""

    name: str
    winners: list[Entry]
    tied: list[Entry]


def trophy_names(event: Event) -> list[str]:
    """Return the names of all trophies, the one by votes last."""
    lines = (*event.trophies.splitlines(), event.voted_trophy)
    return list(dict.fromkeys(name for line in lines if (name := line.strip())))


def trophies_of(event: Event) -> list[Trophy]:
    """Return the trophies of an event in one query, none before it is finished: votes are secret until then. An
    organizer's decision counts before the votes; those by and for ejected players do not count.
    """
    found = []
    entries = list(event.entries.all()) if event.state == Event.State.FINISHED else []
    there = {entry.pk: entry for entry in entries if entry.state != Entry.State.EJECTED}
    votes = Counter(entry.vote_id for entry in there.values() if entry.vote_id in there)
    best = [there[pk] for pk, number in votes.items() if pk and number == max(votes.values())]
    for name in trophy_names(event) if entries else ():
        winners = [entry for entry in entries if name in entry.trophies]
        most = best if name == event.voted_trophy and not winners else []
        found.append(Trophy(name, most if len(most) == 1 else winners, most if len(most) > 1 else []))
    return found


def opponents_to_vote_for(entry: Entry) -> QuerySet[Entry]:
    """Return the opponents whom a player met and can vote for now: none without a trophy by votes, for ejected players,
    before the player's last round, and once the event is finished.
    """
    event = entry.event
    if not event.voted_trophy or event.state != Event.State.RUNNING or entry.state == Entry.State.EJECTED:
        return Entry.objects.none()
    games = Game.objects.filter(Q(first=entry) | Q(second=entry), round__event=event).exclude(second=None)
    games = games.exclude(round__state=Round.State.DRAFT)
    swiss = event.round_set.filter(stage=Round.Stage.SWISS).exclude(state=Round.State.DRAFT)
    met = event.entries.filter(Q(pk__in=games.values("first")) | Q(pk__in=games.values("second"))).exclude(pk=entry.pk)
    if entry.state not in LEFT and (swiss.count() < event.rounds or games.exclude(state=Game.State.CONFIRMED).exists()):
        return met.none()
    return met.exclude(state=Entry.State.EJECTED)
