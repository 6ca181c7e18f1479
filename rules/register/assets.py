"""Strategic Assets of a Register (R43)."""

from rules.core.card_types import StrategicAsset
from rules.core.rulebook import Rulebook


def held_at_most(book: Rulebook, asset: StrategicAsset) -> int:
    """Return how many of an asset a Register may hold: as many as a sequence may request (R43, `requested_twice`)."""
    return 1 if book.house.requested_twice == "one_held" else asset.per_sequence
