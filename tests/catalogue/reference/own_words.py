"""Whether a text repeats the printed one: no run of eight words may be the same.

The printed text itself is not in this project. `printed-text.bin` holds, in order, the first five bytes of the
SHA-256 of each run of eight words of it, from which it cannot be read back.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

RUN = 8
BYTES = 5
SEEDS = Path(__file__).with_name("printed-text.bin")


def runs(text: str) -> Iterator[str]:
    """Every eight words that follow one another, in small letters and without punctuation."""
    words = re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower().replace("’", "'"))
    return (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))


def shingles(text: str) -> set[bytes]:
    """What stands in the file for the runs of a text."""
    return {_short(run) for run in runs(text)}


def repeated(text: str) -> list[str]:
    """The runs of a text that are in the printed one, too."""
    return [run for run in runs(text) if _short(run) in _printed()]


@cache
def _printed() -> frozenset[bytes]:
    known = SEEDS.read_bytes()
    return frozenset(known[at : at + BYTES] for at in range(0, len(known), BYTES))


def paragraphs(html: str) -> list[str]:
    """The words of a page, block by block: what stands in two cells or paragraphs is no sentence."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", "\n", html, flags=re.DOTALL)
    text = re.sub(r"</?(?:a|b|i|em|strong|span|small|mark)\b[^>]*>", "", text)
    return unescape(re.sub(r"<[^>]+>", "\n", text)).split("\n")


def _short(run: str) -> bytes:
    return hashlib.sha256(run.encode()).digest()[:BYTES]
