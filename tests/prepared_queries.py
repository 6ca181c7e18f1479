"""In every module of tests, a prepared queryset must have the statement of the ordinary one it stands for.

Building and compiling that one each time would take a tenth of all tests. At night it is done each time.
"""

import re
from typing import Any

from core.db.prepared import Prepared, PreparedQuery, _padded, _shape
from tests.thoroughness import NIGHTLY

_module: object = None
_compared: set[tuple[object, ...]] = set()


def begin(module: object) -> None:
    """Know that a test of this module begins."""
    global _module
    if module != _module:
        _compared.clear()
    _module = module


def watch() -> None:
    """Compare prepared querysets from now on, each once in a module for every text and shape of its arguments.

    A list has its last value more often there, which changes no row.
    """
    prepared = Prepared.__call__

    def compared(self: Prepared[Any], *args: Any) -> Any:
        rows = prepared(self, *args)
        call = self, *map(_kind, args)
        if isinstance(rows.query, PreparedQuery) and (NIGHTLY or call not in _compared):
            _compared.add(call)
            found, expected = shown(rows.query), shown(self.plain(*args).query)
            assert found == expected, f"{self.plain.__qualname__}: {found} instead of {expected}"
        return rows

    Prepared.__call__ = compared


def _kind(argument: Any) -> object:
    """What may decide about a statement: a text, or the shape of another argument."""
    if isinstance(argument, str):
        return argument
    return _shape(_padded(argument) if isinstance(argument, list) else argument)


def shown(query: Any) -> tuple[str, list[str]]:
    """The statement of a query with lists of one length, and its parameters without repetitions next to each other."""
    sql, params = query.get_compiler("default").as_sql()
    texts = [repr(each) for each in params]
    single = [each for place, each in enumerate(texts) if place == 0 or each != texts[place - 1]]
    return re.sub(r"%s(, %s)+", "%s, …", sql.replace("(%s)", "(%s, %s)")), single
