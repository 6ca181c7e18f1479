"""What a campaign's file is called, what it may hold, and the schema that says so."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from config.paths import BASE_DIR

FORMAT = "musterbook-campaign"
#: Counts changes after which an older Musterbook would misread a file.
VERSION = 1
ENDING = ".musterbook.zip"

CONTENT = "campaign.json"
PICTURE = "pictures/{}.jpg"

MB = 1024**2
MOST_BYTES = 200 * MB
#: A campaign of 40 Registers with 200 entries each has 15 MB of text and half a million values.
MOST_TEXT = 64 * MB
MOST_VALUES = 3_000_000
MOST_PICTURES = 2_000
#: JSON of ours is compressed to a tenth. What is compressed to a hundredth is made to fill our memory.
MOST_COMPRESSED = 100


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of CONTENT."""
    path = BASE_DIR / "docs" / "campaign-file.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
