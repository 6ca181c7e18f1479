"""Filters for the words of the reference; `looked` (catalogue.reference.search.Looked, or None) is marked in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from catalogue.reference import drawing
from catalogue.reference.search import Looked

register = template.Library()


@register.filter
def block(text: str, looked: Looked | None = None) -> SafeString:
    """Markdown with paragraphs and lists."""
    return drawing.block(str(text), looked)


@register.filter
def line(text: str, looked: Looked | None = None) -> SafeString:
    """Markdown of one line."""
    return drawing.line(str(text), looked)


@register.filter
def cell(text: str, looked: Looked | None = None) -> SafeString:
    """What a table says: no Markdown, but links to rulings."""
    return drawing.cell(str(text), looked)


@register.filter
def name(text: str, looked: Looked | None = None) -> SafeString:
    """What something is called."""
    return drawing.name(str(text), looked)


@register.filter
def of(values: Mapping[str, Any], key: str) -> Any:
    """The value of a mapping for a key that is not known before; None if there is none."""
    return values.get(key)
