"""What a form shows of a refusal."""

from django import forms

from core.form_errors import refusals_on, valid
from rules.core.violations import refuse


class NameForm(forms.Form):
    name = forms.CharField()


class NumberForm(forms.Form):
    number = forms.IntegerField(min_value=3)


def errors_after(form, act):
    with refusals_on(form):
        act()
    return {name: list(texts) for name, texts in form.errors.items()}


def test_a_form_says_once_what_is_wrong_with_it():
    form = NameForm({"name": ""})
    assert errors_after(form, lambda: valid(form)) == {"name": ["This field is required."]}


def test_a_form_that_is_not_sent_has_no_errors():
    form = NameForm()
    assert errors_after(form, lambda: valid(form)) == {}


def test_a_refusal_is_shown_where_it_belongs_and_so_is_another_forms():
    form = NameForm({"name": "Ada"})
    with refusals_on(form):
        raise refuse("R7", "Taken.", "name")
    with refusals_on(form):
        valid(NumberForm({"number": "1"}))
    assert {name: list(texts) for name, texts in form.errors.items()} == {
        "name": ["Taken."], "__all__": ["Ensure this value is greater than or equal to 3."],
    }  # fmt: skip
