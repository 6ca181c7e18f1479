"""A Command Hand at the table."""

from __future__ import annotations

HAND = (
    "ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders",
)  # fmt: skip
