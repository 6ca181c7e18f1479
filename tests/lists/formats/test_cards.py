from lists.formats.cards import CardIndex, card_index, full_name, name_key
from lists.formats.parsed import LineKind
from rules.catalogue.loader import read_catalogue
from tests.cards import CARDS


def slugs(index: CardIndex, kind: LineKind, text: str) -> tuple[list[str], bool]:
    found = index.named(kind, text)
    return [card.slug for card in found.cards], found.exact


def test_a_full_name_is_one_card_and_a_name_may_be_several(index: CardIndex):
    both = ["darth-vader-dark-lord-of-the-sith", "darth-vader-the-emperors-apprentice"]

    assert [
        slugs(index, LineKind.UNIT, "Darth Vader Dark Lord of the Sith"),
        slugs(index, LineKind.UNIT, "DARTH VADER, the Emperor’s Apprentice"),
        slugs(index, LineKind.UNIT, "Darth Vader"),
        slugs(index, LineKind.UNIT, "Stormtroopers"),
        slugs(index, LineKind.UNIT, "Stormtroopers HRU"),
        slugs(index, LineKind.UPGRADE, "ax 108 “ground buzzer”"),
    ] == [
        (both[:1], True),
        (both[1:], True),
        (both, True),
        (["stormtroopers", "stormtroopers-heavy-response-unit"], True),
        (["stormtroopers-heavy-response-unit"], True),
        (["ax-108-ground-buzzer"], True),
    ]


def test_a_name_that_no_card_has_is_answered_with_cards_like_it(index: CardIndex):
    assert [
        slugs(index, LineKind.UNIT, "Battle Droid"),
        slugs(index, LineKind.UNIT, "Jar Jar"),
        slugs(index, LineKind.UNIT, ""),
        slugs(index, LineKind.UNIT, "stormtroopers " * 20),
    ] == [(["b1-battle-droids", "b2-super-battle-droids"], False), ([], False), ([], False), ([], False)]


def test_every_card_is_found_by_its_letters_and_its_full_name(index: CardIndex):
    tables = {
        LineKind.UNIT: index.units, LineKind.UPGRADE: index.upgrades, LineKind.COUNTERPART: index.counterparts,
        LineKind.COMMAND_CARD: index.command_cards, LineKind.BATTLE_CARD: index.battle_cards,
    }  # fmt: skip

    assert [
        card.slug
        for kind, cards in tables.items()
        for card in cards.values()
        if index.lettered(index.letters(kind, card.slug)) is not card
        or card not in index.named(kind, full_name(card)).cards
    ] == []


def test_letters_count_capitals_and_a_live_card_comes_before_a_retired_one():
    cards = read_catalogue(CARDS).cards
    retired = {**cards["unit"][0], "slug": "old-vader", "retired": True}
    index = card_index({**cards, "unit": [retired, *cards["unit"]]})

    assert [getattr(index.lettered(letters), "slug", None) for letters in ("at", "aT", "At", "zzz")] == [
        "darth-vader-dark-lord-of-the-sith", None, "advanced-intel-recon", None,
    ]  # fmt: skip


def test_rows_of_the_database_hold_lists():
    cards = read_catalogue(CARDS).cards
    rows = {
        kind: [{name: list(v) if isinstance(v, tuple) else v for name, v in row.items()} for row in found]
        for kind, found in cards.items()
    }

    assert card_index(rows).counterparts == card_index(cards).counterparts


def test_names_are_compared_without_what_programs_change():
    assert [name_key(text) for text in ("AT-RT", "Iden's ID10", "Ax-108 “Ground Buzzer”", "Café, _x_", "!")] == [
        "atrt", "idensid10", "ax108groundbuzzer", "cafex", "",
    ]  # fmt: skip
