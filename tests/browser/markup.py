"""Faults that the HTML of a page shows, named as axe names them: the gate looks for them on every page."""

from collections import Counter
from html.parser import HTMLParser

#: Elements that need a name, and what the rule about them is called.
NAMED = {"a": "link-name", "button": "button-name", "summary": "summary-name"}
#: Attributes that give an element a name.
NAMES = ("aria-label", "aria-labelledby", "title", "alt")
FIELDS = ("input", "select", "textarea")
#: Types of fields that need no label.
UNLABELLED = ("hidden", "submit", "button", "image", "reset")
#: Attributes of an element that name others.
REFERENCES = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
HEADINGS = {f"h{level}": level for level in range(1, 7)}


def markup_faults(page: str) -> list[str]:
    """Return what is wrong with a page: images, fields, links and buttons without a name, ids that others refer to and
    two elements have, levels of headings that are left out."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    unlabelled = [f"label: {tag}" for tag, number in reader.fields if number not in reader.referred]
    twice = [f"duplicate-id-aria: {number}" for number in reader.referred if reader.ids[number] > 1]
    leaps = [
        f"heading-order: h{low} after h{high}"
        for high, low in zip([0, *reader.levels], reader.levels, strict=False)
        if low > high + 1
    ]
    none = [] if 1 in reader.levels else ["page-has-heading-one"]
    return [*reader.faults, *unlabelled, *twice, *leaps, *none]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.fields: list[tuple[str, str]] = []
        self.referred: set[str] = set()
        self.ids: Counter[str] = Counter()
        self.levels: list[int] = []
        #: The elements around that need a name (tag, start tag, whether they have one), and labels.
        self.around: list[tuple[str, str, list[bool]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        text = self.get_starttag_text() or tag
        named = any(given.get(name) for name in NAMES) or given.get("aria-hidden") == "true"
        self.ids.update([given["id"]] if "id" in given else [])
        self.levels += [HEADINGS[tag]] if tag in HEADINGS else []
        if tag == "img" and "alt" not in given:
            self.faults.append(f"image-alt: {text}")
        if named:
            self.handle_data("named")
        is_field = tag in FIELDS and given.get("type") not in UNLABELLED and "hidden" not in given
        if is_field and not named and all(each != "label" for each, *_ in self.around):
            self.fields.append((text, given.get("id", "")))
        self.referred.update(number for name in REFERENCES for number in given.get(name, "").split())
        if tag == "label" or tag in NAMED:
            self.around.append((tag, text, [named]))

    def handle_data(self, data: str) -> None:
        if data.strip():
            for *_, named in self.around:
                named[:] = [True]

    def handle_endtag(self, tag: str) -> None:
        if self.around and self.around[-1][0] == tag:
            _, text, [named] = self.around.pop()
            if not named and tag in NAMED:
                self.faults.append(f"{NAMED[tag]}: {text}")
