"""Chance that can be checked afterwards: faces and tokens follow from a seed that was promised before anybody rolled.

Bytes come from HMAC-SHA256 with the seed as its key and a text that names what is rolled for; each byte gives a
number, or is passed over where it would make one number likelier than another. docs/trust.md says it for whoever
writes a checker of their own, `docs/check_dice.py` and `static/js/dice.js` are two.
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Iterable, Iterator

from .dice import sides
from .language import gettext
from .refusal import refuse

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
    """What is rolled for, a line each: the format, the key of the battle, blue's word, red's word, the label.

    Raises ValueError for one with a line break in it: two different rolls could have the same text.
    """
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
    """`count` tokens out of a bag one after the other, none put back (as Fisher and Yates did it).

    The bag is sorted first, so that its order is nobody's choice. Raises ValueError where it holds fewer.
    """
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
