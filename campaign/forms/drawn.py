"""Whether fields of a form have to be drawn anew, or may stay in the hands of who fills them in."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from rules.cards import Unit

#: What somebody has chosen in a field; all else is what may be chosen there.
_CHOICES = frozenset({"chosen", "used"})


def drawn_as(*fields: Any) -> str:
    """A word for what may be chosen in fields (dicts and lists of them, as templates take them).

    It is the same whatever is chosen, and another once there is something else to choose from.
    """
    return blake2b(repr(_offered(fields)).encode(), digest_size=8).hexdigest()


def _offered(part: Any) -> Any:
    match part:
        case dict():
            return {key: _offered(value) for key, value in part.items() if key not in _CHOICES}
        case list() | tuple():
            return [_offered(each) for each in part]
        case Unit():
            return part.slug
    return part
