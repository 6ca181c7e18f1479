"""Play a scenario of an event through the real services, act by act (section 9 of the rules of events)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.db import transaction

from accounts.models import User
from core.json_form import FormError
from rules.core.violations import RuleViolation
from rules.tournaments.pairing import next_bye
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from rules.tournaments.standings import Standing, tied_groups
from tournaments.models import Entry, Event, Game, Round
from tournaments.queries.history import History, history_of
from tournaments.services import entries, events, results, rounds


class ExpectationFailed(Exception):
    """Something differs from what the scenario says."""


class Stage:
    """A scenario on its way: its event, its organizer and its players by name."""

    def __init__(self, scenario: Mapping[str, Any], organizer: User, tell: Callable[[Mapping[str, Any]], None]) -> None:
        self.scenario, self.organizer, self.tell = scenario, organizer, tell
        self.event: Event = events.create_event(
            actor=organizer, name=scenario["event"][:80], rule_set=RuleSet(scenario["rules"]),
            tier=scenario.get("tier", "casual"), army_size=scenario.get("points"), rounds=scenario.get("rounds", 0),
            cut=scenario.get("cut") or 0,
        )  # fmt: skip
        self.names: dict[str, int] = {}
        for name in scenario["players"]:
            self.add(name)
        everyone = list(self.event.entries.all())
        entries.check_in(actor=organizer, event=self.event, entries=everyone)
        self.event = events.start(actor=organizer, event=self.event)
        self.set_tickets()

    def add(self, name: str) -> None:
        """Add a player by name."""
        army = self.scenario.get("armies", {}).get(name)
        added = entries.add_entry(actor=self.organizer, event=self.event, name=name, army_points=army)
        self.names[name] = added.pk

    def set_tickets(self) -> None:
        """Give the players the tickets that the scenario names, the best first, instead of drawn ones."""
        for ticket, name in enumerate(self.scenario.get("tickets", ())):
            if name in self.names:
                Entry.objects.filter(pk=self.names[name]).update(ticket=ticket)

    def entry(self, name: str) -> Entry:
        """Return the player of this name."""
        if name not in self.names:
            raise FormError(f"there is no player {name!r}")
        return self.event.entries.get(pk=self.names[name])

    def key(self, name: str) -> str:
        """Return a player's key in the rules, or an empty one for no name."""
        return self.entry(name).key if name else ""

    @property
    def history(self) -> History:
        """The event as it stands."""
        return history_of(self.event)

    def name(self, key: str) -> str:
        """Return the name of a player by key."""
        return self.event.entries.get(number=int(key)).name


def play(scenario: Mapping[str, Any], organizer: User, tell: Callable[[Mapping[str, Any]], None]) -> Stage:
    """Play all acts of a scenario; `tell` is given each drawn round. Raises ExpectationFailed or FormError at the first
    act that differs.
    """
    stage = Stage(scenario, organizer, tell)
    for place, act in enumerate(scenario["acts"], start=1):
        try:
            _play_act(stage, act)
        except (ExpectationFailed, FormError) as error:
            raise type(error)(f"act {place} ({act['act']}): {error}") from error
    return stage


def _play_act(stage: Stage, act: Mapping[str, Any]) -> None:
    names = dict(stage.names)
    try:
        with transaction.atomic():
            _ACTS[act["act"]](stage, act)
    except RuleViolation as refusal:
        stage.names = names
        if not refusal.rules & set(act.get("refused", ())):
            raise ExpectationFailed(f"expected {act.get('refused') or 'no refusal'}, found: {refusal}") from refusal
    else:
        if "refused" in act:
            raise ExpectationFailed(f"expected a refusal by {act['refused']}, found none")


def _pair(stage: Stage, act: Mapping[str, Any]) -> None:
    who: dict[str, Any] = {"actor": stage.organizer, "event": stage.event}
    if "pairs" in act:
        pairs = [(stage.entry(one), stage.entry(other)) for one, other in act["pairs"]]
        bye = stage.entry(act["bye"]) if act.get("bye") else None
        rounds.draft_by_hand(**who, pairs=pairs, bye=bye)
    else:
        drawn = rounds.draft_round(**who)
        games = [(game.first, game.second) for game in drawn.games.select_related("first", "second")]
        stage.tell(
            {
                "round": drawn.number,
                "pairs": [[one.name, other.name] for one, other in games if one and other],
                "byes": [one.name for one, other in games if one and not other],
            }
        )
    rounds.publish_round(**who)


def _open_round(stage: Stage) -> Round:
    current = stage.history.current
    if current is None:
        raise FormError("there is no open round")
    return rounds.publish_round(actor=stage.organizer, event=stage.event)


def _result(stage: Stage, act: Mapping[str, Any]) -> None:
    game = _game(stage, _open_round(stage), act)
    results.enter_result(actor=stage.organizer, game=game, result=_as_result(stage, act, game))


def _correct(stage: Stage, act: Mapping[str, Any]) -> None:
    each = stage.event.round_set.filter(number=act["round"]).first()
    if each is None:
        raise FormError(f"there is no round {act['round']}")
    game = _game(stage, each, act)
    results.correct_result(actor=stage.organizer, game=game, result=_as_result(stage, act, game))


