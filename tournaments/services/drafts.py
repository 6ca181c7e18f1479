"""Drafts of pairings: changes by hand until the round starts, each with a reason in the public log (E19, E22, E24).

A change carries the `version` of the pairings it was chosen from. One that is sent twice is made once; one that was
chosen from older pairings is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import refuse
from rules.tournaments.pairing import Pairing
from rules.tournaments.tables import assign_tables
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.queries.drafts import draft_version, draw_with_bye, is_changeable, without_draft
from tournaments.queries.history import history_of
from tournaments.services.locks import lock_organized
from tournaments.services.log import record
from tournaments.services.outer_lock import lock_outside
from tournaments.services.rounds import draw_pairing, publish_round

#: The highest number of a table.
LAST_TABLE = 999
LONGEST_REASON = 500


class Seats(NamedTuple):
    """Who plays at which table: the second is None for a bye, whose table is 0."""

    first: Entry | None
    second: Entry | None
    table: int


@transaction.atomic
def publish_draft(*, actor: User, event: Event, number: int, version: str) -> bool:
    """Publish the draft of round `number` as it was shown. Return False if that was done already. Refuses pairings that
    were changed since then (E24).
    """
    locked = lock_outside(event)
    current = _round(locked, number)
    if current.state != Round.State.DRAFT:
        return False
    if draft_version(current.games.all()) != version:
        raise refuse("E24", gettext("The pairings were changed a moment ago. Look at them again, then publish."))
    publish_round(actor=actor, event=locked)
    return True


@transaction.atomic
def swap_players(
    *, actor: User, event: Event, number: int, one: Entry, other: Entry, reason: str, version: str
) -> None:
    """Let two players of round `number` change places (E24); one of them may have the bye. A player with a fixed table
    keeps it (E22). Refuses two players of one game, a bracket (E39), a round that has started, and a change without a
    reason.
    """
    what = {"act": "swap", "entries": sorted((one.number, other.number))}
    change = _Change.begin(actor, event, number, reason, version, what)
    if change is None:
        return
    change.check_swiss()
    seats = [change.seats_of(each) for each in (one, other)]
    if seats[0] == seats[1]:
        raise refuse("E24", gettext("These two already play each other. Choose players of two games."), "players")
    change.exchange(one, other)


@transaction.atomic
def give_bye(
    *, actor: User, event: Event, number: int, entry: Entry, reason: str, version: str, again: bool = False
) -> None:
    """Give the bye of round `number` to another player, who changes places with the player who has it. With `again`
    everybody else is paired by the app again, which takes up the offer of E19. Refuses a round without a bye, and what
    `swap_players` refuses.
    """
    what = {"act": "bye", "entries": [entry.number]}
    change = _Change.begin(actor, event, number, reason, version, what)
    if change is None:
        return
    change.check_swiss()
    change.seats_of(entry)
    holder = next((each.first for each in change.seats.values() if each.first and not each.second), None)
    if holder is None:
        raise refuse("E19", gettext("Nobody has a bye: the number of players is even."), "players")
    if holder.pk == entry.pk:
        raise refuse("E19", gettext("{player} has the bye already.", player=entry.name), "players")
    if again:
        change.write(change.as_seats(draw_with_bye(without_draft(history_of(change.event)), entry.key)))
        return
    change.exchange(holder, entry)


@transaction.atomic
def set_tables(*, actor: User, event: Event, number: int, tables: Mapping[int, int], reason: str, version: str) -> None:
    """Put games of round `number` on other tables: `tables` are table numbers by the place of the game (E22, E24). A
    game whose table is taken gets the table that became free. Refuses numbers that are no table, a round that has
    started, and a change without a reason.
    """
    asked = sha256(repr(sorted(tables.items())).encode()).hexdigest()[:16]
    what = {"act": "tables", "asked": asked}
    change = _Change.begin(actor, event, number, reason, version, what)
    if change is None:
        return
    seats = dict(change.seats)
    if any(place not in seats or not 1 <= table <= LAST_TABLE for place, table in tables.items()):
        raise refuse("E22", gettext("A table has a number from 1 to {last}.", last=LAST_TABLE), "tables")
    moved = {
        place: table for place, table in tables.items() if seats[place].second and seats[place].table != table
    }  # fmt: skip
    if len(set(moved.values())) < len(moved):
        raise refuse("E24", gettext("Two games cannot have one table. Enter different numbers."), "tables")
    for place, table in moved.items():
        _move(seats, place, table)
    if seats == change.seats:
        raise refuse("E24", gettext("Enter another table for at least one game."), "tables")
    change.write(seats, fixed=False)


@transaction.atomic
def fix_table(*, actor: User, entry: Entry, table: int | None, reason: str) -> None:
    """Give a player a fixed table from now on, or none (E22). A round that has not started follows at once. Fixing the
    same table again changes nothing. Refuses a number that is no table, and a change without a reason.
    """
    locked = lock_organized(actor, entry.event)
    entry.refresh_from_db()
    if entry.fixed_table == table:
        return
    _check_reason(reason)
    if table is not None and not 1 <= table <= LAST_TABLE:
        raise refuse("E22", gettext("A table has a number from 1 to {last}.", last=LAST_TABLE), "table")
    before, entry.fixed_table = entry.fixed_table, table
    entry.save(update_fields=["fixed_table"])
    facts = {"act": "fixed", "entry": entry.number, "before": before, "after": table}
    record(actor=actor, event=locked, kind=LogKind.PAIRED, reason=reason.strip(), **facts)
    last = locked.round_set.order_by("-number").first()
    if last and is_changeable(last, games := _games(last)):
        seats = {game.place: Seats(game.first, game.second, game.table) for game in games}
        _write(games, _with_fixed_tables(seats))


@transaction.atomic
def restore_draw(*, actor: User, event: Event, number: int, reason: str, version: str) -> None:
    """Return to the app's own draw of round `number`. The same seed gives the same pairs (E23, E24). Refuses a bracket,
    a round that is published, and a change without a reason.
    """
    change = _Change.begin(actor, event, number, reason, version, {"act": "restored"})
    if change is None:
        return
    change.check_swiss()
    if change.current.state != Round.State.DRAFT:
        raise refuse("E24", gettext("The pairings are published. Swap players instead."))
    change.write(change.as_seats(draw_pairing(without_draft(history_of(change.event)))))


class _Change:
    """A change by hand of one round of a locked event. `what` are the facts by which a second post is known."""

    def __init__(self, actor: User, current: Round, games: Sequence[Game], reason: str, facts: dict[str, Any]) -> None:
        self.actor, self.current, self.event = actor, current, current.event
        self.games, self.reason, self.facts = games, reason, facts
        self.seats = {game.place: Seats(game.first, game.second, game.table) for game in games}

    @classmethod
    def begin(
        cls, actor: User, event: Event, number: int, reason: str, version: str, what: dict[str, Any]
    ) -> _Change | None:
        """Lock the event and begin a change; None if it was made already."""
        locked = lock_organized(actor, event)
        current = _round(locked, number)
        games, facts = _games(current), {**what, "round": number, "version": version}
        if draft_version(games) != version:
            if locked.log.filter(kind=LogKind.PAIRED, facts__contains=facts).exists():
                return None
            raise refuse("E24", gettext("The pairings were changed a moment ago. Look at them again."))
        if not is_changeable(current, games):
            raise refuse("E24", gettext("The round has started. Its pairings stay."))
        _check_reason(reason)
        return cls(actor, current, games, reason.strip(), facts)

    def check_swiss(self) -> None:
        """Refuse a bracket, whose seeds decide who meets whom."""
        if self.current.stage == Round.Stage.BRACKET:
            raise refuse("E39", gettext("The seeds decide who meets whom in a bracket. You can change tables only."))

    def seats_of(self, entry: Entry) -> Seats:
        """Return where a player sits. Refuses a player who is not paired."""
        for each in self.seats.values():
            if entry.pk in (each.first and each.first.pk, each.second and each.second.pk):
                return each
        raise refuse("E24", gettext("{player} is not paired in this round.", player=entry.name), "players")

    def as_seats(self, drawn: Pairing) -> dict[int, Seats]:
        """Return a pairing of the app with its tables, by place."""
        history = without_draft(history_of(self.event))
        entries, played = history.entries, history.swiss()
        fixed = {key: entry.fixed_table for key, entry in entries.items() if entry.fixed_table}
        tables = assign_tables(drawn.pairs, played, fixed)
        rows = [Seats(entries[a], entries[b], table) for (a, b), table in zip(drawn.pairs, tables, strict=True)]
        if drawn.bye:
            rows.append(Seats(entries[drawn.bye], None, 0))
        return dict(enumerate(rows, start=1))

    def exchange(self, one: Entry, other: Entry) -> None:
        """Let two players change places."""
        swapped = {one.pk: other, other.pk: one}
        self.write(
            {
                place: Seats(
                    old.first and swapped.get(old.first.pk, old.first),
                    old.second and swapped.get(old.second.pk, old.second),
                    old.table,
                )
                for place, old in self.seats.items()
            }
        )

    def write(self, seats: dict[int, Seats], *, fixed: bool = True) -> None:
        """Write the new seats and a line in the log with what it was and is."""
        before, after = _write(self.games, _with_fixed_tables(seats) if fixed else seats)
        record(
            actor=self.actor, event=self.event, kind=LogKind.PAIRED, reason=self.reason,
            **self.facts, before=before, after=after,
        )  # fmt: skip


def _check_reason(reason: str) -> None:
    if not 0 < len(reason.strip()) <= LONGEST_REASON:
        text = gettext("Give a reason of at most {number} letters. Everyone can read it.", number=LONGEST_REASON)
        raise refuse("E24", text, "reason")


def _round(event: Event, number: int) -> Round:
    found = event.round_set.filter(number=number).first()
    if found is None:
        raise refuse("E24", gettext("These pairings no longer exist. Draw them again."))
    found.event = event
    return found


def _games(current: Round) -> list[Game]:
    return list(current.games.select_related("first", "second").order_by("place"))


def _move(seats: dict[int, Seats], place: int, table: int) -> None:
    """Put a game on a table; the game that has it gets the table that becomes free."""
    free = seats[place].table
    for other, each in seats.items():
        if other != place and each.second and each.table == table:
            seats[other] = each._replace(table=free)
    seats[place] = seats[place]._replace(table=table)


def _with_fixed_tables(seats: Mapping[int, Seats]) -> dict[int, Seats]:
    """Return seats with every fixed table observed; of two players who want one table the first has it (E22)."""
    found, taken = dict(seats), set[int]()
    for place in sorted(seats):
        one, other = found[place].first, found[place].second
        wanted = next((each.fixed_table for each in (one, other) if each and each.fixed_table), None)
        if one and other and wanted and wanted not in taken:
            taken.add(wanted)
            if found[place].table != wanted:
                _move(found, place, wanted)
    return found


def _write(games: Sequence[Game], seats: Mapping[int, Seats]) -> tuple[list[Any], list[Any]]:
    """Write the games whose seats have changed; return them as they were and as they are, as facts for the log."""
    changed = [game for game in games if Seats(game.first, game.second, game.table) != seats[game.place]]
    before = [_facts(game) for game in changed]
    for game in changed:
        game.first, game.second, game.table = seats[game.place]
    # Nobody can be in two games of a round, not even between two statements.
    Game.objects.filter(pk__in=[game.pk for game in changed]).update(first=None, second=None)
    Game.objects.bulk_update(changed, ["first", "second", "table"])
    return before, [_facts(game) for game in changed]


def _facts(game: Game) -> dict[str, Any]:
    return {"table": game.table, "players": [each.number for each in (game.first, game.second) if each]}
