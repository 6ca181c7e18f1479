"""The page of the rulings."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from .rulings import sections


@login_not_required
@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """All rulings, each at an anchor of its number."""
    return render(request, "catalogue/rules.html", {"sections": sections()})
