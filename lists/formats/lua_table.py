"""Lists in scripts of Tabletop Simulator: Lua tables with the keys of its JSON."""

import json
import re
from typing import Any

from lists.formats.limits import MAX_DEPTH, clean

_TABLE = re.compile(r"\bunits[\"']?\]?\s*=\s*\{")
#: Texts, numbers, words and signs, without blanks and comments.
_TOKEN = re.compile(
    r"""\s+|--[^\n]*|("(?:[^"\\\n]++|\\.)*+"?|'(?:[^'\\\n]++|\\.)*+'?|[0-9]{1,6}(?![\w.])|[A-Za-z_]\w*|.)""", re.DOTALL
)
#: Keys that scripts have for those of the JSON.
_KEYS = {"listName": "listname", "pts": "points"}


def json_of(text: str) -> str:
    """Return the list of a script as the JSON of Tabletop Simulator, "" for a text that has none."""
    text = clean(text)
    found = _Script(list(filter(None, _TOKEN.findall(text)))).run() if _TABLE.search(text) else {}
    return json.dumps(_json(found)) if found.get("units") else ""


class _Script:
    """Assignments and tables of a script; everything else is skipped."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens[::-1]  # the next one is the last
        self.names: dict[Any, Any] = {}

    def run(self) -> dict[Any, Any]:
        """Return the first table with units, {} for a script without one."""
        while self.tokens:
            if self.tokens[-1] == "{":
                self.names[len(self.tokens)] = self._value(0)
            elif re.match(r"[A-Za-z_]", self.tokens[-1]):
                self._assign()
            else:
                self.tokens.pop()
        tables = [self.names, *(table for table in self.names.values() if isinstance(table, dict))]
        return next((table for table in tables if "units" in table), {})

    def _next(self, signs: str) -> str:
        """Take the next token if it is one of these signs. Return it, "" for another."""
        return self.tokens.pop() if self.tokens and self.tokens[-1] in [*signs] else ""

    def _take(self) -> Any:
        token = self.tokens.pop() if self.tokens else ""
        if token[1:] and token[0] in "\"'":
            return re.sub(r"\\(.)", r"\1", token[1:-1])
        return int(token) if token.isdigit() else token

    def _assign(self) -> None:
        """Read "names.and[1].more = value" as far as it is one."""
        path = [self._take()]
        while opened := self._next(".["):
            path.append(self._take())
            if opened == "[":
                self._next("]")
        if self._next("="):
            value = self._value(0)
            table = self.names
            for key in path[:-1]:
                within = table.setdefault(key, {})
                table = within if isinstance(within, dict) else {}
            table[path[-1]] = value

    def _value(self, depth: int) -> Any:
        if depth > MAX_DEPTH or not self._next("{"):
            return self._take()
        table: dict[Any, Any] = {}
        number = 0
        while self.tokens and not self._next("}"):
            if self._next("[") or self.tokens[-2:-1] == ["="]:
                key = self._take()
                self._next("]")
                self._next("=")
                table[key] = self._value(depth + 1)
            elif not self._next(",;"):
                number += 1
                table[number] = self._value(depth + 1)
        return table


def _json(value: Any) -> Any:
    """Return a table without words for keys as a list, others with the keys of the JSON."""
    if not isinstance(value, dict):
        return value
    if all(isinstance(key, int) for key in value):
        return [_json(value[key]) for key in sorted(value)]
    return {_KEYS.get(key, str(key)): _json(each) for key, each in value.items()}
