"""Biographies: Markdown written by users, turned into safe HTML."""

from collections.abc import Sequence
from typing import Any

import nh3
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.token import Token

#: Limit for all tables of a text together. A few letters can make thousands of cells, which take a minute to print.
MOST_CELLS = 300
#: Limit for the links of a text together with the addresses that it defines for them: two letters that refer to an
#: address repeat all of it.
MOST_LINKS = 100
#: No headings: a biography is part of a page that has its own.
_TAGS = {
    "p", "br", "hr", "em", "strong", "code", "pre", "blockquote", "ul", "ol", "li", "a", "table", "thead",
    "tbody", "tr", "th", "td",
}  # fmt: skip


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table up to the number of cells that are left.

    `state.env["cells"]` counts cells, including those that the library adds to short rows.
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
#: For a text with more links than MOST_LINKS: they stay text.
_unlinked = (
    MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink", "reference"])
)
for _each in (_markdown, _unlinked):
    _each.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})


def too_large(text: str) -> str:
    """Return a sentence if the tables of a text have too many cells, or the text too many links, to be saved; empty
    otherwise.
    """
    env: dict[str, Any] = {}
    tokens = _markdown.parse(text, env)
    if env.get("cells", 0) > MOST_CELLS:
        words = gettext("The tables have more than %(most)d cells. Shorten them or use a list.")
        return words % {"most": MOST_CELLS}
    if _links(tokens, env) > MOST_LINKS:
        return gettext("The text has more than %(most)d links. Remove some of them.") % {"most": MOST_LINKS}
    return ""


def _links(tokens: Sequence[Token], env: dict[str, Any]) -> int:
    """Return how many links a parsed text has, and addresses for them."""
    used = sum(each.type == "link_open" for token in tokens for each in token.children or ())
    return used + len(env.get("references", ())) + len(env.get("duplicate_refs", ()))


def to_html(text: str) -> SafeString:
    """Return Markdown as HTML with harmless tags only. Links send no referrer; tables end after MOST_CELLS cells, and
    with more than MOST_LINKS links there are none.
    """
    env: dict[str, Any] = {}
    tokens = _markdown.parse(text, env)
    few = _links(tokens, env) <= MOST_LINKS
    html = nh3.clean(
        _markdown.renderer.render(tokens, _markdown.options, env) if few else _unlinked.render(text),
        tags=_TAGS,
        attributes={"a": {"href", "title"}},
        url_schemes={"http", "https", "mailto"},
        url_relative="deny",
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(html)  # noqa: S308  nh3 has just sanitized it
