"""`{% include … only %}`, which draws the same values once.

Pages are made of components, and a component is included `with` its values and `only` with them. So what it looks
like is a function of these values, of its template and of the reader's language and time zone. Where all of them are
plain values (texts, numbers, lists of them, frozen data classes), the result is kept under exactly that: under a digest
of everything that went in. Nothing has to be thrown away when something changes, for then the values are others; and
nobody is shown what they may not see, for whoever gets the same result has put the same values in. Whatever is not
plain (a row, a form, the request) is drawn as ever, and so is everything in development, where templates change.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, timedelta, tzinfo
from enum import Enum
from hashlib import blake2b
from io import BytesIO
from operator import attrgetter
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from django import template
from django.template import Context
from django.template.base import Parser, Token
from django.template.loader_tags import IncludeNode, do_include
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

register = template.Library()

#: Characters that a process keeps at most, and of one result; four bytes each at worst.
ALL_CHARACTERS, LONGEST = 8_000_000, 200_000

_drawn: LRUCache[tuple[Any, ...], str] = LRUCache(ALL_CHARACTERS, getsizeof=len)
_lock = Lock()


class Include(IncludeNode):
    """Django's node, that looks first whether these values were drawn already."""

    def render(self, context: Context) -> str:
        """What the included template says."""
        engine = context.template.engine
        key = None
        if self.isolated_context and not engine.debug and context.autoescape:
            key = self._key(context)
        if key is None:
            return super().render(context)
        with _lock:
            drawn = _drawn.get(key)
        if drawn is None:
            drawn = super().render(context)
            if len(drawn) <= LONGEST:
                with _lock:
                    _drawn[key] = drawn
        return drawn

    def _key(self, context: Context) -> tuple[Any, ...] | None:
        """What the result is a function of; None if that cannot be said."""
        name = self.template.resolve(context)
        if not isinstance(name, str):
            return None
        values = {name: value.resolve(context) for name, value in self.extra_context.items()}
        if all(type(value) is str for value in values.values()):
            said: Any = tuple(values.items())  # texts alone, as of an icon, say themselves what they are
        elif (said := digest_of(values)) is None:
            return None
        # The engine stands for its settings and loaders: tests change them.
        return context.template.engine, name, said, get_language(), get_current_timezone_name()


@register.tag("include")
def include(parser: Parser, token: Token) -> Include:
    """Django's tag, with our node."""
    node = do_include(parser, token)
    node.__class__ = Include
    return node


def digest_of(values: Mapping[str, Any]) -> bytes | None:
    """A digest that is the same for the same plain values; None where there are others."""
    written = BytesIO()
    pickler = _Plain(written, pickle.HIGHEST_PROTOCOL)
    # Each value is written out, though it was written before: so equals are written alike.
    pickler.fast = True
    try:
        pickler.dump(values)
    except (_NotPlain, ValueError):  # ValueError: a value that holds itself
        return None
    return blake2b(written.getbuffer(), digest_size=24).digest()


def forget() -> None:
    """Draw everything anew: for tests, which change what templates are made of."""
    with _lock:
        _drawn.clear()


class _NotPlain(Exception):
    """A value may change, or asks the database when it is drawn."""


class _Plain(pickle.Pickler):
    """Writes values whose look follows from what is written; types are told apart, a safe text from another one too."""

    def reducer_override(self, value: Any) -> Any:
        """How something is written that is no text, number or collection by itself."""
        return _HOW[type(value)](value)


class _Ways(dict[type, Callable[[Any], Any]]):
    """How values of a kind are written; found out once for each kind, for a page has thousands of values."""

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = way = _way_of(kind)
        return way


def _way_of(kind: type) -> Callable[[Any], Any]:
    if issubclass(kind, Promise):  # a text to be translated: the words are what counts
        return lambda text: (str, (str(text),))
    if issubclass(kind, type | SafeString | Enum | UUID | date | timedelta | tzinfo):
        return lambda _: NotImplemented  # as pickle has it
    # The values of a frozen data class stand for it; everything else may change.
    if not is_dataclass(kind) or not kind.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        return _refuse
    values = attrgetter(*(each.name for each in fields(kind))) if fields(kind) else lambda _: ()
    return lambda value: (tuple, (kind, values(value)))


def _refuse(value: Any) -> Any:
    raise _NotPlain


_HOW = _Ways()
