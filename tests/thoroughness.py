"""How thorough the tests are: quick in the gate, thorough in `make nightly`."""

import os

#: Whether this is the nightly run. Tests marked `nightly` run only then.
NIGHTLY = os.environ.get("MUSTERBOOK_NIGHTLY") == "1"


def examples(gate: int, nightly: int) -> int:
    """Return how many examples or runs to try."""
    return nightly if NIGHTLY else gate
