"""The dice of the game, and fair dice that can be checked afterwards."""

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import erfc, exp, gamma, sqrt

from rules.core.translation import gettext
from rules.core.violations import refuse

#: The order in which the faces of a rewarded roll are resolved (section 8).
FACES: tuple[str, ...] = ("hit", "critical", "block", "surge", "blank")

#: How many sides of each die show a face.
DICE: dict[str, dict[str, int]] = {
    "red_attack": {"hit": 5, "critical": 1, "surge": 1, "blank": 1},
    "black_attack": {"hit": 3, "critical": 1, "surge": 1, "blank": 3},
    "white_attack": {"hit": 1, "critical": 1, "surge": 1, "blank": 5},
    "red_defense": {"block": 3, "surge": 1, "blank": 2},
    "white_defense": {"block": 1, "surge": 1, "blank": 4},
}

BLACK_ATTACK = "black_attack"
RED_DEFENSE = "red_defense"


def sides(die: str) -> list[str]:
    """Return all sides of `die`, one face name per side, for a fair draw."""
    return [face for face, count in DICE[die].items() for _ in range(count)]


def chance(die: str, face: str) -> Fraction:
    """Return the exact probability that one `die` shows `face`."""
    return Fraction(DICE[die].get(face, 0), sum(DICE[die].values()))


#: How often each face must be expected for the test to be meaningful.
LEAST_EXPECTED = 5


def expected(die: str, count: int) -> dict[str, float]:
    """Return how often each face of `die` is expected among `count` dice."""
    return {face: float(chance(die, face) * count) for face in DICE[die]}


def says_anything(die: str, count: int) -> bool:
    """Return whether `count` dice are enough for the test: few dice prove nothing."""
    return min(expected(die, count).values()) >= LEAST_EXPECTED


def spread(die: str, counts: Mapping[str, int]) -> float:
    """Return how far dice are from what is expected (chi-squared, from 0); `counts` are times by face, at least one."""
    shares = expected(die, sum(counts.values()))
    return sum((counts.get(face, 0) - share) ** 2 / share for face, share in shares.items())


def chance_of(statistic: float, freedom: int) -> float:
    """Return the probability (0 to 1) of this spread or a wider one: the regularized upper gamma of `freedom` / 2."""
    half = statistic / 2
    done, found = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while done < freedom / 2:
        found += half**done * exp(-half) / gamma(done + 1)
        done += 1
    return found


#: The first line of every text, so that no other format can be mistaken for this one.
FORMAT = "musterbook dice 1"
#: Characters of the longest word a player may add.
LONGEST_WORD = 80
#: Unicode categories of characters that are invisible or end a line: controls, surrogates, line separators.
_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in 64 hexadecimal digits, which is published before the first roll."""
    return hashlib.sha256(seed).hexdigest()


def word(typed: str) -> str:
    """Return a player's word as it is mixed in: NFC, runs of spaces one space. Refuses long and invisible ones."""
    text = " ".join(unicodedata.normalize("NFC", typed).split())
    if len(text) > LONGEST_WORD:
        raise refuse("", gettext("Use up to {number} characters.", number=LONGEST_WORD), "word")
    if any(unicodedata.category(letter) in _UNSEEN for letter in text):
        raise refuse("", gettext("This text has invisible characters. Type it again."), "word")
    return text


def text_of(battle: str, words: Iterable[str], label: str) -> str:
    """Return the text that is rolled for, a line each. Raises ValueError for a part with a line break in it."""
    lines = [FORMAT, battle, *words, label]
    if any("\n" in line for line in lines):
        raise ValueError(f"No line may hold another: {lines}")
    return "\n".join(lines)


def roll(seed: bytes, text: str, die: str, count: int) -> list[str]:
    """Return the faces of `count` dice rolled together; each side is equally likely."""
    fallen = _bytes(seed, text)
    faces = sides(die)
    return [faces[_below(fallen, len(faces))] for _ in range(count)]


def take(seed: bytes, text: str, bag: Iterable[str], count: int) -> list[str]:
    """Take `count` tokens out of a bag (sorted first), none put back. Raises ValueError if it has fewer."""
    drawn, left = _bytes(seed, text), sorted(bag)
    return [left.pop(_below(drawn, len(left))) for _ in range(count)]


def _bytes(seed: bytes, text: str) -> Iterator[int]:
    """Yield endless bytes: 32 for each block number, which is the last line of the text."""
    block = 0
    while True:
        yield from hmac.digest(seed, f"{text}\n{block}".encode(), hashlib.sha256)
        block += 1


def _below(drawn: Iterator[int], limit: int) -> int:
    """Return a number from 0 below `limit`, all equally likely; bytes of the last, incomplete round are skipped."""
    if not 1 <= limit <= 256:
        raise ValueError(f"One of {limit} cannot be drawn by a byte")
    return next(byte % limit for byte in drawn if byte < 256 - 256 % limit)
