"""What programs and people call the parts of a list, in six languages, by what they mean (`words.json`)."""

import json
from pathlib import Path

from lists.formats.parsed import LineKind

_WORDS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
FACTIONS, RANKS, NUMBERS, COLUMNS, DECKS, _KINDS = (
    {word: meant for meant, words in _WORDS[table].items() for word in words.split(", ")}
    for table in ("factions", "ranks", "numbers", "columns", "decks", "sections")
)
#: Headings, with the kind of line below them.
SECTIONS = {
    **{word: LineKind(kind) for word, kind in _KINDS.items()},
    **dict.fromkeys(DECKS, LineKind.BATTLE_CARD),
    **dict.fromkeys(RANKS, LineKind.UNIT),
}
