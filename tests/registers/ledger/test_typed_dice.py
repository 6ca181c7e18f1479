"""Which dice were typed in: those of the answers that were, however late they are written down."""

from registers.ledger.typed_dice import Typed, typed_in, typed_rolls
from registers.models import LedgerEntry
from rules.register.effects import DiceRolled, Effect, Noted, SupplyPointsGained, to_data

SUPPLY = DiceRolled(die="red_defense", faces=("block",), rule="R30", why="supplies")
GAINED = SupplyPointsGained(amount=3, rule="R30")
WARDEN = DiceRolled(die="white_defense", faces=("block", "blank", "blank"), rule="R41", why="Selfless Warden")


def check(unit: str, *faces: str, why: str = "Casualty Check") -> DiceRolled:
    return DiceRolled(unit=unit, die="black_attack", faces=faces, rule="R31", why=why)


def setback(unit: str, face: str) -> DiceRolled:
    return DiceRolled(unit=unit, die="black_attack", faces=(face,), rule="R36", why="Setback")


def test_dice_belong_to_the_roll_before_them():
    """Typed first, drawn by the app afterwards; the choice between them is no roll."""
    answers = [
        {"answer": {"setback:2": ["hit"]}, "source": "table", "at": 0},
        {"answer": "3", "source": "player", "at": 2},
        {"answer": {"setback:3": ["blank"]}, "source": "app", "at": 2},
    ]
    effects: list[Effect] = [setback("2", "hit"), Noted(rule="R36"), setback("3", "blank")]
    assert typed_in(answers, [0], effects) == {0}
    assert typed_in([answers[0] | {"source": "app"}, *answers[1:]], [2], effects) == {2}


def test_a_check_is_written_down_with_its_rerolls_and_each_is_its_own_roll():
    """All three stages stand behind the last answer: the first was typed, the blanks were not, the reroll was."""
    answers = [
        {"answer": {"check:2": ["blank", "hit"], "check:3": ["hit"]}, "source": "table", "at": 1},
        {"answer": {"blanks:2": ["surge"]}, "source": "app", "at": 1},
        {"answer": {"2": [0]}, "source": "player", "at": 1},
        {"answer": {"reroll:2": ["hit"]}, "source": "table", "at": 1},
    ]
    effects: list[Effect] = [
        Noted(rule="R35"),
        check("2", "blank", "hit"),
        check("2", "surge", "hit", why="blanks rerolled"),
        check("2", "hit", "hit", why="rerolled"),
        check("3", "hit"),
    ]
    assert typed_in(answers, [0, 3], effects) == {1, 3, 4}


def test_nothing_was_typed_where_no_answer_was():
    assert typed_in([{"answer": {"supply": ["block"]}, "source": "app", "at": 0}], [], [SUPPLY]) == frozenset()


def entry(answers: list[dict[str, object]], by_hand: list[int], effects: list[Effect]) -> LedgerEntry:
    return LedgerEntry(answers=answers, rolled_by_hand=by_hand, effects=[to_data(effect) for effect in effects])


def test_what_was_typed_pool_by_pool_with_its_die():
    kept = entry(
        [
            {"answer": ["corps", "heavy"], "source": "table", "at": 0},
            {"answer": {"supply": ["block"]}, "source": "app", "at": 0},
            {"answer": {"check:2": ["hit", "blank"], "check:3": ["hit"]}, "source": "table", "at": 2},
            {"answer": {"warden": ["block", "blank", "blank"]}, "source": "table", "at": 2},
        ],
        [0, 2, 3],
        [SUPPLY, GAINED, WARDEN],
    )
    assert list(typed_rolls(kept)) == [
        Typed(ordinal=1, pool="tokens", die="", faces=("corps", "heavy")),
        Typed(ordinal=3, pool="check:2", die="black_attack", faces=("hit", "blank")),
        Typed(ordinal=3, pool="check:3", die="black_attack", faces=("hit",)),
        Typed(ordinal=4, pool="warden", die="white_defense", faces=("block", "blank", "blank")),
    ]
