"""Rounds: draft pairings, change them by hand, publish them, close the round; cut and bracket (E17–E26, E38–E42).

Services that take `number` return a round of that number unchanged if it has already come that far, so that a form that
is sent twice, or from a page that is out of date, never acts on the next round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import Violation, raise_if_any, refuse
from rules.tournaments.bracket import (
    BracketGame,
    drawn_games,
    next_games,
    numbered_games,
    seeded_games,
    seeds_after_cut,
    seeds_after_leaving,
)
from rules.tournaments.clock import round_dice, round_minutes
from rules.tournaments.pairing import Pairing, pair_round
from rules.tournaments.results import Ending
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.tables import assign_tables
from tournaments.models import Entry, Event, Game, LogKind, Round, StructureChoice
from tournaments.queries.history import History, history_of, played_round, ranking
from tournaments.queries.structures import check_players, proposal
from tournaments.services.locks import lock_organized
from tournaments.services.log import record


@transaction.atomic
def draft_round(*, actor: User, event: Event, number: int | None = None) -> Round:
    """Draw the next round as a draft and return it; a draft that exists is returned as it is (E17–E24, E39, E42).

    Refuses to draw before the last round is closed, more Swiss rounds than the event has, and an event that does not
    run.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if there := _round_of(history, number):
        return there
    if draft := _draft_of(history):
        return draft
    _check_can_pair(history)
    return _draw_round(actor, history)


@transaction.atomic
def draft_by_hand(
    *,
    actor: User,
    event: Event,
    pairs: Sequence[tuple[Entry, Entry]],
    bye: Entry | None,
    tables: Sequence[int] | None = None,
    reason: str = "",
) -> Round:
    """Make a draft of pairs that the organizer chose; the log says what changed, and why (E24).

    `tables` are the table numbers of the pairs, in their order; None assigns them (E22). A draft that is already like
    that stays as it is. In a bracket only the tables can change, because it is fixed (E39); in the first round of
    single elimination the players without a pair have the byes (E42). Refuses what `draft_round` refuses, a change
    of a draft without a reason, a table that two pairs have, and pairs that do not name each active player once.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    draft = _draft_of(history)
    if not draft:
        _check_can_pair(history)
    if tables is not None and (
        len(tables) != len(pairs) or len(set(tables)) < len(tables) or min(tables, default=1) < 1
    ):
        raise refuse("E24", gettext("Give each pair a table of its own."), "tables")
    found = [(one.key, other.key) for one, other in pairs]
    chosen = dict(zip(map(frozenset, found), tables or (), strict=False))
    in_bracket = draft.stage == Round.Stage.BRACKET if draft else _is_bracket_next(history)
    facts = _changes(draft, found, None if in_bracket else bye.key if bye else "", chosen)
    if draft and not facts:
        return draft
    if draft and not reason.strip():
        raise refuse("E24", gettext("Give a reason for the change."), "reason")
    if in_bracket:
        made = _bracket_by_hand(history, draft, found, bye)
    else:
        named = [key for pair in found for key in pair] + ([bye.key] if bye else [])
        if sorted(named) != sorted(history.active) or len(named) % 2 != bool(bye):
            raise_if_any(_pairs_violations(history, named))
        if draft:
            draft.delete()
        before = _without(history, draft)
        made = _create_swiss_round(None, before, found, bye.key if bye else "", log=False)
    _set_tables(made, chosen)
    record(actor=actor, event=locked, kind=LogKind.PAIRED, reason=reason.strip(), round=made.number, **facts)
    return made


@transaction.atomic
def publish_round(*, actor: User, event: Event, number: int | None = None) -> Round:
    """Publish the draft; publishing it again changes nothing (E24). The first one freezes the number of players, and
    with it the Swiss rounds and the cut that the structure has for them (E14, E15).

    Refuses an event without a round, and too few players for the first one.
    """
    locked = lock_organized(actor, event)
    last = _last_round(locked, number)
    if last is None:
        raise refuse("", gettext("There are no pairings yet. Draw them first."))
    if last.state == Round.State.DRAFT:
        facts: dict[str, Any] = {} if locked.frozen_players is not None else _freeze(locked)
        last.state = Round.State.PUBLISHED
        last.save(update_fields=["state"])
        record(actor=actor, event=locked, kind=LogKind.PUBLISHED, round=last.number, **facts)
    return last


@transaction.atomic
def withdraw_pairings(*, actor: User, event: Event, reason: str, number: int | None = None) -> Round | None:
    """Make a draft of the published round again, so that its pairings can be changed until it starts (E24); a draft is
    returned as it is. If the players have changed since, the draft is drawn again.

    Refuses it without a reason, once the clock has started, and once a result was entered.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    current = history.current
    if current is None or number not in (None, current.number):
        raise refuse("E24", gettext("No round is published."))
    if current.state == Round.State.DRAFT:
        return current
    if not reason.strip():
        raise refuse("E24", gettext("Give a reason for the change."), "reason")
    if current.started_at or any(game.state != Game.State.OPEN for game in current.games.all()):
        raise refuse("E24", gettext("Round {number} has started. Its pairings stand.", number=current.number))
    current.state = Round.State.DRAFT
    current.save(update_fields=["state"])
    current.unpaired_losses.all().delete()
    facts = {"round": current.number, "withdrawn": True}
    record(actor=actor, event=locked, kind=LogKind.PAIRED, reason=reason.strip(), **facts)
    paired = {pk for game in current.games.all() for pk in (game.first_id, game.second_id) if pk}
    if current.stage == Round.Stage.SWISS and paired != {history.entries[key].pk for key in history.active}:
        return redraw(actor=actor, event=locked)
    return current


