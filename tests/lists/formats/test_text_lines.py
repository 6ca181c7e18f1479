import pytest

from lists.formats.list_text import miscounted, priced


def test_names_with_their_points():
    text = "The Darksaber (Maul) (0), Saber Throw (10)/Force Push (10), over"

    assert priced(text) == ([("The Darksaber (Maul)", 0), ("Saber Throw", 10), ("Force Push", 10)], "over")


@pytest.mark.parametrize(
    ("claimed", "units", "sentence"),
    [
        (1, 2, "The list says 1 activation, but 2 units were found."),
        (2, 1, "The list says 2 activations, but 1 unit was found."),
        (2, 0, "The list says 2 activations, but 0 units were found."),
    ],
)
def test_another_number_of_units_than_claimed(claimed: int, units: int, sentence: str):
    assert miscounted(claimed, units) == sentence
