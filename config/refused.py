"""Requests that are refused before any page has seen them."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import bad_request as plain_bad_request

TOO_MUCH = (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A page that says so if more was sent than any form of the site holds; else Django's own."""
    if isinstance(exception, TOO_MUCH):
        return render(request, "413.html", status=413)
    return plain_bad_request(request, exception)