@transaction.atomic
def start_clock(*, actor: User, event: Event, now: datetime, number: int | None = None) -> Round:
    """Start the clock of the published round (E26); pressing it again changes nothing. Refuses without such a round."""
    locked = lock_organized(actor, event)
    current = _last_round(locked, number)
    if current is not None and current.started_at is not None and number is not None:
        return current
    if current is None or current.state != Round.State.PUBLISHED:
        raise refuse("E26", gettext("Publish the pairings first."))
    if current.started_at is None:
        is_final = current.stage == Round.Stage.BRACKET and current.games.count() == 1
        dice = round_dice(locked.draw, current.number) if locked.rule_set == RuleSet.GALACTIC_CONQUEST else ()
        current.minutes = round_minutes(RuleSet(locked.rule_set), dice, is_final=is_final)
        current.started_at = now
        current.save(update_fields=["minutes", "started_at"])
    return current


@transaction.atomic
def reset_clock(*, actor: User, event: Event, number: int, reason: str) -> Round:
    """Take back that the clock of the published round was started, and return the round (E26). Its pairings can be
    changed again until it is started again, with the same minutes (E23). A clock that does not run stays so.

    Refuses it without a reason, once a result was entered, and for a round that is not published.
    """
    locked = lock_organized(actor, event)
    current = _last_round(locked, number)
    if current is None or current.state != Round.State.PUBLISHED:
        raise refuse("E26", gettext("This round is not under way."))
    if current.started_at is None:
        return current
    if not reason.strip():
        raise refuse("E26", gettext("Give a reason. Everyone can read it."), "reason")
    if current.games.exclude(state=Game.State.OPEN).exists():
        raise refuse("E26", gettext("Round {number} has a result. Its clock runs on.", number=current.number))
    current.started_at = current.minutes = None
    current.save(update_fields=["started_at", "minutes"])
    record(actor=actor, event=locked, kind=LogKind.CLOCK, reason=reason.strip(), round=current.number, reset=True)
    return current


@transaction.atomic
def close_round(*, actor: User, event: Event, number: int | None = None) -> Round:
    """Close the published round; closing it again changes nothing. Refuses a round with a game that has no confirmed
    result (E28), and one that is not published.
    """
    locked = lock_organized(actor, event)
    last = _last_round(locked, number)
    if last is None or last.state == Round.State.DRAFT:
        raise refuse("", gettext("Publish the pairings first."))
    if last.state == Round.State.CLOSED:
        return last
    missing = last.games.exclude(second=None).exclude(state=Game.State.CONFIRMED).count()
    if missing:
        raise refuse("E28", gettext("{number} results are missing.", number=missing))
    last.state = Round.State.CLOSED
    last.save(update_fields=["state"])
    record(actor=actor, event=locked, kind=LogKind.CLOSED, round=last.number)
    return last


