"""Playing rewards on a sample Register."""

from dataclasses import replace
from random import Random

import pytest

from rules.arcs.preview import (
    SECOND,
    PreviewQuestion,
    answer_words,
    random_answer,
    rehearse_agenda,
    rehearse_mission,
    rehearse_shield,
    sample_register,
)
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import ChooseSeveral, Confirm, Question
from rules.register.effects import DiceRolled, Effect, UnitAdded
from rules.register.state import replay

SEEDS = range(12)


def test_the_sample_is_of_the_faction_that_is_meant(book: Rulebook) -> None:
    first, second = (sample_register(book, slug) for slug in ("liberate-the-system", "the-weekend-war"))
    assert [(state.faction, book.units[state.dossiers[state.paragon].card].rank) for state in (first, second)] == [
        ("rebel", "commander"),
        ("empire", "commander"),
    ]
    assert {key: (unit.name, unit.experience, len(unit.setbacks)) for key, unit in second.dossiers.items()} == {
        "1": ("The Paragon", 6, 0),
        "2": ("First Squad", 3, 1),
        "3": ("Second Squad", 11, 2),
        "4": ("Scouts", 4, 0),
        "5": ("Gun Crew", 0, 1),
        "6": ("Reserve", 0, 0),
    }


def test_a_faction_without_a_rank_has_a_smaller_sample(book: Rulebook) -> None:
    few = {slug: card for slug, card in book.units.items() if card.rank not in ("support", "special-forces")}
    smaller = replace(book, units=few)
    assert list(sample_register(smaller, "the-weekend-war").dossiers) == ["1", "2", "3", "6"]
    agenda = smaller.agendas["beat-them-to-the-punch"]
    assert [type(rehearse_agenda(smaller, agenda, seed)).__name__ for seed in SEEDS] == ["Rehearsal"] * len(SEEDS)


def test_every_agenda_can_be_rehearsed(book: Rulebook) -> None:
    for agenda in book.agendas.values():
        for seed in SEEDS:
            played = rehearse_agenda(book, agenda, seed)
            effects = [event for event in played.events if isinstance(event, Effect)]
            assert replay(effects, played.before) == played.after


def test_the_same_seed_plays_the_same(book: Rulebook) -> None:
    agenda = book.agendas["gather-intelligence"]
    played = [rehearse_agenda(book, agenda, seed) for seed in SEEDS]
    assert played == [rehearse_agenda(book, agenda, seed) for seed in SEEDS]
    assert len({one.events for one in played}) > 1


def test_every_mission_can_be_rehearsed(book: Rulebook) -> None:
    for arc in book.story_arcs.values():
        mission = arc.turning_point
        for reward, won in ((mission.victory, True), (mission.defeat, False)):
            for seed in SEEDS:
                played = rehearse_mission(book, arc.slug, reward, seed, won=won)
                effects = [event for event in played.events if isinstance(event, Effect)]
                assert replay(effects, played.before) == played.after


def test_numbers_that_a_mission_asks_for_are_three(book: Rulebook) -> None:
    mission = book.story_arcs["a-pirates-life"].turning_point
    played = rehearse_mission(book, "a-pirates-life", mission.defeat, 1, won=False)
    rolled = [event for event in played.events if isinstance(event, DiceRolled) and event.rule == "R29"]
    assert [len(event.faces) for event in rolled] == [3]


def test_what_is_asked_is_told_with_its_answer(book: Rulebook) -> None:
    mission = book.story_arcs["birth-of-a-legend"].turning_point
    played = rehearse_mission(book, "birth-of-a-legend", mission.victory, 3, won=True)
    asked = [event for event in played.events if isinstance(event, PreviewQuestion)]
    assert asked
    assert all(event.answer for event in asked)


def test_a_unit_that_joins_is_named(book: Rulebook) -> None:
    mission = book.story_arcs["a-pirates-life"].turning_point
    played = rehearse_mission(book, "a-pirates-life", mission.victory, 1, won=True)
    [joined] = [event for event in played.events if isinstance(event, UnitAdded)]
    answers = [event.answer for event in played.events if isinstance(event, PreviewQuestion)]
    assert book.units[joined.card].full_name in answers


def test_a_shield_can_be_rehearsed(book: Rulebook) -> None:
    """R28: the second squad would have been a casualty."""
    played = rehearse_shield(book, book.agendas["daring-defense"], 1)
    before, after = played.before.dossiers[SECOND], played.after.dossiers[SECOND]
    assert after.experience == before.experience + 2


def test_other_answers_in_words(book: Rulebook) -> None:
    several = ChooseSeveral(rule="", text="", kind="ranks", bag={"special-forces": 2}, labels={}, count=2)
    assert [
        answer_words(several, ["special-forces", "corps"], book),
        answer_words(Confirm(rule="", text="", kind="may"), True, book),
        answer_words(Confirm(rule="", text="", kind="may"), False, book),
        answer_words(Question(rule="", text=""), None, book),
    ] == ["special forces, corps", "yes", "no", ""]


@pytest.mark.parametrize("seed", SEEDS)
def test_somebody_may_be_nobody(book: Rulebook, seed: int) -> None:
    """A choice that is declined is told by the word for declining."""
    mission = book.story_arcs["the-weekend-war"].turning_point
    played = rehearse_mission(book, "the-weekend-war", mission.victory, seed, won=True)
    assert all(event.answer for event in played.events if isinstance(event, PreviewQuestion))


def test_a_question_of_an_unknown_kind_is_an_error() -> None:
    with pytest.raises(TypeError):
        random_answer(Question(rule="", text=""), Random(1))
