"""Files that people take away: saved as the site gives them, and PDFs opened and read."""

import re
from io import BytesIO
from pathlib import Path

from pypdf import PdfReader

from bench.rehearsal.person import Person


class Wrong(AssertionError):
    """Something is not as it must be."""


def content_of(person: Person, path: str) -> bytes:
    """The file at that address."""
    response = person.context.request.get(path)
    if response.status != 200:
        raise Wrong(f"{path} came back with {response.status}")
    person.record.answered_file(path)
    return response.body()


def saved(person: Person, path: str, place: Path) -> Path:
    """Keep the PDFs in a directory."""
    file = place / re.sub(r"\W+", "-", path)
    file.write_bytes(content_of(person, path))
    return file


def printed(person: Person, path: str) -> str:
    """What stands in the PDF at that address."""
    file = content_of(person, path)
    if not file.startswith(b"%PDF"):
        raise Wrong(f"{path} is no PDF")
    pages = PdfReader(BytesIO(file)).pages
    person.record.counts["printed pages"] += len(pages)
    return " ".join(" ".join(page.extract_text().split()) for page in pages)
