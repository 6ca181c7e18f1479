"""Play a scenario of an event through the real services, act by act (section 9 of the rules of events)."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from django.utils import timezone

from accounts.models import User
from core.scenarios import ExpectationFailed, ScenarioError, is_refused, play_acts, read as read_scenario
from rules.core.violations import RuleViolation, Violation, raise_if_any, refuse
from rules.tournaments.bracket import BracketGame, numbered_games
from rules.tournaments.pairing import next_bye
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing, tied_groups
from tournaments.models import Entry, Event, Game, LogKind, Round, StructureChoice
from tournaments.queries.history import History, history_of
from tournaments.queries.rounds import has_clock, left_violation
from tournaments.queries.standings import Places, all_places
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds
from tournaments.services.log import log_line

T = TypeVar("T")
#: The reason of whatever an organizer does in a scenario that needs one.
REASON = "Scenario"


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that does not have the form."""
    return read_scenario(path, Path(__file__).with_name("scenario.schema.json"))


class PlayedEvent:
    """A scenario on its way: its event, its organizer and its players by name."""

    def __init__(self, scenario: Mapping[str, Any], organizer: User, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self.scenario, self.organizer, self.tell = scenario, organizer, tell
        self.event: Event = events.create_event(
            actor=organizer, name=scenario["event"][:80], rule_set=RuleSet(scenario["rules"]),
            tier=scenario.get("tier", "casual"), army_size=scenario.get("points"), structure=_structure(scenario),
            rounds=scenario.get("rounds") or 0, cut=scenario.get("cut") or 0,
        )  # fmt: skip
        self.event = events.change_settings(actor=organizer, event=self.event, changes=scenario.get("options", {}))
        self.entries: dict[str, Entry] = {}
        self.has_started = False
        self.add(*scenario["players"])

    def add(self, *names: str) -> None:
        """Add players by name: before the start they are checked in at once."""
        armies = self.scenario.get("armies", {})
        who: dict[str, Any] = {"actor": self.organizer, "event": self.event}
        players = [entries.NewPlayer(name, army_points=armies.get(name)) for name in names]
        added = entries.add_players(**who, players=players)
        self.entries |= dict(zip(names, added, strict=True))
        entries.check_in(**who, entries=[entry for entry in added if entry.state == Entry.State.REGISTERED])

    def start(self) -> None:
        """Start the event, unless it has started."""
        if not self.has_started:
            self.event = events.start(actor=self.organizer, event=self.event, reason=REASON)
            self.has_started = True
            self.set_tickets()

    def set_tickets(self) -> None:
        """Give the players the tickets that the scenario names, the best first, instead of drawn ones."""
        named = self.scenario.get("tickets", ())
        for ticket, name in enumerate(named):
            if name in self.entries:
                self.entries[name].ticket = ticket
        Entry.objects.bulk_update([self.entries[name] for name in named if name in self.entries], ["ticket"])

    def entry(self, name: str) -> Entry:
        """Return the player of this name; the state may be an earlier one."""
        if name not in self.entries:
            raise ScenarioError(f"there is no player {name!r}")
        return self.entries[name]

    def key(self, name: str) -> str:
        """Return a player's key in the rules, or an empty one for no name."""
        return self.entry(name).key if name else ""

    @property
    def history(self) -> History:
        """The event as it stands."""
        self.event.refresh_from_db()
        return history_of(self.event)


def play(scenario: Mapping[str, Any], organizer: User, tell: Callable[[Mapping[str, Any]], None]) -> PlayedEvent:
    """Play a scenario; `tell` gets each drawn round. Raises ExpectationFailed or ScenarioError at the first fault."""
    try:
        played = PlayedEvent(scenario, organizer, tell)
    except RuleViolation as refusal:
        raise ScenarioError(str(refusal)) from refusal
    play_acts(scenario["acts"], partial(_play_act, played))
    return played


def _play_act(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    before = (dict(played.entries), played.has_started)

    def play() -> None:
        if act["act"] != "late":
            played.start()
        _ACTS[act["act"]](played, act)

    if is_refused(act, play):
        played.entries, played.has_started = before


def _pair(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    who: dict[str, Any] = {"actor": played.organizer, "event": played.event}
    if "pairs" in act:
        named = [_two(pair) for pair in act["pairs"]]
        pairs = [(played.key(one), played.key(other)) for one, other in named]
        pair_by_hand(**who, pairs=pairs, bye=played.key(act.get("bye") or ""))
    else:
        drawn = pairing.draw_round(**who)
        games = [(game.first, game.second) for game in drawn.games.select_related("first", "second")]
        pairs_drawn = [[one.name, other.name] for one, other in games if one and other]
        byes = [one.name for one, other in games if one and not other]
        bye_drawn = byes[0] if len(byes) == 1 else None
        played.tell({"round": drawn.number, "pairs": pairs_drawn, "bye": bye_drawn, "byes": byes})
    if rounds.publish_round(**who).stage == Round.Stage.SWISS:
        _open_round(played)  # it is played at once: who comes late has missed it (E21)


def pair_by_hand(*, actor: User, event: Event, pairs: Sequence[tuple[str, str]], bye: str = "") -> Round:
    """Draw the next round, give it these pairs and this bye (keys of entries), and return it.

    Refuses pairs that do not name each active player once (E24), also those of players who have left (E4, E25, E38); in
    a bracket, other pairs than the winners of neighboring games (E39). In the first round of single elimination the
    players without a pair have the byes (E42).
    """
    drawn = pairing.draw_round(actor=actor, event=event)
    history, games, in_bracket = history_of(drawn.event), list(drawn.games.all()), drawn.stage == Round.Stage.BRACKET
    if in_bracket and drawn.number > 1:
        if set(map(frozenset, pairs)) != {frozenset(each.key for each in game.pair) for game in games if game.second}:
            raise refuse("E39", "The bracket is fixed: the winners of neighboring games meet.")
        return drawn
    named = [key for pair in pairs for key in pair]
    over = [key for key in history.active if key not in named]
    fits = bye in over if bye else in_bracket or not over
    byes = sum(not game.second for game in games)
    if not fits or len(over) != byes or sorted((*named, *over)) != sorted(history.active):
        left = (left_violation(history.entries[key]) for key in named if key in history.entries)
        text = "Pair each active player once, and give who is left the bye."
        raise_if_any([*filter(None, left), Violation("E42" if in_bracket else "E24", text)])
    chosen = [BracketGame(pair) for pair in pairs] + [BracketGame((key, ""), key) for key in over]
    for game, seats in zip(games, numbered_games(event.draw, chosen) if in_bracket else chosen, strict=True):
        game.first, game.second = (history.entries.get(key) for key in seats.players)
        game.table = game.place if game.second else 0
    drawn.games.update(first=None, second=None)  # nobody can be in two games of a round
    Game.objects.bulk_update(games, ["first", "second", "table"])
    log_line(actor, event, LogKind.PAIRED, reason=REASON, round=drawn.number)
    return drawn


def _open_round(played: PlayedEvent) -> Round:
    if (current := played.event.round_set.exclude(state=Round.State.CLOSED).first()) is None:
        raise ScenarioError("there is no open round")
    who: dict[str, Any] = {"actor": played.organizer, "event": played.event}
    if current.state == Round.State.DRAFT:
        rounds.publish_round(**who)
    if current.started_at is None and has_clock(played.event, current):
        clock.start_clock(**who, now=timezone.now())
    return current


def _result(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    last = played.event.round_set.last()
    each = last if last and last.state == Round.State.CLOSED else _open_round(played)
    game = _game(played, each, act)
    results.save_result(actor=played.organizer, game=game, result=_as_result(played, act, game))


def _correct(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    if (each := played.event.round_set.filter(number=act["round"]).first()) is None:
        raise ScenarioError(f"there is no round {act['round']}")
    game = _game(played, each, act)
    results.save_result(correct=True, actor=played.organizer, game=game, result=_as_result(played, act, game))


def _game(played: PlayedEvent, each: Round, act: Mapping[str, Any]) -> Game:
    pair = {played.entry(name).pk for name in _two(act["players"])}
    for game in each.games.select_related("first", "second", "round__event"):
        if {game.first_id, game.second_id} == pair:
            return game
    raise ScenarioError(f"{' and '.join(act['players'])} do not play in round {each.number}")


def _as_result(played: PlayedEvent, act: Mapping[str, Any], game: Game) -> Result:
    points, tokens = _two(act.get("points", [0, 0])), _two(act.get("tokens", [0, 0]))
    if game.first_id != played.entry(act["players"][0]).pk:
        points, tokens = points[::-1], tokens[::-1]
    return Result(
        how=Ending(act["how"]), winner=played.key(act.get("winner") or ""), by=played.key(act.get("by") or ""),
        points=points, tokens=tokens, agreed=act.get("agreed", False),
        blue=played.key(act.get("blue") or ""), roll=played.key(act.get("roll") or ""),
    )  # fmt: skip


def _two(values: Sequence[T]) -> tuple[T, T]:
    """Return two values as a pair. Raises ScenarioError for any other number of them."""
    if len(values) != 2:
        raise ScenarioError(f"expected two values, not {values!r}")
    return values[0], values[1]


def _auto_results(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    order = {played.key(name): place for place, name in enumerate(act["order"])}
    for game in _open_round(played).games.select_related("first", "second", "round__event"):
        if not game.first or not game.second or game.state != Game.State.OPEN:
            continue
        if missing := {game.first.key, game.second.key} - order.keys():
            names = sorted(name for name, entry in played.entries.items() if entry.key in missing)
            raise ScenarioError(f"the order does not have {', '.join(names)}")
        first_wins = order[game.first.key] < order[game.second.key]
        results.save_result(actor=played.organizer, game=game, result=usual_result(game, first_wins=first_wins))


def usual_result(game: Game, *, first_wins: bool) -> Result:
    """Return the result of the act "auto_results": 500 to 300 points, 5 to 3 tokens, and the winner is blue."""
    first, second = game.pair
    winner = (first if first_wins else second).key
    points, tokens = ((500, 300), (5, 3)) if first_wins else ((300, 500), (3, 5))
    if game.round.event.rule_set == RuleSet.GALACTIC_CONQUEST:
        return Result(how=Ending.VICTORY, winner=winner, points=points, tokens=tokens)
    return Result(how=Ending.SIX_ROUNDS, winner=winner, points=points, tokens=tokens, blue=winner)


def _close_round(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    if played.event.round_set.filter(state=Round.State.DRAFT).exists():
        _open_round(played)
    rounds.close_round(actor=played.organizer, event=played.event)


def _late(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    played.add(act["player"])
    played.set_tickets()


def _expect(played: PlayedEvent, act: Mapping[str, Any]) -> None:
    history = played.history
    ordered = history.standings()
    names = {key: entry.name for key, entry in history.entries.items()}
    for name in (*act.get("figures", ()), *act.get("places", ())):
        played.entry(name)
    found: list[str] = []
    if "standings" in act:
        found += _standings_differ(played, act["standings"], ordered, names)
    by_name = {names[each.player]: each for each in ordered}
    found += [
        f"{name}.{figure}: expected {wanted}, found {_FIGURES[figure](by_name[name])}"
        for name, figures in act.get("figures", {}).items()
        for figure, wanted in figures.items()
        if _FIGURES[figure](by_name[name]) != _fraction(wanted)
    ]
    if "next_bye" in act and (bye := _next_bye(history, ordered, names)) != act["next_bye"]:
        found.append(f"next_bye: expected {act['next_bye']}, found {bye}")
    if "bracket" in act:
        column = history.bracket()[-1] if history.bracket() else ()
        pairs = {frozenset(names[player] for player in game.players if player) for game in column}
        if pairs != {frozenset(filter(None, pair)) for pair in act["bracket"]}:
            found.append(f"bracket: expected {act['bracket']}, found {sorted(map(sorted, pairs))}")
    by_key = all_places(history.bracket(), [each.player for each in ordered])
    places = {names[key]: place for key, place in by_key.items()}
    found += [
        f"places.{name}: expected {place}, found {places.get(name)}"
        for name, place in act.get("places", {}).items()
        if places.get(name) != place
    ]
    if found:
        raise ExpectationFailed("\n  " + "\n  ".join(found))


def _next_bye(history: History, ordered: tuple[Standing, ...], names: Mapping[str, str]) -> str | None:
    if len(history.active) % 2 == 0:
        return None
    return names[next_bye(ordered, history.active, history.swiss())]


def _standings_differ(
    played: PlayedEvent, wanted: list[list[str]], ordered: tuple[Standing, ...], names: Mapping[str, str]
) -> list[str]:
    history = played.history
    if played.event.structure == StructureChoice.ELIMINATION:
        placed = groupby(Places(history).all, key=lambda each: each.place)
        found = [[each.entry.name for each in group] for _place, group in placed]
    else:
        found = [[names[key] for key in group] for group in tied_groups(played.event.rules, ordered)]
    if "tickets" in played.scenario:
        found, wanted = ([[name] for group in groups for name in group] for groups in (found, wanted))
    else:
        found, wanted = ([sorted(group) for group in groups] for groups in (found, wanted))
    return [] if found == wanted else [f"standings: expected {wanted}, found {found}"]


def _fraction(written: str | int) -> Fraction:
    try:
        return Fraction(written)
    except (ValueError, ZeroDivisionError) as error:
        raise ScenarioError(f"{written!r} is no fraction") from error


def _structure(scenario: Mapping[str, Any]) -> str:
    """Return a scenario's structure: printed, custom by its rounds or cut, or elimination for no Swiss round (E42)."""
    if scenario.get("rounds") == 0:
        return StructureChoice.ELIMINATION
    named = scenario.get("rounds") is not None or "cut" in scenario
    return StructureChoice.CUSTOM if named else StructureChoice.STANDARD


_FIGURES: dict[str, Callable[[Standing], Fraction | int]] = {
    "points": lambda each: each.points,
    "rounds": lambda each: each.rounds,
    "sos": lambda each: each.strength_of_schedule,
    "points_defeated": lambda each: each.points_defeated,
    "tokens": lambda each: each.tokens,
    "mov": lambda each: each.average_margin,
    "ext_mov": lambda each: each.extended_average_margin,
    "ext_sos": lambda each: each.extended_strength_of_schedule,
}
_ACTS: dict[str, Callable[[PlayedEvent, Mapping[str, Any]], Any]] = {
    "pair": _pair, "result": _result, "auto_results": _auto_results, "close_round": _close_round, "late": _late,
    "correct": _correct, "expect": _expect,
    "drop": lambda played, act: entries.drop(actor=played.organizer, entry=played.entry(act["player"])),
    "rejoin": lambda played, act: entries.rejoin(actor=played.organizer, entry=played.entry(act["player"])),
    "eject": lambda played, act: entries.eject(
        actor=played.organizer, entry=played.entry(act["player"]), reason=REASON
    ),
    "warn": lambda played, act: entries.warn(
        actor=played.organizer, entry=played.entry(act["player"]), reason=REASON
    ),
    "cut": lambda played, act: bracket.make_cut(actor=played.organizer, event=played.event),
}  # fmt: skip
