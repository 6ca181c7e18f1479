"""Sets of systems with placeholder names, with which a star map can start."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Layout:
    """A set of systems with placeholder names: their places in percent, and lanes by number in the list."""

    slug: str
    places: Sequence[tuple[int, int]]
    lanes: Sequence[tuple[int, int]]


#: The sets that a new map can start with, by the number of systems.
LAYOUTS = {
    "6": Layout("6", [(16, 30), (40, 16), (72, 22), (86, 56), (58, 78), (24, 70)], [*pairwise(range(6)), (5, 0)]),
    "9": Layout(
        "9",
        [(14, 22), (14, 74), (34, 46), (42, 14), (50, 82), (58, 46), (78, 16), (86, 72), (76, 46)],
        [(0, 2), (1, 2), (0, 3), (1, 4), (2, 5), (3, 5), (4, 5), (5, 8), (3, 6), (4, 7), (6, 8), (7, 8)],
    ),
    "12": Layout(
        "12",
        [
            (12, 20), (10, 52), (16, 84), (32, 34), (32, 70), (50, 16), (50, 50), (50, 84), (68, 34), (68, 70),
            (88, 22), (88, 80),
        ],
        [
            (0, 1), (1, 2), (0, 3), (1, 3), (1, 4), (2, 4), (3, 5), (3, 6), (4, 6), (4, 7), (5, 8), (6, 8), (6, 9),
            (7, 9), (8, 10), (9, 11), (8, 9), (10, 11),
        ],
    ),
}  # fmt: skip
