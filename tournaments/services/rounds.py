"""Rounds: change drawn pairings by hand, publish them, close the round (E17–E25). `pairing` draws them.

Services that take `number` return a round of that number unchanged if it has already come that far, so that a form that
is sent twice, or from a page that is out of date, never acts on the next round. A change by hand carries the `version`
of the pairings it was chosen from: sent twice it is made once, and chosen from older pairings it is refused.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, ngettext

from accounts.models import User
from core.db.rows import update
from rules.core.violations import RuleViolation, Violation, refuse
from rules.tournaments.tables import assign_tables
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.models.entry import LEFT
from tournaments.queries.events import check_players, proposal
from tournaments.queries.history import history_of
from tournaments.queries.rounds import corrections_since, draft_version, hand_choices, is_changeable, last_round
from tournaments.queries.tables import hall_of
from tournaments.services.locks import lock_organized
from tournaments.services.log import checked_reason, log_line
from tournaments.services.notifications import notify_of_pairings
from tournaments.services.pairing import Seats, move_to_table, redraw, swiss_seats, with_fixed_tables

#: The highest number of a table.
LAST_TABLE = 999


@transaction.atomic
def publish_round(*, actor: User, event: Event, number: int | None = None, version: str = "") -> Round:
    """Publish the draft; publishing it again changes nothing (E24). The first one freezes the number of players, and
    with it the Swiss rounds and the cut that the structure has for them (E14, E15).

    Refuses an event without a round, too few players for the first one, and pairings that were changed since they were
    shown: `version` is their `draft_version`.
    """
    locked = lock_organized(actor, event)
    if (last := last_round(locked, number)) is None:
        raise refuse("", gettext("There are no pairings yet. Draw them first."))
    if last.state == Round.State.DRAFT:
        if version and draft_version(last.games.all()) != version:
            raise refuse("E24", gettext("The pairings were changed a moment ago. Look at them again, then publish."))
        facts: dict[str, Any] = {} if locked.frozen_players is not None else _freeze(locked)
        update(last, state=Round.State.PUBLISHED)
        log_line(actor, locked, LogKind.PUBLISHED, round=last.number, **facts)
        notify_of_pairings(last)
    return last


@transaction.atomic
def close_round(*, actor: User, event: Event, number: int | None = None) -> Round:
    """Close the published round. Refuses an unconfirmed result (E28) and an unpublished round. Idempotent."""
    locked = lock_organized(actor, event)
    last = last_round(locked, number)
    if last is None or last.state == Round.State.DRAFT:
        raise refuse("", gettext("Publish the pairings first."))
    if last.state == Round.State.CLOSED:
        return last
    if missing := last.games.exclude(second=None).exclude(state=Game.State.CONFIRMED).count():
        text = ngettext("%(number)s result is missing.", "%(number)s results are missing.", missing)
        raise refuse("E28", text % {"number": missing})
    update(last, state=Round.State.CLOSED)
    log_line(actor, locked, LogKind.CLOSED, round=last.number)
    return last


# --- Drafts changed by hand ------------------------------------------------------------------------------------------


@transaction.atomic
def swap_players(
    *, actor: User, event: Event, number: int, one: Entry, other: Entry, reason: str, version: str
) -> None:
    """Let two players of round `number` change places (E24); one of them may have the bye. A player with a fixed table
    keeps it (E22). Refuses two players of one game, a bracket (E39), a round that has started, and a change without a
    reason.
    """
    what = {"act": "swap", "entries": sorted((one.number, other.number))}
    if (change := _Change.begin(actor, event, number, reason, version, what)) is None:
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
    what = {"act": "bye", "entries": [entry.number], **({"again": True} if again else {})}
    if (change := _Change.begin(actor, event, number, reason, version, what)) is None:
        return
    change.check_swiss()
    change.seats_of(entry)
    holder = next((each.first for each in change.seats.values() if each.first and not each.second), None)
    if holder is None:
        raise refuse("E19", gettext("Nobody has a bye: the number of players is even."), "players")
    if holder.pk == entry.pk:
        raise refuse("E19", gettext("%(player)s has the bye already.") % {"player": entry.name}, "players")
    if again:
        change.draw_again(bye=entry.key)
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
    if (change := _Change.begin(actor, event, number, reason, version, what)) is None:
        return
    seats = dict(change.seats)
    if any(place not in seats or not 1 <= table <= LAST_TABLE for place, table in tables.items()):
        raise RuleViolation([table_violation("tables")])
    moved = {
        place: table for place, table in tables.items() if seats[place].second and seats[place].table != table
    }  # fmt: skip
    if len(set(moved.values())) < len(moved):
        raise refuse("E24", gettext("Two games cannot have one table. Enter different numbers."), "tables")
    for place, table in moved.items():
        move_to_table(seats, place, table)
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
    reason = checked_reason("E24", reason)
    if table is not None and not 1 <= table <= LAST_TABLE:
        raise RuleViolation([table_violation("table")])
    before, entry.fixed_table = entry.fixed_table, table
    entry.save(update_fields=["fixed_table"])
    facts = {"act": "fixed", "entry": entry.number, "before": before, "after": table}
    log_line(actor, locked, LogKind.PAIRED, reason=reason, **facts)
    last = locked.round_set.order_by("-number").first()
    if last and is_changeable(last, games := _games(last)):
        seats = {game.place: Seats(game.first, game.second, game.table) for game in games}
        _write(games, with_fixed_tables(seats))


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
    change.draw_again()


# --- Who joins or leaves, inside the services of entries and results ----------------------------------------------


def seat_late_entry(event: Event, entry: Entry) -> bool:
    """Let a late entry of a locked event play who has the bye, in a Swiss round that has not started and that is
    published, or a draft with pairs chosen by hand (E21, E24): nobody else is paired again. Return whether they do.
    They never meet a teammate, or somebody whom they have met before (E18).
    """
    last = event.round_set.order_by("-number").first()
    if last is None or last.stage != Round.Stage.SWISS:
        return False
    games, is_draft = _games(last), last.state == Round.State.DRAFT
    bye = next((game for game in games if game.first and not game.second), None)
    if bye is None or bye.first is None or bye.first.state in LEFT or not is_changeable(last, games):
        return False
    if any(entry in (game.first, game.second) for game in games):  # who dropped and is back has a place
        return False
    has_met = Game.objects.filter(round__event=event, first__in=(bye.first, entry), second__in=(bye.first, entry))
    if has_met.exists() or (event.team_size and entry.team_id and entry.team_id == bye.first.team_id):
        return False
    if is_draft and not hand_choices(event, last.number, games):
        return False
    count, kept = hall_of(event)
    pairs, taken = [(bye.first.key, entry.key)], kept | {game.table for game in games}
    (table,) = assign_tables(pairs, history_of(event).swiss(), {}, count, taken)
    seats = {game.place: Seats(game.first, game.second, game.table) for game in games}
    seats[bye.place] = Seats(bye.first, entry, table)
    numbers = [bye.first.number, entry.number]
    before, after = _write(games, with_fixed_tables(seats))
    facts: dict[str, Any] = {"act": "late", "round": last.number, "entries": numbers, "before": before, "after": after}
    log_line(None, event, LogKind.PAIRED, **facts)
    last.event = event
    if not is_draft:
        notify_of_pairings(last)
    return True


# --- Undoing, inside the service of undo ------------------------------------------------------------------------------


def withdraw_pairings(actor: User, current: Round, reason: str) -> None:
    """Make a draft of the published round again, so that its pairings can be changed until it starts (E24). If the
    players have changed since, or results that it was drawn from were corrected, the draft is drawn again (E17, E31).
    """
    event, history = current.event, history_of(current.event)
    update(current, state=Round.State.DRAFT)
    current.unpaired_losses.all().delete()
    log_line(actor, event, LogKind.PAIRED, reason=reason, round=current.number, withdrawn=True)
    games = history.rounds[-1].games.all()
    paired = {each.number for game in games for each in (game.first, game.second) if each}
    active = {history.entries[key].number for key in history.active}
    if current.stage == Round.Stage.SWISS and paired != active:
        why = "came" if active - paired else "left"
        redraw(event=event, because=why, entries=sorted(active - paired or paired - active))
    elif corrected := corrections_since(event, current):
        redraw(event=event, because="result", corrected=sorted({line.facts["round"] for line in corrected}))


def reopen_round(actor: User, closed: Round, reason: str) -> None:
    """Make a closed round the one under way again (E31). A draft of the next one is deleted."""
    event = closed.event
    deleted, _rows = event.round_set.filter(number__gt=closed.number, state=Round.State.DRAFT).delete()
    update(closed, state=Round.State.PUBLISHED)
    facts: dict[str, Any] = {"draft": closed.number + 1} if deleted else {}
    log_line(actor, event, LogKind.UNDONE, reason=reason, act="close", round=closed.number, **facts)


def clear_result(game: Game) -> None:
    """Delete the result of a game and whatever was reported of it, so that it is not played (E28)."""
    game.how, game.winner, game.by, game.blue, game.roll, game.agreed = "", None, None, None, None, False
    game.first_points = game.second_points = game.first_tokens = game.second_tokens = 0
    game.state, game.reported_by, game.reported_at, game.dispute = Game.State.OPEN, None, None, ""
    game.mission, game.phase, game.version = "", "", game.version + 1
    game.save()


# --- Parts ---------------------------------------------------------------------------------------------------------


def _freeze(event: Event) -> dict[str, int]:
    """Freeze the number of players, the Swiss rounds and the cut, and return them for the log."""
    players = event.entries.filter(state=Entry.State.PLAYING).count()
    check_players(event, players)
    found = proposal(event, players)
    update(event, frozen_players=players, rounds=found.rounds, cut=found.cut)
    return {"players": players, "rounds": found.rounds, "cut": found.cut}


class _Change:
    """A change by hand of one round of a locked event. `what` are the facts by which a second post is known."""

    def __init__(self, actor: User, current: Round, games: Sequence[Game], reason: str, facts: dict[str, Any]) -> None:
        self.actor, self.current, self.event = actor, current, current.event
        self.games, self.reason, self.facts = games, reason, facts
        self.seats = {game.place: Seats(game.first, game.second, game.table) for game in games}

    @classmethod
    def begin(
        cls, actor: User, event: Event, number: int, reason: str, version: str, what: dict[str, Any]
    ) -> "_Change | None":
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
        return cls(actor, current, games, checked_reason("E24", reason), facts)

    def check_swiss(self) -> None:
        """Refuse a bracket, whose seeds decide who meets whom."""
        if self.current.stage == Round.Stage.BRACKET:
            raise refuse("E39", gettext("The seeds decide who meets whom in a bracket. You can change tables only."))

    def seats_of(self, entry: Entry) -> Seats:
        """Return where a player sits. Refuses a player who is not paired."""
        for each in self.seats.values():
            if entry.pk in (each.first and each.first.pk, each.second and each.second.pk):
                return each
        raise refuse("E24", gettext("%(player)s is not paired in this round.") % {"player": entry.name}, "players")

    def draw_again(self, bye: str = "") -> None:
        """Take the app's own draw, if wanted with another bye."""
        history = history_of(self.event).published
        self.write(dict(enumerate(swiss_seats(history, bye), start=1)))

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
        before, after = _write(self.games, with_fixed_tables(seats) if fixed else seats)
        log_line(self.actor, self.event, LogKind.PAIRED, reason=self.reason, **self.facts, before=before, after=after)


def table_violation(about: str) -> Violation:
    """Return what is wrong with a number that is no table (E22)."""
    return Violation("E22", gettext("A table has a number from 1 to %(last)s.") % {"last": LAST_TABLE}, about)


def _round(event: Event, number: int) -> Round:
    if (found := event.round_set.filter(number=number).first()) is None:
        raise refuse("E24", gettext("These pairings no longer exist. Draw them again."))
    found.event = event
    return found


def _games(current: Round) -> list[Game]:
    return list(current.games.select_related("first", "second").order_by("place"))


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
