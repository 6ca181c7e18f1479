"""Random campaigns in numbers."""

import runpy
import sys
from collections import Counter
from pathlib import Path

import pytest

from bench import simulation as module
from bench.simulation import CATALOGUE, SimulationCounts, Supply, lines, main, simulate
from rules.core.rulebook import Rulebook
from rules.register.state import Dossier, RegisterState


@pytest.fixture(scope="module")
def numbers(book: Rulebook) -> SimulationCounts:
    return simulate(Supply(book), campaigns=20, battles=12, seed=1)


def test_each_side_of_each_battle_is_a_sequence(numbers: SimulationCounts) -> None:
    assert numbers.sequences == 20 * 12 * 2
    assert numbers.casualties.total() == numbers.sequences
    assert [points.total() for points in numbers.supply_points] == [40] * 12
    assert len(numbers.veteran_ranks) == 12


def test_the_same_seed_plays_the_same_campaigns(book: Rulebook) -> None:
    first, same, other = (simulate(Supply(book), campaigns=2, battles=3, seed=seed) for seed in (4, 4, 5))
    assert first == same
    assert first != other


def test_a_campaign_does_not_depend_on_how_many_are_played(book: Rulebook) -> None:
    one, two = (simulate(Supply(book), campaigns=count, battles=3, seed=4) for count in (1, 2))
    assert one.supply_points[0] <= two.supply_points[0]


def test_counting() -> None:
    numbers = SimulationCounts()
    before = RegisterState()
    after = RegisterState(
        supply_points=4, fallen={"2": Dossier("2", "x")}, dossiers={"1": Dossier("1", "x", veteran_rank=2)}
    )
    numbers.after_battle(1, before, after)
    assert numbers == SimulationCounts(
        sequences=1,
        casualties=Counter({1: 1}),
        supply_points=[Counter(), Counter({4: 1})],
        veteran_ranks=[Counter(), Counter({2: 1})],
    )


def test_the_table() -> None:
    numbers = SimulationCounts(
        sequences=4,
        casualties=Counter({0: 3, 2: 1}),
        supply_points=[Counter({5: 2, 8: 2})],
        veteran_ranks=[Counter({0: 3, 1: 1})],
    )
    assert lines(numbers) == [
        "Casualties of a Register in a battle: 0: 75.0 %, 2: 25.0 %",
        "",
        "after battle   SP mean (5 %..95 %)   VR of units in %",
        "           1      6.50 (  5..  8)   0: 75.0  1: 25.0  2:  0.0  3:  0.0  4:  0.0  5:  0.0",
    ]


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, book: Rulebook) -> None:
    ticks = iter((10.0, 10.5))
    monkeypatch.setattr(module.time, "process_time", lambda: next(ticks))
    main(["--campaigns", "2", "--battles", "3", "--seed", "4", "--catalogue", str(CATALOGUE)])
    expected = [*lines(simulate(Supply(book), campaigns=2, battles=3, seed=4)), ""]
    assert capsys.readouterr().out.splitlines() == [*expected, "12 sequences in 0.5 s: 24 a second on one core"]


def test_the_module_is_a_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["simulate", "--campaigns", "1", "--battles", "1"])
    monkeypatch.delitem(sys.modules, "bench.simulation")
    runpy.run_module("bench.simulation", run_name="__main__")
    assert "2 sequences in" in capsys.readouterr().out


def test_the_catalogue_of_the_project_is_the_default() -> None:
    assert Path(CATALOGUE, "units.csv").exists()
