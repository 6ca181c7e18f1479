"""Cards uploaded as a CSV file: what a change of cards does to what is built from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.functional import cached_property

from catalogue.models import Card
from catalogue.services.load import KindReport, save_cards

#: Returns the names of everything whose cards cost more than it may spend, by key.
Overspent = Callable[[], Mapping[object, str]]

_overspent: list[Overspent] = []


def register_overspent(overspent: Overspent) -> None:
    """Let `overspent` name what is over its limit. Higher apps register theirs in `AppConfig.ready`."""
    _overspent.append(overspent)


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
    return {key: name for overspent in _overspent for key, name in overspent().items()}
