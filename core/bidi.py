"""Names written from right to left, isolated so that the sentence around them keeps its order (`<bdi>`, law 15)."""

import re

#: Letters of Hebrew, Arabic and the other scripts that run from right to left.
_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_FOUND = re.compile(f"[{_LETTER}]")
#: What is left as it is (markup, and elements that hold text alone or none of HTML's), or words of such letters.
_PARTS = re.compile(
    r"<!--.*?-->|<(script|style|title|textarea|option|svg|bdi)\b.*?</\1\s*>|<[^>]*>"
    rf"|(?P<words>[{_LETTER}]+(?:[ \u00a0'’\"״׳-]+[{_LETTER}]+)*)",
    re.DOTALL | re.IGNORECASE,
)


def isolated(html: str) -> str:
    """Return HTML in which each run of words from right to left stands in a `<bdi>` of its own."""
    if not _FOUND.search(html):
        return html
    return _PARTS.sub(lambda part: f"<bdi>{part['words']}</bdi>" if part["words"] else part[0], html)
