"""The suggested size of a new battle. This app knows no phases; the schedule registers a function that does."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass

from campaign.models import Campaign


@dataclass(frozen=True, slots=True)
class SuggestedSize:
    """A game size in `points`, and the name of the phase that suggests it."""

    points: int
    phase: str


Suggestion = Callable[[Campaign, datetime.date], SuggestedSize | None]

_suggestions: list[Suggestion] = []


def suggest_sizes_with(suggestion: Suggestion) -> None:
    """Register `suggestion`, which returns the size for a battle on a day. Another app calls this in
    `AppConfig.ready`.
    """
    _suggestions.append(suggestion)


def suggested_size(campaign: Campaign, day: datetime.date) -> SuggestedSize | None:
    """Return the size suggested for a battle on that day, or None."""
    return next((found for suggestion in _suggestions if (found := suggestion(campaign, day))), None)
