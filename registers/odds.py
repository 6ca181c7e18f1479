"""The odds of a Casualty Check as a page shows them."""

from __future__ import annotations

from rules.odds import Odds

PARTS = ("escaped", "setback", "boon", "casualty")


def thousandths(odds: Odds) -> dict[str, int]:
    """Odds as `components/odds.html` takes them: whole thousandths that are 1000 together.

    What rounding down leaves over goes to the parts that lost most by it.
    """
    exact = {part: 1000 * getattr(odds, part) for part in PARTS}
    whole = {part: int(value) for part, value in exact.items()}
    most_lost = sorted(PARTS, key=lambda part: whole[part] - exact[part])
    for part in most_lost[: 1000 - sum(whole.values())]:
        whole[part] += 1
    return whole
