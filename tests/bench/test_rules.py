"""What the bench of the rules counts."""

from bench.rules import line, ready, walks
from bench.simulation import CATALOGUE, Supply
from rules.catalogue.loader import read_rulebook


def test_a_walk_with_its_answers_is_the_walk_in_which_they_were_thought_up() -> None:
    supply = Supply(read_rulebook(CATALOGUE))
    found = list(walks(supply, campaigns=1, battles=2))
    assert len(found) == 2
    for walk in found:
        given, thought = ready(walk, supply), walk.again(supply)
        assert [side.context for side in given] == [side.context for side in thought]
        assert all(side.context.state.in_field is None for side in given)  # the whole sequence


def test_a_line_has_the_median_and_both_ends() -> None:
    assert line("pure rules", "≥ 2,000", [2500.4, 1900, 2100]) == "| pure rules | ≥ 2,000 | 2,100 | 1,900 | 2,500 |"
