"""Events for tests, made by the real services: cheap, and as far as a test needs them.

    event = make_event("TR", players=5, rounds=3)        # all players have checked in
    event = started(make_event())                        # running, no round yet
    each = published_round(event)                        # round 1 is under way, its games are open
    each = played_round(event, order="CAB")              # a round with results, closed
    event = finished(make_event(players=4, cut=2))       # all rounds and the bracket, and the event is over

Players are called A, B, C, … and have the numbers 1, 2, 3, …: `entry_of(event, "B")`. The organizer is the user "olga":
`organizer()`.
"""

from collections.abc import Sequence
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from accounts.models import User
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tournaments.models import Entry, Event, Game, Membership, Round, StructureChoice
from tournaments.scenarios.play import usual_result
from tournaments.services import bracket, entries, events, pairing, results, rounds

#: The seed of all events made here.
SEED = bytes(range(32))


@once
def organizer() -> User:
    """Return the user who organizes all events made here."""
    return User.objects.filter(username="olga").first() or User.objects.create_user("olga")


def add_player(*, name: str, **words: Any) -> Entry:
    """Add one player to an event by name."""
    (entry,) = add_players(names=[name], **words)
    return entry


def add_players(*, actor: User, event: Event, names: Sequence[str], army_points: int | None = None) -> list[Entry]:
    """Add players to an event by name, each with an army of so many points."""
    players = [entries.NewPlayer(name, army_points=army_points) for name in names]
    return entries.add_players(actor=actor, event=event, players=players)


def player_names(count: int) -> list[str]:
    """Return A to Z, then A2, B2 and so on."""
    return [chr(ord("A") + place % 26) + (str(place // 26 + 1) if place >= 26 else "") for place in range(count)]


@once
def make_event(
    rule_set: str = "GC",
    *,
    players: int | Sequence[str] = 4,
    rounds: int | None = None,
    cut: int = 0,
    name: str = "Winter Conquest",
    **settings: Any,
) -> Event:
    """Return an event whose registration is open and whose players have checked in.

    `players` is their number or their names. With `rounds` or `cut` the structure is custom, else as printed (0 rounds
    and a cut: as many rounds as printed). Lists are not required. `settings` are other fields of the event. The seed
    and the identifier are the same in every run, so that draws are, too.
    """
    custom = rounds is not None or cut
    event = events.create_event(
        actor=organizer(), name=name, rule_set=RuleSet(rule_set), rounds=rounds or 0, cut=cut,
        structure=StructureChoice.CUSTOM if custom else StructureChoice.STANDARD,
        event_id=uuid5(NAMESPACE_OID, f"event {Event.objects.count()}"),
    )  # fmt: skip
    for field, value in {"state": Event.State.OPEN, "seed": SEED, "lists_required": False, **settings}.items():
        setattr(event, field, value)
    event.save()
    names = player_names(players) if isinstance(players, int) else list(players)
    added = add_players(actor=organizer(), event=event, names=names)
    entries.check_in(actor=organizer(), event=event, entries=added)
    return event


@once
def started(event: Event) -> Event:
    """Start an event and return it as it is now."""
    return events.start(actor=organizer(), event=event)


def entry_of(event: Event, name: str) -> Entry:
    """Return the player of this name."""
    return event.entries.get(name=name)


@once
def published_round(event: Event) -> Round:
    """Draw the next round, of the Swiss rounds or of the bracket, and publish it. A round under way is returned."""
    event.refresh_from_db()
    if current := event.round_set.filter(state=Round.State.PUBLISHED).first():
        return current
    drawn = event.round_set.filter(stage=Round.Stage.SWISS, state=Round.State.CLOSED).count()
    has_all = event.frozen_players is not None and drawn >= event.rounds
    if event.cut and has_all and not event.round_set.filter(stage=Round.Stage.BRACKET).exists():
        bracket.make_cut(actor=organizer(), event=event)
    pairing.draw_round(actor=organizer(), event=event)
    return rounds.publish_round(actor=organizer(), event=event)


def games_of(each: Round) -> list[Game]:
    """Return the games of a round without its byes, with their players."""
    return list(each.games.exclude(second=None).select_related("first", "second", "round__event"))


@once
def played_round(event: Event, order: Sequence[str] = ()) -> Round:
    """Draw and publish the next round, let it be played, close and return it.

    Who stands earlier in `order` (names) wins 500 to 300 with 5 tokens to 3; without it the lower number.
    """
    each = published_round(event)
    for game in games_of(each):
        first, second = game.pair
        first_wins = order.index(first.name) < order.index(second.name) if order else first.number < second.number
        result = usual_result(game, first_wins=first_wins)
        results.save_result(actor=organizer(), game=game, result=result)
    return rounds.close_round(actor=organizer(), event=event)


@once
def finished(event: Event, order: Sequence[str] = ()) -> Event:
    """Play all that is left of an event, as `played_round`, and finish it."""
    event.refresh_from_db()
    if event.state != Event.State.RUNNING:
        event = started(event)
    while not _is_played(event):
        played_round(event, order)
    return events.finish(actor=organizer(), event=event)


def _is_played(event: Event) -> bool:
    event.refresh_from_db()
    last = event.round_set.last()
    if last is None or event.frozen_players is None:
        return False
    if event.cut or event.structure == StructureChoice.ELIMINATION:
        is_final = last.stage == Round.Stage.BRACKET and last.games.count() == 1
        return is_final and last.state == Round.State.CLOSED
    return last.number >= event.rounds


@once
def make_leader(event: Event, role: str = Role.JUDGE, name: str = "") -> User:
    """Return a new user who leads the event in this role. The default name is the role's."""
    user = User.objects.create_user(name or str(role).replace("_", "-"))
    Membership.objects.create(event=event, user=user, role=role)
    return user


@once
def account_entry(event: Event, user: User) -> Entry:
    """Return an entry of a user with an account, by the user's name: checked in, or playing if the event runs."""
    entry = add_player(actor=organizer(), event=event, name=user.username)
    Entry.objects.filter(pk=entry.pk).update(user=user)
    entries.check_in(actor=organizer(), event=event, entries=[entry])
    entry.refresh_from_db()
    return entry
