"""`{% cached_include "part.html" with … only %}`: an include that is rendered once for the same values.

For the few parts of a page that cost much and repeat: its frame, cards of Dossiers, Commendations to choose. Everything
that the part shows must be among its values, and these must be simple: texts, numbers, lists, dictionaries, data
classes; no database row, no form, no token. The key is made of all these values, so nothing needs to be invalidated.
"""

import pickle
from hashlib import blake2b
from io import BytesIO
from threading import Lock
from typing import Any

from cachetools import LRUCache
from django import template
from django.template import Context
from django.template.base import Parser, Token
from django.template.loader_tags import IncludeNode, do_include
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

register = template.Library()

#: Most characters that a process caches, over all parts; each takes at most four bytes.
CHARACTERS = 4_000_000

_rendered: LRUCache[tuple[Any, ...], SafeString] = LRUCache(CHARACTERS, getsizeof=len)
_lock = Lock()


class CachedInclude(IncludeNode):
    """Django's include, which first looks for an earlier rendering with the same values."""

    def render(self, context: Context) -> SafeString:
        """Return the rendered part, from the cache unless templates are being developed."""
        assert context.template is not None  # noqa: S101  Django sets it before it renders a node
        engine = context.template.engine
        if engine.debug:
            return super().render(context)
        values = {name: value.resolve(context) for name, value in self.extra_context.items()}
        name = self.template.resolve(context)
        key = (engine, name, digest_of(values), get_language(), get_current_timezone_name())
        with _lock:
            rendered = _rendered.get(key)
        if rendered is None:
            rendered = super().render(context)
            if len(rendered) <= CHARACTERS:
                with _lock:
                    _rendered[key] = rendered
        return rendered


@register.tag("cached_include")
def cached_include(parser: Parser, token: Token) -> CachedInclude:
    """Parse the tag as Django parses `include`. Raises TemplateSyntaxError without `only`."""
    node = do_include(parser, token)
    if not node.isolated_context:
        raise template.TemplateSyntaxError("cached_include needs `only`: the key is made of the values alone.")
    node.__class__ = CachedInclude
    return node  # type: ignore[return-value]


def digest_of(values: dict[str, Any]) -> bytes:
    """Return a digest that is the same for equal values and differs for others, types included."""
    written = BytesIO()
    pickler = pickle.Pickler(written, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True  # write out each value, even if the same object was written before
    pickler.dump(values)
    return blake2b(written.getbuffer(), digest_size=24).digest()


def forget() -> None:
    """Empty the cache, for tests that change templates."""
    with _lock:
        _rendered.clear()
