"""The Story Arcs that come with Musterbook: everything in them can be played. tests/bench/simulation plays it."""

import pytest

from rules.arcs.custom_arcs import arc_violations, book_with
from rules.core.rulebook import Rulebook
from tests.rules.arcs.arcs import SHIPPED


def test_those_that_playgroups_know_are_there() -> None:
    assert {"cold-freight", "lamps-on-the-ridge", "the-drowned-quarter"} <= SHIPPED.keys()


@pytest.mark.parametrize("slug", SHIPPED)
def test_nothing_keeps_it_from_being_played(book: Rulebook, slug: str) -> None:
    assert list(arc_violations(book, SHIPPED[slug])) == []


def test_the_first_evening_is_short(book: Rulebook) -> None:
    """Two good battles open the Turning Point Mission (R22), so that three battles are a whole Story Arc."""
    [*agendas] = book_with(book, SHIPPED["lamps-on-the-ridge"]).story_arcs["draft"].agendas
    assert [agenda.progressions_to_complete for agenda in agendas] == [1, 1, 1]
    assert [bool(agenda.note) for agenda in agendas] == [True, True, True]