@transaction.atomic
def make_cut(*, actor: User, event: Event) -> Round:
    """Make the cut: the best active players advance to a seeded bracket, whose first round becomes a draft (E38, E39).
    Making it again changes nothing. Refuses a cut before the Swiss rounds are closed, an event without one, and too few
    active players.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if bracket := history.of_stage(Round.Stage.BRACKET):
        return bracket[0]
    if history.current or not history.rounds or len(history.rounds) < locked.rounds:
        raise refuse("E38", gettext("Close all Swiss rounds first."))
    return _create_bracket(actor, history)


def draw_pairing(history: History) -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23)."""
    ordered, active = history.standings(), set(history.active)
    points = {standing.player: standing.points for standing in ordered if standing.player in active}
    number = len(history.rounds) + 1
    return pair_round(history.event.draw, number, points, history.swiss(), ranking(ordered, active))


# --- Who joins or leaves, inside the services of entries and results ----------------------------------------------


def redraw(*, actor: User | None, event: Event) -> Round | None:
    """Draw the draft of a locked event again, because its players or the results before it have changed, and return it;
    None without a draft. Changes by hand are lost, and the log has the new draw. With fewer than two players left the
    draft is only discarded.
    """
    history = history_of(event)
    draft = _draft_of(history)
    if draft is None:
        return None
    is_first_of_bracket = draft.stage == Round.Stage.BRACKET and draft == history.of_stage(Round.Stage.BRACKET)[0]
    draft.delete()
    before = _without(history, draft)
    if is_first_of_bracket and event.structure != StructureChoice.ELIMINATION:
        return _create_bracket(actor, before, is_first=False)
    if len(before.active) < 2:
        record(actor=actor, event=event, kind=LogKind.PAIRED, round=draft.number, discarded=True)
        return None
    return _draw_round(actor, before)


def has_bracket_begun(event: Event) -> bool:
    """Return whether it is too late to join, because a bracket was drawn. The draft of single elimination is drawn
    again for players who come late.
    """
    bracket = event.round_set.filter(stage=Round.Stage.BRACKET)
    return bracket.exclude(number=1, state=Round.State.DRAFT).exists()


def is_replaceable(event: Event) -> bool:
    """Return whether no game of the stage after the cut is played yet, so that who leaves is replaced (E38)."""
    bracket = list(event.round_set.filter(stage=Round.Stage.BRACKET)[:2])
    return (
        len(bracket) == 1
        and bracket[0].number > 1
        and bracket[0].started_at is None
        and not bracket[0].games.exclude(state=Game.State.OPEN).exists()
    )


def leave_bracket(actor: User | None, event: Event, entry: Entry) -> None:
    """Let a player who has left leave the draft or the bracket of a locked event. A player who is not in the last round
    changes nothing in it, for example one who was cut.

    A draft of a Swiss round is drawn again. Before a bracket game is played the next in the standings enters last
    (E38). After that the opponent has a bye: the open game is won by no-show, and a draft becomes a bye (E41).
    """
    history = history_of(event)
    last = history.rounds[-1] if history.rounds else None
    games = last.games.all() if last else ()
    own = next((game for game in games if entry.pk in (game.first_id, game.second_id)), None)
    if last is None or own is None:
        return
    if not has_bracket_begun(event):
        if last.state == Round.State.DRAFT:
            redraw(actor=actor, event=event)
    elif is_replaceable(event):
        last.delete()
        _create_bracket(actor, history_of(event), is_first=False)
    elif own.state == Game.State.OPEN and own.second:
        _leave_game(last, own, entry)


def _leave_game(current: Round, game: Game, entry: Entry) -> None:
    opponent = game.second if game.first_id == entry.pk else game.first
    if current.state == Round.State.DRAFT:
        game.first, game.second, game.table = opponent, None, 0
    else:
        game.how, game.by, game.winner, game.state = Ending.NO_SHOW, entry, opponent, Game.State.CONFIRMED
        game.reported_by, game.reported_at, game.version = None, timezone.now(), game.version + 1
    game.save()


# --- Parts ---------------------------------------------------------------------------------------------------------


def _round_of(history: History, number: int | None) -> Round | None:
    return next((each for each in history.rounds if each.number == number), None)


def _draft_of(history: History) -> Round | None:
    current = history.current
    return current if current and current.state == Round.State.DRAFT else None


def _without(history: History, draft: Round | None) -> History:
    return History(history.event, history.entries, history.rounds[:-1] if draft else history.rounds)


