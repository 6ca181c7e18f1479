"""A Register as a list for other programs."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import content_disposition_header
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from catalogue.snapshot import card_index
from formats.plain_army import PlainArmy
from registers.access import register_for
from registers.exports import WRITERS, all_written, file_name, plain_register, written
from registers.services.ledger import state_of


@require_safe
def as_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """All Dossiers of a Register in every format, to copy or to take along."""
    register = register_for(request.user, pk)
    context = {
        "name": str(register),
        "faction": register.faction,
        "crumbs": [{"label": str(register), "href": reverse("registers:detail", args=[pk])}],
        "lists": all_written(plain_register(state_of(register)), card_index()),
    }
    return render(request, "registers/list.html", context)


@require_safe
def as_file(request: HttpRequest, pk: UUID, which: str) -> HttpResponse:
    """All Dossiers of a Register as a file."""
    return list_file(plain_register(state_of(register_for(request.user, pk))), which)


def list_file(army: PlainArmy, which: str) -> HttpResponse:
    """An army as a file in one format. Raises Http404 for another format, and for an army it cannot say."""
    found = written(army, card_index(), which) if which in WRITERS else None
    if found is None or not found.text:
        raise Http404("No such list")
    answer = HttpResponse(found.text, content_type=f"{found.writer.content_type}; charset=utf-8")
    answer["Content-Disposition"] = content_disposition_header(True, file_name(army, which))
    return answer
