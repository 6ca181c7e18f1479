"""The next step of an event, as a table of all situations."""

import pytest

from tournaments.models import Event, Round
from tournaments.pages.console import words_of
from tournaments.queries.console import NextStep, Situation, Step, next_step

DRAFT, OPEN, CLOSED = Event.State.DRAFT, Event.State.OPEN, Event.State.CLOSED
RUNNING, FINISHED, CANCELLED = Event.State.RUNNING, Event.State.FINISHED, Event.State.CANCELLED
SWISS, BRACKET = Round.Stage.SWISS, Round.Stage.BRACKET
CLOCK = (Step.START_CLOCK,)


def swiss(state, number=1, **words):
    """Round `number` of three with eight players; four games."""
    words = {"active": 8, "rounds": 3, "column": 4, "games": 4, "swiss": number, **words}
    return Situation(state=RUNNING, number=number, stage=SWISS, round_state=state, **words)


def bracket(state, column, **words):
    """A round of a bracket with `column` games after three Swiss rounds."""
    words = {"active": 8, "rounds": 3, "cut": 4, "games": column, "swiss": 3, "number": 4, **words}
    return Situation(state=RUNNING, stage=BRACKET, round_state=state, column=column, **words)


PUBLISHED, DRAWN, DONE = Round.State.PUBLISHED, Round.State.DRAFT, Round.State.CLOSED
TABLE = [
    # before the start
    (Situation(state=DRAFT), NextStep(Step.OPEN_REGISTRATION, others=(Step.ADD_PLAYERS,))),
    (Situation(state=DRAFT, registered=2), NextStep(Step.OPEN_REGISTRATION, others=(Step.ADD_PLAYERS, Step.CHECK_IN))),
    (Situation(state=DRAFT, checked_in=4), NextStep(Step.START, count=4)),
    (Situation(state=OPEN), NextStep(Step.ADD_PLAYERS, count=4)),
    (Situation(state=OPEN, registered=1, checked_in=2), NextStep(Step.ADD_PLAYERS, count=1, others=(Step.CHECK_IN,))),
    (Situation(state=OPEN, registered=4), NextStep(Step.CHECK_IN, count=4)),
    (Situation(state=OPEN, registered=2, checked_in=3), NextStep(Step.CHECK_IN, count=2)),
    (Situation(state=CLOSED, registered=2, checked_in=4), NextStep(Step.CHECK_IN, count=2, others=(Step.START,))),
    (Situation(state=CLOSED, checked_in=5), NextStep(Step.START, count=5)),
    # the Swiss rounds
    (Situation(state=RUNNING, active=8, rounds=3), NextStep(Step.DRAW, 1)),
    (Situation(state=RUNNING, active=8), NextStep(Step.DRAW, 1)),
    (swiss(DRAWN), NextStep(Step.REVIEW, 1)),
    (swiss(PUBLISHED, open=4), NextStep(Step.START_CLOCK, 1)),
    (swiss(PUBLISHED, open=3), NextStep(Step.RESULTS, 1, 3, CLOCK)),
    (swiss(PUBLISHED, open=4, clock_started=True), NextStep(Step.RESULTS, 1, 4)),
    (swiss(PUBLISHED, open=1, reported=2, clock_started=True), NextStep(Step.RESULTS, 1, 1)),
    (swiss(PUBLISHED, reported=2, clock_started=True), NextStep(Step.CONFIRM, 1, 2)),
    (swiss(PUBLISHED, reported=4), NextStep(Step.CONFIRM, 1, 4, CLOCK)),
    (swiss(PUBLISHED, open=2, reported=1, disputed=1, clock_started=True), NextStep(Step.DISPUTES, 1, 1)),
    (swiss(PUBLISHED, disputed=1), NextStep(Step.DISPUTES, 1, 1, CLOCK)),
    (swiss(PUBLISHED, clock_started=True), NextStep(Step.CLOSE, 1)),
    (swiss(PUBLISHED), NextStep(Step.CLOSE, 1)),
    (swiss(DONE), NextStep(Step.DRAW, 2)),
    (swiss(DONE, rounds=0), NextStep(Step.DRAW, 2, others=(Step.FINISH,))),
    (swiss(DONE, active=1), NextStep(Step.FINISH)),
    (swiss(DONE, 3), NextStep(Step.FINISH)),
    # the cut and the bracket
    (swiss(DONE, 3, cut=4), NextStep(Step.CUT, count=4)),
    (swiss(DONE, 3, cut=8, active=7), NextStep(Step.SMALLER_CUT, count=7, others=(Step.CUT_WITH_BYES, Step.FINISH))),
    (swiss(DONE, 3, cut=8, active=4), NextStep(Step.SMALLER_CUT, count=4, others=(Step.FINISH,))),
    (swiss(DONE, 3, cut=8, active=1), NextStep(Step.FINISH)),
    (bracket(DRAWN, 2), NextStep(Step.REVIEW, 4, column=2)),
    (bracket(PUBLISHED, 2, open=2), NextStep(Step.START_CLOCK, 4, column=2)),
    (bracket(PUBLISHED, 2, games=1, open=1, clock_started=True), NextStep(Step.RESULTS, 4, 1, column=2)),
    (bracket(DONE, 4), NextStep(Step.DRAW, 5, column=2)),
    (bracket(DONE, 2), NextStep(Step.DRAW, 5, column=1)),
    (bracket(DRAWN, 1), NextStep(Step.REVIEW, 4, column=1)),
    (bracket(PUBLISHED, 1, open=1), NextStep(Step.START_CLOCK, 4, column=1)),
    (bracket(PUBLISHED, 1, games=0), NextStep(Step.CLOSE, 4, column=1)),
    (bracket(DONE, 1), NextStep(Step.FINISH)),
    # single elimination only (E42)
    (Situation(state=RUNNING, active=5, elimination=True), NextStep(Step.DRAW, 1, column=4)),
    (Situation(state=RUNNING, elimination=True), NextStep(Step.DRAW, 1)),
    (Situation(state=RUNNING, active=2, elimination=True), NextStep(Step.DRAW, 1, column=1)),
    (bracket(DONE, 2, elimination=True, swiss=0, number=1), NextStep(Step.DRAW, 2, column=1)),
    # over
    (Situation(state=FINISHED, active=8), NextStep(Step.OVER)),
    (Situation(state=CANCELLED, registered=3), NextStep(Step.OVER)),
]


