"""Where an empty list is an answer and nothing is none."""

import pytest
from django.core.exceptions import ValidationError

from catalogue.fields import DataField

FORM = DataField().formfield()


@pytest.mark.parametrize(("text", "value"), [("[]", []), ("{}", {}), ("[1]", [1])])
def test_an_empty_list_is_a_value(text, value):
    assert FORM.clean(text) == value


def test_nothing_is_no_value():
    with pytest.raises(ValidationError, match="This field is required"):
        FORM.clean("")


def test_validators_see_an_empty_list():
    def refuse(value):
        raise ValidationError(f"no {value!r}")

    with pytest.raises(ValidationError, match=r"no \[\]"):
        DataField(validators=[refuse]).clean([], None)
