"""What is refused before any page has seen it gets a sentence too."""

import json
import re

import pytest
from django.core.exceptions import FieldDoesNotExist, SuspiciousOperation
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from core.middleware.error_pages import BadInput, bad_request
from rules.core.violations import RuleViolation, Violation
from tests.campaign.webhooks import campaign, cora
from tests.html import html_of

__all__ = ["campaign", "cora"]


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"text": "x" * 10_000_000}, {f"line-{number}": "" for number in range(4_001)}])
def test_too_much_at_once(client, fields, caplog):
    answer = client.post(reverse("account_login"), fields)
    assert (answer.status_code, answer.templates[0].name) == (413, "413.html")
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []  # no traceback


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/join/%00x/", "/join/x%00/?next=a"])
def test_nul(client, path):
    assert client.get(path).status_code == 400


@pytest.mark.django_db
def test_other_errors_of_values_are_errors(rf):
    middleware = BadInput(lambda request: HttpResponse())
    assert middleware.process_exception(rf.post("/", {"a": "b"}), ValueError("other")) is None
    answer = middleware.process_exception(rf.post("/", {"a": "b\0"}), ValueError("NUL"))
    assert answer is not None
    assert answer.status_code == 400


def test_another_bad_request_has_its_page():
    answer = bad_request(RequestFactory().get("/"), SuspiciousOperation())
    assert (answer.status_code, b"could not read what your browser sent" in answer.content) == (400, True)


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{"_to_field": ""}, {"_to_field": "nothing"}])
def test_a_field_without_a_name(client, django_user_model, sent):
    mon = django_user_model.objects.create_superuser("mon-mothma")
    client.force_login(mon)
    page = f"/admin/accounts/user/{mon.pk}/change/"
    assert [client.get(page, sent).status_code, client.post(page, sent).status_code] == [400, 400]


def test_other_fields_that_are_not_there_are_errors(rf):
    middleware = BadInput(lambda request: HttpResponse())
    assert middleware.process_exception(rf.get("/?_to_field=x"), FieldDoesNotExist()) is None


@pytest.fixture
def refusing(client, campaign, cora, monkeypatch):
    """Send a form whose service raises this, though its page thought the act possible."""
    client.force_login(cora)
    page = reverse("chronicle:share_link", args=[campaign.pk])

    def send(error: Exception, **headers: str) -> HttpResponse:
        def fail(**_: object) -> None:
            raise error

        monkeypatch.setattr("campaign.chronicle.services.stories.open_chronicle", fail)
        return client.post(page, {"do": "open"}, headers=headers)

    return send


REFUSAL = RuleViolation([Violation("R11", "It has begun meanwhile."), Violation("", "Only an organizer does this.")])


def test_a_refusal_that_no_page_has_caught_is_a_page(refusing):
    answer = refusing(REFUSAL)
    assert (answer.status_code, answer.templates[0].name, answer.context["violations"]) == (
        409,
        "409.html",
        [
            {"rule": "R11", "sentence": "It has begun meanwhile."},
            {"rule": "", "sentence": "Only an organizer does this."},
        ],
    )
    assert b"It has begun meanwhile." in answer.content
    assert [name for name in answer.headers if name.startswith("HX-")] == []


def test_htmx_sets_it_in_place_of_the_page(refusing):
    answer = refusing(REFUSAL, hx_request="true")
    text = html_of(answer)
    assert (answer.status_code, 'id="content"' in text) == (409, True)
    assert {name: value for name, value in answer.headers.items() if name.startswith("HX-")} == {
        "HX-Retarget": "#content",
        "HX-Reselect": "#content",
        "HX-Reswap": "outerHTML show:window:top",
    }
    config = json.loads(text.partition('name="htmx-config" content=\'')[2].partition("'")[0])
    handling = [each for each in config["responseHandling"] if re.fullmatch(each["code"], "409")]
    assert handling[0] == {"code": "409", "swap": True}


def test_an_error_is_no_refusal(refusing):
    with pytest.raises(KeyError):
        refusing(KeyError("nothing a player could mend"))


@pytest.mark.django_db
def test_a_selected_row_without_a_key(client, django_user_model):
    client.force_login(django_user_model.objects.create_superuser("mon-mothma"))
    sent = {"action": "make_former_players", "_selected_action": "[]"}
    assert client.post("/admin/accounts/user/", sent).status_code == 400
    assert django_user_model.objects.get().is_active


def test_other_errors_of_an_action_are_errors(rf):
    middleware = BadInput(lambda request: HttpResponse())
    asked = rf.post("/", {"_selected_action": "1"})
    assert middleware.process_exception(asked, ValueError("other")) is None
