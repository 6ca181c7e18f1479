"""A Command Hand that nobody else may see."""

#: A card that is offered to no army, so that only a hand can bring its name onto a page.
SLUG, NAME = "zephyr-protocol", "Zephyr Protocol"
HAND = [SLUG, "ambush", "push", "pinned-down", "assault", "coordinated-fire", "standing-orders"]
