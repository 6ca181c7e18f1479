"""The bench that weighs two builds: how it reads what a start prints, and how it compares."""

from bench.weight import MEMORY, START, phases_of, table


def test_a_phase_lasts_until_the_next_one():
    lines = [
        (0.5, "Creating the environment .venv"),
        (2.0, "Installing the packages in requirements.txt"),
        (3.0, "Installed 80 packages in 1 s"),
        (5.0, "Loading the cards …"),
        (6.0, "Edition 2026-04-21:"),
        (7.5, "Musterbook is open at http://localhost:8000"),
    ]
    assert phases_of(lines) == {
        "Creating the environment .venv": 1.5,
        "Installing the packages": 3.0,
        "Loading the cards": 2.5,
    }


def test_the_table_has_what_only_one_of_the_builds_does():
    ours, theirs = {START: 10.0, MEMORY: 200.0}, {START: 40.0, "Loading the cards": 2.0, MEMORY: 250.0}
    assert table(ours, theirs).splitlines()[2:] == [
        f"| {START} | 10.0 | 40.0 | 0.25 | ≤ 0.5 |",
        f"| {MEMORY} | 200.0 | 250.0 | 0.80 | ≤ 0.5 |",
        "| Loading the cards |  | 2.0 |  |  |",
    ]
