"""Rounds in the database: what they are called, what follows the last one, and who still takes part (E17–E25, E38)."""

from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from django.db.models import Count, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, gettext_lazy

from rules.core.violations import RuleViolation, Violation, refuse
from tournaments.models import Entry, Event, Game, LogKind, LogLine, Round, StructureChoice

#: The names of the last columns of a bracket by their games, alone and within a sentence.
COLUMNS = {
    1: (gettext_lazy("Final"), gettext_lazy("the final")),
    2: (gettext_lazy("Semifinals"), gettext_lazy("the semifinals")),
    4: (gettext_lazy("Quarterfinals"), gettext_lazy("the quarterfinals")),
}


def round_name(each: Round, games: int | None = None) -> str:
    """Return "Round 2" or "Quarterfinals". `games` are those of its column with byes; without it they are counted."""
    return name_of(each.number, column_of(each) if games is None or each.stage == Round.Stage.SWISS else games)


def name_of(number: Any, column: int = 0) -> str:
    """Return "Round 2" or "Quarterfinals". `column`: see `column_of`."""
    return column_name(column) if column else gettext("Round %(number)s") % {"number": number}


def column_of(each: Round) -> int:
    """Return the number of games in a round of a bracket, byes included; 0 for a Swiss round."""
    return each.games.count() if each.stage == Round.Stage.BRACKET else 0


def columns_of(event: Event) -> dict[int, int]:
    """Return what `column_of` returns for every round of the bracket, by its number, in at most one query."""
    if not event.cut and event.structure != StructureChoice.ELIMINATION:
        return {}
    rounds = event.round_set.filter(stage=Round.Stage.BRACKET).order_by()
    return dict(rounds.annotate(column=Count("games")).values_list("number", "column"))


def round_in_text(number: Any, column: int = 0) -> str:
    """Return "round 2" or "the quarterfinals", for the middle of a sentence. `column`: see `column_of`."""
    if not column:
        return gettext("round %(number)s") % {"number": number}
    return str(COLUMNS[column][1]) if column in COLUMNS else gettext("the round of %(number)s") % {"number": 2 * column}


def column_name(games: int) -> str:
    """Return the name of a column of a bracket with so many games, byes included."""
    return str(COLUMNS[games][0]) if games in COLUMNS else gettext("Round of %(number)s") % {"number": 2 * games}


def draft_version(games: Iterable[Game]) -> str:
    """Return a token that changes with every change of the pairings or tables of a round."""
    text = ";".join(f"{game.place}:{game.first_id}-{game.second_id}@{game.table}" for game in games)
    return sha256(text.encode()).hexdigest()[:16]


def is_changeable(current: Round, games: Iterable[Game]) -> bool:
    """Return whether pairings and tables of a round may be changed by hand: until it starts (E24)."""
    return current.state != Round.State.CLOSED and current.started_at is None and not has_results(games)


def has_results(games: Iterable[Game]) -> bool:
    """Return whether a result of one of the games was entered, confirmed or not."""
    return any(game.state != Game.State.OPEN for game in games)


def lost_in_bracket(event: Event) -> set[int]:
    """Return the primary keys of those who lost a game of the bracket, in one query."""
    games = Game.objects.filter(round__event=event, round__stage=Round.Stage.BRACKET, state=Game.State.CONFIRMED)
    return {pk for *pair, winner in games.values_list("first", "second", "winner") for pk in pair if pk != winner}


def paired_before(entries: Collection[Entry]) -> list[Entry]:
    """Return those of these entries whom a published round has, in one query."""
    games = Game.objects.filter(Q(first__in=entries) | Q(second__in=entries)).exclude(round__state=Round.State.DRAFT)
    paired = {key for pair in games.values_list("first", "second") for key in pair}
    return [each for each in entries if each.pk in paired]


def draft_lines(event: Event, number: int) -> list[LogLine]:
    """Return the lines of the log about drawing a round and changing it by hand, the first one first, in one query."""
    kinds = (LogKind.PAIRED, LogKind.DRAFTED)
    return list(event.log.filter(kind__in=kinds, facts__round=number).order_by("pk"))


def hand_changes(lines: Iterable[LogLine]) -> list[LogLine]:
    """Return which `draft_lines` of a round changed it by hand since the app drew it (E24). To undo its publication
    changes nothing by itself.
    """
    found: list[LogLine] = []
    for line in lines:
        if line.kind == LogKind.DRAFTED or line.facts.get("act") == "restored" or line.facts.get("discarded"):
            found = []
        elif not line.facts.get("withdrawn"):
            found.append(line)
    return found


