"""Names written from right to left, isolated so that the sentence around them keeps its order (`<bdi>`, law 15)."""

import re

#: Letters of Hebrew, Arabic and the other scripts that run from right to left.
_LETTER = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_WORDS = re.compile(f"[{_LETTER}]+(?:[ \u00a0'’\"״׳-]+[{_LETTER}]+)*")
#: Parts that stay unchanged (markup, and elements that hold only text or are not HTML's), or a text.
_PARTS = re.compile(
    r"<!--.*?-->|<(script|style|title|textarea|option|svg|bdi)\b.*?</\1\s*>|<[^>]*>"
    r"|(?P<before>\s*+)(?P<text>[^<\s](?:[^<]*[^<\s])?)?",
    re.DOTALL | re.IGNORECASE,
)


def isolated(html: str) -> str:
    """Return HTML in which each run of words from right to left stands in a `<bdi>` of its own. The text around it
    stands in another one: in a flexible box it would fall apart otherwise.
    """
    return _PARTS.sub(_part, html) if _WORDS.search(html) else html


def _part(part: re.Match[str]) -> str:
    text = part["text"]
    if not text or not _WORDS.search(text):
        return part[0]
    found = _WORDS.sub(r"<bdi>\g<0></bdi>", text)
    return part["before"] + (found if _WORDS.fullmatch(text) else f'<bdi dir="ltr">{found}</bdi>')
