"""In every test, a prepared queryset must have the statement of the ordinary one it stands for."""

import re
from typing import Any

from core.db.prepared import Prepared, PreparedQuery


def watch() -> None:
    """Compare each prepared queryset from now on. A list has its last value more often there, which changes no row."""
    prepared = Prepared.__call__

    def compared(self: Prepared[Any], *args: Any) -> Any:
        rows = prepared(self, *args)
        if isinstance(rows.query, PreparedQuery):
            found, expected = shown(rows.query), shown(self.plain(*args).query)
            assert found == expected, f"{self.plain.__qualname__}: {found} instead of {expected}"
        return rows

    Prepared.__call__ = compared


def shown(query: Any) -> tuple[str, list[str]]:
    """The statement of a query with lists of one length, and its parameters without repetitions next to each other."""
    sql, params = query.get_compiler("default").as_sql()
    texts = [repr(each) for each in params]
    single = [each for place, each in enumerate(texts) if place == 0 or each != texts[place - 1]]
    return re.sub(r"%s(, %s)+", "%s, …", sql.replace("(%s)", "(%s, %s)")), single
