"""Rounds: draft pairings, change them by hand, publish them, close the round (E17–E25, E38–E42)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from rules.core.translation import gettext
from rules.core.violations import refuse
from rules.tournaments.bracket import BracketGame, next_games, seeded_games, seeds_after_cut
from rules.tournaments.clock import round_dice, round_minutes
from rules.tournaments.pairing import Pairing, pair_round
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.tables import assign_tables
from tournaments.models import Entry, Event, Game, LogKind, Round
from tournaments.queries.history import History, history_of, ranking
from tournaments.services.locks import lock_organized
from tournaments.services.log import record


@transaction.atomic
def draft_round(*, actor: User, event: Event) -> Round:
    """Draw the next round as a draft and return it; a draft that exists is returned as it is (E17–E24). Refuses to draw
    before the last round is closed, more Swiss rounds than the event has, and an event that does not run.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if history.current and history.current.state == Round.State.DRAFT:
        return history.current
    _check_can_pair(history)
    if history.of_stage(Round.Stage.BRACKET):
        games = next_games(history.bracket()[-1], history.active)
        return _create_bracket_round(actor, history, games)
    drawn = draw_pairing(history)
    return _create_swiss_round(actor, history, drawn.pairs, drawn.bye)


@transaction.atomic
def draft_by_hand(*, actor: User, event: Event, pairs: Sequence[tuple[Entry, Entry]], bye: Entry | None) -> Round:
    """Make a draft of pairs that the organizer chose (E24). Refuses what `draft_round` refuses, and pairs that do not
    name each active player once.
    """
    locked = lock_organized(actor, event)
    history = history_of(locked)
    if history.current and history.current.state == Round.State.DRAFT:
        history.current.delete()
        history = history_of(locked)
    _check_can_pair(history)
    keys = [entry.key for pair in pairs for entry in pair] + ([bye.key] if bye else [])
    if sorted(keys) != sorted(history.active):
        raise refuse("E24", gettext("Pair each active player once, and give the one who is over the bye."))
    found = [(one.key, other.key) for one, other in pairs]
    return _create_swiss_round(actor, history, found, bye.key if bye else "", by_hand=True)


@transaction.atomic
def publish_round(*, actor: User, event: Event) -> Round:
    """Publish the draft; publishing it again changes nothing. Refuses an event without a round."""
    locked = lock_organized(actor, event)
    last = locked.round_set.order_by("-number").first()
    if last is None:
        raise refuse("", gettext("There are no pairings yet. Draw them first."))
    if last.state == Round.State.DRAFT:
        last.state = Round.State.PUBLISHED
        last.save(update_fields=["state"])
        record(actor=actor, event=locked, kind=LogKind.PUBLISHED, round=last.number)
    return last


@transaction.atomic
def start_clock(*, actor: User, event: Event, now: datetime) -> Round:
    """Start the clock of the published round (E26); pressing it again changes nothing. Refuses without such a round."""
    locked = lock_organized(actor, event)
    current = locked.round_set.filter(state=Round.State.PUBLISHED).first()
    if current is None:
        raise refuse("E26", gettext("Publish the pairings first."))
    if current.started_at is None:
        is_final = current.stage == Round.Stage.BRACKET and current.games.count() == 1
        dice = round_dice(locked.draw, current.number) if locked.rule_set == RuleSet.GALACTIC_CONQUEST else ()
        current.minutes = round_minutes(RuleSet(locked.rule_set), dice, is_final=is_final)
        current.started_at = now
        current.save(update_fields=["minutes", "started_at"])
    return current


@transaction.atomic
def close_round(*, actor: User, event: Event) -> Round:
    """Close the published round; closing it again changes nothing. Refuses a round with a game that has no confirmed
    result (E28), and one that is not published.
    """
    locked = lock_organized(actor, event)
    last = locked.round_set.order_by("-number").first()
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
    if history.current or len(history.rounds) < locked.rounds:
        raise refuse("E38", gettext("Close all Swiss rounds first."))
    return _create_bracket(actor, history)


