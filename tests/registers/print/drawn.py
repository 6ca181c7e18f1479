"""Pages as they are drawn: as a PDF, as boxes, and as ink. In millimetres."""

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.template.loader import render_to_string
from PIL import Image
from pypdf import PdfReader

from registers.print.paper_sizes import EDGE, CardFormat, CardPage, Paper
from registers.print.preview import Printed
from registers.print.typesetting import UNKNOWN, CardFace, TypesetBlock, width
from tests.registers.print.crowds import squeezed

DOTS_PER_MM = 4
PX = 25.4 / 96


def html_of(leaves: Sequence[Any], paper: Paper, name: str = "Ashen Patrol") -> str:
    """The document of which the PDF is made."""
    return render_to_string(
        "registers/print/pdf.html", {"printed": Printed(name=name, paper=paper, pages=leaves, choices=[])}
    )


def texts_of(pdf: bytes) -> list[str]:
    """The words of each page, without spaces, and without the zeros that pypdf reads where a font lacks letters."""
    return ["".join(page.extract_text().replace("\0", "").split()) for page in PdfReader(BytesIO(pdf)).pages]


def ink_of(pdf: bytes) -> list[Image.Image]:
    """Each page as a grey picture."""
    with TemporaryDirectory() as folder:
        command = ["pdftoppm", "-gray", "-r", str(DOTS_PER_MM * 25.4), "-", f"{folder}/page"]
        subprocess.run(command, input=pdf, check=True, capture_output=True)
        return [Image.open(BytesIO(path.read_bytes())) for path in sorted(Path(folder).iterdir())]


def is_white(page: Image.Image, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether there is no ink in a rectangle."""
    corners = tuple(round(length * DOTS_PER_MM) for length in (left, top, right, bottom))
    return page.crop(corners).getextrema() == (255, 255)


def places(leaf: CardPage, paper: Paper) -> Iterator[tuple[float, float, float, float, CardFace]]:
    """Left, top, width and height of each card of a page, and what stands on it."""
    stock: CardFormat = leaf.card_format
    if leaf.marks:
        left = (paper.width - stock.columns * stock.width) / 2
        top = (paper.height - stock.rows * stock.height) / 2
    else:
        left = top = EDGE
    whole = stock.columns * (stock.width + stock.gutter) - stock.gutter
    for row, part in enumerate(leaf.banners):
        yield left, top + row * (stock.height + stock.gutter), whole, stock.height, part
    for number, part in enumerate(leaf.faces):
        row, column = divmod(number, stock.columns)
        x = left + column * (stock.width + stock.gutter)
        y = top + (row + len(leaf.banners)) * (stock.height + stock.gutter)
        yield x, y, stock.width, stock.height, part


def sides(x: float, y: float, width: float, height: float, outer: float, inner: float) -> Iterator[tuple[float, ...]]:
    """The four strips of a frame inside of a card, from `outer` to `inner` off its edge, without their corners."""
    yield x + inner, y + outer, x + width - inner, y + inner
    yield x + inner, y + height - inner, x + width - inner, y + height - outer
    yield x + outer, y + inner, x + inner, y + height - inner
    yield x + width - inner, y + inner, x + width - outer, y + height - inner


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card as WeasyPrint drew it: its inside, the words of body and foot, each (left, top, right, bottom)."""

    inside: tuple[float, ...]
    body: tuple[tuple[float, ...], ...]
    foot: tuple[tuple[float, ...], ...]

    @property
    def overflows(self) -> list[tuple[float, ...]]:
        """The words that do not lie inside, and those of the body that lie on the foot."""
        left, top, right, bottom = self.inside
        floor = min([bottom, *(box[1] for box in self.foot)])
        limits = [(box, bottom) for box in self.foot] + [(box, floor) for box in self.body]
        return [
            box
            for box, lowest in limits
            if box[0] < left - 0.05 or box[1] < top - 0.05 or box[2] > right + 0.05 or box[3] > lowest + 0.05
        ]


def cards_of(document: Any) -> list[Drawn]:
    """Every card of a laid-out document."""
    return [card for page in document.pages for card in _cards(page._page_box)]


def _cards(box: Any) -> Iterator[Drawn]:
    for found in with_class(box, "card__inside"):
        feet = [word for foot in with_class(found, "card__foot") for word in words_in(foot)]
        body = [word for word in words_in(found) if word not in feet]
        yield Drawn(rectangle(found, found), tuple(body), tuple(feet))


def with_class(box: Any, word: str) -> Iterator[Any]:
    """The boxes of elements of a class, outermost first."""
    element = getattr(box, "element", None)
    if element is not None and word in element.get("class", "").split() and hasattr(box, "children"):
        yield box
        return
    for child in getattr(box, "children", ()):
        yield from with_class(child, word)


def words_in(box: Any, line: Any = None) -> Iterator[tuple[float, ...]]:
    """The words inside of a box, as wide as they are and as high as their lines."""
    line = box if type(box).__name__ == "LineBox" else line
    if type(box).__name__ == "TextBox":
        yield rectangle(box, line)
    for child in getattr(box, "children", ()):
        yield from words_in(child, line)


def rectangle(across: Any, down: Any) -> tuple[float, ...]:
    """Left, top, right and bottom, as wide as the one box and as high as the other."""
    x, y = across.position_x, down.position_y
    return x * PX, y * PX, (x + across.width) * PX, (y + down.height) * PX


def readable(part: CardFace) -> list[str]:
    """The words of a part line by line, but for those in letters that our files do not have."""
    texts = [squeezed(text) for text in _texts((*part.head, *part.body, *part.foot))]
    return [text for text in texts if UNKNOWN not in map(width, text)]


def _texts(blocks: Iterable[TypesetBlock]) -> Iterator[str]:
    for block in blocks:
        for column in block.columns:
            yield from _texts(column)
        yield from (run.text for line in (*block.lines, *block.small) for run in line)
        yield block.amount
