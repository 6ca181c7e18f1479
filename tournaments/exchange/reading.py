"""Read the file of an event: its size, its JSON, its schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from core.json_files import JSONFormat
from rules.core.violations import RuleViolation, refuse

SCHEMA = Path(__file__).parent / "schema.json"
MB = 1024**2
#: An event of 300 players with nine rounds and all army lists has 2 MB.
MOST_BYTES = 8 * MB
#: Players times Swiss rounds: 512 players and eight rounds. Each round is drawn again to prove it (E23), which takes
#: longer than linear time in the players.
MOST_DRAWN = 512 * 8


@cache
def schema() -> dict[str, Any]:
    """Return the published JSON Schema of the file."""
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return loaded


#: The version is raised for changes that an older Musterbook would misread.
EVENT_FILE = JSONFormat(
    name="musterbook-event",
    version=1,
    schema=schema,
    most_values=400_000,
    part="file",
    foreign=lambda: _("This is not an event exported from Musterbook."),
)


def read(text: bytes) -> dict[str, Any]:
    """Return the contents of a file as the schema describes them. Refuses a file that is too large, not JSON, of
    another kind or a newer version, with values that no event has, or with more draws than a site proves.
    """
    if len(text) > MOST_BYTES:
        raise too_big()
    content = EVENT_FILE.read(text)
    swiss = sum(each["stage"] == "swiss" for each in content["rounds"])
    if len(content["entries"]) * swiss > MOST_DRAWN:
        too_many = _("This event is too large to prove: players times Swiss rounds can be %(most)d at most.")
        raise refuse("", too_many % {"most": MOST_DRAWN}, "file")
    return content


def too_big() -> RuleViolation:
    """Return the refusal of a file that is too large."""
    return refuse("", _("An event file has at most %(most)d MB.") % {"most": MOST_BYTES // MB}, "file")
