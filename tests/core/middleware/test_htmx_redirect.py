"""Where the answers lead that HTMX sends."""

import pytest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from core.middleware.responses import HtmxRedirect


def led(answer: HttpResponse, *, asks: bool = True) -> tuple[int, dict[str, str]]:
    request = HttpRequest()
    if asks:
        request.META["HTTP_X_LEADS_AWAY"] = "true"
    response = HtmxRedirect(lambda request: answer)(request)
    return response.status_code, {
        name: response.headers[name] for name in ("Location", "HX-Redirect") if name in response.headers
    }


@pytest.mark.parametrize(
    ("answer", "asks", "expected"),
    [
        (HttpResponseRedirect("/there/"), True, (200, {"HX-Redirect": "/there/"})),
        (HttpResponseRedirect("/there/"), False, (302, {"Location": "/there/"})),
        (HttpResponse(status=422), True, (422, {})),
    ],
    ids=["an answer that asks", "any other", "a refusal"],
)
def test_where_it_leads(answer, asks, expected):
    assert led(answer, asks=asks) == expected


def test_what_was_set_on_the_way_is_kept():
    answer = HttpResponseRedirect("/there/")
    answer.set_cookie("seen", "1")
    response = HtmxRedirect(lambda request: answer)(HttpRequest())
    assert response.cookies["seen"].value == "1"
