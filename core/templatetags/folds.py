"""`{{ rows|folds:"entry.name" }}`: a long list in titled parts, of which a page opens one."""

from collections.abc import Sequence
from typing import Any

from django import template

register = template.Library()
#: Rows that are shown at once, and how many a fold has in a longer list.
FEW, A_FOLD = 40, 20


@register.filter
def folds(rows: Sequence[Any], name: str) -> list[tuple[str, Sequence[Any]]]:
    """Return rows in parts titled by what `name` leads to in their first and last row; few in one without a title."""
    if len(rows) <= FEW:
        return [("", rows)]
    title = template.Variable(f"row.{name}").resolve
    parts = [rows[start : start + A_FOLD] for start in range(0, len(rows), A_FOLD)]
    return [(f"{title({'row': part[0]})} – {title({'row': part[-1]})}", part) for part in parts]
