"""Biographies: Markdown by people, HTML that is safe to show."""

from __future__ import annotations

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
#: No headings: a biography stands inside a page that has its own.
_TAGS = {
    "p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "table", "thead",
    "tbody", "tr", "th", "td",
}  # fmt: skip


def to_html(text: str) -> SafeString:
    """Markdown as HTML of a few harmless tags; links go without a referrer."""
    html = nh3.clean(
        _markdown.render(text),
        tags=_TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308  nh3 has just sanitised it
