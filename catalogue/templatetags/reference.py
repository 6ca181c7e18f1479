"""Template filters for the reference: Markdown, links for rulings, and highlighted search words."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from catalogue.reference.passages import Looked

register = template.Library()

_markdown = MarkdownIt("commonmark", {"html": False})
#: The number of a ruling, but not the name of a droid ("R2-D2").
_NUMBER = re.compile(r"\bR\d+\b(?!-)")
#: Markup that the reader does not see as text: a tag, or a character reference.
_NOT_TEXT = re.compile(r"(<[^>]*>|&#?\w+;)")


@register.filter
def block(text: str, looked: Looked | None = None) -> SafeString:
    """Return Markdown with paragraphs and lists as HTML."""
    return _marked(_linked(_markdown.render, str(text)), looked)


@register.filter
def line(text: str, looked: Looked | None = None) -> SafeString:
    """Return one line of Markdown as HTML."""
    return _marked(_linked(_markdown.renderInline, str(text)), looked)


@register.filter
def cell(text: str, looked: Looked | None = None) -> SafeString:
    """Return a table cell, which is plain text, as HTML."""
    return _marked(_linked(escape, str(text)), looked)


@register.filter
def name(text: str, looked: Looked | None = None) -> SafeString:
    """Return a name as HTML."""
    return _marked(escape(str(text)), looked)


@lru_cache(maxsize=1536)
def _linked(drawn: Callable[[str], str], text: str) -> str:
    """Return a text as HTML with rulings and anchors linked, for any page that shows it."""
    here = reverse("rules")
    html = drawn(text).replace('href="#', f'href="{here}#')
    return _NUMBER.sub(lambda found: f'<a href="{here}#{found[0]}">{found[0]}</a>', html)


def _marked(html: str, looked: Looked | None) -> SafeString:
    if looked is not None:
        parts = _NOT_TEXT.split(html)
        parts[::2] = [looked.pattern.sub(r"<mark>\g<0></mark>", part) for part in parts[::2]]
        html = "".join(parts)
    return mark_safe(html)  # noqa: S308  our own text, or escaped; Markdown is read without HTML


@register.filter
def of(values: Mapping[str, Any], key: str) -> Any:
    """Return a mapping's value for a key held in a variable; None if there is none."""
    return values.get(key)
