"""What is printed on cards."""

from rules.core.card_types import keyword_name
from rules.core.rulebook import Rulebook


def test_the_full_name_of_a_unit_holds_its_title(book: Rulebook) -> None:
    names = [book.units[slug].full_name for slug in ("stormtroopers", "darth-vader-dark-lord-of-the-sith")]
    assert names == ["Stormtroopers", "Darth Vader, Dark Lord of the Sith"]


def test_the_full_name_of_an_upgrade_holds_its_title(book: Rulebook) -> None:
    names = [book.upgrades[slug].full_name for slug in ("dlt-19-stormtrooper", "jedi-training-force-adept")]
    assert names == ["DLT-19 Stormtrooper", "Jedi Training, Force Adept"]


def test_a_keyword_is_known_without_its_number_or_what_follows_a_colon() -> None:
    words = ["Speeder 1", "Independent: Aim 1", "Immune: Pierce", "Arm 2: Charge", "Fire Support", "Relentless", "7"]
    assert [keyword_name(word) for word in words] == [
        "Speeder", "Independent", "Immune", "Arm", "Fire Support", "Relentless", "7",
    ]  # fmt: skip


def test_the_keyword_names_of_a_unit(book: Rulebook) -> None:
    assert book.units["74-z-speeder-bikes"].keyword_names == {"Cover", "Speeder"}
