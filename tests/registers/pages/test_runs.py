"""The ledger in runs of the same battle, and these in pages."""

import pytest

from registers.pages import history as runs
from registers.pages.history import Run, page_with, pages_of, runs_of


def rows(words: str) -> list[tuple[int, str]]:
    """Entries, newest first: a letter for the battle of each, a dash for none."""
    return [(len(words) - place, "" if word == "-" else word) for place, word in enumerate(words)]


def test_entries_of_a_battle_that_follow_each_other_are_a_run():
    assert runs_of(rows("cc-bbc")) == [
        Run(battle="c", newest=6, oldest=5, count=2),
        Run(battle="", newest=4, oldest=4, count=1),
        Run(battle="b", newest=3, oldest=2, count=2),
        Run(battle="c", newest=1, oldest=1, count=1),
    ]
    assert runs_of([]) == []


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("aabbb", [["aa", "bbb"]]),
        ("aabbbb", [["aa"], ["bbbb"]]),
        ("abcd", [["a", "b", "c"], ["d"]]),
        ("aaaaaaa", [["aaaaa"], ["aa"]]),
        ("", []),
    ],
)
def test_pages(monkeypatch, words, pages):
    monkeypatch.setattr(runs, "ENTRIES_A_PAGE", 5)
    monkeypatch.setattr(runs, "RUNS_A_PAGE", 3)
    assert [[run.battle * run.count for run in page] for page in pages_of(runs_of(rows(words)))] == pages


def test_the_page_with_an_entry(monkeypatch):
    monkeypatch.setattr(runs, "ENTRIES_A_PAGE", 2)
    pages = pages_of(runs_of(rows("aabbc")))
    assert {position: page_with(pages, position) for position in (9, 5, 4, 3, 2, 1, 0)} == {
        9: 1, 5: 1, 4: 1, 3: 2, 2: 2, 1: 3, 0: 1,
    }  # fmt: skip
