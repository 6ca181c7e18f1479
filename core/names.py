"""Names as people sort and search them: without case and accents, numbers by their value (law 15)."""

import re
import unicodedata
from functools import lru_cache

#: Letters that Unicode does not take apart into a letter and an accent.
_LETTERS = str.maketrans({
    "ł": "l", "đ": "d", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "ħ": "h", "þ": "th", "ı": "i", "’": "'", "‘": "'",
    "ʼ": "'",
})  # fmt: skip


def folded(text: str) -> str:
    """Return a text without what searches ignore: case, accents, repeated spaces, the form of apostrophes."""
    letters = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS)
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


@lru_cache(maxsize=4096)  # pages sort the same names again and again
def name_order(name: str) -> tuple[object, ...]:
    """Return the key by which names are sorted: Élodie between Edgar and Emil, Bob 9 before Bob 10."""
    parts = re.split(r"([0-9]{1,18})", folded(name))
    return (tuple(int(part) if place % 2 else part for place, part in enumerate(parts)), name)


def is_named(search: str, *names: str) -> bool:
    """Return whether each word of a search is in one of these names. An empty search finds everything."""
    return all(any(word in name for name in map(folded, names)) for word in folded(search).split())
