"""What nobody types on purpose, but anybody can send."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

NUMBERS = (
    "0", "-1", "1", "2", "+1", "00", "1.5", "1e3", "1e999", "-1e999", "NaN", "inf", "-inf", "0x10", "1_000",
    *(str(2**bits + more) for bits in (15, 31, 63, 64) for more in (-1, 0)), str(-(2**31)), str(-(2**63) - 1),
    "9" * 400, "9" * 5_000, "٣", "²", "½", "④", " 7 ", "7\n",
)  # fmt: skip
TEXTS = (
    "", " ", "\t", "\n", "None", "null", "true", "on", "undefined", "é" * 300, "x" * 101, "x" * 2_100, "𝕏" * 500,
    "\u202eevil\u202c", "\u200b", "\ufeff", "\u2028", "\ufffe", "\U0010ffff", "\x01\x1b[31m", "\x7f", "e\u0301" * 99,
    "ﬃ", "ß", "İ",
    "<script>alert(1)</script>", "\"'><img src=x onerror=alert(1)>", "javascript:alert(1)", "[x](javascript:alert(1))",
    "' OR 1=1 --", "'; DROP TABLE x; --", "%s%s%n", "%(name)s", "{0.__class__}", "{name}",
    "{{ 7|add:7 }}", "{% load x %}",
    "../../etc/passwd", "..", "/", "//evil.example", "https://evil.example/", "http://[", "\\\\evil",
    "a\r\nX-Evil: 1", "a,b;c:d|e.f",
    "%00", "%ff", "%", "&", "=", "#", "?", "|" * 2_000, "*" * 3_000, "[" * 3_000, "> " * 500, "(((((((" * 50,
    "a-" * 500,
)  # fmt: skip
DATES = (
    "2026-02-29", "2026-13-01", "0000-00-00", "0001-01-01", "9999-12-31", "10000-01-01", "2026-11-22T25:61",
    "0001-01-01T00:00",
    "9999-12-31T23:59:59+14:00", "9999-12-31T23:59:59-14:00", "2026-03-29T02:30", "2026-W09-1", "22.11.2026",
)  # fmt: skip
UUIDS = ("0" * 32, "f" * 32, "urn:uuid:" + "0" * 32, "{" + "0" * 32 + "}", "00000000-0000-0000-0000-00000000000g")
JSON = (
    "{}", "[]", "0", '""', "[null]", '{"": null}', '{"a": {"b": [1, 2, {"c": null}]}}', "{", '{"a": 1, "a": 2}',
    "NaN", "[Infinity]", "1e999", "[" * 1_500, '"\\ud800"', '"\\u0000"', '["\\u0000"]', "9" * 5_000,
)  # fmt: skip
SURROGATE, NUL = ("\ud800", "a\udfffb"), ("\0", "a\0b")
#: Once in a while, since whoever reads it takes its time.
HUGE = "Ash " * 25_000
LEAVES: tuple[Any, ...] = (
    None, True, -1, 2**63, 1.5, float("nan"), float("inf"), "", "x" * 300, "\ud800", "\0", [], {}, [[]], {"": 0},
)  # fmt: skip

Change = Callable[[Random, str], str]


def word(random: Random) -> str:
    """Something that no field asks for."""
    kind = random.choice((NUMBERS, NUMBERS, TEXTS, TEXTS, DATES, UUIDS, JSON, SURROGATE, NUL, ()))
    if kind:
        return random.choice(kind)
    if random.random() < 0.05:
        return HUGE
    return "".join(chr(random.choice((random.randrange(128), random.randrange(0x2FFF), random.randrange(0x110000))))
                   for _ in range(random.randrange(1, 30)))  # fmt: skip


def changed(random: Random, text: str) -> str:
    """What a field held, a little otherwise."""
    return random.choice(CHANGES)(random, text)


def _leaf(random: Random, text: str) -> str:
    """JSON with one place of it otherwise; other text with something behind it."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return text + word(random)
    return json.dumps(_replaced(random, read))


def _replaced(random: Random, value: Any) -> Any:
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(sorted(value))
        if random.random() < 0.2:
            return {name: each for name, each in value.items() if name != key}
        return {**value, key: _replaced(random, value[key])}
    if isinstance(value, list) and value and random.random() < 0.9:
        at = random.randrange(len(value))
        return [*value[:at], _replaced(random, value[at]), *value[at + (random.random() < 0.8) :]]
    return random.choice(LEAVES)


def _cut(random: Random, text: str) -> str:
    return text[: random.randrange(len(text) + 1)]


def _number(random: Random, text: str) -> str:
    try:
        return str(int(text) + random.choice((-1, 1, 7, -(10**6), 10**6)))
    except ValueError:
        return random.choice(NUMBERS)


CHANGES: tuple[Change, ...] = (
    lambda random, text: word(random),
    lambda random, text: text + word(random),
    lambda random, text: text * 2,
    lambda random, text: text.swapcase(),
    lambda random, text: f" {text} ",
    _leaf,
    _leaf,
    _cut,
    _number,
)