def _game(stage: Stage, each: Round, act: Mapping[str, Any]) -> Game:
    pair = {stage.entry(name).pk for name in act["players"]}
    for game in each.games.select_related("first", "second", "round__event"):
        if {game.first_id, game.second_id} == pair:
            return game
    raise FormError(f"{' and '.join(act['players'])} do not play in round {each.number}")


def _as_result(stage: Stage, act: Mapping[str, Any], game: Game) -> Result:
    points, tokens = act.get("points", [0, 0]), act.get("tokens", [0, 0])
    if game.first_id != stage.names[act["players"][0]]:
        points, tokens = points[::-1], tokens[::-1]
    return Result(
        how=Ending(act["how"]), winner=stage.key(act["winner"] or ""), by=stage.key(act.get("by", "")),
        points=(points[0], points[1]), tokens=(tokens[0], tokens[1]), agreed=act.get("agreed", False),
        blue=stage.key(act.get("blue", "")), roll=stage.key(act.get("roll", "")),
    )  # fmt: skip


def _auto_results(stage: Stage, act: Mapping[str, Any]) -> None:
    order = {stage.key(name): place for place, name in enumerate(act["order"])}
    conquest = stage.event.rule_set == RuleSet.GALACTIC_CONQUEST
    for game in _open_round(stage).games.select_related("first", "second", "round__event"):
        if not game.first or not game.second or game.state != Game.State.OPEN:
            continue
        first_wins = order[game.first.key] < order[game.second.key]
        winner = (game.first if first_wins else game.second).key
        result = Result(
            how=Ending.VICTORY if conquest else Ending.SIX_ROUNDS, winner=winner,
            points=(500, 300) if first_wins else (300, 500), tokens=(5, 3) if first_wins else (3, 5),
            blue="" if conquest else winner,
        )  # fmt: skip
        results.enter_result(actor=stage.organizer, game=game, result=result)


def _close_round(stage: Stage, act: Mapping[str, Any]) -> None:
    rounds.close_round(actor=stage.organizer, event=stage.event)


def _drop(stage: Stage, act: Mapping[str, Any]) -> None:
    entries.drop(actor=stage.organizer, entry=stage.entry(act["player"]))


def _rejoin(stage: Stage, act: Mapping[str, Any]) -> None:
    entries.rejoin(actor=stage.organizer, entry=stage.entry(act["player"]))


def _eject(stage: Stage, act: Mapping[str, Any]) -> None:
    entries.eject(actor=stage.organizer, entry=stage.entry(act["player"]), reason="Scenario")


def _warn(stage: Stage, act: Mapping[str, Any]) -> None:
    entries.warn(actor=stage.organizer, entry=stage.entry(act["player"]), reason="Scenario")


def _late(stage: Stage, act: Mapping[str, Any]) -> None:
    stage.add(act["player"])
    stage.set_tickets()


def _cut(stage: Stage, act: Mapping[str, Any]) -> None:
    rounds.make_cut(actor=stage.organizer, event=stage.event)


def _expect(stage: Stage, act: Mapping[str, Any]) -> None:
    history = stage.history
    ordered = history.standings()
    names = {key: entry.name for key, entry in history.entries.items()}
    found: list[str] = []
    if "standings" in act:
        found += _standings_differ(stage, act["standings"], ordered, names)
    by_name = {names[each.player]: each for each in ordered}
    found += [
        f"{name}.{figure}: expected {wanted}, found {_FIGURES[figure](by_name[name])}"
        for name, figures in act.get("figures", {}).items()
        for figure, wanted in figures.items()
        if _FIGURES[figure](by_name[name]) != Fraction(wanted)
    ]
    if "next_bye" in act and (bye := _next_bye(history, ordered, names)) != act["next_bye"]:
        found.append(f"next_bye: expected {act['next_bye']}, found {bye}")
    if "bracket" in act:
        column = history.bracket()[-1] if history.bracket() else ()
        pairs = {frozenset(names[player] for player in game.players if player) for game in column}
        if pairs != {frozenset(pair) for pair in act["bracket"]}:
            found.append(f"bracket: expected {act['bracket']}, found {sorted(map(sorted, pairs))}")
    places = {names[key]: place for key, place in _all_places(history, ordered).items()}
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
    stage: Stage, wanted: list[list[str]], ordered: tuple[Standing, ...], names: Mapping[str, str]
) -> list[str]:
    if "tickets" in stage.scenario:
        found = [[names[each.player]] for each in ordered]
        wanted = [[name] for group in wanted for name in group]
    else:
        found = [sorted(names[key] for key in group) for group in tied_groups(stage.event.rules, ordered)]
        wanted = [sorted(group) for group in wanted]
    return [] if found == wanted else [f"standings: expected {wanted}, found {found}"]


def _all_places(history: History, ordered: tuple[Standing, ...]) -> dict[str, str]:
    bracket = history.bracket()
    playing = {player for game in bracket[0] for player in game.players} if bracket else set()
    ranks = {each.player: str(each.rank) for each in ordered if each.player not in playing}
    return {**ranks, **history.places()}


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
_ACTS: dict[str, Callable[[Stage, Mapping[str, Any]], None]] = {
    "pair": _pair, "result": _result, "auto_results": _auto_results, "close_round": _close_round, "drop": _drop,
    "rejoin": _rejoin, "eject": _eject, "warn": _warn, "late": _late, "correct": _correct, "cut": _cut,
    "expect": _expect,
}  # fmt: skip
