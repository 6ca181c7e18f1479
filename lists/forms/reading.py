"""The form for a pasted or uploaded army list, and the choices for its lines (E13)."""

import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from catalogue.snapshot import card_index
from core.form_fields import Numbered, entered
from lists.formats.cards import CardIndex, full_name
from lists.formats.limits import MAX_BYTES, Unreadable, decoded
from lists.formats.parsed import LineKind, ParsedLine
from lists.formats.understanding import card_kind
from lists.services.army_lists import ReadList, read_army_list
from rules.core.violations import refuse
from rules.register.upgrade_slots import faction_name

#: The option that leaves a line out. No card has such a slug.
LEAVE_OUT = "-"


class ReadingForm(forms.Form):
    """An army list as a `file` or else as `text`, and what the reader decided about its lines, by their numbers.

    `read` is the digest of the text that the choices are about. Choices for another text do not count.
    """

    text = forms.CharField(
        required=False, label=_("List or link"), strip=False,
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "autocapitalize": "none", "class": "written"}
        ),
    )  # fmt: skip
    file = forms.FileField(
        required=False, label=_("Or choose a file"), allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.txt,application/json,text/plain", "class": "upload"}),
    )  # fmt: skip
    read = forms.CharField(required=False, widget=forms.HiddenInput)
    line = Numbered()

    def list_text(self) -> str:
        """Return the text of the list. Refuses a file that is not a text."""
        values = entered(self)
        try:
            return decoded(values["file"].read(MAX_BYTES + 1)) if values["file"] else str(values["text"] or "")
        except Unreadable as unreadable:
            raise refuse("", str(unreadable), "file") from None

    def choices(self, text: str) -> dict[int, str]:
        """Return the choices about this text: slugs by the numbers of lines, "" for a line to leave out."""
        values = entered(self)
        if values["read"] != digest(text):
            return {}
        return {place: "" if slug == LEAVE_OUT else slug for place, slug in values["line"].items() if slug}

    def reading(self) -> ReadList:
        """Return the list with the choices. Refuses what `read_army_list` refuses."""
        text = self.list_text()
        return read_army_list(text, self.choices(text))

    def page_context(self, read: ReadList) -> dict[str, Any]:
        """Return what a page says about the list that was read, and the fields with which its form goes on."""
        text = read.source.text
        return {
            "text": text, "digest": digest(text), "format": read.source.format, "open": open_lines(read),
            "decided": [(f"line-{place}", slug or LEAVE_OUT) for place, slug in self.choices(text).items()],
            "notes": notes(read), "ignored": ignored(read),
        }  # fmt: skip


def digest(text: str) -> str:
    """Return a digest of a text that survives a browser's change of line ends."""
    lines = "\n".join(line.strip() for line in text.splitlines())
    return sha256(lines.strip().encode("utf-8", "surrogatepass")).hexdigest()[:16]


def open_lines(read: ReadList) -> list[dict[str, Any]]:
    """Return the lines of a list that its player has to decide: the text, that of its unit, why it is open, and the
    cards it may mean.
    """
    index, lines = card_index(), read.parsed.lines
    return [
        {
            "place": place,
            "read": line.read,
            "of": lines[line.of].read if line.of is not None else "",
            "why": " ".join(line.violations),
            "options": [(slug, _label(index, line, slug)) for slug in line.candidates],
        }
        for place, line in read.open.items()
    ]


def notes(read: ReadList) -> list[str]:
    """Return sentences about lines that were read with doubts, and about the list as a whole."""
    doubts: Iterable[str] = (
        f"“{line.read}”: {' '.join(line.violations)}"
        for line in read.parsed.lines
        if line.violations and not line.open and line.kind is not LineKind.NOTE
    )
    return [*read.parsed.violations, *dict.fromkeys(doubts)]


def ignored(read: ReadList) -> list[str]:
    """Return the lines of a text that are no part of its list, with what was found in them."""
    lines = [line for line in read.parsed.lines if line.kind is LineKind.NOTE and line.violations]
    return [" · ".join([line.read, *(why for why in line.violations if why != gettext("Ignored."))]) for line in lines]


def _label(index: CardIndex, line: ParsedLine, slug: str) -> str:
    if (card := index.of_kind(card_kind(line.kind)).get(slug)) is None:
        return _title(slug) if line.kind is LineKind.LINK else faction_name(slug)
    details = [faction_name(card.faction) if getattr(card, "faction", "") else ""]
    details += [str(getattr(card, name)) for name in ("rank", "format", "points") if getattr(card, name, "")]
    return " · ".join(filter(None, (full_name(card), *details)))


def _title(text: str) -> str:
    """Return how a list is named among several: a link as it is, JSON by its own title."""
    if not text.startswith("{"):
        return text
    data = json.loads(text)
    return (
        " · ".join(str(data[key])[:80] for key in ("listname", "armyFaction", "points") if data.get(key)) or text[:80]
    )
