"""`{% textarea_text value %}`: the contents of a <textarea>, of which HTML drops the first line break."""

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
def textarea_text(value: object) -> SafeString:
    """Return a line break and the escaped value, so that a value that begins with a line break keeps it."""
    return mark_safe(f"\n{escape(value)}")  # noqa: S308  escaped
