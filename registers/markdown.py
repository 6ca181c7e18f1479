"""Biographies: Markdown by people, HTML that is safe to show."""

from __future__ import annotations

from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table

#: Of all tables of a text together. A printer takes a minute for thousands, and a few letters make them.
MOST_CELLS = 300
#: No headings: a biography stands inside a page that has its own.
_TAGS = {
    "p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "table", "thead",
    "tbody", "tr", "th", "td",
}  # fmt: skip


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table as far as there is room for it.

    `state.env["cells"]` counts, those too that the library adds where a row has too few.
    """
    if not table(state, start, end, True):
        return False
    delimiters = state.getLines(start + 1, start + 2, 0, False)
    columns = delimiters.strip().strip("|").count("|") + 1
    cells = state.env.get("cells", 0)
    if columns > MOST_CELLS - cells:
        state.env["cells"] = MOST_CELLS + 1
        return False
    if not silent:
        table(state, start, min(end, start + 2 + (MOST_CELLS - cells) // columns), False)
        state.env["cells"] = cells + columns * (state.line - start - 1)
    return True


_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_markdown.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def too_large(text: str) -> str:
    """A sentence on what Markdown has too much of to be kept: cells of tables. Empty where it is fine."""
    env: dict[str, Any] = {}
    _markdown.parse(text, env)
    if env.get("cells", 0) <= MOST_CELLS:
        return ""
    words = gettext("The tables have more than %(most)d cells. Shorten them, or write a list.")
    return words % {"most": MOST_CELLS}


def to_html(text: str) -> SafeString:
    """Markdown as HTML of a few harmless tags; links go without a referrer, and tables end after MOST_CELLS."""
    html = nh3.clean(
        _markdown.render(text),
        tags=_TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308  nh3 has just sanitised it
