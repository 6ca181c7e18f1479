"""Check the texts that members write: announcements and stories."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext

from registers.markdown import too_large
from rules.core.violations import Violation


def text_violations(texts: Mapping[str, Any], longest: Mapping[str, int]) -> Iterator[Violation]:
    """Yield why these texts cannot be saved: an empty title or text, one with more characters than its `longest`, or
    large tables in the text, which is Markdown.
    """
    if not texts["title"]:
        yield Violation("", gettext("Enter a title."), "title")
    if not texts["text"]:
        yield Violation("", gettext("Enter a text."), "text")
    too_long = gettext("Use up to %(most)d characters. You typed %(letters)d.")
    for name, most in longest.items():
        if len(texts[name]) > most:
            yield Violation("", too_long % {"letters": len(texts[name]), "most": most}, name)
    if len(texts["text"]) <= longest["text"] and (why := too_large(texts["text"])):
        yield Violation("", why, "text")
