from rules.cards import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES
from rules.dice import DICE, FACES
from rules.equipment import spoken
from rules.rulebook import Rulebook
from rules.vocabulary import WORDS


def test_every_value_that_is_a_word_is_listed_for_translators_once(book: Rulebook) -> None:
    values = [
        *RANKS,
        *FACTIONS,
        MERCENARY,
        *UPGRADE_TYPES,
        "standard",
        "recon",
        "blue",
        "red",
        "both",
        *DICE,
        *FACES,
    ]
    values += {unit.unit_type for unit in book.units.values()} | {"vehicle"}
    assert sorted(WORDS) == sorted(spoken(value) for value in values)
