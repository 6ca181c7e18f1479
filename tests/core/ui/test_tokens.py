"""Every pair of colours that carries words or edges can be told apart, in both themes and under every Faction."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
LIGHT, DARK = ((ROOT / f"static/css/{name}.css").read_text() for name in ("tokens", "dark"))
FACTIONS = ["empire", "rebel", "republic", "separatist", "mercenary", "mandalorian"]
SURFACES = ["paper", "sheet", "well"]

# (ink, grounds, WCAG ratio): 7 for what is read most, 4.5 for all other words, 3 for the edges of controls.
PAIRS = [
    ("ink", [*SURFACES, "accent-wash", "good-wash", "warn-wash", "bad-wash", "boon-wash"], 7),
    ("ink-soft", [*SURFACES, "ground", "accent-wash"], 4.5),
    ("accent", [*SURFACES, "accent-wash"], 4.5),
    ("on-accent", ["accent"], 4.5),
    ("good", [*SURFACES, "good-wash"], 4.5),
    ("warn", [*SURFACES, "warn-wash"], 4.5),
    ("bad", [*SURFACES, "bad-wash"], 4.5),
    ("boon", [*SURFACES, "boon-wash"], 4.5),
    ("cover-ink", ["cover"], 7),
    ("on-band", ["band"], 4.5),
    ("die-white", ["die-black", "die-red"], 4.5),
    ("edge", SURFACES, 3),
    ("die-line", SURFACES, 3),
]


def colours(theme: str, faction: str) -> dict[str, str]:
    """The colours in force on a page: later blocks win over earlier ones, as in the cascade."""
    found: dict[str, str] = {}
    page = f'[data-faction="{faction}"]'
    for block in (LIGHT, DARK) if theme == "dark" else (LIGHT,):
        for selector, body in re.findall(r"(?m)^ +(:root|\[data-faction\S*|body:has\(> \S+) \{([^}]*)\}", block):
            if selector == ":root" or (faction and selector in ("[data-faction]", page, f"body:has(> .page{page})")):
                found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6}|var\(--[\w-]+\));", body))
    return {name: found[value[6:-1]] if value.startswith("var") else value for name, value in found.items()}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_on_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("faction", ["", *FACTIONS])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_pair_is_too_pale(theme: str, faction: str) -> None:
    palette = colours(theme, faction)
    pale = [
        f"{ink} on {ground}: {contrast(palette[ink], palette[ground]):.2f} < {least}"
        for ink, grounds, least in PAIRS
        for ground in grounds
        if ground in palette and contrast(palette[ink], palette[ground]) < least
    ]
    assert pale == []
    assert ("band" in palette) == bool(faction)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_factions_have_accents_of_their_own(theme: str) -> None:
    accents = [colours(theme, faction)["accent"] for faction in ["", *FACTIONS]]
    assert len(set(accents)) == len(accents)


def test_factions_have_weaves_of_their_own() -> None:
    weaves = dict(re.findall(r"data-faction=\"(\w+)\"\] \{\s*--weave: ([^;]+);", LIGHT))
    assert list(weaves) == FACTIONS
    assert len(set(weaves.values())) == len(FACTIONS)
