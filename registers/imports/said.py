"""What a player has said about a list, line by line. Lines are named by their place in the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict

from formats.parsed import Line

#: The choice that leaves an open line out.
OUT = "-"


@dataclass(frozen=True, slots=True)
class Said:
    """The posted decisions; for the first look, none.

    `meant` says which card an open line means, `offered` which lines had something to tick, and `ticked` what of
    that was ticked. `names` are Dossier names and `keywords` those that come with a Commendation, by line.
    """

    meant: Mapping[int, str] = field(default_factory=dict)
    offered: frozenset[int] = frozenset()
    ticked: frozenset[int] = frozenset()
    names: Mapping[int, str] = field(default_factory=dict)
    keywords: Mapping[int, str] = field(default_factory=dict)
    faction: str = ""
    paragon: int | None = None
    register_name: str | None = None

    def tick(self, place: int) -> bool | None:
        """Whether a line was ticked; None if there was nothing to tick yet."""
        return place in self.ticked if place in self.offered else None

    def card_of(self, place: int, line: Line) -> str:
        """The card that a line means: its only one, or the one that was chosen; "" while that is open."""
        chosen = self.meant.get(place, "")
        return line.card or (chosen if chosen in line.candidates else "")

    def left_out(self, place: int) -> bool:
        """Whether it was said that an open line is left out."""
        return self.meant.get(place) == OUT


def said(post: QueryDict) -> Said:
    """The decisions of a posted form: `line-N`, `name-N` and `keyword-N` for the line at N, `offered` ("1,2,5")
    and `keep` (several), `faction`, `paragon` and `register_name`."""
    return Said(
        meant=_by_place(post, "line-"),
        offered=_places(post.get("offered", "").split(",")),
        ticked=_places(post.getlist("keep")),
        names=_by_place(post, "name-"),
        keywords=_by_place(post, "keyword-"),
        faction=post.get("faction", ""),
        paragon=next(iter(_places([post.get("paragon", "")])), None),
        register_name=post.get("register_name"),
    )


def _by_place(post: QueryDict, prefix: str) -> dict[int, str]:
    named = ((name.removeprefix(prefix), name) for name in post if name.startswith(prefix))
    return {int(place): post[name] for place, name in named if _is_place(place)}


def _places(texts: list[str]) -> frozenset[int]:
    return frozenset(int(text) for text in texts if _is_place(text))


def _is_place(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4
