"""The HTML of a page as tests compare it: templates may break their lines wherever a browser ignores it."""

import re
from typing import Any

KEPT = re.compile(r"""((?<=>)[^<]*</(?:textarea|pre)>)""")
TAG = re.compile(r"""</?[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>""")


def html_of(response: Any) -> str:
    """Return a response's text; of HTML with tags on one line and without line breaks around them."""
    text: str = response.content.decode()
    return flat(text) if response.headers.get("Content-Type", "").startswith("text/html") else text


def flat(html: str) -> str:
    """Return HTML with tags on one line each, and other line breaks as spaces or (beside tags) as nothing.

    What a browser shows with its line breaks (<textarea>, <pre>) stays as it is.
    """
    parts = KEPT.split(html)
    return "".join(part if number % 2 else _flat(part) for number, part in enumerate(parts))


def _flat(html: str) -> str:
    html = TAG.sub(lambda tag: re.sub(r"\s+(?=/?>$)", "", re.sub(r"\s*\n\s*", " ", tag[0])), html)
    return re.sub(r"\s*\n\s*", " ", re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", html))
