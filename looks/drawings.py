"""What is drawn in static/icons.svg, by what it stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from rules.cards import RANKS, UPGRADE_TYPES
from rules.dice import DICE as SIDES
from rules.dice import FACES

SPRITE = Path(__file__).parents[1] / "static/icons.svg"
#: Each kind of dice with its faces, as its drawings are named.
DICE: Mapping[str, tuple[str, ...]] = {die.replace("_", "-"): tuple(faces) for die, faces in SIDES.items()}


@cache
def drawn() -> tuple[str, ...]:
    """The names of all drawings, in the order of the file."""
    sprite = ElementTree.parse(SPRITE).getroot()  # noqa: S314 (a file of our own)
    return tuple(symbol.attrib["id"] for symbol in sprite.iter("{http://www.w3.org/2000/svg}symbol"))


def icons() -> Mapping[str, Sequence[str]]:
    """The drawings of one colour, by what they stand for; dice have colours of their own and stand in DICE."""
    arcs = [name for name in drawn() if name.startswith("arc-")]
    known = {*RANKS, *UPGRADE_TYPES, *FACES, *arcs}
    others = [name for name in drawn() if name not in known and not name.startswith(("attack-", "defense-"))]
    return {
        "Ranks": RANKS,
        "Upgrade types": UPGRADE_TYPES,
        "Faces of dice": FACES,
        "Story Arcs": arcs,
        "Acts and marks": others,
    }
