"""The proposal of a round, and changes of its draft, without a database."""

from dataclasses import replace
from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings, strategies as st

from campaign.schedule.proposal import BYE, Entrant, added, assign, colored, propose, swapped, without
from rules.tournaments.draws import Draw

DRAW = Draw(bytes(range(16)), "campaign")
KEYS = "abcdefghi"


@st.composite
def rounds(draw):
    keys = KEYS[: draw(st.integers(2, len(KEYS)))]
    entrants = [
        Entrant(key=key, points=draw(st.integers(0, 900)), byes=draw(st.integers(0, 2)), player=key) for key in keys
    ]
    pairs = [frozenset(pair) for pair in combinations(keys, 2)]
    met = {pair: draw(st.integers(1, 3)) for pair in pairs if draw(st.booleans())}
    return entrants, met, Draw(draw(st.binary(min_size=16, max_size=16)), "campaign")


@settings(max_examples=50)
@given(values=rounds())
def test_what_is_true_of_every_proposal(values):
    entrants, met, draw = values
    pairs = propose(draw, 3, entrants, met)
    assert pairs == propose(draw, 3, entrants[::-1], met)
    paired = [key for pair in pairs for key in pair if key != BYE]
    assert sorted(paired) == [each.key for each in entrants]
    byes = {each.key: each.byes for each in entrants}
    with_bye = [blue for blue, red in pairs if red == BYE]
    assert [byes[key] for key in with_bye] == [min(byes.values())] * (len(entrants) % 2)
    rest = [each.key for each in entrants if byes[each.key] == min(byes.values())] if with_bye else [BYE]
    rematches = sum(frozenset(pair) in met for pair in pairs)
    assert bool(rematches) == (not any(is_avoidable([key for key in byes if key != bye], met) for bye in rest))


def is_avoidable(keys, met) -> bool:
    """Whether all of them can meet somebody new."""
    new = networkx.Graph(pair for pair in combinations(keys, 2) if frozenset(pair) not in met)
    return 2 * len(networkx.max_weight_matching(new, maxcardinality=True)) == len(keys)


def field(*points: int, **words) -> list[Entrant]:
    return [Entrant(key=key, points=each, player=key, **words) for key, each in zip(KEYS, points, strict=False)]


def test_teammates_meet_only_on_purpose():
    teams = [replace(each, team=team) for each, team in zip(field(800, 800, 700, 700), "xxyy", strict=True)]
    met = {frozenset("ac"): 2, frozenset("ad"): 2, frozenset("bc"): 2, frozenset("bd"): 2}
    found = {mates: as_sets(propose(DRAW, 1, teams, met, mates=mates)) for mates in ("apart", "any", "together")}
    together = as_sets(["ab", "cd"])
    assert (found["any"], found["together"], found["apart"] & together) == (together, together, set())


def test_pairs_have_a_day_in_common_where_they_can():
    days = [frozenset({0}), frozenset({3}), frozenset({0, 5}), frozenset({3})]
    entrants = [replace(each, days=day) for each, day in zip(field(800, 800, 100, 100), days, strict=True)]
    assert as_sets(propose(DRAW, 1, entrants, {})) == as_sets(["ac", "bd"])


def test_each_pair_has_a_system_of_its_own_while_there_are_enough():
    ranks = [{"x": 0, "y": 2}, {"x": 0, "y": 1}]
    assert assign(DRAW, 1, ranks) == ["x", "y"]
    three = assign(DRAW, 1, [*ranks, {"x": 2, "y": 0}])
    assert sorted(three) in (["x", "x", "y"], ["x", "y", "y"])
    assert assign(DRAW, 1, [{}, {}]) == ["", ""]


def as_sets(pairs):
    return {frozenset(pair) for pair in pairs}


def test_those_who_are_near_meet():
    assert as_sets(propose(DRAW, 1, field(800, 600, 810, 590), {})) == as_sets(["ac", "bd"])


def test_another_proposal_avoids_the_pairs_of_the_last():
    entrants = field(800, 600, 810, 590)
    first = propose(DRAW, 1, entrants, {})
    other = propose(DRAW, 1, entrants, {}, avoid=[frozenset(pair) for pair in first])
    assert not as_sets(first) & as_sets(other)


def test_two_registers_of_one_player_do_not_meet():
    entrants = [Entrant(key=key, player=player) for key, player in zip("abcd", "xxyy", strict=True)]
    met = {frozenset(pair): 3 for pair in ("ac", "ad", "bc", "bd")}
    assert not as_sets(propose(DRAW, 1, entrants, met)) & as_sets(["ab", "cd"])


@pytest.mark.parametrize(
    ("blue", "must", "pair"),
    [({"a": 2, "b": 1}, (), ("b", "a")), ({"a": 0, "b": 1}, (), ("a", "b")), ({"a": 2, "b": 1}, ("a",), ("a", "b"))],
)
def test_who_is_blue(blue, must, pair):  # R22
    assert colored(("a", "b"), blue=blue, must=must, draw=DRAW, number=1) == pair


DRAFT = [("a", "b"), ("c", "d"), ("e", BYE)]


@pytest.mark.parametrize(
    ("change", "after"),
    [
        (lambda: swapped(DRAFT, "a", "d"), [("d", "b"), ("c", "a"), ("e", BYE)]),
        (lambda: swapped(DRAFT, "a", "b"), [("b", "a"), ("c", "d"), ("e", BYE)]),
        (lambda: swapped(DRAFT, "a", "e"), [("e", "b"), ("c", "d"), ("a", BYE)]),
        (lambda: swapped(DRAFT, "a", "x"), [("x", "b"), ("c", "d"), ("e", BYE)]),
        (lambda: swapped(DRAFT, "e", "x"), [("a", "b"), ("c", "d"), ("e", "x")]),
        (lambda: added(DRAFT, "x"), [("a", "b"), ("c", "d"), ("e", "x")]),
        (lambda: added(DRAFT[:2], "x"), [("a", "b"), ("c", "d"), ("x", BYE)]),
        (lambda: added(DRAFT, "a"), DRAFT),
        (lambda: without(DRAFT, "a"), [("c", "d"), ("e", "b")]),
        (lambda: without(DRAFT[:2], "a"), [("c", "d"), ("b", BYE)]),
        (lambda: without(DRAFT, "e"), DRAFT[:2]),
        (lambda: without(DRAFT, "x"), DRAFT),
    ],
)
def test_changes_of_a_draft(change, after):
    assert change() == after
