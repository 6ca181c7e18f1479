"""Standings and tiebreakers (E33–E37), by the worked examples and by laws."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound
from rules.tournaments.rule_sets import EventRules, RuleSet
from rules.tournaments.standings import Standing, mean, standings, tied_groups
from tests.rules.tournaments.data import load
from tests.rules.tournaments.events import events, standard_rules

GC = standard_rules(RuleSet.GALACTIC_CONQUEST)
TR = standard_rules(RuleSet.TOURNAMENT_REGULATIONS)
WORKED = load("worked-examples")
TICKETS = {player: ticket for ticket, player in enumerate("ABCDE")}
AS_WE_READ_IT = "default (bye and unpaired loss are rounds, never opponents)"
WITH_BYE_AS_OPPONENT = "bye is an opponent with 0 (Game Uplink)"

WITHOUT_UNPAIRED_LOSSES = "unpaired loss is no round"


def rounds_of(example: Any, game: Any) -> list[PlayedRound]:
    last = max(each[0] for each in example["games"])
    return [
        PlayedRound(
            games=tuple(game(each) for each in example["games"] if each[0] == number),
            byes=frozenset(player for round_, player in example["byes"] if round_ == number),
            unpaired_losses=frozenset(
                player for round_, player in example.get("unpaired_losses", []) if round_ == number
            ),
        )
        for number in range(1, last + 1)
    ]


def conquest_game(row: Any) -> PlayedGame:
    _round, one, other, points, _points, *figures, note = row
    points_defeated, tokens = tuple(figures[:2]), tuple(figures[2:])
    if "concedes" in note:
        return PlayedGame(
            (one, other), Result(how=Ending.CONCEDED, winner=one, by=other, points=(480, 250), tokens=tokens)
        )
    how = Ending.VICTORY if points == 3 else Ending.DRAW if "not to play" in note else Ending.TIME
    winner = one if points == 3 else ""
    return PlayedGame((one, other), Result(how=how, winner=winner, points=points_defeated, tokens=tokens))


def regulations_game(row: Any) -> PlayedGame:
    _round, one, other, how, one_tokens, other_tokens, one_points, _other_points = row
    ending = {
        "vp": Ending.SIX_ROUNDS, "tabled": Ending.ALL_DEFEATED, "conceded": Ending.CONCEDED, "noshow": Ending.NO_SHOW,
    }[how]  # fmt: skip
    winner = one if one_points else other
    by = other if ending in (Ending.CONCEDED, Ending.NO_SHOW) else ""
    return PlayedGame(
        (one, other), Result(how=ending, winner=winner, by=by, tokens=(one_tokens or 0, other_tokens or 0))
    )


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        (AS_WE_READ_IT, GC),
        (WITH_BYE_AS_OPPONENT, replace(GC, bye_is_opponent=True)),
        (WITHOUT_UNPAIRED_LOSSES, replace(GC, skips_unpaired_losses=True)),
    ],
)
@pytest.mark.parametrize("last", [3, 4])
def test_the_worked_example_of_galactic_conquest(name: str, rules: EventRules, last: int) -> None:
    """E29, E30, E33, E35 with its options."""
    found = standings(rules, TICKETS, rounds_of(WORKED["003"], conquest_game)[:last])
    assert {
        each.player: {
            "ep": each.points,
            "rounds": each.rounds,
            "opponents": "".join(each.opponents),
            "sos": str(each.strength_of_schedule),
            "pd": each.points_defeated,
            "vt": each.tokens,
        }
        for each in found
    } == WORKED["003"][name][f"after R{last}"]


@pytest.mark.parametrize("reading", [WITHOUT_UNPAIRED_LOSSES, "bye is no round (wrong: ratios above 3)"])
@pytest.mark.parametrize("last", [3, 4])
def test_other_readings_of_the_worked_example_differ_in_rounds_alone(reading: str, last: int) -> None:
    """Their strength of schedule is the mean of our own function; we read a bye and an unpaired loss as rounds."""
    table = WORKED["003"][reading][f"after R{last}"]
    ours = WORKED["003"][AS_WE_READ_IT][f"after R{last}"]
    ratios = {player: Fraction(row["ep"], row["rounds"]) for player, row in table.items()}
    assert {player: str(mean([ratios[each] for each in row["opponents"]])) for player, row in table.items()} == {
        player: row["sos"] for player, row in table.items()
    }
    assert table != ours
    assert [{**row, "rounds": 0, "sos": ""} for row in table.values()] == [
        {**row, "rounds": 0, "sos": ""} for row in ours.values()
    ]


def test_the_worked_example_of_the_regulations() -> None:
    """E32, E35, E36."""
    example = WORKED["004"]
    found = standings(TR, TICKETS, rounds_of(example, regulations_game))
    assert {
        each.player: {
            "tp": each.points,
            "rounds": each.rounds,
            "opponents": "".join(each.opponents),
            "scored": [str(margin) for margin in each.margins if margin is not None],
            "averaged": each.margins.count(None),
            "avg_mov": str(each.average_margin),
            "ext_avg_mov": str(each.extended_average_margin),
            "sos": str(each.strength_of_schedule),
            "ext_sos": str(each.extended_strength_of_schedule),
        }
        for each in found
    } == example["table"]
    assert [each.player for each in found] == ["B", "A", "C", "D", "E"]


@pytest.mark.parametrize("case", load("cobra-sos-cases")["cases"], ids=lambda case: case["name"])
def test_the_strength_of_schedule_of_another_project(case: Any) -> None:
    """E35: its points are other ones, its definition is the same."""
    points: dict[str, int] = {}
    rounds: dict[str, int] = {}
    opponents: dict[str, list[str]] = {}
    for one, other, *earned in case["games"]:
        for player, opponent, gained in ((one, other, earned[0]), (other, one, earned[1])):
            points[player] = points.get(player, 0) + gained
            rounds[player] = rounds.get(player, 0) + 1
            opponents.setdefault(player, []).append(opponent)
    for player, gained in case["byes"]:
        points[player] = points.get(player, 0) + gained
        rounds[player] = rounds.get(player, 0) + 1
    ratios = {player: Fraction(points[player], rounds[player]) for player in points}
    strengths = {player: mean([ratios[each] for each in opponents.get(player, [])]) for player in points}
    extended = {player: mean([strengths[each] for each in opponents.get(player, [])]) for player in points}
    for player, expected in case["expect"].items():
        found = {"sos": str(strengths[player]), "ext_sos": str(extended[player]), "points": points[player]}
        assert {name: found[name] for name in expected} == expected
    order = sorted(points, key=lambda player: (-points[player], -strengths[player]))
    assert order == case.get("order", order)


def victory(winner: str, loser: str) -> PlayedGame:
    return PlayedGame((winner, loser), Result(how=Ending.VICTORY, winner=winner, points=(500, 300), tokens=(5, 3)))


def test_players_whom_only_the_ticket_separates() -> None:
    """E33, E34."""
    rounds = [PlayedRound(games=(victory("A", "B"), victory("C", "D")))]
    found = standings(GC, {"A": 7, "B": 2, "C": 1, "D": 3}, rounds)
    assert [(each.player, each.rank) for each in found] == [("C", 1), ("A", 2), ("B", 3), ("D", 4)]
    assert tied_groups(GC, found) == [["C", "A"], ["B", "D"]]


def test_a_player_without_a_game_of_their_own() -> None:
    """E32: byes alone are 50 % each, shown as provisional; a missed round counts 0 (E36)."""
    absent = PlayedGame(("A", "B"), Result(how=Ending.NO_SHOW, winner="A", by="B"))
    rounds = [
        PlayedRound(games=(absent,)),
        PlayedRound(byes=frozenset("A")),
        PlayedRound(unpaired_losses=frozenset("A")),
    ]
    found = {each.player: each for each in standings(TR, {"A": 1, "B": 2, "C": 3}, rounds)}
    assert (found["A"].average_margin, found["A"].provisional) == (Fraction(1, 3), True)
    assert (found["B"].average_margin, found["B"].provisional) == (0, False)
    assert (found["C"].average_margin, found["C"].provisional, found["C"].rounds) == (0, False, 0)
    assert (found["A"].points, found["A"].rounds, found["A"].opponents) == (2, 3, ("B",))


def test_before_the_first_round_the_ticket_decides() -> None:
    assert [each.player for each in standings(TR, {"A": 2, "B": 1}, [])] == ["B", "A"]


def test_an_open_game_counts_for_nobody_yet() -> None:
    open_round = PlayedRound(games=(PlayedGame(("A", "B")),), byes=frozenset("C"))
    found = {each.player: (each.points, each.rounds) for each in standings(GC, {"A": 1, "B": 2, "C": 3}, [open_round])}
    assert found == {"A": (0, 0), "B": (0, 0), "C": (3, 1)}


def figures(ordered: tuple[Standing, ...]) -> list[Standing]:
    return sorted(ordered, key=lambda each: each.player)


@given(events())
def test_standings_are_a_total_order_that_does_not_depend_on_the_order_of_the_input(event: Any) -> None:
    rules, tickets, rounds = event
    found = standings(rules, tickets, rounds)
    assert [each.rank for each in found] == list(range(1, len(tickets) + 1))
    turned = [replace(each, games=each.games[::-1]) for each in rounds]
    assert standings(rules, dict(reversed(tickets.items())), turned) == found
    assert [player for group in tied_groups(rules, found) for player in group] == [each.player for each in found]


@given(events(), st.data())
def test_a_correction_equals_having_entered_it_right_at_once(event: Any, data: st.DataObject) -> None:
    """E31: standings are computed from the results alone, whichever way they came to be."""
    rules, tickets, rounds = event
    place = data.draw(st.integers(0, len(rounds) - 1))
    if not rounds[place].games:
        return
    first, *others = rounds[place].games
    by, winner = first.players
    corrected = replace(first, result=Result(how=Ending.CONCEDED, winner=winner, by=by))
    right = [*rounds[:place], replace(rounds[place], games=(corrected, *others)), *rounds[place + 1 :]]
    before = standings(rules, tickets, rounds)
    assert standings(rules, tickets, right) == standings(rules, tickets, list(right))
    back = [*right[:place], replace(right[place], games=(first, *others)), *right[place + 1 :]]
    assert standings(rules, tickets, back) == before


@given(events(), st.data())
def test_dropping_and_rejoining_loses_nothing(event: Any, data: st.DataObject) -> None:
    """E25: an unpaired loss for each round missed, and all that was won before stays."""
    rules, tickets, rounds = event
    player = data.draw(st.sampled_from(sorted(tickets)))
    later = [*rounds, PlayedRound(games=tuple(game for game in rounds[0].games if player not in game.players))]
    joined = [
        each if player in each.players else replace(each, unpaired_losses=each.unpaired_losses | {player})
        for each in later
    ]
    before, after = (
        next(each for each in standings(rules, tickets, part) if each.player == player) for part in (rounds, joined)
    )
    missed = sum(player not in each.players for each in later)
    assert (after.points, after.points_defeated, after.tokens, after.opponents, after.margins) == (
        before.points, before.points_defeated, before.tokens, before.opponents, before.margins,
    )  # fmt: skip
    assert after.rounds == before.rounds + missed
