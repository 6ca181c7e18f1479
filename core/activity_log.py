"""The registry of an activity log: one presenter function for each kind of line."""

from collections.abc import Callable
from typing import TypeVar

P = TypeVar("P", bound=Callable[..., object])


class Presenters(dict[str, P]):
    """The presenters of a log by kind. A presenter puts the facts of a line into words when the line is read."""

    def presents(self, kind: str) -> Callable[[P], P]:
        """Return a decorator that registers the presenter of a kind. Raises ValueError for a second one."""

        def register(presenter: P) -> P:
            if kind in self:
                raise ValueError(f"{kind} has a presenter already")
            self[kind] = presenter
            return presenter

        return register
