"""What people type or tap, before the rules see it."""

import pytest
from django.http import QueryDict
from django.test import RequestFactory

from registers.forms.building import AnsweredAlready, acting, posted_edit, typed_in
from registers.models import Register
from rules.core.violations import RuleViolation


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


def test_acting():
    register, request = Register(position=7), RequestFactory().post("/")
    request.user = None
    request.POST = QueryDict("position=7&register_name=Ashen Patrol")
    sent = acting(request, register, name="register_name")
    assert sent == {"actor": None, "register_id": register.pk, "position": 7, "name": "Ashen Patrol"}
    for post in ("", "position=", "position=-1", "position=x"):
        request.POST = QueryDict(post)
        with pytest.raises(RuleViolation):
            acting(request, register)
    request.POST = QueryDict("position=6")
    with pytest.raises(AnsweredAlready):
        acting(request, register)


def test_what_was_posted_stands_over_the_address():
    request = RequestFactory().post("/?unit=a&upgrades=x&q=tr", {"unit": "a", "name": "Sorne"})
    assert dict(typed_in(request).lists()) == {"unit": ["a"], "upgrades": [], "q": ["tr"], "name": ["Sorne"]}
