"""The exact odds of a unit's Casualty Check (R31 to R35), shown before the roll."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import combinations

from rules.core.dice import BLACK_ATTACK, DICE, chance
from rules.core.rulebook import Rulebook
from rules.core.values import Value
from rules.post_battle.casualties import BOON, CASUALTY, dice_for, is_war_weary, outcome, rerolls_for
from rules.register.state import Dossier

#: Faces in alphabetical order: it does not matter which die shows which.
Faces = tuple[str, ...]


class Odds(Value):
    """The chances of the four results of a check (R34), 1 in sum; a Paragon's `casualty` is a Defining Trait."""

    casualty: Fraction = Fraction(0)
    boon: Fraction = Fraction(0)
    setback: Fraction = Fraction(0)
    escaped: Fraction = Fraction(0)


def check_odds(book: Rulebook, dossier: Dossier, *, shielded: bool = False) -> Odds:
    """Return the odds of a unit's next check, if its player makes a casualty least likely, then an escape most likely.
    `shielded` means that Daring Defense keeps the unit from becoming a casualty (R28).
    """
    return _best(odds_by_choice(book, dossier, shielded=shielded).values())


def casualty_chance(dice: int) -> Fraction:
    """Return the chance that a check of so many dice is a casualty, if none is rerolled (R34)."""
    return _check(dice, 0, False, False).casualty


def odds_by_choice(book: Rulebook, dossier: Dossier, *, shielded: bool = False) -> dict[str, Odds]:
    """Return the odds of each choice of a War Weary unit: "add" a die or "reroll" its blanks (R32); else of "check"."""
    dice = dice_for(dossier)
    if not is_war_weary(book, dossier):
        return {"check": _check(dice, rerolls_for(book, dossier, dice), False, shielded)}
    return {
        "add": _check(dice + 1, rerolls_for(book, dossier, dice + 1), False, shielded),
        "reroll": _check(dice, rerolls_for(book, dossier, dice), True, shielded),
    }


def _best(odds: Iterable[Odds]) -> Odds:
    return min(odds, key=lambda each: (each.casualty, -each.escaped, -each.boon))


def _mix(parts: Iterable[tuple[Fraction, Odds]]) -> Odds:
    sums = dict.fromkeys(("casualty", "boon", "setback", "escaped"), Fraction(0))
    for weight, odds in parts:
        for result in sums:
            sums[result] += weight * getattr(odds, result)
    return Odds(**sums)


@cache
def _check(dice: int, rerolls: int, blanks_again: bool, shielded: bool) -> Odds:
    """Return the odds of `dice`: every blank is rerolled, if required (R32); then up to `rerolls` dice (R33)."""
    again = _blanks_again if blanks_again else _reroll
    return _mix((weight, again(faces, rerolls, shielded)) for faces, weight in _falls(dice).items())


def _blanks_again(faces: Faces, rerolls: int, shielded: bool) -> Odds:
    kept = tuple(face for face in faces if face != "blank")
    new_falls = _falls(len(faces) - len(kept)).items()
    return _mix((weight, _reroll(_sorted(kept, new), rerolls, shielded)) for new, weight in new_falls)


@cache
def _reroll(faces: Faces, rerolls: int, shielded: bool) -> Odds:
    """Return the best odds of `faces` with up to `rerolls` rerolled dice; rerolling none is a choice too."""
    choices = {again for count in range(rerolls + 1) for again in combinations(faces, count)}
    return _best(_rerolled(faces, again, shielded) for again in choices)


def _rerolled(faces: Faces, again: Faces, shielded: bool) -> Odds:
    kept = list(faces)
    for face in again:
        kept.remove(face)
    return _mix((weight, _result(_sorted(kept, new), shielded)) for new, weight in _falls(len(again)).items())


def _result(faces: Faces, shielded: bool) -> Odds:
    what = outcome(faces)
    return Odds(**{BOON if shielded and what == CASUALTY else what: Fraction(1)})


@cache
def _falls(dice: int) -> dict[Faces, Fraction]:
    if not dice:
        return {(): Fraction(1)}
    falls: dict[Faces, Fraction] = {}
    for faces, weight in _falls(dice - 1).items():
        for face in DICE[BLACK_ATTACK]:
            more = _sorted(faces, (face,))
            falls[more] = falls.get(more, Fraction(0)) + weight * chance(BLACK_ATTACK, face)
    return falls


def _sorted(faces: Iterable[str], more: Iterable[str]) -> Faces:
    return tuple(sorted((*faces, *more)))
