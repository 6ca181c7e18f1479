"""What is still needed for the cut (E38), against every way in which small events can end."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from rules.tournaments.rule_sets import EventRules, RuleSet
from rules.tournaments.what_if import Chance, Contender, Gain, Outlook, Remaining, chances, gains, sentence, worth
from tests.rules.tournaments.events import standard_rules
from tests.thoroughness import examples

GC = standard_rules(RuleSet.GALACTIC_CONQUEST)
TR = standard_rules(RuleSet.TOURNAMENT_REGULATIONS)
Points = dict[str, int]


def matchings(players: list[str]) -> Iterator[list[tuple[str, ...]]]:
    """Every pairing of a round; with an odd number each player in turn has the bye."""
    if len(players) < 2:
        yield [(player,) for player in players]
        return
    first, *others = players
    for other in others:
        for rest in matchings([each for each in others if each != other]):
            yield [(first, other), *rest]
    if len(players) % 2:
        for rest in matchings(others):
            yield [(first,), *rest]


def ends(rules: EventRules, points: Points, games: list[tuple[str, ...]]) -> Iterator[Points]:
    """Every way in which games can end."""
    if not games:
        yield points
        return
    (first, *other), *rest = games
    win = rules.win
    outcomes = [(win,)] if not other else [(win, 0), (0, win), *([(1, 1)] if rules.has_draws else [])]
    for outcome in outcomes:
        gained = dict(zip((first, *other), outcome, strict=True))
        yield from ends(rules, {each: points[each] + gained.get(each, 0) for each in points}, rest)


def every_end(rules: EventRules, points: Points, games: list[tuple[str, ...]], later: int) -> Iterator[Points]:
    for after in ends(rules, points, games):
        if not later:
            yield after
            continue
        for round_ in matchings(sorted(points)):
            yield from every_end(rules, after, round_, later - 1)


@st.composite
def positions(draw: st.DrawFn, least_later: int, most_later: int) -> tuple[EventRules, Remaining, int]:
    rules = draw(st.sampled_from([GC, TR]))
    later = draw(st.integers(least_later, most_later))
    players = list("ABCDEF"[: draw(st.integers(2, 6 if not later else 5 if later == 1 else 4))])
    order = draw(st.permutations(players))
    pairs = list(zip(order[::2], order[1::2], strict=False))
    open_games = pairs[: draw(st.integers(0, len(pairs)))]
    waiting = {player for pair in open_games for player in pair}
    contenders = [Contender(each, draw(st.integers(0, 7)), later + (each in waiting)) for each in players]
    return rules, Remaining(contenders, open_games, later), draw(st.integers(1, len(players)))


def counts(ended: Points, player: str) -> tuple[int, int]:
    """How many others are above a player, and how many are above or level."""
    others = [points for other, points in ended.items() if other != player]
    return sum(each > ended[player] for each in others), sum(each >= ended[player] for each in others)


@given(positions(0, 2))
@settings(max_examples=examples(25, 1000))
def test_the_bounds_hold_however_the_event_ends(position: tuple[EventRules, Remaining, int]) -> None:
    rules, remaining, cut = position
    found = chances(rules, remaining, cut)
    start = {each.player: each.points for each in remaining.contenders}
    for ended in every_end(rules, start, [tuple(each) for each in remaining.open_games], remaining.later_rounds):
        for player, chance in found.items():
            gained = ended[player] - start[player]
            above, level = counts(ended, player)
            if chance.safe is not None and gained >= worth(rules, chance.safe):
                assert level < cut
            if chance.possible is None or gained < worth(rules, chance.possible):
                assert above >= cut


@given(positions(0, 0))
@settings(max_examples=examples(25, 1000))
def test_in_the_last_round_they_are_exact(position: tuple[EventRules, Remaining, int]) -> None:
    rules, remaining, cut = position
    start = {each.player: each.points for each in remaining.contenders}
    every = list(every_end(rules, start, [tuple(each) for each in remaining.open_games], 0))
    for contender in remaining.contenders:
        player = contender.player
        chance = chances(rules, remaining, cut)[player]
        ended = {
            gain: [counts(each, player) for each in every if each[player] - start[player] == worth(rules, gain)]
            for gain in gains(rules, contender.rounds)
        }
        safe = [gain for gain, found in ended.items() if all(level < cut for _above, level in found)]
        possible = [gain for gain, found in ended.items() if any(above < cut for above, _level in found)]
        assert (chance.safe, chance.possible) == (next(iter(safe), None), next(iter(possible), None))


@pytest.mark.parametrize(
    ("rules", "rounds", "found"),
    [
        (TR, 2, [Gain(0), Gain(1), Gain(2)]),
        (GC, 2, [Gain(0), Gain(0, 1), Gain(0, 2), Gain(1), Gain(1, 1), Gain(2)]),
        (GC, 3, [Gain(0), Gain(0, 1), Gain(0, 2), Gain(1), Gain(1, 1), Gain(1, 2), Gain(2), Gain(2, 1), Gain(3)]),
    ],
)
def test_what_can_be_won(rules: EventRules, rounds: int, found: list[Gain]) -> None:
    assert gains(rules, rounds) == found


LESS = "It is out of reach with less, unless players drop or do not appear."


def test_a_last_round_of_galactic_conquest() -> None:
    """Two places for four: the leader is through, and the second and third meet."""
    contenders = [Contender("A", 9, 1), Contender("B", 6, 1), Contender("C", 4, 1), Contender("D", 0, 1)]
    found = chances(GC, Remaining(contenders, [("A", "D"), ("B", "C")]), 2)
    assert {player: (each.outlook, sentence(each)) for player, each in found.items()} == {
        "A": (Outlook.CLINCHED, "The top 2 is certain."),
        "B": (Outlook.IN_OWN_HANDS, f"The top 2 is certain with 1 draw. {LESS}"),
        "C": (Outlook.IN_OWN_HANDS, f"The top 2 is certain with 1 win. {LESS}"),
        "D": (Outlook.OUT, "The top 2 is out of reach, unless players drop or do not appear."),
    }


def test_a_round_has_wins_for_half_of_the_players() -> None:
    """Three could catch up with the leader by a win, but two games have two winners."""
    contenders = [Contender("A", 9, 1), *(Contender(player, 6, 1) for player in "BCD")]
    found = chances(GC, Remaining(contenders, later_rounds=1), 3)
    assert found["A"].outlook is Outlook.CLINCHED
    assert found["B"].outlook is Outlook.IN_OWN_HANDS


@pytest.mark.parametrize(
    ("outlook", "safe", "possible", "words"),
    [
        (Outlook.POSSIBLE, None, Gain(0), "The top 8 is possible. Other results or tiebreakers decide."),
        (
            Outlook.POSSIBLE, None, Gain(2, 1),
            "The top 8 needs at least 2 wins and 1 draw. Then other results or tiebreakers decide.",
        ),
        (
            Outlook.IN_OWN_HANDS, Gain(2), Gain(0),
            "The top 8 is certain with 2 wins. With less, other results or tiebreakers decide.",
        ),
        (
            Outlook.IN_OWN_HANDS, Gain(2), Gain(1),
            "The top 8 is certain with 2 wins. With 1 win, other results or tiebreakers decide.",
        ),
    ],
)  # fmt: skip
def test_what_players_read(outlook: Outlook, safe: Gain | None, possible: Gain | None, words: str) -> None:
    assert sentence(Chance(player="A", outlook=outlook, cut=8, safe=safe, possible=possible)) == words
