"""Events written down: each file ends as it says."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import User
from core.scenarios import ExpectationFailed, ScenarioError
from tournaments.models import Event
from tournaments.scenarios.play import play, read

FILES = sorted((Path(__file__).parents[1] / "scenarios" / "events").glob("*.json"))
#: The gate plays the scenarios with at most two rounds; longer ones are played nightly.
LONG = {path for path in FILES if path.read_text().count('"close_round"') > 2}
pytestmark = pytest.mark.django_db


def nothing(drawn):
    """Leave drawn rounds unprinted."""


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=[pytest.mark.nightly] if path in LONG else []) for path in FILES]
)
def test_ends_as_it_says(path):
    play(read(path), User.objects.create_user("olga"), nothing)


SMALL = {"event": "Small", "rules": "GC", "rounds": 2, "players": ["A", "B", "C", "D"]}


def written(tmp_path, **changes):
    path = tmp_path / "event.json"
    path.write_text(json.dumps({**SMALL, **changes}))
    return path


def test_the_command_says_what_differs_and_keeps_nothing(tmp_path, capsys):
    acts = [{"act": "pair", "pairs": [["A", "B"], ["C", "D"]]}, {"act": "expect", "places": {"A": "9"}}]
    with pytest.raises(CommandError, match="1 of 1 scenarios failed"):
        call_command("play_event", written(tmp_path, acts=acts))
    assert "act 2 (expect): \n  places.A: expected 9, found" in capsys.readouterr().out
    assert not Event.objects.exists()


def test_the_command_prints_what_is_drawn(tmp_path, capsys):
    call_command("play_event", written(tmp_path, acts=[{"act": "pair"}]), print_pairs=True)
    first, last = capsys.readouterr().out.splitlines()
    drawn = json.loads(first)
    assert (drawn["round"], drawn["bye"], drawn["byes"]) == (1, None, [])
    assert sorted(name for pair in drawn["pairs"] for name in pair) == list("ABCD")
    assert last == "event.json: 1 steps, all as expected"


def test_an_event_has_options(tmp_path):
    """E20, E35."""
    with pytest.raises(ScenarioError):
        read(written(tmp_path, options={"nonsense": 2}, acts=[]))
    path = written(
        tmp_path,
        players=["A", "B", "C", "D", "E"],
        options={"bye_tokens": 2},
        acts=[
            {"act": "pair", "pairs": [["A", "B"], ["D", "E"]], "bye": "C"},
            {"act": "auto_results", "order": list("ABDE")},
            {"act": "close_round"},
            {"act": "expect", "figures": {"C": {"tokens": 2}, "A": {"tokens": 5}}},
        ],
    )
    play(read(path), User.objects.create_user("olga"), nothing)


def test_rounds_run_by_their_clock(tmp_path):
    """E26: those of the bracket from their first result on, so that who leaves before it is replaced (E38)."""
    acts = [{"act": "pair", "pairs": [["A", "D"], ["B", "C"]]}, {"act": "auto_results", "order": list("ABCD")}]
    acts += [{"act": "close_round"}, {"act": "cut"}, {"act": "pair"}, {"act": "drop", "player": "A"}]
    acts += [{"act": "expect", "bracket": [["B", "C"]]}, {"act": "auto_results", "order": list("ABCD")}]
    path = written(tmp_path, rounds=1, cut=2, tickets=list("ABCD"), acts=acts)
    played = play(read(path), User.objects.create_user("olga"), nothing)
    assert [each.minutes > 149 for each in played.event.round_set.all()] == [True, True]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"acts": [{"act": "dance"}]}, 'event.json.acts[0].act: "dance" is not one of "auto_results"'),
        ({"acts": [{"act": "drop", "who": "A"}]}, 'event.json.acts[0]: "player" is a required property'),
        ({"acts": [], "rules": "XX"}, 'event.json.rules: "XX" is not one of "GC" or "TR"'),
        ({}, 'event.json: "acts" is a required property'),
    ],
)
def test_files_that_do_not_have_the_form(tmp_path, changes, text):
    with pytest.raises(ScenarioError) as caught:
        read(written(tmp_path, **changes))
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("act", "text"),
    [
        ({"act": "drop", "player": "X"}, "act 1 (drop): there is no player 'X'"),
        ({"act": "drop", "player": "A", "refused": ["E4"]}, "act 1 (drop): expected a refusal by ['E4'], found none"),
        ({"act": "cut"}, "act 1 (cut): expected no refusal, found: Close all Swiss rounds first. (E38)"),
        ({"act": "cut", "refused": ["E9"]}, "act 1 (cut): expected ['E9'], found: Close all Swiss rounds first. (E38)"),
        ({"act": "expect", "next_bye": "A"}, "act 1 (expect): \n  next_bye: expected A, found None"),
        ({"act": "expect", "bracket": [["A", "B"]]}, "act 1 (expect): \n  bracket: expected [['A', 'B']], found []"),
        (
            {"act": "expect", "figures": {"A": {"points": 1}}, "standings": [["A"]]},
            (
                "act 1 (expect): \n  standings: expected [['A']], found [['A', 'B', 'C', 'D']]"
                "\n  A.points: expected 1, found 0"
            ),
        ),
        ({"act": "auto_results", "order": ["A"]}, "act 1 (auto_results): there is no open round"),
        ({"act": "expect", "figures": {"A": {"sos": "1/0"}}}, "act 1 (expect): '1/0' is no fraction"),
        ({"act": "pair", "pairs": [["A", "B", "C"]]}, "act 1 (pair): expected two values, not ['A', 'B', 'C']"),
        ({"act": "expect", "places": {"X": "1"}}, "act 1 (expect): there is no player 'X'"),
        (
            {"act": "correct", "round": 1, "players": ["A", "B"], "winner": "A", "how": "victory"},
            "act 1 (correct): there is no round 1",
        ),
    ],
)
def test_what_differs_is_named(tmp_path, act, text):
    with pytest.raises((ExpectationFailed, ScenarioError)) as caught:
        play(read(written(tmp_path, acts=[act])), User.objects.create_user("olga"), nothing)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"players": ["A", "a", "B", "C"]}, "a is listed twice. Add a surname or a number. (E11)"),
        ({"cut": 3}, "A cut takes 2, 4, 8, 16, … players. (E38)"),
        ({"rounds": 0}, "This structure does not belong to the rule set. Choose another one. (E14)"),
    ],
)
def test_events_that_cannot_be(tmp_path, changes, text):
    with pytest.raises(ScenarioError) as caught:
        play(read(written(tmp_path, acts=[], **changes)), User.objects.create_user("olga"), nothing)
    assert str(caught.value) == text


def test_an_order_without_a_player(tmp_path):
    acts = [{"act": "pair"}, {"act": "auto_results", "order": ["A", "B", "C"]}]
    with pytest.raises(ScenarioError, match=r"act 2 \(auto_results\): the order does not have D"):
        play(read(written(tmp_path, acts=acts)), User.objects.create_user("olga"), nothing)