@pytest.mark.parametrize(("situation", "step"), TABLE)
def test_next_step(situation, step):
    assert next_step(situation) == step


@pytest.mark.parametrize(
    ("step", "title", "label"),
    [
        (NextStep(Step.ADD_PLAYERS, count=1), "Add 1 more player", "Add players"),
        (NextStep(Step.CHECK_IN, count=3), "Check in 3 players", "Check players in"),
        (NextStep(Step.DRAW, 2), "Draw round 2", "Draw round 2"),
        (NextStep(Step.DRAW, 5, column=1), "Draw the final", "Draw the final"),
        (NextStep(Step.CLOSE, 4, column=2), "Close the semifinals", "Close the semifinals"),
        (NextStep(Step.REVIEW, 4, column=4), "Check the pairings of the quarterfinals", "Review the draft"),
        (NextStep(Step.START_CLOCK, 4, column=8), "Start the clock of the round of 16", "Start the clock"),
        (NextStep(Step.RESULTS, 2, 1), "1 result is missing", "Enter a result"),
        (NextStep(Step.RESULTS, 4, 1, column=1), "1 result is missing", "Enter a result"),
        (NextStep(Step.CUT, count=8), "Make the cut to the top 8", "Make the cut"),
        (NextStep(Step.SMALLER_CUT, count=7), "Too few players for the cut", "Cut to the top 4"),
        (NextStep(Step.CUT_WITH_BYES, count=7), "Let all 7 players play on", "All 7 play on, with byes"),
        (NextStep(Step.OVER), "The event is over", "Open the standings"),
    ],
)
def test_steps_in_words(step, title, label):
    words = words_of(step)
    assert (words["title"], words["label"]) == (title, label)


def test_every_step_has_words():
    for step in Step:
        for column in (0, 1, 2):
            words = words_of(NextStep(step, 1, 2, column=column))
            assert all(words.values())
            assert "{" not in "".join(words.values())
