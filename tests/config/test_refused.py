"""What is refused before any page has seen it gets a sentence too."""

import pytest
from django.core.exceptions import SuspiciousOperation
from django.test import RequestFactory
from django.urls import reverse

from config.refused import bad_request


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fields", [{"text": "x" * 10_000_000}, {f"line-{number}": "" for number in range(4_001)}]
)
def test_too_much_at_once(client, fields):
    answer = client.post(reverse("account_login"), fields)
    assert (answer.status_code, answer.templates[0].name) == (413, "413.html")


def test_another_bad_request_stays_plain():
    answer = bad_request(RequestFactory().get("/"), SuspiciousOperation())
    assert (answer.status_code, b"Bad Request (400)" in answer.content) == (400, True)