def _last_round(event: Event, number: int | None) -> Round | None:
    """Return the last round, or an earlier one that a page which is out of date speaks of."""
    rounds = event.round_set.order_by("-number")
    return (rounds if number is None else rounds.filter(number=number)).first()


def _freeze(event: Event) -> dict[str, int]:
    """Freeze the number of players, the Swiss rounds and the cut, and return them for the log."""
    players = event.entries.filter(state=Entry.State.PLAYING).count()
    check_players(event, players)
    found = proposal(event, players)
    event.frozen_players, event.rounds, event.cut = players, found.rounds, found.cut
    event.save(update_fields=["frozen_players", "rounds", "cut"])
    return {"players": players, "rounds": found.rounds, "cut": found.cut}


def _check_can_pair(history: History) -> None:
    event = history.event
    if event.state != Event.State.RUNNING:
        raise refuse("", gettext("Start the event first."))
    if history.current:
        raise refuse("E17", gettext("Close round {number} first.", number=history.current.number))
    bracket = history.bracket()
    if bracket and len(bracket[-1]) == 1:
        raise refuse("E39", gettext("The final is played."))
    if not bracket and event.frozen_players is not None and 0 < event.rounds <= len(history.rounds):
        rule = "E14" if event.rule_set == RuleSet.GALACTIC_CONQUEST else "E15"
        raise refuse(rule, gettext("All Swiss rounds are played."))


def _draw_round(actor: User | None, history: History) -> Round:
    if _is_bracket_next(history):
        return _create_bracket_round(actor, history, _bracket_games(history))
    drawn = draw_pairing(history)
    return _create_swiss_round(actor, history, drawn.pairs, drawn.bye)


def _is_bracket_next(history: History) -> bool:
    is_elimination = history.event.structure == StructureChoice.ELIMINATION
    return is_elimination or bool(history.of_stage(Round.Stage.BRACKET))


def _bracket_games(history: History) -> tuple[BracketGame, ...]:
    columns = history.bracket()
    return next_games(columns[-1], history.active) if columns else drawn_games(history.event.draw, history.active)


def _bracket_by_hand(
    history: History, draft: Round | None, pairs: Sequence[tuple[str, str]], bye: Entry | None
) -> Round:
    """Return the draft of a bracket round with pairs that the organizer chose."""
    games = history.bracket()[-1] if draft else _bracket_games(history)
    before = _without(history, draft)
    if before.rounds:
        wanted = {frozenset(pair) for pair in pairs}
        if wanted != {frozenset(game.players) for game in games if game.is_open}:
            raise refuse("E39", gettext("The bracket is fixed: the winners of neighboring games meet."))
        return draft or _create_bracket_round(None, before, games, log=False)
    named = [key for pair in pairs for key in pair]
    over = [key for key in history.active if key not in named]
    byes = sum(not all(game.players) for game in games)
    if len(set(named)) < len(named) or not set(named) <= set(history.active) or len(over) != byes:
        text = gettext("Pair each player at most once, and leave {number} without a pair for the byes.", number=byes)
        raise refuse("E42", text)
    if bye and bye.key not in over:
        raise refuse("E42", gettext("{player} has a pair and a bye. Choose one.", player=bye.name))
    if draft:
        draft.delete()
    chosen = [BracketGame(pair) for pair in pairs] + [BracketGame((key, ""), key) for key in over]
    return _create_bracket_round(None, before, numbered_games(history.event.draw, chosen), log=False)


def _create_bracket(actor: User | None, history: History, *, is_first: bool = True) -> Round:
    event, entries = history.event, history.entries
    states = (Entry.State.PLAYING, Entry.State.CUT)
    active = [key for key, entry in entries.items() if entry.state in states and entry.replaceable]
    order = ranking(history.standings(), active)
    seeds = (seeds_after_cut if is_first else seeds_after_leaving)(order, active, event.cut)
    Entry.objects.filter(pk__in=[entries[key].pk for key in active]).update(state=Entry.State.CUT)
    Entry.objects.filter(pk__in=[entries[key].pk for key in seeds if key]).update(state=Entry.State.PLAYING)
    record(actor=actor, event=event, kind=LogKind.CUT, seeds=[entries[key].number for key in seeds if key])
    return _create_bracket_round(actor, history, seeded_games(seeds))


