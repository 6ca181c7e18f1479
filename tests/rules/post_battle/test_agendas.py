"""Step 1, Progress Agendas (R25 to R28): how far each comes, and what takes its reward away."""

from typing import Any

import pytest

from rules.battle.report import Report
from rules.core.reward_effects import (
    All,
    Confirmed,
    GainExperience,
    GainSetback,
    Lost,
    MarkedUndefeatedAtLeast,
    NoMarkedUnitDefeated,
    SecondaryVpAtLeast,
    SecondaryVpMoreThanOpponent,
    TokensAtLeast,
    Won,
)
from rules.core.rulebook import Rulebook
from rules.post_battle.agendas import confirmations, holds, progressions, rewards_withheld, shield
from rules.post_battle.dialogue import Context
from rules.post_battle.setbacks import NO_SHIELD, Shield
from rules.register.state import Field

from ..build import PARAGON, SNOW, TROOPERS, done, house, noted, report, state
from .progressing import CONDITIONS, DUEL, FEWER, FOES, POINT, progressed, side, step, supply

# --- Progress ------------------------------------------------------------------------------------------------


def test_no_agenda_in_play(book: Rulebook) -> None:
    assert done(step(book, report(PARAGON))) == [noted("R25", "no Agenda in play")]


def test_an_agenda_that_did_not_progress_gives_nothing(book: Rulebook) -> None:
    """R26."""
    assert done(step(book, side("keep-them-in-line", tokens=1))) == [noted("R25", "Keep Them in Line did not progress")]


def test_every_agenda_is_tried(book: Rulebook) -> None:
    assert set(CONDITIONS) == set(book.agendas)


@pytest.mark.parametrize("agenda", CONDITIONS)
def test_each_condition_met_progresses_by_one(book: Rulebook, agenda: str) -> None:
    """R25: a later one counts only if all earlier ones did."""
    reports = [side(agenda, **facts) for facts in CONDITIONS[agenda]]
    assert [progressions(book.agendas[agenda], each, 0) for each in reports] == [0, 1, 1, 2]


@pytest.mark.parametrize("agenda", CONDITIONS)
def test_progress_stops_at_the_number_that_completes_it(book: Rulebook, agenda: str) -> None:
    """R25: 3, and 2 in the Weekend War."""
    card, best = book.agendas[agenda], side(agenda, **CONDITIONS[agenda][3])
    needed = 2 if card.story_arc == "the-weekend-war" else 3
    assert card.progressions_to_complete == needed
    assert [progressions(card, best, already) for already in range(5)] == (
        [2, 2, 1, 0, 0] if needed == 3 else [2, 1, 0, 0, 0]
    )


def test_progress_of_earlier_battles_counts(book: Rulebook) -> None:
    """R25: of this Agenda."""
    start = state(agendas={"martial-prowess": 2, "glorious-charge": 1})
    both = side("martial-prowess", confirmed=frozenset({DUEL, FOES}), defeated=(PARAGON,))
    progress = step(book, both, start=start)
    assert done(progress) == [progressed("martial-prowess", 1), *supply(book, "martial-prowess", 1)]
    assert progress.state.agendas == {"martial-prowess": 3, "glorious-charge": 1}


def test_what_its_player_confirms_is_asked_when_it_is_reached(book: Rulebook) -> None:
    """R25: and not if an earlier condition fails."""
    asked: list[str] = []

    def confirm(text: str) -> bool:
        asked.append(text)
        return False

    odds = book.agendas["against-all-odds"]
    assert progressions(odds, side("against-all-odds", tokens=2, result="won"), 0, confirm) == 0
    assert progressions(odds, side("against-all-odds", tokens=3, result="lost"), 0, confirm) == 1
    assert asked == []
    assert progressions(odds, side("against-all-odds", tokens=3, result="won"), 0, confirm) == 1
    assert asked == [FEWER]


def test_texts_to_confirm_in_the_order_of_the_card(book: Rulebook) -> None:
    texts = {slug: confirmations(agenda.progress) for slug, agenda in book.agendas.items()}
    assert {slug: values for slug, values in texts.items() if values} == {
        "against-all-odds": [FEWER], "daring-defense": [POINT], "martial-prowess": [DUEL, FOES],
    }  # fmt: skip


