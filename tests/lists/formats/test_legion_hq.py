"""Lists as Legion HQ writes them, of random legal armies: what is read without a question, and never wrong."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from lists.formats.cards import CardIndex, card_index
from lists.formats.detect import read
from lists.formats.plain_army import army_of
from rules.catalogue.loader import read_catalogue
from tests.lists.formats import legion_hq
from tests.thoroughness import examples

#: The share of lists that is read without a question; texts have names that mean two cards of the same points.
SHARES = {"link": 1.0, "tts": 0.95, "tournament": 0.95, "standard": 0.95, "minimal": 0.95}
DECKLESS = ("standard", "minimal")
TEXTS = ("tournament", *DECKLESS)


@pytest.fixture(scope="module")
def todays_cards() -> CardIndex:
    return card_index(read_catalogue(Path(legion_hq.FIXTURES)).cards)


@pytest.mark.parametrize("name", legion_hq.WRITERS)
def test_lists_of_legion_hq_are_read_without_questions(todays_cards: CardIndex, name: str):
    number = examples(20, 1000)
    armies = [legion_hq.army(Random(seed)) for seed in range(number)]
    asked = 0

    for army in armies:
        parsed = read(legion_hq.WRITERS[name](army), todays_cards)
        found = army_of(parsed)
        if parsed.open:
            asked += 1
            continue
        assert Counter(
            (unit.card, *sorted((*unit.upgrades, *unit.counterpart_upgrades)), unit.counterpart) for unit in found.units
        ) == Counter(
            (
                unit["card"]["slug"],
                *sorted(row["slug"] for row in unit["upgrades"]),
                unit["counterpart"]["slug"] if unit["counterpart"] else "",
            )
            for unit in army["units"]
        )
        if name not in TEXTS:  # which name neither; an army that only hired is the mercenaries' own there
            force = army["force"]["slug"] if army["force"] else ""
            assert (found.faction, found.battle_force) == (army["faction"], force)
        assert set(found.command_cards) == {row["slug"] for row in army["hand"]}
        assert set(found.battle_cards) == (set() if name in DECKLESS else {row["slug"] for row in army["deck"]})

    assert 1 - asked / number >= SHARES[name]
