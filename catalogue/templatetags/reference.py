"""Filters for the words of the reference: Markdown, numbers of rulings as links, and marks on what was looked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
#: The number of a ruling, and nothing like the name of a droid ("R2-D2").
_NUMBER = re.compile(r"\bR\d+\b(?!-)")
#: What is no text for the eye: a tag, or the name of a character.
_NOT_TEXT = re.compile(r"(<[^>]*>|&#?\w+;)")


@register.filter
def block(text: str, looked: Looked | None = None) -> SafeString:
    """Markdown with paragraphs and lists."""
    return _marked(_block(str(text)), looked)


@register.filter
def line(text: str, looked: Looked | None = None) -> SafeString:
    """Markdown of one line."""
    return _marked(_line(str(text)), looked)


@register.filter
def cell(text: str, looked: Looked | None = None) -> SafeString:
    """What a table says, which is no Markdown."""
    return _marked(_cell(str(text)), looked)


@register.filter
def name(text: str, looked: Looked | None = None) -> SafeString:
    """What something is called."""
    return _marked(escape(str(text)), looked)


@lru_cache(maxsize=512)
def _block(text: str) -> str:
    return _linked(_markdown.render(text))


@lru_cache(maxsize=512)
def _line(text: str) -> str:
    return _linked(_markdown.renderInline(text))


@lru_cache(maxsize=512)
def _cell(text: str) -> str:
    return _linked(escape(text))


def _linked(html: str) -> str:
    """Links to rulings and to anchors of the page, from wherever they are read."""
    here = reverse("rules")
    html = html.replace('href="#', f'href="{here}#')
    return _NUMBER.sub(lambda found: f'<a href="{here}#{found[0]}">{found[0]}</a>', html)


def _marked(html: str, looked: Looked | None) -> SafeString:
    if looked is not None:
        parts = _NOT_TEXT.split(html)
        parts[::2] = [looked.pattern.sub(r"<mark>\g<0></mark>", part) for part in parts[::2]]
        html = "".join(parts)
    return mark_safe(html)  # noqa: S308  our own text, or escaped; Markdown is read without HTML


@register.filter
def of(values: Mapping[str, Any], key: str) -> Any:
    """The value of a mapping for a key that is not known before; None if there is none."""
    return values.get(key)
