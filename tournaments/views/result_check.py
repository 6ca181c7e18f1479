"""The answer to a result that is still being typed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.form_errors import as_context
from core.form_fields import entered
from tournaments.forms.results import ResultButtons, ResultForm


def is_check(request: HttpRequest) -> bool:
    """Return whether a posted result is only to be checked, not saved."""
    return request.method == "POST" and bool(entered(ResultButtons(request.POST))["check"])


def checked(request: HttpRequest, form: ResultForm) -> HttpResponse:
    """Return what is wrong with the result typed so far, or who wins by it (E27, E28). Nothing is saved."""
    violations, outcome = form.notes()
    context = {"violations": as_context(violations), "outcome": outcome}
    return render(request, "tournaments/results/_result_check.html", context)
