"""The rulings of docs/rules.md, for people: number, heading and text, without the code and tests that carry them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from rules.house import SWITCHES, Switch

RULES = Path(__file__).parents[1] / "docs" / "rules.md"
_HEADING = re.compile(r"##+ (?:\d+\. )?(.+)")
_TEXT = re.compile(r"\*\*(.+?)\.\*\* (.+)")
_READING = re.compile(r" \*\*\[reading]\*\* \(`\w+`\)")
_markdown = MarkdownIt("commonmark", {"html": False})


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling; `switches` for each gap in the printed text that it fills, where there may be other readings."""

    number: str
    heading: str
    text: SafeString
    switches: tuple[Switch, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Rulings that belong together."""

    name: str
    rulings: list[Ruling] = field(default_factory=list)


@cache
def sections() -> list[Section]:
    """All sections that have rulings, in the order of the rules."""
    return read(RULES.read_text())


def read(rules: str) -> list[Section]:
    """The sections of a text written as docs/rules.md is."""
    found: list[Section] = []
    number = ""
    for line in rules.splitlines():
        if line.startswith("#### "):
            number = line.removeprefix("#### ")
        elif heading := _HEADING.fullmatch(line):
            found.append(Section(heading[1]))
        elif number and (said := _TEXT.fullmatch(line)):
            found[-1].rulings.append(_ruling(number, said[1], said[2]))
            number = ""
    return [section for section in found if section.rulings]


def _ruling(number: str, heading: str, text: str) -> Ruling:
    html = _markdown.renderInline(_READING.sub("", text))
    switches = tuple(switch for switch in SWITCHES if switch.rule == number)
    return Ruling(number, heading, mark_safe(html), switches)  # noqa: S308  a text of our own
