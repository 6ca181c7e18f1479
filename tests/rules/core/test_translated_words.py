from ops.translation_catalogue import WORDS
from rules.core.card_types import FACTIONS, MERCENARY, RANKS, UPGRADE_TYPES
from rules.core.dice import DICE, FACES
from rules.core.rulebook import Rulebook
from rules.register.upgrade_slots import spoken


def test_every_value_that_is_a_word_is_listed_for_translators_once(book: Rulebook) -> None:
    values = [*RANKS, *FACTIONS, MERCENARY, *UPGRADE_TYPES, "standard", "recon", "blue", "red", "both", *DICE, *FACES]
    values += {unit.unit_type for unit in book.units.values()} | {"vehicle"}
    assert sorted(WORDS) == sorted(spoken(value) for value in values)
