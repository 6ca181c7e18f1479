"""Story Arcs in the form of the file, for tests."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

from rules.arcs.custom_arcs import OWN_TRAIT, Arc
from tests.cards import CARDS

FOLDER = Path(__file__).parents[3] / "fixtures" / "arcs"
#: The arcs that come with Musterbook, by the name of their file.
SHIPPED: dict[str, Arc] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
PRINTED: list[dict[str, Any]] = json.loads((CARDS / "story_arcs.json").read_text(encoding="utf-8"))["arcs"]


def as_written(whole: dict[str, Any]) -> Arc:
    """An arc of the file as one that is being written: without slugs, and with its own trait under the word for it."""
    text = json.dumps(whole).replace(json.dumps(whole["defining_trait"]["slug"]), json.dumps(OWN_TRAIT))
    arc: Arc = json.loads(text)
    for part in (
        arc,
        *arc["agendas"],
        *(arc[name] for name in ("commendation", "setback", "defining_trait", "turning_point")),
    ):
        del part["slug"]
    arc["turning_point"].setdefault("asks", {})
    return arc


def printed(slug: str) -> Arc:
    """A printed arc as one that is being written."""
    [arc] = [arc for arc in PRINTED if arc["slug"] == slug]
    return as_written(arc)


def spoiled(arc: Arc, path: str, value: Any) -> Arc:
    """A copy with another value at a path such as "agendas.0.name"."""
    copy: Any = deepcopy(arc)
    *way, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    part = copy
    for step in way:
        part = part[step]
    part[last] = value
    return copy  # type: ignore[no-any-return]
