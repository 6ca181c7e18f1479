"""Dismissing notices of corrections."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from registers.numbers import whole_number
from registers.services.notices import dismiss_notices


@require_POST
def dismiss(request: HttpRequest) -> HttpResponse:
    """Dismiss the notices of these entries; twice does no harm."""
    entries = filter(None, map(whole_number, request.POST.getlist("entry")))
    dismiss_notices(actor=request.user, entries=entries)
    return redirect("home")
