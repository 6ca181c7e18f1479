import pytest

from tests.languages.pseudo import pseudo


@pytest.mark.parametrize(
    ("text", "nonsense"),
    [
        ("Go on", "⟦Ǧóó óóñ⟧"),
        ("{unit} has no {die!r}.", "⟦{unit} ħááš ñóó {die!r}.⟧"),
        ("%s of %d", "⟦%s óóƒ %d⟧"),
        ("%(number)s of 100%%", "⟦%(number)s óóƒ 100%%⟧"),
        ("A <b>bold</b> word&nbsp;more", "⟦Áá <b>ƀóółđ</b> ŵóóŕđ&nbsp;ɱóóŕéé⟧"),
        ("See [step 7](#step-7).", "⟦Šéééé [šŧééƥ 7](#step-7).⟧"),
        ("\n  inside\n", "\n  ⟦ííñšííđéé⟧\n"),
        ("", ""),
    ],
)
def test_letters_change_and_places_stay(text: str, nonsense: str) -> None:
    assert pseudo(text) == nonsense


def test_it_is_a_third_longer() -> None:
    text = "Choose a Commendation for each unit that is owed one, or waive it."
    assert 1.3 < len(pseudo(text)) / len(text) < 1.5