def test_texts_in_the_order_in_which_they_are_reached() -> None:
    """Section 8: those of "all" stand where it stands."""
    conditions = (Confirmed("a"), All((Won(), Confirmed("b"), Confirmed("c"))), Confirmed("d"))
    assert confirmations(conditions) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("condition", "facts", "expected"),
    [
        (TokensAtLeast(2), {"tokens": 2}, True),
        (TokensAtLeast(2), {"tokens": 1}, False),
        (SecondaryVpAtLeast(3), {"secondary_vp": 3}, True),
        (SecondaryVpAtLeast(3), {"secondary_vp": 2}, False),
        (SecondaryVpMoreThanOpponent(), {"secondary_vp": 2, "opponent_secondary_vp": 1}, True),
        (SecondaryVpMoreThanOpponent(), {"secondary_vp": 2, "opponent_secondary_vp": 2}, False),
        (MarkedUndefeatedAtLeast(1), {"marked": ("2", "3"), "defeated": ("2",)}, True),
        (MarkedUndefeatedAtLeast(2), {"marked": ("2", "3"), "defeated": ("2",)}, False),
        (NoMarkedUnitDefeated(), {"marked": ("3",), "defeated": ("2",)}, True),
        (NoMarkedUnitDefeated(), {"marked": ("2", "3"), "defeated": ("2",)}, False),
        (Won(), {"result": "won"}, True),
        (Won(), {"result": "drawn"}, False),
        (Lost(), {"result": "lost"}, True),
        (Lost(), {"result": "drawn"}, False),
        (Confirmed("x"), {"confirmed": frozenset({"x"})}, True),
        (Confirmed("x"), {"confirmed": frozenset({"y"})}, False),
        (All((Won(), TokensAtLeast(1))), {"result": "won", "tokens": 1}, True),
        (All((Won(), TokensAtLeast(1))), {"result": "won"}, False),
    ],
)
def test_conditions(condition: Any, facts: dict[str, Any], expected: bool) -> None:
    """Section 8."""
    report = Report(**facts)
    assert holds(condition, report, lambda text: text in report.confirmed) is expected


# --- Tunnel Vision and Daring Defense's shield ---------------------------------------------------------------


def test_tunnel_vision_takes_supply_and_experience(book: Rulebook) -> None:
    """R27: the Trait the Paragon had when the battle began; progress and questions stand."""
    agenda = "salvage-materiel"
    start = state(in_field=Field("b1", "tunnel-vision"))
    progress = step(book, side(agenda, tokens=2), SNOW, start=start)
    assert done(progress) == [
        progressed(agenda, 1),
        noted("R27", "Tunnel Vision: no SP from the Agenda"),
        noted("R27", "Tunnel Vision: no Experience from the Agenda", SNOW),
    ]
    assert progress.state.agendas == {agenda: 1}


@pytest.mark.parametrize(
    ("trait", "withheld"), [("tunnel-vision", True), ("unsure", False), ("", False), ("captious-command", False)]
)
def test_which_trait_withholds(book: Rulebook, trait: str, withheld: bool) -> None:
    """R27."""
    assert rewards_withheld(Context(book, state(in_field=Field("b1", trait)))) is withheld


def test_out_of_the_field_nothing_is_withheld(book: Rulebook) -> None:
    assert rewards_withheld(Context(book, state(in_field=None))) is False


@pytest.mark.parametrize(
    ("agenda", "field", "expected"),
    [
        ("daring-defense", Field("b1", "", 1),
         Shield(frozenset([TROOPERS]), (GainExperience(2), GainSetback()))),
        ("daring-defense", Field("b1", "tunnel-vision", 2),
         Shield(frozenset([TROOPERS]), (GainExperience(2), GainSetback()), withheld=True)),
        ("daring-defense", Field("b1"), NO_SHIELD),
        ("daring-defense", None, NO_SHIELD),
        ("protect-your-allies", Field("b1", "", 1), NO_SHIELD),
        ("", Field("b1", "", 1), NO_SHIELD),
    ],
)  # fmt: skip
def test_the_shield_is_part_of_the_reward(book: Rulebook, agenda: str, field: Field | None, expected: Shield) -> None:
    """R28 [reading]: it needs progress, unless the house says that it always holds."""
    marked = report(PARAGON, TROOPERS, agenda=agenda, marked=(TROOPERS,))
    assert shield(Context(book, state(in_field=field)), marked) == expected
    always = shield(Context(house(book, shield="always"), state(in_field=field)), marked)
    if agenda == "daring-defense":
        assert always == Shield(frozenset([TROOPERS]), (GainExperience(2), GainSetback()), withheld=expected.withheld)
    else:
        assert always == NO_SHIELD
