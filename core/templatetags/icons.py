"""`{% icon "minus" %}`: a drawing from icons.svg. It is a template builtin, so no template loads it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def icon(name: str, label: Any = "", class_: str = "") -> SafeString:
    """Return the drawing of this name. Screen readers say `label`; without one the drawing is decoration."""
    return _drawn(name, str(label or ""), class_)


@lru_cache(maxsize=1024)  # a page has dozens
def _drawn(name: str, label: str, class_: str) -> SafeString:
    spoken = format_html(' role="img" aria-label="{}"', label) if label else SafeString(' aria-hidden="true"')
    return format_html(
        '<svg class="icon {}" focusable="false"{}><use href="{}#{}"></use></svg>',
        class_, spoken, static("icons.svg"), name,
    )  # fmt: skip
