"""The parts of the rules reference, and searching in them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from rules.core.campaign_rules import SWITCHES, Switch
from rules.core.values import Value
from rules.post_battle.steps import step


class PassageRow(Value):
    """A line of a table. `face` is a face of the die `die` ("black_attack"), `icon` a drawing before the first cell."""

    id: str
    cells: tuple[str, ...]
    face: str = ""
    die: str = ""
    icon: str = ""

    @property
    def name(self) -> str:
        """The name in the first cell."""
        return self.cells[0]

    @property
    def facts(self) -> tuple[str, ...]:
        """The cells between name and effect, without the empty ones."""
        return tuple(cell for cell in self.cells[1:-1] if cell)

    @property
    def effect(self) -> str:
        """The effect in the last cell."""
        return self.cells[-1]


class Table(Value):
    """A table; if its last column is `prose`, the printed sheet sets its rows as running sentences."""

    columns: tuple[str, ...]
    rows: tuple[PassageRow, ...]
    prose: bool = False

    @property
    def lines(self) -> tuple[tuple[PassageRow, tuple[tuple[str, str], ...]], ...]:
        """Each row with its cells after the first, each with the name of its column."""
        return tuple((row, tuple(zip(self.columns[1:], row.cells[1:], strict=True))) for row in self.rows)


class Passage(Value):
    """A passage of the reference that links can point to, at the anchor `id`.

    `text` and `lines` are Markdown; `number` is the number of a ruling. `ordered` lines are done one after the other.
    `on_sheet` says whether the printed sheet has it.
    """

    id: str
    heading: str
    text: str = ""
    lines: tuple[str, ...] = ()
    table: Table | None = None
    number: str = ""
    ordered: bool = False
    on_sheet: bool = True

    @property
    def switches(self) -> tuple[Switch, ...]:
        """The gaps in the printed text that the ruling fills, and that a campaign may read in another way."""
        return tuple(switch for switch in SWITCHES if self.number and switch.rule == self.number)


class Section(Value):
    """A group of passages with its own anchor. `step` is the number of one of the ten steps, else 0."""

    id: str
    name: str
    passages: tuple[Passage, ...]
    step: int = 0

    @property
    def on_sheet(self) -> tuple[Passage, ...]:
        """The passages that are printed on the sheet."""
        return tuple(passage for passage in self.passages if passage.on_sheet)


def read_sections(markdown: str) -> Iterator[Section]:
    """Yield the sections written in a text, without their tables.

    A section begins with `# anchor | name`, a passage with `## anchor | heading`. Lines that begin with `* ` are the
    lines of the passage, the rest is its text. The printed sheet has all passages but rulings; a third part of the
    heading, `on the sheet` or `not on the sheet`, says otherwise.
    """
    for part in re.split(r"^# ", markdown, flags=re.MULTILINE)[1:]:
        head, *passages = re.split(r"^## ", part, flags=re.MULTILINE)
        anchor, _, name = head.strip().partition(" | ")
        number = int(anchor.removeprefix("step-")) if anchor.startswith("step-") else 0
        yield Section(anchor, name or step(number).name, tuple(map(_read_passage, passages)), step=number)


def _read_passage(markdown: str) -> Passage:
    head, _, body = markdown.partition("\n")
    anchor, heading, *sheet = head.split(" | ")
    number = anchor if _RULING.fullmatch(anchor) else ""
    lines = tuple(line.removeprefix("* ") for line in body.splitlines() if line.startswith("* "))
    return Passage(
        anchor,
        heading,
        "" if lines else body.strip(),
        lines,
        number=number,
        ordered=anchor.endswith("-in-short"),
        on_sheet=sheet == ["on the sheet"] if sheet else not number,
    )


#: Characters of a search that are used.
LONGEST = 80
_RULING = re.compile(r"R\d+", re.IGNORECASE)
_APOSTROPHE = re.compile("['’]")


class Looked(Value):
    """A search: words that must all occur, each at the beginning of a word."""

    words: tuple[str, ...]

    @property
    def number(self) -> str:
        """The ruling, if the search is only its number ("R34"); else empty."""
        return self.words[0].upper() if len(self.words) == 1 and _RULING.fullmatch(self.words[0]) else ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern that finds the beginnings of the words."""
        return _any_of(self.words)

    def are_in(self, *texts: object) -> bool:
        """Return whether the texts together have all the words."""
        text = " ".join(map(str, texts))
        folded = _folded(text)  # most texts lack even the letters, which is quick to check
        return all(letters in folded for letters in _letters_of(self.words)) and all(
            word.search(text) for word in _each_of(self.words)
        )


