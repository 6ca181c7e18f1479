"""What the formats call the Factions."""

from rules.core.card_types import MERCENARY

LINK_FACTIONS = {
    "rebels": "rebel", "empire": "empire", "republic": "republic", "separatists": "separatist",
    "mercenary": MERCENARY, "mandalorians": "mandalorian",
}  # fmt: skip
FACTIONS = {
    **LINK_FACTIONS, "rebel": "rebel", "rebel alliance": "rebel", "imperial": "empire", "galactic empire": "empire",
    "galactic republic": "republic", "separatist": "separatist", "separatist alliance": "separatist",
    "mercenaries": MERCENARY, "mandalorian": "mandalorian",
}  # fmt: skip
