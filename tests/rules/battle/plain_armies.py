"""Armies of the core rules."""

from rules.battle.plain_army import PlainUnit

OFFICER = PlainUnit("imperial-officer-ruthless-efficiency", ("academy-trained",))
STORM = PlainUnit("stormtroopers")
SNOW = PlainUnit("snowtroopers")
HAND = ("ambush", "covert-observation", "push", "pinned-down", "assault", "coordinated-fire")
