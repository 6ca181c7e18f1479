"""Exact odds of a Casualty Check (R31 to R35, section 7)."""

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from rules.core.dice import sides
from rules.core.rulebook import Rulebook
from rules.post_battle.casualties import outcome
from rules.post_battle.casualty_odds import Odds, casualty_chance, check_odds, odds_by_choice
from rules.register.state import Dossier
from tests.rules.build import TROOPERS, change, state

BOTH = ("resilient", "dedicated-to-the-cause")


def unit(setbacks: int = 0, *commendations: str, weary: bool = False) -> Dossier:
    had = ("war-weary",) * weary + ("downtrodden",) * (setbacks - weary)
    return change(state(), TROOPERS, setbacks=had, commendations=commendations).dossiers[TROOPERS]


@pytest.mark.parametrize("dice", range(1, 7))
def test_the_formulas_of_section_7(book: Rulebook, dice: int) -> None:
    eighth = Fraction(1, 8)
    assert check_odds(book, unit(dice)) == Odds(
        casualty=1 - (7 * eighth) ** dice,
        boon=eighth**dice,
        setback=(7 * eighth) ** dice - (4 * eighth) ** dice,
        escaped=(4 * eighth) ** dice - eighth**dice,
    )
    assert casualty_chance(dice) == 1 - (7 * eighth) ** dice


def test_the_numbers_of_section_7(book: Rulebook) -> None:
    assert check_odds(book, unit(0)) == check_odds(book, unit(1))
    numbers = [
        tuple(float(part) for part in (odds.casualty, odds.boon, odds.setback, odds.escaped))
        for odds in (check_odds(book, unit(1)), check_odds(book, unit(2)))
    ]
    assert numbers == [(0.125, 0.125, 0.375, 0.375), (0.234375, 0.015625, 0.515625, 0.234375)]


# --- Against a plain enumeration of every side of every die --------------------------------------------------

Tally = dict[str, Fraction]


def shares(tallies: list[Tally]) -> Tally:
    results = ("casualty", "boon", "setback", "escaped")
    return {name: sum((tally[name] for tally in tallies), Fraction(0)) / len(tallies) for name in results}


def sure(faces: tuple[str, ...], shielded: bool) -> Tally:
    result = outcome(faces)
    result = "boon" if shielded and result == "casualty" else result
    return {name: Fraction(name == result) for name in ("casualty", "boon", "setback", "escaped")}


def with_new(faces: tuple[str, ...], places: tuple[int, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    changed = dict(zip(places, new, strict=True))
    return tuple(changed.get(place, face) for place, face in enumerate(faces))


def after_rerolls(faces: tuple[str, ...], rerolls: int, shielded: bool) -> Tally:
    tallies = [
        shares([
            sure(with_new(faces, places, new), shielded)
            for new in product(sides("black_attack"), repeat=count)
        ])
        for count in range(rerolls + 1)
        for places in combinations(range(len(faces)), count)
    ]  # fmt: skip
    return min(tallies, key=lambda tally: (tally["casualty"], -tally["escaped"], -tally["boon"]))


def enumerated(dice: int, rerolls: int, blanks_again: bool, shielded: bool) -> Odds:
    memory: dict[tuple[str, ...], Tally] = {}

    def settle(faces: tuple[str, ...]) -> Tally:
        if faces not in memory:
            memory[faces] = after_rerolls(faces, rerolls, shielded)
        return memory[faces]

    tallies = []
    for faces in product(sides("black_attack"), repeat=dice):
        blanks = tuple(place for place, face in enumerate(faces) if face == "blank" and blanks_again)
        tallies.append(
            shares([
                settle(with_new(faces, blanks, new)) for new in product(sides("black_attack"), repeat=len(blanks))
            ])
        )  # fmt: skip
    return Odds(**shares(tallies))


@pytest.mark.parametrize("shielded", [False, True])
@pytest.mark.parametrize(("commendations", "rerolls"), [((), 0), (("resilient",), 1), (BOTH, 2)])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_rerolls(book: Rulebook, dice: int, commendations: tuple[str, ...], rerolls: int, shielded: bool) -> None:
    """R33: none with a single die."""
    expected = enumerated(dice, rerolls if dice > 1 else 0, False, shielded)
    assert check_odds(book, unit(dice, *commendations), shielded=shielded) == expected


@pytest.mark.parametrize("shielded", [False, True])
@pytest.mark.parametrize(("commendations", "rerolls"), [((), 0), (("resilient",), 1), (BOTH, 2)])
@pytest.mark.parametrize("setbacks", [1, 2])
def test_war_weary(book: Rulebook, setbacks: int, commendations: tuple[str, ...], rerolls: int, shielded: bool) -> None:
    """R32: a die more, which counts for R33; or all blanks once more."""
    add = enumerated(setbacks + 1, rerolls, False, shielded)
    again = enumerated(setbacks, rerolls if setbacks > 1 else 0, True, shielded)
    weary = unit(setbacks, *commendations, weary=True)
    assert odds_by_choice(book, weary, shielded=shielded) == {"add": add, "reroll": again}
    assert check_odds(book, weary, shielded=shielded) == min(
        (add, again), key=lambda odds: (odds.casualty, -odds.escaped, -odds.boon)
    )


def test_without_war_weary_there_is_nothing_to_choose(book: Rulebook) -> None:
    assert odds_by_choice(book, unit(2)) == {"check": check_odds(book, unit(2))}


def test_a_shielded_unit_is_no_casualty(book: Rulebook) -> None:
    """R28, R35: 2 XP and a Setback instead."""
    plain, shielded = check_odds(book, unit(2)), check_odds(book, unit(2), shielded=True)
    assert shielded == Odds(Fraction(0), plain.boon + plain.casualty, plain.setback, plain.escaped)


@pytest.mark.parametrize("dossier", [unit(9), unit(9, *BOTH), unit(9, *BOTH, weary=True)])
def test_many_setbacks_are_no_trouble(book: Rulebook, dossier: Any) -> None:
    odds = check_odds(book, dossier)
    assert odds.casualty + odds.boon + odds.setback + odds.escaped == 1
