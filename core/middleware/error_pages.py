"""Turn bad input and rule violations that no view caught into pages with status 400, 409 or 413."""

import re

from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import TO_FIELD_VAR
from django.core import exceptions
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls.converters import UUIDConverter
from django.utils.deprecation import MiddlewareMixin
from django.views.defaults import bad_request as plain_bad_request

from rules.core.violations import RuleViolation

#: Headers with which HTMX replaces the whole page, whatever part of it the request asked for.
WHOLE_PAGE = {"HX-Retarget": "#content", "HX-Reselect": "#content", "HX-Reswap": "outerHTML show:window:top"}
TOO_MUCH = (exceptions.RequestDataTooBig, exceptions.TooManyFieldsSent, exceptions.TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page for a bad request, or a specific one if more was sent than any form of the site takes."""
    if isinstance(exception, TOO_MUCH):
        return render(request, "413.html", status=413)
    return plain_bad_request(request, exception)


def as_whole_page(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Return the answer as a page that HTMX shows too. HTMX gets status 409 (conflict) for refusals."""
    if "HX-Request" in request.headers:
        answer.status_code = 409
        for name, value in WHOLE_PAGE.items():
            answer[name] = value
    return answer


class BadInput(MiddlewareMixin):
    """Turns input that crashed a view into a bad request.

    Examples are a NUL, which PostgreSQL cannot store, and an empty field name, on which Django's admin fails.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the error page. Nothing was saved: the transaction was rolled back."""
        if isinstance(exception, (DataError, ValueError)) and _holds_nul(request):
            return bad_request(request, exception)
        if isinstance(exception, exceptions.FieldDoesNotExist) and "" in (
            request.GET.get(TO_FIELD_VAR),
            request.POST.get(TO_FIELD_VAR),
        ):
            return bad_request(request, exception)
        # Django's admin looks up the selected rows without checking their keys.
        selected = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if isinstance(exception, (ValueError, exceptions.ValidationError)) and not all(map(_is_key, selected)):
            return bad_request(request, exception)
        return None


class RuleViolations(MiddlewareMixin):
    """Shows a refusal that no view caught as a page.

    Services check again under their lock, so an act that was allowed when the view checked may be refused.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the error page. Nothing was saved: the service has rolled back."""
        if not isinstance(exception, RuleViolation):
            return None
        violations = [{"rule": violation.rule, "sentence": violation.text} for violation in exception.violations]
        return as_whole_page(request, render(request, "409.html", {"violations": violations}, status=409))


def _is_key(text: str) -> bool:
    """Return whether `text` has the form of a primary key: a whole number or a UUID."""
    return text.isdecimal() or re.fullmatch(UUIDConverter.regex, text) is not None


def _holds_nul(request: HttpRequest) -> bool:
    sent = [value for fields in (request.GET, request.POST) for _, values in fields.lists() for value in values]
    return any("\0" in text for text in (request.path_info, *sent))
