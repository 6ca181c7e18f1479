"""Signals with which battles ask the parts of a campaign above them. A receiver returns the answer, or None."""

from typing import Any

from django.dispatch import Signal

#: Asks for the phase that suggests the size of a new battle of `campaign` on `day`: an object with `name` and `size`.
size_suggested = Signal()
#: Asks for the map of the mission of `battle`: an object with `picture`, and the addresses `address` and `full`.
mission_map_shown = Signal()


def answer_to(signal: Signal, **asked: Any) -> Any:
    """Return the first answer of a receiver, or None."""
    return next((answer for _receiver, answer in signal.send(None, **asked) if answer), None)
