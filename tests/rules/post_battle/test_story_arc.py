"""Step 10, Choose New Story Arc, and the end of the sequence (R49, R50, R37)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.campaign_rules import CampaignRules
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Choose, Option, Progress
from rules.post_battle.steps import take_the_field
from rules.post_battle.story_arc import choose_story_arc
from rules.register.effects import SagaCompleted, SequenceEnded, StoryArcBegun, TraitCountedDown
from rules.register.state import RegisterState, Trait, replay

from ..build import PARAGON, broken, done, noted, play, report, state

OWNER = report(PARAGON, owns_turning_point=True)


def step(book: Rulebook, side: Report, *answers: Any, start: RegisterState | None = None) -> Progress:
    return play(book, start or state(), lambda context: choose_story_arc(context, side), answers)


def test_who_ended_no_arc_passes(book: Rulebook) -> None:
    """R49, R50."""
    assert done(step(book, report(PARAGON))) == [
        noted("R49", "its Turning Point was not played, so the Story Arc continues"), SequenceEnded(rule="R50"),
    ]  # fmt: skip


def test_who_ended_an_arc_chooses_the_next(book: Rulebook) -> None:
    """R49."""
    arcs = book.story_arcs.values()
    assert step(book, OWNER).question == Choose(
        rule="R49",
        text="Choose the next Story Arc.",
        kind="story_arc",
        options=tuple(Option(arc.slug, arc.name, arc.briefing) for arc in arcs),
    )
    assert broken(lambda: step(book, OWNER, None)) == ["R49"]


def test_an_arc_that_is_not_offered_is_no_choice(book: Rulebook) -> None:
    """R49: one that somebody wrote, and that was not taken in."""
    own = replace(book.story_arcs["the-weekend-war"], slug="ours", own=True)
    everywhere = replace(book, story_arcs={**book.story_arcs, "ours": own})
    question = step(everywhere, OWNER).question
    assert isinstance(question, Choose)
    assert [option.value for option in question.options] == list(book.story_arcs)
    taken_in = replace(everywhere, adopted_arcs=frozenset({"ours"}))
    assert done(step(taken_in, OWNER, "ours"))[0] == StoryArcBegun(story_arc="ours", rule="R49")


def test_the_same_arc_again_starts_at_nothing(book: Rulebook) -> None:
    """R49."""
    start = state(agendas={"keep-them-in-line": 3})
    progress = step(book, OWNER, start.story_arc, start=start)
    assert done(progress) == [StoryArcBegun(story_arc=start.story_arc, rule="R49"), SequenceEnded(rule="R50")]
    assert progress.state == state(in_field=None, arcs_ended=1)


@pytest.mark.parametrize(("ended", "length", "last"), [(0, 1, 1), (2, 3, 3), (4, 3, 5)])
def test_after_the_last_arc_of_the_campaign_the_saga_is_complete(
    book: Rulebook, ended: int, length: int, last: int
) -> None:
    """R49: no arc is asked for; the sequence ends as ever."""
    start = state(arcs_ended=ended)
    progress = step(book.under(CampaignRules(length=length)), OWNER, start=start)
    assert done(progress) == [SagaCompleted(arcs=last, rule="R49"), SequenceEnded(rule="R50")]
    assert progress.state == state(arcs_ended=last, saga_complete=True, in_field=None)


def test_before_the_last_one_another_is_chosen(book: Rulebook) -> None:
    """R49: among those that the campaign plays."""
    campaign_rules = CampaignRules(length=3, story_arcs=("a-pirates-life", "the-weekend-war"))
    asked = step(book.under(campaign_rules), OWNER, start=state(arcs_ended=1)).question
    assert isinstance(asked, Choose)
    assert [option.value for option in asked.options] == ["the-weekend-war", "a-pirates-life"]


def test_a_complete_saga_takes_no_field(book: Rulebook) -> None:
    """R49."""
    assert broken(lambda: take_the_field(state(saga_complete=True, in_field=None), "b2")) == ["R49"]


def test_a_trait_lasts_two_games_after_the_one_in_which_it_was_gained(book: Rulebook) -> None:
    """R37, R50."""
    start = state(trait=Trait("unsure", 2, fresh=True))
    gained = step(book, report(PARAGON), start=start)
    assert done(gained) == [
        noted("R49", "its Turning Point was not played, so the Story Arc continues"),
        SequenceEnded(rule="R50"),
    ]
    assert gained.state.trait == Trait("unsure", 2)

    first = step(book, report(PARAGON), start=replay(take_the_field(gained.state, "b2"), gained.state))
    assert done(first)[1] == TraitCountedDown(trait="unsure", games_left=1, rule="R37")
    assert first.state.trait == Trait("unsure", 1)

    second = step(book, report(PARAGON), start=replay(take_the_field(first.state, "b3"), first.state))
    assert done(second)[1] == TraitCountedDown(trait="unsure", games_left=0, rule="R37")
    assert second.state.trait is None
