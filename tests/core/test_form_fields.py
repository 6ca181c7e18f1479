"""Fields of our own, and what `entered` makes of a form."""

from django import forms

from core.form_fields import Count, NumbersField, Version, entered, pressed_button


class ShapeForm(forms.Form):
    word, choice = forms.CharField(), forms.ChoiceField(choices=[("a", "A")], required=False)
    version, tokens, units = Version(required=False), Count(), NumbersField()


def test_every_field_has_a_value_however_garbled():
    garbled = {"word": "\0", "choice": "b", "version": "x", "tokens": "-1", "units": ["1", "two"]}
    assert entered(ShapeForm(garbled)) == {
        "word": "", "choice": "", "version": None, "tokens": 0, "units": [1],
    }  # fmt: skip


def test_valid_input():
    assert entered(ShapeForm({"word": "w", "choice": "a", "version": "3", "tokens": "2"})) == {
        "word": "w", "choice": "a", "version": 3, "tokens": 2, "units": [],
    }  # fmt: skip


def test_the_pressed_button():
    sent = [{"do": "give"}, {"do": "look"}, {"do": "give\0"}, {}]
    assert [pressed_button(data, "give", "undo") for data in sent] == ["give", "", "", ""]