class HandChoice(NamedTuple):
    """What was chosen by hand in a draft: a game, or the bye of one player, and why. `players` are numbers. `is_pair`:
    whether the players were chosen, `is_table`: whether the table was.
    """

    players: frozenset[int]
    table: int
    reason: str
    is_pair: bool
    is_table: bool

    @property
    def facts(self) -> dict[str, Any]:
        """The game as facts of the log."""
        return {"table": self.table, "players": sorted(self.players)}

    def is_kept(self, tables: Mapping[frozenset[int], int]) -> bool:
        """Return whether a draft with these games, and their tables, has it still."""
        return self.players in tables and (self.is_pair or tables[self.players] == self.table)


def hand_choices(event: Event, number: int, games: Iterable[Game]) -> list[HandChoice]:
    """Return what was chosen by hand in the draft of a round, as far as its games are still as they were chosen."""
    reasons: dict[tuple[frozenset[int], int | None], str] = {}
    for line in hand_changes(draft_lines(event, number)):
        act, drawn_again = line.facts.get("act"), line.facts.get("again")
        for game in line.facts.get("after", ()):
            players = frozenset(game["players"])
            if act in ("tables", "kept"):
                reasons[players, game["table"]] = line.reason
            if act != "tables" and not (drawn_again and len(players) > 1):
                reasons[players, None] = line.reason
    found = []
    for game in games:
        players = frozenset(each.number for each in (game.first, game.second) if each)
        pair, table = reasons.get((players, None)), reasons.get((players, game.table))
        if pair is not None or table is not None:
            why = "; ".join(filter(None, dict.fromkeys((pair, table))))
            found.append(HandChoice(players, game.table, why, pair is not None, table is not None))
    return found


def corrections_since(event: Event, current: Round) -> list[LogLine]:
    """Return the corrections of results from which a round was drawn, since it was drawn (E17, E31): for a Swiss round,
    and for the first of a bracket, whose seeds follow from the standings.
    """
    drawn = Q(kind=LogKind.DRAFTED) | Q(kind=LogKind.PAIRED, facts__act="restored")
    last = event.log.filter(drawn, facts__round=current.number).order_by("-pk").values("pk")[:1]
    earlier = event.log.filter(kind=LogKind.CORRECTED, facts__round__lt=current.number).order_by("pk")
    found = list(earlier.filter(pk__gt=Coalesce(Subquery(last), 0)))
    later = found and event.round_set.filter(stage=Round.Stage.BRACKET, number__lt=current.number).exists()
    return [] if later else found


def drawn_from(game: Game) -> Round | None:
    """Return the round that was drawn from the result of a game and has not started, a draft or published. None without
    one: then a correction concerns no pairing (E31).
    """
    rounds = list(game.round.event.round_set.filter(number__gt=game.round.number).order_by("number"))
    last = rounds[-1] if rounds else None
    if last is None or not is_changeable(last, last.games.all()):
        return None
    # The seeds of a bracket follow from the standings, its later rounds from the games before them.
    is_next = all(each.stage == Round.Stage.SWISS for each in rounds[:-1])
    return last if is_next or game.round.stage == Round.Stage.BRACKET else None


def has_clock(event: Event, current: Round) -> bool:
    """Return whether a round is played by the clock: a bracket round may have none (E26, option)."""
    return current.stage == Round.Stage.SWISS or event.bracket_minutes != 0 or not event.rules.has_draws


def game_now(game: Game) -> Game:
    """Return a game of a locked event as it is, with its round and players. Refuses one that an undo has deleted."""
    if found := Game.objects.select_related("round__event", "first", "second").filter(pk=game.pk).first():
        return found
    raise refuse("", gettext("An organizer has undone these pairings. Reload the page."))


def not_under_way(rule: str) -> RuleViolation:
    """Return the refusal of an act that needs a published round, by the rule of the act (E3, E26, E28)."""
    return refuse(rule, gettext("This round is not under way."))


def last_round(event: Event, number: int | None) -> Round | None:
    """Return the last round, or an earlier one that a page which is out of date speaks of."""
    rounds = event.round_set.order_by("-number")
    return (rounds if number is None else rounds.filter(number=number)).first()


def has_bracket_begun(event: Event) -> bool:
    """Return whether it is too late to join: a bracket was drawn, other than the first draft of single elimination."""
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


def left_violation(entry: Entry) -> Violation | None:
    """Return why a player is no longer paired: dropped (E25), ejected (E4) or cut (E38). None for anyone else."""
    match entry.state:
        case Entry.State.DROPPED:
            return Violation("E25", gettext("%(player)s has dropped. Let them rejoin first.") % {"player": entry.name})
        case Entry.State.EJECTED:
            return Violation("E4", gettext("%(player)s was ejected and plays no more rounds.") % {"player": entry.name})
        case Entry.State.CUT:
            return Violation(
                "E38", gettext("%(player)s missed the cut and plays no more rounds.") % {"player": entry.name}
            )
    return None
