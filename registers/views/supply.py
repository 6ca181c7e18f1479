"""The Supply Points of a Register as a bank statement."""

from __future__ import annotations

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registers.access import register_for
from registers.battles import battle_names
from registers.pictures.supply import statement
from registers.queries import ledger_lines
from registers.services.ledger import book_for, state_of

LINES_A_PAGE = 60


@require_safe
def supply(request: HttpRequest, pk: UUID) -> HttpResponse:
    """What came and what went, newest first."""
    register = register_for(request.user, pk)
    book, force = book_for(register), state_of(register)
    found = statement(ledger_lines(register, book, force, of="supply_points"))
    page = Paginator(found.postings, LINES_A_PAGE).get_page(request.GET.get("page"))
    names = battle_names({posting.line.entry.battle for posting in page.object_list})
    context = {
        "register": register,
        "statement": found,
        "postings": [(posting, names.get(posting.line.entry.battle)) for posting in page.object_list],
        "page": page,
    }
    return render(request, "registers/supply.html", context)
