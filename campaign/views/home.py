"""The home page, and what a stranger sees in its place."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import queries


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What waits for you, your Registers, your campaigns; for visitors, what this is."""
    if not request.user.is_authenticated:
        return render(request, "campaign/welcome.html")
    return render(request, "campaign/home.html", {"home": queries.home(request.user)})