@lru_cache(maxsize=64)
def _any_of(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(_pattern, words)), re.IGNORECASE)


@lru_cache(maxsize=64)
def _each_of(words: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(_pattern(word), re.IGNORECASE) for word in words)


@lru_cache(maxsize=64)
def _letters_of(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_folded, words))


@lru_cache(maxsize=4096)
def _folded(text: str) -> str:
    """Return a text without the differences that searches ignore: case, apostrophes, and the dots of an i."""
    return text.casefold().replace("’", "'").replace("ı", "i").replace("\u0307", "")


def looked_for(question: str) -> Looked | None:
    """Return the search for a reader's text; None if it has no words."""
    words = re.findall(r"[\w'’/+-]*\w", question[:LONGEST])
    return Looked(tuple(dict.fromkeys(words))) if words else None


def found(sections: Iterable[Section], looked: Looked) -> list[Section]:
    """Return the sections cut down to the passages with the words; a ruling searched by its number comes first."""
    cut = (replace(section, passages=tuple(_passages(section, looked))) for section in sections)
    left = [section for section in cut if section.passages]
    return list(_first(left, looked.number)) if looked.number else left


def passages_at(sections: Iterable[Section], anchor: str) -> tuple[str, tuple[Passage, ...]]:
    """Return the name and the passages at an anchor: of a section, a passage, or a row of a table; else nothing."""
    for section in sections:
        if section.id == anchor:
            return section.name, section.passages
        for passage in section.passages:
            if passage.id == anchor:
                return passage.heading, (passage,)
            rows = tuple(row for row in passage.table.rows if row.id == anchor) if passage.table else ()
            if passage.table and rows:
                return rows[0].name, (replace(passage, table=replace(passage.table, rows=rows)),)
    return "", ()


def size(sections: Iterable[Section]) -> int:
    """Return how many passages the sections have."""
    return sum(len(section.passages) for section in sections)


def _pattern(word: str) -> str:
    """Return the regular expression for a word of a search; the number of a ruling matches only as a whole."""
    end = r"(?!\d)" if _RULING.fullmatch(word) else ""
    return r"(?<!\w)" + _APOSTROPHE.sub("['’]", re.escape(word)) + end


def _first(sections: list[Section], number: str) -> Iterator[Section]:
    """Yield the section with the ruling itself, then all others."""
    for own in (True, False):
        for section in sections:
            kept = tuple(passage for passage in section.passages if (passage.number == number) is own)
            if kept:
                yield replace(section, passages=kept)


def _passages(section: Section, looked: Looked) -> Iterator[Passage]:
    for passage in section.passages:
        head = f"{passage.number} {passage.heading}"
        if looked.are_in(head):
            yield passage
        elif cut := _cut(passage, head, looked):
            yield cut


def _cut(passage: Passage, head: str, looked: Looked) -> Passage | None:
    """Return the passage without the lines and rows that lack the words; None if nothing is left."""
    lines = tuple(line for line in passage.lines if looked.are_in(head, line))
    rows = tuple(row for row in passage.table.rows if looked.are_in(head, *row.cells)) if passage.table else ()
    readings = (part for switch in passage.switches for part in (switch.title, switch.printed))
    in_text = looked.are_in(head, passage.text, *readings)
    if not (in_text or lines or rows):
        return None
    table = replace(passage.table, rows=rows) if passage.table and rows else None
    return replace(passage, text=passage.text if in_text else "", lines=lines, table=table)
