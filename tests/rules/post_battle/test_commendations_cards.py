"""Step 6, Award Paragon Command Cards (R16), and what comes before what."""

from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Choose, Option
from rules.register.effects import CommandCardDeclined, CommandCardUnlocked
from rules.register.state import RegisterState

from ..build import OTHERS, PARAGON, broken, done, state
from .awarding import awarded, choice, owing, step, waived


def cards(owed: int, *had: str) -> RegisterState:
    return state(command_cards_owed=owed, command_cards=had)


def test_one_command_card_for_each_vr_of_the_paragon(book: Rulebook) -> None:
    """R16: not twice the same."""
    asked = step(book, cards(1, "paragon-enemy-down")).question
    assert asked == Choose(
        rule="R16",
        text="The Paragon reached a Veteran Rank. Choose a Command Card to unlock.",
        about=PARAGON,
        kind="command_card",
        options=(
            Option("paragon-the-best-of-us", "• The Best of Us", "Paragon"),
            Option("paragon-objective-complete", "••• Objective Complete!", "Paragon and 2 units"),
            Option("paragon-standing-orders", "•••• Standing Orders (Paragon)", "Paragon"),
        ),
        decline="none",
    )
    both = step(book, cards(2), "paragon-enemy-down", "paragon-standing-orders")
    assert done(both) == [
        CommandCardUnlocked(command_card="paragon-enemy-down", rule="R16"),
        CommandCardUnlocked(command_card="paragon-standing-orders", rule="R16"),
    ]
    assert both.state == cards(0, "paragon-enemy-down", "paragon-standing-orders")
    assert broken(lambda: step(book, cards(2), "paragon-enemy-down", "paragon-enemy-down")) == ["R16"]


def test_it_may_decline(book: Rulebook) -> None:
    """R16."""
    assert done(step(book, cards(1), None)) == [CommandCardDeclined(rule="R16", why="declined")]


def test_there_are_but_four(book: Rulebook) -> None:
    """R16."""
    assert done(step(book, cards(1, *book.command_cards))) == [CommandCardDeclined(rule="R16", why="all are unlocked")]


def test_commendations_come_before_command_cards(book: Rulebook) -> None:
    start = owing(PARAGON, start=cards(1))
    answers = (choice(PARAGON, "resilient"), "paragon-the-best-of-us")
    assert done(step(book, start, *answers)) == [
        awarded(PARAGON, "resilient"),
        CommandCardUnlocked(command_card="paragon-the-best-of-us", rule="R16"),
    ]


def test_units_are_awarded_in_the_order_they_joined(book: Rulebook) -> None:
    start = owing(PARAGON, start=owing(OTHERS))
    answer = choice(OTHERS, "resilient") | choice(PARAGON, None)
    assert done(step(book, start, answer)) == [waived(PARAGON), awarded(OTHERS, "resilient")]
