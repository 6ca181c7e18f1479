"""Whole numbers that come with a request."""

import pytest

from registers.ledger.text import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("007", 7), ("999999999", 999_999_999), ("1000000000", None), ("9" * 5000, None),
        ("", None), ("-1", None), ("1.5", None), (" 1", None), ("²", None), ("١", None),
    ],
)  # fmt: skip
def test_only_what_is_one_and_no_longer(text, number):
    assert whole_number(text) == number
