"""`{% icon "minus" %}`: a drawing from icons.svg. It is a template builtin, so no template loads it.

`{% inline_icon "corps" %}` puts the drawing itself into a page that is printed: WeasyPrint follows no link to a symbol.
"""

import re
from functools import cache, lru_cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from ops.paths import BASE_DIR

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


@register.simple_tag
def inline_icon(name: str, edge: float = 0) -> SafeString:
    """Return the drawing of this name in black, as an SVG of its own; an unknown name gives nothing. With an `edge`, it
    is so wide and high, around the origin of the SVG it is in.
    """
    drawing = drawings().get(name, SafeString())
    place = f'<svg x="{-edge / 2}" y="{-edge / 2}" width="{edge}" height="{edge}" '
    return mark_safe(drawing.replace("<svg ", place, 1)) if edge else drawing  # noqa: S308 (a file of our own)


@register.filter
def emblem(slug: str) -> str:
    """Return the name of the emblem for the Story Arc with this slug: each printed one has its own."""
    return name if (name := f"arc-{slug}") in drawings() else "arc-own"


@cache
def drawings() -> dict[str, SafeString]:
    """Return all drawings by name, in the order of icons.svg, as `inline_icon` draws them."""
    sprite = (BASE_DIR / "static" / "icons.svg").read_text(encoding="utf-8")
    symbols = re.findall(r'<symbol id="([\w-]+)" ([^>]*)>(.*?)</symbol>', sprite, re.DOTALL)
    return {
        name: mark_safe(  # noqa: S308 (a file of our own)
            f'<svg xmlns="http://www.w3.org/2000/svg" {attributes} aria-hidden="true">{inner}</svg>'.replace(
                "currentColor", "#000"
            )
        )
        for name, attributes, inner in symbols
    }
