"""The Story Arcs that come with Musterbook: from their files to versions that every campaign can take in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from campaign.models import OwnArc
from catalogue.snapshot import rulebook
from rules.own_arcs import arc_problems
from rules.refusal import refuse_any

from .arcs import new_version

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "arcs"


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did to one arc: its name, its newest version, and whether that is new."""

    name: str
    version: int
    new: bool


@transaction.atomic
def load_arcs(folder: Path = FOLDER) -> list[Loaded]:
    """Publish every arc in `folder` that differs from its newest version. The name of its file is its slug for ever.

    Registers and campaigns stay on the versions they have. Refuses an arc that cannot be played, and changes
    nothing then.
    """
    return [
        _load(path.stem, json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(folder.glob("*.json"))
    ]


def _load(origin: str, draft: dict[str, Any]) -> Loaded:
    refuse_any(arc_problems(rulebook(), draft))
    arc, _ = OwnArc.objects.select_for_update().get_or_create(origin=origin, defaults={"draft": draft})
    newest = arc.versions.last()
    if newest and newest.content == draft:
        return Loaded(draft["name"], newest.number, new=False)
    arc.draft = draft
    arc.save(update_fields=["draft"])
    version = new_version(arc, newest, None)
    return Loaded(draft["name"], version.number, new=True)
