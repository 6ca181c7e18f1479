"""What the formats and people call the Factions."""

from rules.core.card_types import MERCENARY

LINK_FACTIONS = {
    "rebels": "rebel", "empire": "empire", "republic": "republic", "separatists": "separatist",
    "mercenary": MERCENARY, "mandalorians": "mandalorian",
}  # fmt: skip
#: Also in German, French, Spanish, Italian and Polish.
FACTIONS = LINK_FACTIONS | {
    word: faction
    for faction, words in {
        "rebel": "rebel, rebel alliance, rebellen, rebelles, rebeldes, ribelli, rebelianci",
        "empire": "imperial, imperials, imps, galactic empire, imperium, imperio, impero",
        "republic": "galactic republic, gar, republik, république, república, repubblica, republika",
        "separatist": "separatist, separatist alliance, cis, separatisten, séparatistes, separatistas, separatisti, "
        "separatyści",
        MERCENARY: "mercenaries, mercs, söldner, mercenaires, mercenarios, mercenari, najemnicy",
        "mandalorian": "mandalorian, mandalorianer, mandaloriens, mandalorianos, mandaloriani, mandalorianie",
    }.items()
    for word in words.split(", ")
}
