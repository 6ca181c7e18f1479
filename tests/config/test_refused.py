"""What is refused before any page has seen it gets a sentence too."""

import pytest
from django.core.exceptions import FieldDoesNotExist, SuspiciousOperation
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from config.refused import NothingUnreadable, bad_request


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields", [{"text": "x" * 10_000_000}, {f"line-{number}": "" for number in range(4_001)}]
)
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
    middleware = NothingUnreadable(lambda request: HttpResponse())
    assert middleware.process_exception(rf.post("/", {"a": "b"}), ValueError("other")) is None
    answer = middleware.process_exception(rf.post("/", {"a": "b\0"}), ValueError("NUL"))
    assert answer is not None
    assert answer.status_code == 400


def test_another_bad_request_stays_plain():
    answer = bad_request(RequestFactory().get("/"), SuspiciousOperation())
    assert (answer.status_code, b"Bad Request (400)" in answer.content) == (400, True)


@pytest.mark.django_db
@pytest.mark.parametrize("sent", [{"_to_field": ""}, {"_to_field": "nothing"}])
def test_a_field_without_a_name(client, django_user_model, sent):
    mon = django_user_model.objects.create_superuser("mon-mothma")
    client.force_login(mon)
    page = f"/admin/accounts/user/{mon.pk}/change/"
    assert [client.get(page, sent).status_code, client.post(page, sent).status_code] == [400, 400]


def test_other_fields_that_are_not_there_are_errors(rf):
    middleware = NothingUnreadable(lambda request: HttpResponse())
    assert middleware.process_exception(rf.get("/?_to_field=x"), FieldDoesNotExist()) is None
