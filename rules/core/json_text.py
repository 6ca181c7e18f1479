"""Read JSON from outside, nested no deeper than a limit.

How deep `json` itself can read depends on the version of Python and on what else is on its stack.
"""

import json
import re
from itertools import accumulate
from typing import Any

from rules.core.translation import gettext

#: Objects and arrays in each other. A campaign file has up to 25.
DEEPEST = 60
_TEXTS = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")


class NestedTooDeep(json.JSONDecodeError):
    """JSON that is nested too deeply; `msg` is the sentence."""


def load_json(text: str, *, deepest: int = DEEPEST, **options: Any) -> Any:
    """Return the value of a JSON text, read with the `options` of `json.loads`.

    Raises NestedTooDeep if objects and arrays nest deeper than `deepest`, also in a text that is no JSON, and
    ValueError if it is no JSON.
    """
    refuse_deep(text, deepest)
    return json.loads(text, **options)


def refuse_deep(text: str, deepest: int = DEEPEST) -> None:
    """Raise NestedTooDeep if objects and arrays of a JSON text nest deeper than `deepest`."""
    if text.count("[") + text.count("{") <= deepest:
        return
    steps = (1 if mark in "[{" else -1 for mark in _BRACKETS.findall(_TEXTS.sub("", text)))
    if max(accumulate(steps), default=0) > deepest:
        raise NestedTooDeep(gettext("This JSON is nested too deeply."), text[:100], 0)
