"""A Register on one page."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registers.access import may_correct, may_edit, register_for
from registers.context import next_arcs
from registers.lines import OF
from registers.markdown import to_html
from registers.queries import battles_of_the_fallen
from registers.services.ledger import book_for, state_of
from registers.sheet import sheet_of, warnings
from registers.whereabouts import whereabouts_of


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A Register: everything that its printed form has."""
    register = register_for(request.user, pk)
    book, force = book_for(register), state_of(register)
    fallen_in = battles_of_the_fallen(register) if force.fallen else {}
    ledger = reverse("registers:ledger", args=[pk])
    context = {
        **sheet_of(book, force, register, {key: battle.label for key, battle in fallen_in.items()}),
        "register": register,
        "editable": may_edit(request.user, register),
        "correctable": not force.discarded and may_correct(request.user, register),
        "warnings": list(warnings(book, force)),
        "goes_on": bool(next_arcs(book, force)),
        "biography": to_html(register.biography),
        "ledger": ledger,
        "links": {of: f"{ledger}?of={of}" for of in OF}
        | {"supply_points": reverse("registers:supply", args=[pk])},
        "whereabouts": whereabouts_of(request.user, register),
    }
    return render(request, "registers/detail.html", context)
