"""The sentences of the chronicle: those of `sayings.toml` that are true for a battle."""

from collections.abc import Mapping
from hashlib import blake2s
from typing import Any

from core.sentences import said
from rules.core.translation import sentences_of

#: Groups of sentences by the fact that they mention, and by the words of the condition under which they are true.
SAYINGS: Mapping[str, Mapping[str, Mapping[str, Any]]] = sentences_of(__file__)


def say(fact: str, battle: str, facts: Mapping[str, Any]) -> str:
    """Return a sentence about a fact of a battle, given by its key; empty if no condition holds. A hash picks the
    sentence, so that the chronicle never changes for the same battle.
    """
    ways = next((list(group.values()) for when, group in SAYINGS[fact].items() if _holds(when, facts)), [])
    if not ways:
        return ""
    picked = blake2s(f"{battle} {fact} {facts.get('colour', '')}".encode(), digest_size=4).digest()
    way = ways[int.from_bytes(picked) % len(ways)]
    return said(way, facts, 0 if isinstance(way, str) else facts[[*way, "n"][2]])


def _holds(when: str, facts: Mapping[str, Any]) -> bool:
    words = when.split() if when != "otherwise" else ()
    return all(bool(facts.get(word.removeprefix("!"))) != word.startswith("!") for word in words)