def leave_bracket(actor: User, event: Event, entry: Entry) -> None:
    """Let a player who has left leave the bracket of a locked event, if there is one.

    Before a bracket game is played the next in the standings enters last (E38); after that the opponent has a bye
    (E41).
    """
    history = history_of(event)
    bracket = history.of_stage(Round.Stage.BRACKET)
    if not bracket:
        return
    if all(game.state == Game.State.OPEN for game in bracket[0].games.all()) and len(bracket) == 1:
        bracket[0].delete()
        _create_bracket(actor, history_of(event))
        return
    for game in bracket[-1].games.all():
        if game.state == Game.State.OPEN and game.second and entry.pk in (game.first_id, game.second_id):
            game.first, game.second = (game.second if game.first_id == entry.pk else game.first), None
            game.table = 0
            game.save(update_fields=["first", "second", "table"])


def _create_bracket(actor: User, history: History) -> Round:
    event, entries = history.event, history.entries
    active = [key for key, entry in entries.items() if entry.state in (Entry.State.PLAYING, Entry.State.CUT)]
    seeds = seeds_after_cut(ranking(history.standings(), active), active, event.cut)
    Entry.objects.filter(pk__in=[entries[key].pk for key in active]).update(state=Entry.State.CUT)
    Entry.objects.filter(pk__in=[entries[key].pk for key in seeds]).update(state=Entry.State.PLAYING)
    record(actor=actor, event=event, kind=LogKind.CUT, seeds=[entries[key].number for key in seeds])
    return _create_bracket_round(actor, history, seeded_games(seeds))


def draw_pairing(history: History) -> Pairing:
    """Return the pairing of the next Swiss round by the seed (E17–E19, E23)."""
    ordered, active = history.standings(), history.active
    points = {standing.player: standing.points for standing in ordered if standing.player in active}
    number = len(history.rounds) + 1
    return pair_round(history.event.draw, number, points, history.swiss(), ranking(ordered, active))


def _check_can_pair(history: History) -> None:
    event = history.event
    if event.state != Event.State.RUNNING:
        raise refuse("", gettext("Start the event first."))
    if history.current:
        raise refuse("E17", gettext("Close round {number} first.", number=history.current.number))
    swiss = len(history.of_stage(Round.Stage.SWISS))
    if not history.of_stage(Round.Stage.BRACKET) and event.rounds and swiss >= event.rounds:
        raise refuse(
            "E14" if event.rule_set == RuleSet.GALACTIC_CONQUEST else "E15", gettext("All Swiss rounds are played.")
        )
    if history.bracket() and len(history.bracket()[-1]) == 1:
        raise refuse("E39", gettext("The final is played."))


def _create_swiss_round(
    actor: User, history: History, pairs: Sequence[tuple[str, str]], bye: str, *, by_hand: bool = False
) -> Round:
    fixed = {key: entry.fixed_table for key, entry in history.entries.items() if entry.fixed_table}
    tables = assign_tables(pairs, history.swiss(), fixed)
    created = Round.objects.create(event=history.event, number=len(history.rounds) + 1, stage=Round.Stage.SWISS)
    rows = [(one, other, table) for (one, other), table in zip(pairs, tables, strict=True)]
    _create_games(created, history.entries, [*rows, *([(bye, "", 0)] if bye else [])])
    kind = LogKind.PAIRED if by_hand else LogKind.DRAFTED
    record(actor=actor, event=history.event, kind=kind, round=created.number)
    return created


def _create_bracket_round(actor: User, history: History, games: Sequence[BracketGame]) -> Round:
    created = Round.objects.create(event=history.event, number=len(history.rounds) + 1, stage=Round.Stage.BRACKET)
    rows = [(*game.players, place if all(game.players) else 0) for place, game in enumerate(games, start=1)]
    _create_games(created, history.entries, rows)
    record(actor=actor, event=history.event, kind=LogKind.DRAFTED, round=created.number)
    return created


def _create_games(created: Round, entries: Mapping[str, Entry], rows: Sequence[tuple[str, str, int]]) -> None:
    Game.objects.bulk_create(
        Game(round=created, place=place, table=table, first=entries.get(first), second=entries.get(second))
        for place, (first, second, table) in enumerate(rows, start=1)
    )
