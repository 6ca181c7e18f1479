"""What a reader sees and hears of a page, and what of it no translator has had in hand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from html.parser import HTMLParser
from typing import Any
from zoneinfo import available_timezones

from ops.translation_catalogue import WORDS
from rules.core.rulebook import Rulebook

SPOKEN = ("aria-label", "alt", "title", "placeholder", "aria-description", "aria-roledescription")
UNSEEN = ("script", "style", "template")
#: What is typed by people, or speaks to machines.
UNSAID = ("textarea", "code")
#: What other sites show of a page.
PREVIEWED = ("description", "og:title", "og:description", "og:site_name", "og:image:alt")
ENGLISH = re.compile(r"[A-Za-z]{2,}")
#: Addresses, digests, former players, lists in a feed, and Django's words for a hidden field that was tampered with.
OF_NO_LANGUAGE = re.compile(
    r"https?://\S+|urn:uuid:\S+|\b[0-9a-f]{12,64}\b|former player #\d+|⟦\(Ħ\w+ ƒ\w+ \w+\)|</?(?:ul|li)>"
)
#: Names that are the same in every language: ours, those of other programs and their formats, and the rulings' numbers.
NAMES = (
    "Musterbook", "Tours of Duty", "Discord", "Markdown", "Legion HQ", "Tabletop Simulator", "Tabletop Admiral",
    "JSON", "Django", "mm", "Letter", "Star Wars: Legion",
)  # fmt: skip


class Reader(HTMLParser):
    """Gathers the texts of a page: what stands in it, and what a screen reader says besides."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.goes_on = False
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.texts += [named[name] or "" for name in SPOKEN if name in named]
        if tag == "input" and named.get("type") in ("submit", "button"):
            self.texts.append(named.get("value") or "")
        if tag == "meta" and (named.get("name") or named.get("property")) in PREVIEWED:
            self.texts.append(named.get("content") or "")
        self.goes_on = tag == "br"
        if tag in (*UNSEEN, *UNSAID):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            return
        text = " ".join(data.split())
        if self.goes_on and self.texts:
            self.texts[-1] += f" {text}"  # a line on paper ends where its setting says
        else:
            self.texts.append(text)
        self.goes_on = False


def texts_of(page: str) -> list[str]:
    """The texts of a page in HTML. What a player typed into a large field is none."""
    reader = Reader()
    reader.feed(page)
    return [text for text in reader.texts if text]


def data_of(book: Rulebook, *others: Any) -> list[str]:
    """What comes from cards and people and is not translated, the longest first. Names count as they are."""
    names = {name for name in others if isinstance(name, str)} | set(NAMES)
    names |= {request.cost_text for request in book.aid_requests.values()}  # as it is printed
    # Some names are words of the rules elsewhere. Authors of arcs say what is asked for, and who marks.
    names |= {limits.name for limits in book.rank_limits} | {card.name for card in book.battle_cards.values()}
    names |= {ask.replace("_", " ") for arc in book.story_arcs.values() for ask in arc.turning_point.asks}
    names |= {agenda.marks.who for agenda in book.agendas.values() if agenda.marks}
    names |= {zone.replace("_", " ") for zone in available_timezones()}
    found = {text for text in _strings((book, *others), set()) if _is_name(text)} | names
    # A statement that a player confirms stands inside a sentence; a question goes without what is in brackets.
    found |= {f"{text[:1].lower()}{text[1:]}".rstrip(".") for text in found}
    found |= {re.sub(r"\s*\([^()]*\)$", "", text) for text in found}
    return sorted((text for text in found if ENGLISH.search(text)), key=len, reverse=True)


def untranslated(texts: Iterable[str], data: list[str]) -> list[str]:
    """The texts that hold English words besides data."""
    return sorted({text for text in texts if _left(text, data)})


def _left(text: str, data: list[str]) -> bool:
    text = OF_NO_LANGUAGE.sub("", text)
    if not ENGLISH.search(text):
        return False
    for known in data:
        if known in text:
            text = re.sub(rf"(?<![A-Za-z]){re.escape(known)}(?![a-z])", "", text)
            if not ENGLISH.search(text):
                return False
    return True


def _is_name(text: str) -> bool:
    """Whether it is a name or a sentence of a card; words of the rules have to be translated."""
    return text.lower() not in WORDS and (text != text.lower() or len(text.split()) > 4)


def _strings(value: Any, seen: set[int]) -> Iterator[str]:
    if isinstance(value, str):
        yield " ".join(value.split())
        yield from (part.strip() for part in re.split(r"[*_\n]+", value))  # a page gives it its markup
    elif id(value) in seen:
        return
    elif is_dataclass(value):
        seen.add(id(value))
        for field in fields(value):
            yield from _strings(getattr(value, field.name), seen)
        if name := getattr(value, "full_name", ""):
            yield name
    elif hasattr(value, "values"):
        yield from _strings(tuple(value.values()), seen)
    elif isinstance(value, tuple | list | frozenset | set):
        for each in value:
            yield from _strings(each, seen)
