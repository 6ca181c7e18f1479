"""Somebody who goes through the site by the links and forms that its pages show, without JavaScript."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

from django.test import Client
from lxml import html

from accounts.models import User

#: Inputs that no form sends by itself.
UNSENT = ("submit", "button", "reset", "image", "file")


class FormWalk:
    """Somebody on one page after the other."""

    def __init__(self, user: User | None) -> None:
        self.client = Client()
        if user:
            self.client.force_login(user)
        self.url = "/"
        self.page: Any = None

    def open(self, path: str) -> None:
        """Open a page, and go where it leads."""
        self._show(self.client.get(path, follow=True), path)

    def follow(self, text: str) -> None:
        """Follow the first link of this text."""
        links = {" ".join(each.text_content().split()): each.get("href") for each in self.page.iter("a")}
        assert text in links, f"No link {text!r} on {self.url}: {list(links)}"
        self.open(urljoin(self.url, links[text]))

    def press(self, label: str, **filled: Any) -> None:
        """Submit the form of the first button with this label, as it stands but for what is filled in."""
        buttons = {_label(each): each for each in reversed([*self.page.iter("button")])}
        assert label in buttons, f"No button {label!r} on {self.url}: {list(buttons)}"
        button = buttons[label]
        of = button.get("form")
        form = self.page.get_element_by_id(of) if of else next(button.iterancestors("form"))
        sent = {name: [] for name, _value in _values(self.page, form)}
        for name, value in _values(self.page, form):
            sent[name].append(value)
        if button.get("name"):
            filled[button.get("name")] = button.get("value", "")
        path = urljoin(self.url, button.get("formaction") or form.get("action") or "")
        send = self.client.post if form.get("method", "get") == "post" else self.client.get
        self._show(send(path, sent | filled, follow=True), path)

    @property
    def words(self) -> str:
        """Return what the page says, without messages."""
        main = self.page.find(".//main")
        for message in main.find_class("message"):
            message.drop_tree()
        return " ".join(main.text_content().split())

    def _show(self, response: Any, path: str) -> None:
        self.url = urljoin(path, response.redirect_chain[-1][0] if response.redirect_chain else "")
        assert response.status_code == 200, f"{response.status_code} of {self.url}"
        self.page = html.document_fromstring(response.content)


def _label(button: Any) -> str:
    return str(button.get("aria-label") or " ".join(button.text_content().split()))


def _values(page: Any, form: Any) -> Iterator[tuple[str, str]]:
    """Yield what a browser sends of a form, with the fields outside of it that name it."""
    outside = page.xpath("//*[@form=$of]", of=form.get("id", ""))
    for each in [*form.iter("input", "select", "textarea"), *outside]:
        kind = each.get("type", "text") if each.tag == "input" else each.tag
        if not each.get("name") or each.tag == "button" or kind in UNSENT:
            continue
        if kind == "select":
            chosen = each.xpath(".//option[@selected]") or each.xpath(".//option")[:1]
            yield from ((each.get("name"), option.get("value", "")) for option in chosen)
        elif kind not in ("checkbox", "radio") or each.get("checked") is not None:
            yield each.get("name"), each.text_content() if kind == "textarea" else each.get("value", "")
