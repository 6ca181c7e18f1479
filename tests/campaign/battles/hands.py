"""A Command Hand at the table."""

HAND = (
    "ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders",
)  # fmt: skip
