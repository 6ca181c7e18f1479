"""The page for a form whose session has ended: it keeps what was typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from core.middleware.error_pages import as_whole_page
from core.same_origin import is_same_origin

#: The apps whose forms hold nothing that is secret: a password is never written into a page.
NAMESPACES = ("archive", "battles", "campaign", "chronicle", "registers", "story_arcs")


class LoginRequired(LoginRequiredMiddleware):
    """Django's own, but for what comes with a form: somebody has typed that."""

    def handle_no_permission(  # type: ignore[override]  # Django only ever redirects
        self, request: HttpRequest, view_func: Callable[..., Any]
    ) -> HttpResponse:
        """A page that holds what was typed, and the way to the sign-in; for anything else Django's redirect."""
        if _may_be_kept(request):
            return _page(request, "signed_out.html")
        return super().handle_no_permission(request, view_func)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """What Django shows of a form whose token is not that of the session; with what was typed, where it can be."""
    return _page(request, "403_csrf.html")


def _may_be_kept(request: HttpRequest) -> bool:
    """Whether a page of this site has sent it, to a room of ours, and without a file: a file cannot be kept in a page.

    What another site makes a browser send is never offered to be sent again.
    """
    rooms = request.resolver_match.namespaces if request.resolver_match else []
    if request.method != "POST" or not is_same_origin(request):
        return False
    return rooms[:1] in [[room] for room in NAMESPACES] and not request.FILES


def _page(request: HttpRequest, template: str) -> HttpResponse:
    kept = _may_be_kept(request)
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    context = {"kept": kept, "fields": fields if kept else []}
    return as_whole_page(request, render(request, template, context, status=403))
