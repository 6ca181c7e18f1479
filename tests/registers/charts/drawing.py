"""What is drawn on a page: every rect, line and word of its pictures, and what of it lies outside."""

from html.parser import HTMLParser
from typing import Any

NEAR = 0.02  # attributes have two decimals


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.heights: list[float] = []
        self.drawn: list[tuple[str, dict[str, Any], float]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if self.heights and tag in ("rect", "line", "text", "svg"):
            self.drawn.append((tag, values, self.heights[0]))
        if tag == "svg" and (self.heights or (values.get("width") == "100%" and "height" in values)):
            self.heights.append(float(values.get("height", 0)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag == "svg" and self.heights:
            self.heights.pop()


def drawn(html: str) -> list[tuple[str, dict[str, Any], float]]:
    """Element, attributes and the height of the picture, for all that stands in pictures of full width."""
    reader = _Reader()
    reader.feed(html)
    return reader.drawn


def outside(html: str) -> list[tuple[str, dict[str, Any]]]:
    """Everything of which a part lies outside of its picture."""
    return [(tag, value) for tag, value, height in drawn(html) if not _within(value, height)]


def _within(data: dict[str, Any], height: float) -> bool:
    x, y = _number(data.get("x")), _number(data.get("y"))
    across = [x, x + _number(data.get("width")), _number(data.get("x1")), _number(data.get("x2"))]
    tall = height if data.get("height") == "100%" else _number(data.get("height"))
    lower = height if data.get("y2") == "100%" else _number(data.get("y2"))
    down = [y, y + tall, _number(data.get("y1")), lower]
    return all(-NEAR <= place <= 100 + NEAR for place in across) and all(
        -NEAR <= place <= height + NEAR for place in down
    )


def _number(text: str | None) -> float:
    return float((text or "0").removesuffix("%"))
