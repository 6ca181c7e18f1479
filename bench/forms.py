"""Forms of a page, filled in as chance has it: what a browser would send."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random

Sent = list[tuple[str, str]]

#: The type of a form without files.
FORM = "application/x-www-form-urlencoded"
#: What stands in a text that nobody has filled in.
SOMETHING = "The Grim Hounds"


@dataclass
class Form:
    """A form that is posted: where to (empty: to its page), its fields by name, and its buttons.

    A field is the values that it can have, each None for "left out"; those of a check box come one by one.
    """

    action: str
    name: str = ""
    fields: list[tuple[str, list[str | None]]] = field(default_factory=list)
    buttons: Sent = field(default_factory=list)

    def filled(self, random: Random) -> Sent:
        """What is sent when each field is filled and a button pressed as chance has it."""
        chosen = [(name, random.choice(values)) for name, values in self.fields if values]
        sent = [(name, value) for name, value in chosen if value is not None]
        return sent + ([random.choice(self.buttons)] if self.buttons else [])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: dict[str, Form] = {}
        self.inside: Form | None = None
        self.select: list[str | None] | None = None
        self.text: list[str | None] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = Form(attributes.get("action", ""), attributes.get("id", ""))
            if attributes.get("method", "").lower() == "post":
                self.forms[self.inside.name or str(len(self.forms))] = self.inside
        form = self.forms.get(attributes["form"]) if "form" in attributes else self.inside
        if form and "disabled" not in attributes:
            self._take(tag, attributes, form)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = None
        if tag == "select":
            self.select = None
        if tag == "textarea":
            self.text = None

    def handle_data(self, data: str) -> None:
        if self.text is not None and data.strip():
            self.text[:] = [data.removeprefix("\n")]

    def _take(self, tag: str, attributes: dict[str, str], form: Form) -> None:
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if tag == "option" and self.select is not None:
            self.select.append(value)
        elif tag == "button" and attributes.get("type", "submit") == "submit":
            form.buttons += [(name, value)] if name else []
        elif tag == "select" and name:
            self.select = []
            form.fields.append((name, self.select))
        elif tag == "textarea" and name:
            self.text = [SOMETHING]
            form.fields.append((name, self.text))
        elif tag == "input" and name:
            self._field(attributes, name, value, form)

    def _field(self, attributes: dict[str, str], name: str, value: str, form: Form) -> None:
        match attributes.get("type", "text"):
            case "radio":
                known = next((values for other, values in form.fields if other == name), None)
                if known is None:
                    known = [] if "required" in attributes else [None]
                    form.fields.append((name, known))
                known.append(value)
            case "checkbox":
                form.fields.append((name, [value, None]))
            case "number":
                form.fields.append((name, [value, attributes.get("min") or "0", attributes.get("max") or "1"]))
            case "hidden":
                form.fields.append((name, [value]))
            case "text" | "search":
                form.fields.append((name, [value or SOMETHING]))


def forms_of(page: str) -> Iterator[Form]:
    """The forms of a page that are posted, in their order."""
    reader = _Reader()
    reader.feed(page)
    yield from reader.forms.values()