def _create_swiss_round(
    actor: User | None, history: History, pairs: Sequence[tuple[str, str]], bye: str, *, log: bool = True
) -> Round:
    tables = assign_tables(pairs, history.swiss(), _fixed_tables(history))
    rows = [(one, other, table) for (one, other), table in zip(pairs, tables, strict=True)]
    return _create_round(actor, history, Round.Stage.SWISS, [*rows, *([(bye, "", 0)] if bye else [])], log=log)


def _create_bracket_round(
    actor: User | None, history: History, games: Sequence[BracketGame], *, log: bool = True
) -> Round:
    pairs = [game.players for game in games if all(game.players)]
    played = [played_round(each) for each in history.rounds if each.state == Round.State.CLOSED]
    tables = dict(zip(pairs, assign_tables(pairs, played, _fixed_tables(history)), strict=True))
    rows = [(*game.players, tables.get(game.players, 0)) for game in games]
    return _create_round(actor, history, Round.Stage.BRACKET, rows, log=log)


def _fixed_tables(history: History) -> dict[str, int]:
    return {key: entry.fixed_table for key, entry in history.entries.items() if entry.fixed_table}


def _create_round(
    actor: User | None, history: History, stage: str, rows: Sequence[tuple[str, str, int]], *, log: bool
) -> Round:
    """Create a draft with its games, and log that it was drawn."""
    entries: Mapping[str, Entry] = history.entries
    created = Round.objects.create(event=history.event, number=len(history.rounds) + 1, stage=stage)
    Game.objects.bulk_create(
        Game(round=created, place=place, table=table, first=entries.get(first), second=entries.get(second))
        for place, (first, second, table) in enumerate(rows, start=1)
    )
    if log:
        record(actor=actor, event=history.event, kind=LogKind.DRAFTED, round=created.number)
    return created


def _set_tables(draft: Round, chosen: Mapping[frozenset[str], int]) -> None:
    """Give the pairs of a draft the tables that the organizer chose."""
    games = list(draft.games.select_related("first", "second"))
    for game in games:
        if game.first and game.second:
            game.table = chosen.get(frozenset((game.first.key, game.second.key)), game.table)
    Game.objects.bulk_update(games, ["table"])


def _changes(
    draft: Round | None, pairs: Sequence[tuple[str, str]], bye: str | None, chosen: Mapping[frozenset[str], int]
) -> dict[str, Any]:
    """Return what differs from a draft, for the log: pairs and byes by the numbers of the entries (E24). `bye` is None
    in a bracket, where the pairs alone say who has one.
    """
    games = list(draft.games.all()) if draft else []
    old = {frozenset(each.key for each in game.pair): game.table for game in games if game.second}
    old_bye = next((game.first.key for game in games if game.first and not game.second), "")
    bye = old_bye if bye is None else bye
    new = set(map(frozenset, pairs))
    tables = {pair: table for pair, table in chosen.items() if old.get(pair) != table}
    if old.keys() == new and bye == old_bye and not tables:
        return {}
    facts: dict[str, Any] = {"pairs": _numbers(new - old.keys()), "instead_of": _numbers(old.keys() - new)}
    if bye != old_bye:
        facts |= {"bye": int(bye) if bye else None, "bye_before": int(old_bye) if old_bye else None}
    if tables:
        facts["tables"] = [[*sorted(map(int, pair)), table] for pair, table in tables.items()]
    return facts


def _pairs_violations(history: History, named: Sequence[str]) -> Iterator[Violation]:
    """Yield each player who has left: dropped (E25), ejected (E4) or cut (E38). Then yield that the pairs do not name
    each active player once (E24).
    """
    yield from filter(None, (left_violation(history.entries[key]) for key in named if key in history.entries))
    yield Violation("E24", gettext("Pair each active player once, and give the player who is left the bye."))


def left_violation(entry: Entry) -> Violation | None:
    """Return why a player is no longer paired: dropped (E25), ejected (E4) or cut (E38). None for anyone else."""
    match entry.state:
        case Entry.State.DROPPED:
            return Violation("E25", gettext("{player} has dropped. Let them rejoin first.", player=entry.name))
        case Entry.State.EJECTED:
            return Violation("E4", gettext("{player} was ejected and plays no more rounds.", player=entry.name))
        case Entry.State.CUT:
            return Violation("E38", gettext("{player} missed the cut and plays no more rounds.", player=entry.name))
    return None


def _numbers(pairs: set[frozenset[str]]) -> list[list[int]]:
    return sorted(sorted(map(int, pair)) for pair in pairs)
