"""The cards that the fixed answers of the tests were written for: `fixtures/catalogue` as it was on 2026-04-21.

A points update changes `fixtures/catalogue` alone, so it turns no test red but those of today's cards
(tests/catalogue/test_cards_of_today.py).
"""

from pathlib import Path

CARDS = Path(__file__).parent / "edition-2026-04-21"
