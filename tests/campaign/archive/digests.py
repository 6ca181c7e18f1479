"""The digest of a campaign's file."""

import json
from hashlib import sha256
from typing import Any


def digest_of(entry: dict[str, Any], before: str, register: str) -> str:
    """As docs/campaign-file.md tells it."""
    names = (
        "position", "place", "act", "actor", "on_behalf_of", "battle", "step", "effects", "answers",
        "rolled_by_hand", "reason", "undoes", "created_at",
    )  # fmt: skip
    sentences = [before, register, *(entry[name] for name in names)]
    text = json.dumps(sentences, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()
