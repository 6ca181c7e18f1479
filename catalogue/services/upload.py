"""Cards uploaded as a CSV file: what a change of cards does to what is built from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.dispatch import Signal
from django.utils.functional import cached_property

from catalogue.models import Card
from catalogue.services.load import KindReport, save_cards

#: Receivers return the names of everything whose cards cost more than it may spend, by key.
limits_asked = Signal()


@dataclass(frozen=True)
class UploadReport:
    """The result of an upload: the cards added and changed, and the names of what it pushes over its limit."""

    cards: KindReport
    over: tuple[str, ...]

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """How many cards are changed, how many added, and how many Registers go over their Combat Potential."""
        return len(self.cards.changed), len(self.cards.added), len(self.over)


@transaction.atomic
def upload_cards(*, actor: str, kind: str, cards: Sequence[Card]) -> UploadReport:
    """Save cards of one kind (`save_cards`), and return what it did. A preview rolls the transaction back."""
    before = _over()
    report = save_cards(actor=actor, kind=kind, cards=cards)
    over = sorted(name for key, name in _over().items() if key not in before)
    return UploadReport(report, tuple(over))


def _over() -> dict[object, str]:
    answers: list[tuple[Any, Any]] = limits_asked.send(sender=None)
    return {key: name for _app, names in answers for key, name in names.items()}
