"""What people type or tap, before the rules see it."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from registers.forms import position_of, posted_edit, typed_in
from rules.refusal import Refusal


@pytest.mark.parametrize(
    ("post", "change"),
    [
        ('answer={"add": {"unit": "stormtroopers"}}', {"add": {"unit": "stormtroopers"}}),
        ("unit_to_name=2&name=Grim Hounds", {"name": {"unit": "2", "name": "Grim Hounds"}}),
        (
            "unit=stormtroopers&upgrades=a&upgrades=b&name=",
            {"add": {"unit": "stormtroopers", "upgrades": ["a", "b"], "name": ""}},
        ),
        ("", {"add": {"unit": "", "upgrades": [], "name": ""}}),
    ],
)
def test_posted_edit(post, change):
    assert posted_edit(QueryDict(post)) == change


def test_position_of():
    assert position_of(QueryDict("position=7")) == 7
    for post in ("", "position=", "position=-1", "position=x"):
        with pytest.raises(Refusal):
            position_of(QueryDict(post))


def test_what_was_posted_stands_over_the_address():
    request = RequestFactory().post("/?unit=a&upgrades=x&q=tr", {"unit": "a", "name": "Sorne"})
    assert dict(typed_in(request).lists()) == {"unit": ["a"], "upgrades": [], "q": ["tr"], "name": ["Sorne"]}
