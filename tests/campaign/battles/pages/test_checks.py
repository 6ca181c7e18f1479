"""Casualty Checks that were just rolled: what each unit shows."""

import pytest

from campaign.battles.pages.sequence_events import Check, Consequence, HistoryLine, NumberChange, checks_of, history_of
from registers.ledger.text import names_of
from rules.post_battle.setbacks import GAINS_A_TRAIT
from rules.register import effects as e
from rules.register.state import replay
from tests.campaign.battles.pages.sequence_start import START

pytestmark = pytest.mark.usefixtures("db")

ONE_DIE = {"escaped": 375, "setback": 375, "boon": 125, "casualty": 125}
SHIELDED = {"escaped": 375, "setback": 375, "boon": 250, "casualty": 0}


def rolled(unit: str, *faces: str, why: str = "Casualty Check", rule: str = "R31") -> e.DiceRolled:
    return e.DiceRolled(unit=unit, die="black_attack", faces=faces, rule=rule, why=why)


def lines(*faces: str, text: str = "") -> HistoryLine:
    return HistoryLine(text, "R31", tuple({"die": "black_attack", "face": face} for face in faces))


def checks(book, *effects: e.Effect, shielded: tuple[str, ...] = ()) -> list[Check]:
    after = replay(effects, START)
    return checks_of(book, after, names_of(book, after), history_of(after, effects), shielded)


def test_each_unit_with_what_followed_and_the_paragon_last(book):
    setback, trait = book.setbacks["downtrodden"], book.defining_traits["unsure"]
    assert checks(
        book,
        rolled("1", "surge"),
        e.Noted(unit="1", rule="R35", why=GAINS_A_TRAIT),
        rolled("2", "hit"),
        rolled("3", "blank"),
        e.ExperienceGained(unit="3", amount=1, rule="R34", why="escaped"),
        rolled("2", "surge", why="Setback", rule="R36"),
        e.SetbackGained(unit="2", setback="downtrodden", rule="R36"),
        rolled("1", "blank", why="Defining Trait", rule="R37"),
        e.TraitGained(trait="unsure", games=2, rule="R37"),
    ) == [
        Check(
            name="Stormtroopers", verdict="setback", rolls=[lines("hit")], odds=ONE_DIE,
            consequences=[Consequence(setback.name, setback.effect, "setback", lines("surge").dice)],
        ),
        Check(
            name="Snowtroopers", verdict="escaped", rolls=[lines("blank")], odds=ONE_DIE,
            changes=[NumberChange("XP", 0, 1)],
        ),
        Check(
            name="Captain Sorne", verdict="trait", is_paragon=True, rolls=[lines("surge")], odds=ONE_DIE,
            consequences=[
                Consequence("A Paragon is never a casualty: it gains a Defining Trait"),
                Consequence(trait.name, trait.effect, "trait", lines("blank").dice),
            ],
        ),
    ]  # fmt: skip


def test_the_last_roll_decides(book):
    [check] = checks(
        book, rolled("2", "hit", "surge"), rolled("2", "hit", "surge", why="rerolled"), e.UnitFell(unit="2", rule="R35")
    )
    assert (check.verdict, check.rolls) == ("casualty", [lines("hit", "surge"), lines("hit", "surge", text="Rerolled")])


def test_a_setback_that_is_still_to_be_rolled(book):
    [check] = checks(book, rolled("2", "hit"))
    assert (check.verdict, check.consequences) == ("setback", [])


@pytest.mark.parametrize("unit", ["1", "2"])
def test_a_shielded_unit_gains_a_setback_even_a_paragon(book, unit):
    """R35: the shield comes before the Trait."""
    [check] = checks(book, rolled(unit, "surge"), shielded=(unit,))
    assert (check.verdict, check.odds) == ("setback", SHIELDED)
