"""Long lists in titled parts."""

import pytest

from core.templatetags import folds
from core.templatetags.folds import folds as in_folds


def test_a_long_list_is_titled_by_the_first_and_last_row_of_each_part(monkeypatch):
    monkeypatch.setattr(folds, "FEW", 2)
    monkeypatch.setattr(folds, "A_FOLD", 2)
    rows = [({"name": name}, number) for number, name in enumerate(("Ada", "Bo", "Cai"))]
    assert in_folds(rows[:2], "0.name") == [("", rows[:2])]
    assert in_folds(rows, "0.name") == [("Ada – Bo", rows[:2]), ("Cai – Cai", rows[2:])]


@pytest.mark.parametrize("name", ["1", "0.name"])
def test_nobody(name):
    assert in_folds([], name) == [("", [])]
