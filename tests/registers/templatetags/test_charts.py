"""Numbers as pictures need them."""

import pytest
from django.utils.translation import override

from registers.templatetags.charts import across, percent


@pytest.mark.parametrize(
    ("thousandths", "read", "drawn"),
    [(0, "0", "0%"), (1, "0.1", "0.1%"), (125, "12.5", "12.5%"), (500, "50", "50%"), (1000, "100", "100%")],
)
def test_per_cent(thousandths, read, drawn):
    assert (percent(thousandths), across(thousandths)) == (read, drawn)


def test_in_a_language_with_a_comma():
    with override("de"):
        assert (percent(125), across(125)) == ("12,5", "12.5%")
