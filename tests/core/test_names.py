"""Names are sorted and searched as people do (law 15)."""

import pytest

from core.names import is_named, name_order


def test_names_are_sorted_without_accents_and_numbers_by_value():
    names = ["Bob 9", "Bob 10", "Edgar", "Élodie", "emil", "Łukasz", "Madis", "Ödön", "Østen", "Zoë"]
    assert sorted([*names[4:], *names[:4]], key=name_order) == names
    assert sorted(["A 2b", "A", "10", "A 2", "9"], key=name_order) == ["9", "10", "A", "A 2", "A 2b"]


@pytest.mark.parametrize(
    ("search", "found"),
    [("elodie", True), ("ÉLO", True), ("dupont élodie", True), ("lukasz", False), ("oconnor", False), ("o'con", True),
     ("", True)],
)  # fmt: skip
def test_a_search_finds_names_by_words_without_case_and_accents(search, found):
    assert is_named(search, "Élodie  Dupont", "O’Connor's") == found
