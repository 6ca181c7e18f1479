"""How wide text is in the letters of the printed pages, and where its lines break."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from fontTools.ttLib import TTFont

from config.paths import BASE_DIR

FOLDER = BASE_DIR / "static" / "fonts" / "fira-sans-condensed"
SCRIPTS = ("latin", "latin-ext", "cyrillic", "greek")
REGULAR, BOLD = 400, 600

#: Em of a letter that our files do not have: the reader's machine draws it in letters of its own.
UNKNOWN = 1.4


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of text in one weight."""

    text: str
    bold: bool = False


Line = tuple[Run, ...]


def width(text: str, *, bold: bool = False) -> float:
    """How wide a text is, in em."""
    known = _advances(BOLD if bold else REGULAR)
    return sum(known.get(letter, UNKNOWN) for letter in text)


def broken(runs: Sequence[Run], room: float) -> tuple[Line, ...]:
    """The lines of a text, none wider than `room` (em), each with at least one letter; an empty text has none.

    Lines end between words; a word that is wider than a line is broken where the line ends.
    """
    lines: list[list[Run]] = [[]]
    used = 0.0
    for word in _words(runs, room):
        wide, space = _word_width(word.text, word.bold), _word_width(" ", word.bold) if lines[-1] else 0.0
        if lines[-1] and used + space + wide > room:
            lines.append([])
            used = space = 0.0
        lines[-1].append(word)
        used += space + wide
    return tuple(_joined(line) for line in lines if line)


@cache
def _advances(weight: int) -> Mapping[str, float]:
    """Letter to its width in em."""
    advances: dict[str, float] = {}
    for script in reversed(SCRIPTS):
        with TTFont(FOLDER / f"{script}-{weight}.woff2") as font:
            em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
            advances |= {chr(code): metrics[glyph][0] / em for code, glyph in font.getBestCmap().items()}
    return advances


@lru_cache(maxsize=20_000)
def _word_width(word: str, bold: bool) -> float:
    return width(word, bold=bold)


def _words(runs: Sequence[Run], room: float) -> Iterator[Run]:
    for run in runs:
        for word in run.text.split():
            if _word_width(word, run.bold) <= room:
                yield Run(word, run.bold)
            else:
                yield from (Run(part, run.bold) for part in _parts(word, room, bold=run.bold))


def _parts(word: str, room: float, *, bold: bool) -> Iterator[str]:
    """A word that is too wide, in parts that are not; each has at least one letter, however wide that is."""
    start, used = 0, 0.0
    for position, letter in enumerate(word):
        wide = width(letter, bold=bold)
        if position > start and used + wide > room:
            yield word[start:position]
            start, used = position, 0.0
        used += wide
    yield word[start:]


def _joined(words: Sequence[Run]) -> Line:
    """Words of a line as runs, with the spaces between them."""
    line = [words[0]]
    for word in words[1:]:
        if word.bold == line[-1].bold:
            line[-1] = Run(f"{line[-1].text} {word.text}", word.bold)
        else:
            line += [Run(f" {word.text}", word.bold)]
    return tuple(line)
