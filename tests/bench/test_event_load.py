"""What the bench of an event makes of its measurements."""

from dataclasses import replace

import pytest

from bench import event_load
from bench.event_load import QUIET, Run, compared, figures, nearly_all, standings_milliseconds
from bench.load import Kind


def kind(name, longest=250, failures=0):
    return Kind(name=name, requests=2_500, failures=failures, median=9, p95=80, p99=90, longest=longest)


WELL = Run(
    kinds=[kind("draw a round"), kind("publish a round")],
    p95=100, standings=60, bare=QUIET, workers=[140, 120], lost=[], rounds=2,
    notes={"seen": [3.0], "why": [{"pause": 1.5}], "bytes": [40_000, 80_000], "tables": [150.0]},
)  # fmt: skip


def test_a_run_that_keeps_all_limits():
    assert WELL.is_well
    assert [most for _, _, most, _ in WELL.demands()] == [0, 0, 100, 150, 3_000, 500, 60, 30_000, 140]


@pytest.mark.parametrize(
    "changed",
    [
        {"p95": 101}, {"standings": 61}, {"workers": [141]}, {"workers": []}, {"lost": ["round 1, table 2"]},
        {"kinds": [kind("draw a round", 251), kind("publish a round")]}, {"kinds": [*WELL.kinds[:1], kind("report")]},
        *({"notes": {**WELL.notes, **more}} for more in ({"seen": [3.1]}, {"bytes": [60_001]}, {"tables": []})),
        {"kinds": [*WELL.kinds, kind("report", failures=1)]},
    ],
)  # fmt: skip
def test_one_limit_that_is_exceeded(changed):
    run = replace(WELL, **changed)
    assert not run.is_well
    assert run.table().count("**no**") == 1


def test_where_the_seconds_of_the_slowest_phones_went():
    run = replace(WELL, notes={**WELL.notes, "seen": [9.0, 1.0], "why": [{"pause": 4.0}, {"pause": 0.5}]})
    assert run.reasons.splitlines()[2:] == ["| all | 2 | 5.0 | 2.25 |", "| slowest twentieth | 1 | 9.0 | 4.00 |"]


def test_a_slow_machine_has_more_time_and_no_more_memory():
    assert replace(WELL, bare=2 * QUIET, p95=200, standings=120).is_well
    assert not replace(WELL, bare=2 * QUIET, workers=[141]).is_well


def test_few_requests_say_nothing_about_the_slowest():
    few = [replace(each, requests=2_499) for each in WELL.kinds]
    assert replace(WELL, kinds=few, p95=900).is_well


def test_nearly_all_of_many_values():
    assert nearly_all([*map(float, range(100))]) == 95


def test_two_tables_side_by_side():
    rows = ("| report | 40 | 0 | 10 | 30 | 99 |", "| report | 42 | 0 | 20 | 40 | 88 |", "| draft | 2 | 0 | 1 | 2 | 3 |")
    ours, theirs = rows[0], "\n".join(rows[1:])
    assert compared(ours, theirs).splitlines()[2:] == ["| report | 10 | 20 | 0.50 | 30 | 40 | 0.75 |"]


def test_figures_are_the_same_each_time_and_never_tied():
    assert figures(2, 7) == figures(2, 7) != figures(3, 7)
    assert all(one[1] != other[1] for one, other in (figures(1, table) for table in range(150)))


def test_the_standings_in_the_log():
    of_view = '{"event": "request", "view": "tournaments:%s", "ms": %d}'
    lines = [
        "Musterbook is open",
        *(of_view % each for each in (("standings", 20), ("player", 900), ("standings", 40))),
    ]
    assert standings_milliseconds("\n".join(["Musterbook is open", *lines])) == 30
    assert standings_milliseconds("") == float("inf")


@pytest.mark.parametrize("against", [["--against", "/other"], ["--against=/other"]])
def test_two_builds_play_the_same_event(against, monkeypatch):
    played = []
    monkeypatch.setattr(
        event_load, "measured_by", lambda build, words: played.append((str(build), words)) or (WELL.table(), 1)
    )
    monkeypatch.setattr("sys.argv", ["event_load.py", "--short", *against, "--players", "8"])
    assert event_load.main() == 0
    assert played == [(build, ["--short", "--players=8"]) for build in ("/other", str(event_load.HERE))]
