"""The list that was pasted or uploaded."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest

from catalogue.snapshot import card_index
from formats import detect
from formats.limits import MAX_BYTES
from formats.parsed import Parsed
from registers.offers import said
from rules.refusal import Problem

SAME = 16


@dataclass(frozen=True, slots=True)
class Pasted:
    """A list as text, as it was read, and whether the decisions that came with it are about this very text."""

    text: str
    parsed: Parsed
    decided: bool

    @property
    def refused(self) -> tuple[dict[str, str], ...]:
        """Why it could not be read, as `components/refusal.html` takes it; empty if it was."""
        return said([Problem("", self.parsed.refused.text)]) if self.parsed.refused else ()

    @property
    def digest(self) -> str:
        """A word for the text that a browser gives back unchanged, however it writes line ends."""
        return digest(self.text)


def pasted(request: HttpRequest) -> Pasted:
    """What was posted: a `file`, or else `text`; `read` is the digest of the text that the page was drawn from."""
    file = request.FILES.get("file")
    if file:
        data = file.read(MAX_BYTES + 1)
        parsed = detect.read_file(data, card_index())
        return Pasted("" if parsed.refused else data.decode("utf-8-sig"), parsed, decided=False)
    text = request.POST.get("text", "")
    return Pasted(text, detect.read(text, card_index()), request.POST.get("read") == digest(text))


def digest(text: str) -> str:
    """A short word for the lines of a text."""
    lines = "\n".join(line.strip() for line in text.splitlines())
    return sha256(lines.strip().encode("utf-8", "surrogatepass")).hexdigest()[:SAME]
