"""One side of a battle."""

from rules.battle.report import Lent, Report, result_for
from rules.core.rulebook import Rulebook


def test_lent_units_are_known_by_their_key(book: Rulebook) -> None:
    """R21: an exemption and special equipment are no units."""
    vader = book.units["darth-vader-dark-lord-of-the-sith"]
    side = Report(
        lent=(
            Lent("heroic-intervention", "L1", vader),
            Lent("authorized-extraordinary-use", bearer="3"),
            Lent("requisition-special-equipment", upgrades=(book.upgrades["trusted-agent"],), bearer="3"),
        )
    )
    assert side.lent_units == {"L1": vader}


def test_a_draw_is_neither_won_nor_lost() -> None:
    """R29."""
    sides = [Report(result="won"), Report(result="lost"), Report(result="drawn"), Report()]
    assert [(side.won, side.lost) for side in sides] == [(True, False), (False, True), (False, False), (False, False)]


def test_who_won_what() -> None:
    """A battle is seen from both sides; nobody wins a draw."""
    seen = {
        (colour, winner): result_for(colour, winner) for colour in ("blue", "red") for winner in ("blue", "red", "")
    }
    assert seen == {
        ("blue", "blue"): "won",
        ("blue", "red"): "lost",
        ("blue", ""): "drawn",
        ("red", "blue"): "lost",
        ("red", "red"): "won",
        ("red", ""): "drawn",
    }
