"""Random events for the laws."""

from typing import Any

from hypothesis import strategies as st

from rules.tournaments.results import ENDINGS, GIVEN_UP, Ending, Result, expected_winner
from rules.tournaments.rounds import PlayedGame, PlayedRound
from rules.tournaments.rule_sets import ARMY_SIZE, EventRules, RuleSet


def standard_rules(rule_set: RuleSet) -> EventRules:
    """The rules of an event whose organizer changes nothing."""
    return EventRules(rule_set=rule_set, army_size=ARMY_SIZE[rule_set])


@st.composite
def results(draw: st.DrawFn, rules: EventRules, pair: tuple[str, str]) -> Result:
    """A valid result of a game."""
    how = draw(st.sampled_from(ENDINGS[rules.rule_set]))
    figures = st.tuples(st.integers(0, 3), st.integers(0, 3))
    values: dict[str, Any] = {"tokens": draw(figures), "points": draw(figures), "blue": draw(st.sampled_from(pair))}
    if how in GIVEN_UP:
        values["by"] = draw(st.sampled_from(pair))
        values["agreed"] = how == Ending.CONCEDED and draw(st.booleans())
    entered = Result(how=how, **values)
    winner = expected_winner(rules, pair, entered, dict.fromkeys(pair, rules.army_size))
    return Result(how=how, winner=draw(st.sampled_from(pair)) if winner is None else winner, **values)


@st.composite
def events(draw: st.DrawFn) -> tuple[EventRules, dict[str, int], list[PlayedRound]]:
    """Rules, tickets and a few closed rounds, paired anyhow, with byes and missed rounds."""
    rules = standard_rules(draw(st.sampled_from(list(RuleSet))))
    players = [chr(ord("A") + place) for place in range(draw(st.integers(2, 7)))]
    tickets = dict(zip(players, draw(st.permutations(range(len(players)))), strict=True))
    rounds = []
    for _ in range(draw(st.integers(1, 4))):
        order = draw(st.permutations(players))
        paired = order[: len(order) // 2 * 2]
        games = []
        for place in range(0, len(paired), 2):
            pair = (paired[place], paired[place + 1])
            games.append(PlayedGame(pair, draw(results(rules, pair))))
        rest = frozenset(order[len(paired) :])
        missed = bool(rest) and draw(st.booleans())
        rounds.append(
            PlayedRound(
                games=tuple(games),
                byes=frozenset() if missed else rest,
                unpaired_losses=rest if missed else frozenset(),
            )
        )
    return rules, tickets, rounds
