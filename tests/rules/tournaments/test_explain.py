"""How figures came about (E35–E37): what is shown adds up to the standings."""

from fractions import Fraction

import pytest
from hypothesis import given

from rules.tournaments.explain import Kind, RoundFigures, explain, ratio
from rules.tournaments.results import Ending, Result
from rules.tournaments.rounds import PlayedGame, PlayedRound
from rules.tournaments.rule_sets import EventRules, RuleSet
from rules.tournaments.standings import mean, standings
from tests.rules.tournaments.events import events, standard_rules

TR = standard_rules(RuleSet.TOURNAMENT_REGULATIONS)
TICKETS = {"A": 1, "B": 2, "C": 3}


@given(events())
def test_what_is_shown_adds_up_to_the_standings(event: tuple[EventRules, dict[str, int], list[PlayedRound]]) -> None:
    rules, tickets, rounds = event
    ordered = standings(rules, tickets, rounds)
    for standing in ordered:
        found = explain(rules, tickets, rounds, standing.player, ordered)
        assert found == explain(rules, tickets, rounds, standing.player)
        shown = {
            "points": sum(each.points for each in found.rounds),
            "rounds": sum(each.kind not in (Kind.MISSED, Kind.OPEN) for each in found.rounds),
            "defeated": sum(each.defeated for each in found.rounds),
            "tokens": sum(each.tokens for each in found.rounds),
            "margin": found.margin_total / len(rounds),
            "opponents": tuple(each.opponent for each in found.rounds if each.kind == Kind.GAME),
            "sos": mean([ratio(each) for each in found.opponents], found.byes),
            "ext_margin": mean([each.average_margin for each in found.opponents]),
            "ext_sos": mean([each.strength_of_schedule for each in found.opponents]),
        }
        assert shown == {
            "points": standing.points, "rounds": standing.rounds, "defeated": standing.points_defeated,
            "tokens": standing.tokens, "margin": standing.average_margin, "opponents": standing.opponents,
            "sos": standing.strength_of_schedule, "ext_margin": standing.extended_average_margin,
            "ext_sos": standing.extended_strength_of_schedule,
        }  # fmt: skip


def test_a_bye_counts_with_the_mean_of_the_other_games() -> None:
    """E32: and an unpaired loss with nothing."""
    result = Result(how=Ending.SIX_ROUNDS, winner="A", tokens=(6, 2), blue="A")
    rounds = [
        PlayedRound(games=(PlayedGame(("A", "B"), result),), byes=frozenset("C")),
        PlayedRound(games=(PlayedGame(("B", "C")),), byes=frozenset("A")),
        PlayedRound(unpaired_losses=frozenset("A")),
        PlayedRound(),
    ]
    found = explain(TR, TICKETS, rounds, "A")
    quarters = Fraction(3, 4)
    assert found.rounds == (
        RoundFigures(number=1, kind=Kind.GAME, opponent="B", result=result, points=1, tokens=6, margin=quarters),
        RoundFigures(number=2, kind=Kind.BYE, points=1, margin=quarters, margin_is_mean=True),
        RoundFigures(number=3, kind=Kind.UNPAIRED_LOSS),
        RoundFigures(number=4, kind=Kind.MISSED),
    )
    assert (found.mean_margin, found.has_mean_margins, found.margin_total) == (quarters, True, Fraction(3, 2))
    assert [each.kind for each in explain(TR, TICKETS, rounds, "C").rounds][:2] == [Kind.BYE, Kind.OPEN]


def test_who_never_played_has_no_figures() -> None:
    with pytest.raises(KeyError):
        explain(TR, TICKETS, [], "Z")
