"""The page for a form whose session has ended: it keeps the typed input."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.middleware.database_down import is_same_origin
from core.middleware.error_pages import as_whole_page

#: Apps whose forms have no secrets: a password is never written into a page.
NAMESPACES = (
    "archive", "battles", "calendar", "campaign", "chronicle", "lists", "notifications", "registers", "reminders",
    "story_arcs", "tournaments",
)  # fmt: skip


class LoginRequired(LoginRequiredMiddleware):
    """Django's middleware, except for posted forms: their input must not be lost."""

    def handle_no_permission(  # type: ignore[override]  # Django only ever redirects
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponse:
        """Return a page with the typed input and a link to sign in; for other requests Django's redirect."""
        if _may_be_kept(request):
            return _page(request, "signed_out.html")
        return super().handle_no_permission(request, view_func)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return Django's page for a form whose token does not match the session, with the typed input if possible."""
    return _page(request, "403_csrf.html")


def _may_be_kept(request: HttpRequest) -> bool:
    """Return whether a page of this site sent the form, to an app of NAMESPACES and without a file.

    A page cannot keep a file. Input that another site made the browser send is never offered again.
    """
    rooms = request.resolver_match.namespaces if request.resolver_match else []
    if request.method != "POST" or not is_same_origin(request):
        return False
    return rooms[:1] in [[room] for room in NAMESPACES] and not request.FILES


def _page(request: HttpRequest, template: str) -> HttpResponse:
    kept = _may_be_kept(request)
    fields = [
        (name, value) for name, values in request.POST.lists() for value in values if name != "csrfmiddlewaretoken"
    ]
    context = {"kept": kept, "fields": fields if kept else []}
    return as_whole_page(request, render(request, template, context, status=403))
