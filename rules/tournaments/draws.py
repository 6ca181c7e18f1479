"""The random acts of an event, which anyone can check once its seed is revealed (E23).

Before the first round an event publishes the SHA-256 of its seed. Each random act is then a number that follows from
the seed, the event, the kind of act, the round and the players concerned: the first seven bytes of an HMAC-SHA256. The
lower number comes first.
"""

import hmac
from collections.abc import Iterable, Iterator
from enum import StrEnum
from hashlib import sha256

from rules.core.values import Value

#: The first line of every text, so that no other format can be mistaken for this one.
FORMAT = "musterbook event 1"
#: Bytes of a drawn number.
BYTES = 7
#: Bits of a drawn number.
BITS = 8 * BYTES
#: Bytes of a block of SHA-256.
BLOCK = 64


class Act(StrEnum):
    """What is drawn."""

    PAIR = "pair"
    FIRST_BYE = "first bye"
    TICKET = "ticket"
    BRACKET_BYE = "bracket bye"
    BRACKET_GAME = "bracket game"
    ROUND_TIME = "round time"


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed in 64 hexadecimal digits, which is published before the first round."""
    return sha256(seed).hexdigest()


class Draw(Value):
    """The random numbers of one event. `event` is its published identifier; `seed` is secret until the event ends."""

    seed: bytes
    event: str

    def number(self, act: Act, round_number: int, *parts: str) -> int:
        """Return the number of an act in a round (0 if it belongs to none) about players or dice, from 0 below 2⁵⁶.
        Raises ValueError for a part with a line break in it.
        """
        return int.from_bytes(hmac.digest(self.seed, self._text(act, round_number, *parts), "sha256")[:BYTES])

    def _text(self, act: Act, round_number: int, *parts: str) -> bytes:
        lines = [FORMAT, self.event, act.value, str(round_number), *parts]
        text = "\n".join(lines)
        if text.count("\n") >= len(lines):
            raise ValueError(f"No line may hold another: {lines}")
        return text.encode()

    def pair_weight(self, round_number: int, one: str, other: str) -> int:
        """Return the number that decides between pairings that are otherwise equal (E17)."""
        return self.number(Act.PAIR, round_number, *sorted((one, other)))

    def pair_weights(self, round_number: int, players: Iterable[str]) -> Iterator[tuple[str, str, int]]:
        """Yield each two of these players, in the order of their keys, with their `pair_weight`. This takes half as
        long as asking for each: HMAC-SHA256 is two SHA-256, and the states of their common beginnings are copied.
        """
        key = (sha256(self.seed).digest() if len(self.seed) > BLOCK else self.seed).ljust(BLOCK, b"\0")
        outer = sha256(bytes(byte ^ 0x5C for byte in key))
        ordered = sorted(players)
        ends = [player.encode() for player in ordered]
        for place, one in enumerate(ordered, start=1):
            inner = sha256(bytes(byte ^ 0x36 for byte in key) + self._text(Act.PAIR, round_number, one, ""))
            for other, end in zip(ordered[place:], ends[place:], strict=True):
                first, second = inner.copy(), outer.copy()
                first.update(end)
                second.update(first.digest())
                yield one, other, int.from_bytes(second.digest()[:BYTES])

    def ticket(self, player: str) -> int:
        """Return a player's ticket: the random order of the last tiebreaker, the lower the better (E34)."""
        return self.number(Act.TICKET, 0, player)

    def order(self, act: Act, round_number: int, players: Iterable[str]) -> list[str]:
        """Return players in the random order of an act."""
        return sorted(players, key=lambda player: (self.number(act, round_number, player), player))
