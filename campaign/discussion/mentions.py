"""Mentions of members (`@name`) in what people write."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise

from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from accounts.names import name_key
from registers.markdown import to_html

#: An @ within a word is an address, not a mention.
_MENTION = re.compile(r"""(?:^|(?<=[\s(\[{"'“‘]))@([\w.@+-]+)""")
#: Characters of names that also end a sentence.
_ENDS = ".@+-"


def mentioned_in(text: str, members: Iterable[User]) -> dict[str, User]:
    """Return the members that a text mentions, by their names as they were typed. Upper and lower case count alike."""
    by_key = {name_key(member.username): member for member in members}
    spans = _spans(text, lambda name: name_key(name) in by_key)
    return {(name := text[start + 1 : end]): by_key[name_key(name)] for start, end in spans}


def comment_html(text: str, mentioned: Collection[str]) -> SafeString:
    """Return a plain text as HTML, with the `mentioned` names highlighted."""
    spans = list(_spans(text, mentioned.__contains__))
    cuts = [0, *(cut for span in spans for cut in span), len(text)]
    parts = [escape(text[start:end]) for start, end in pairwise(cuts)]
    parts[1::2] = [f'<b class="mention">{part}</b>' for part in parts[1::2]]
    return mark_safe(linebreaks("".join(parts)))  # noqa: S308  each part has just been escaped


def announcement_html(text: str, mentioned: Collection[str]) -> SafeString:
    """Return Markdown as HTML, with the `mentioned` names in bold."""
    spans = list(_spans(text, mentioned.__contains__))
    cuts = [0, *(cut for span in spans for cut in span), len(text)]
    parts = [text[start:end] for start, end in pairwise(cuts)]
    parts[1::2] = ["**" + part.replace("_", r"\_") + "**" for part in parts[1::2]]
    return to_html("".join(parts))


def _spans(text: str, is_known: Callable[[str], bool]) -> Iterator[tuple[int, int]]:
    """Yield where the known names stand, with their @: the longest one that is known."""
    for match in _MENTION.finditer(text):
        name = match[1]
        while not is_known(name) and name[-1:] and name[-1] in _ENDS:
            name = name[:-1]
        if name and is_known(name):
            yield match.start(), match.start() + 1 + len(name)
