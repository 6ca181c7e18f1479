"""Lists in scripts of Tabletop Simulator: Lua tables with the keys of its JSON."""

import json
import re
from typing import Any

from lists.formats.limits import MAX_DEPTH, clean

_TABLE = re.compile(r"\bunits[\"']?\]?\s*=\s*\{")
_TOKEN = re.compile(
    r"""\s+|--[^\n]*|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|([0-9]{1,6})(?![\w.])|([A-Za-z_]\w*)|(.)""", re.DOTALL
)
#: Keys that scripts have for those of the JSON.
_KEYS = {"listName": "listname", "pts": "points"}

Token = tuple[str, Any]


def json_of(text: str) -> str:
    """Return the list of a script as the JSON of Tabletop Simulator, "" for a text that has none."""
    text = clean(text)
    if not _TABLE.search(text):
        return ""
    tokens = [(match.lastindex, match[match.lastindex]) for match in _TOKEN.finditer(text) if match.lastindex]
    found = _Script([("text" if kind < 3 else "sign" if kind == 5 else "word", each) for kind, each in tokens]).run()
    return json.dumps(_json(found)) if found.get("units") else ""


class _Script:
    """Assignments and tables of a script; everything else is skipped."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.place = tokens, 0
        self.names: dict[Any, Any] = {}

    def run(self) -> dict[Any, Any]:
        """Return the first table with units, {} for a script without one."""
        while self.place < len(self.tokens):
            if self._next("{", ahead=True):
                self.names[self.place] = self._value(0)
            elif self.tokens[self.place][0] == "word":
                self._assign()
            else:
                self.place += 1
        tables = [self.names, *(table for table in self.names.values() if isinstance(table, dict))]
        return next((table for table in tables if "units" in table), {})

    def _next(self, sign: str, *, ahead: bool = False) -> bool:
        found = self.place < len(self.tokens) and self.tokens[self.place] == ("sign", sign)
        self.place += found and not ahead
        return found

    def _take(self) -> Any:
        self.place += 1
        kind, text = self.tokens[self.place - 1] if self.place <= len(self.tokens) else ("sign", "")
        if kind == "text":
            return re.sub(r"\\(.)", r"\1", text)
        return int(text) if text.isdigit() else text

    def _assign(self) -> None:
        """Read "names.and[1].more = value" as far as it is one."""
        path = [self._take()]
        while (dot := self._next(".")) or self._next("["):
            path.append(self._take())
            if not dot:
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
        while self.place < len(self.tokens) and not self._next("}"):
            if self._next("[") or self.tokens[self.place + 1 : self.place + 2] == [("sign", "=")]:
                key = self._take()
                self._next("]")
                self._next("=")
                table[key] = self._value(depth + 1)
            elif not (self._next(",") or self._next(";")):
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
