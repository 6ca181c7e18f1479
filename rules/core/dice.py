"""The dice of the game, and fair dice that can be checked afterwards."""

from __future__ import annotations

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
    """All sides of `die`, one face name per side, for a fair draw."""
    return [face for face, count in DICE[die].items() for _ in range(count)]


def chance(die: str, face: str) -> Fraction:
    """The exact probability that one `die` shows `face`."""
    return Fraction(DICE[die].get(face, 0), sum(DICE[die].values()))


#: How often each face must be expected before the test says anything.
LEAST_EXPECTED = 5


def expected(die: str, count: int) -> dict[str, float]:
    """How often each face of `die` is expected among so many dice."""
    return {face: float(chance(die, face) * count) for face in DICE[die]}


def says_anything(die: str, count: int) -> bool:
    """Whether so many dice are enough for the test: few prove nothing, however they fell."""
    return min(expected(die, count).values()) >= LEAST_EXPECTED


def spread(die: str, counts: Mapping[str, int]) -> float:
    """How far dice fell from what is expected (chi-squared, from 0 on); `counts` are times by face, at least one."""
    shares = expected(die, sum(counts.values()))
    return sum((counts.get(face, 0) - share) ** 2 / share for face, share in shares.items())


def chance_of(statistic: float, freedom: int) -> float:
    """The probability (0 to 1) of such a spread or a wider one: the regularised upper gamma of `freedom` / 2."""
    half = statistic / 2
    done, found = (0.5, erfc(sqrt(half))) if freedom % 2 else (1.0, exp(-half))
    while done < freedom / 2:
        found += half**done * exp(-half) / gamma(done + 1)
        done += 1
    return found


#: The first line of every text, so that another format can never be taken for this one.
FORMAT = "musterbook dice 1"
#: How many letters a player's word may have.
LONGEST_WORD = 80
#: Kinds of letters that would not be seen, or would end a line: controls, surrogates, separators of lines.
_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}


def commitment(seed: bytes) -> str:
    """What is published of a seed before the first roll: its SHA-256, in 64 hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()


def word(typed: str) -> str:
    """A player's word as it is mixed in: NFC, runs of spaces one space. Refuses a long one, and unseen letters."""
    said = " ".join(unicodedata.normalize("NFC", typed).split())
    if len(said) > LONGEST_WORD:
        raise refuse("", gettext("At most {number} letters.", number=LONGEST_WORD), "word")
    if any(unicodedata.category(letter) in _UNSEEN for letter in said):
        raise refuse("", gettext("There is something in it that cannot be seen. Type it anew."), "word")
    return said


def text_of(battle: str, words: Iterable[str], label: str) -> str:
    """Return the text that is rolled for, a line each. Raises ValueError for a part with a line break in it."""
    lines = [FORMAT, battle, *words, label]
    if any("\n" in line for line in lines):
        raise ValueError(f"No line may hold another: {lines}")
    return "\n".join(lines)


def roll(seed: bytes, text: str, die: str, count: int) -> list[str]:
    """The faces of `count` dice that fall together; each side is as likely as any other."""
    fallen = _bytes(seed, text)
    faces = sides(die)
    return [faces[_below(fallen, len(faces))] for _ in range(count)]


def take(seed: bytes, text: str, bag: Iterable[str], count: int) -> list[str]:
    """Take `count` tokens out of a bag (sorted first), none put back. Raises ValueError where it holds fewer."""
    drawn, left = _bytes(seed, text), sorted(bag)
    return [left.pop(_below(drawn, len(left))) for _ in range(count)]


def _bytes(seed: bytes, text: str) -> Iterator[int]:
    """Bytes without end: 32 for each number of a block, which is the last line of the text."""
    block = 0
    while True:
        yield from hmac.digest(seed, f"{text}\n{block}".encode(), hashlib.sha256)
        block += 1


def _below(drawn: Iterator[int], limit: int) -> int:
    """A number from 0 on and below `limit`, each as likely: bytes of the last, incomplete round are passed over."""
    if not 1 <= limit <= 256:
        raise ValueError(f"One of {limit} cannot be drawn by a byte")
    return next(byte % limit for byte in drawn if byte < 256 - 256 % limit)
