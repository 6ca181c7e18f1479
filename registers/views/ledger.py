"""The ledger of a Register, entry by entry, newest first."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from registers.access import register_for
from registers.asked import Asked, choices_of
from registers.lines import Sums
from registers.models import Entry, Register
from registers.numbers import whole_number
from registers.queries import asked_entries, entries_of, told_entries
from registers.services.ledger import book_for, state_of
from registers.services.notices import dismiss_notices
from registers.words import names_of

ENTRIES_A_PAGE = 50


@require_safe
def ledger(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The ledger in words: all of it, or what fits that is asked for. Its owner needs no notice of it any more."""
    register = register_for(request.user, pk)
    book, force = book_for(register), state_of(register)
    names = names_of(book, force)
    choices = choices_of(register, names)
    asked = choices.asked(request.GET, book)
    pages, sums = _pages(register, asked)
    page = pages.get_page(_number(request, register, asked))
    if register.owner_id == request.user.pk:
        dismiss_notices(actor=request.user, entries=[entry.pk for entry in page.object_list])
    query = request.GET.copy()
    for name in ("page", "entry"):
        query.pop(name, None)
    context = {
        "register": register,
        "force": force,
        "entries": told_entries(page.object_list, names, book, asked, sums, choices.battles),
        "balance": next((amounts[-1][1] for amounts in reversed(sums.values()) if amounts), None),
        "page": page,
        "query": query.urlencode(),
        "asked": asked,
        "choices": choices,
        "heading": choices.numbers.get(asked.of, ""),
        "agenda": book.agendas.get(asked.agenda),
        "unknown": ", ".join(choices.unknown(request.GET, book)),
    }
    return render(request, "registers/ledger.html", context)


def _pages(register: Register, asked: Asked) -> tuple[Paginator[Entry], Sums]:
    if asked.of:
        entries, sums = asked_entries(register, asked)
        return Paginator(entries, ENTRIES_A_PAGE), sums
    pages = Paginator(asked.among(entries_of(register)).order_by("-position"), ENTRIES_A_PAGE)
    if not asked:
        pages.count = register.position  # positions have no gaps
    return pages, {}


def _number(request: HttpRequest, register: Register, asked: Asked) -> Any:
    """The number of the page: the one that is asked for, or that on which an entry stands (`?entry=17`)."""
    position = whole_number(request.GET.get("entry", ""))
    if asked or position is None:
        return request.GET.get("page")
    return max(0, register.position - position) // ENTRIES_A_PAGE + 1
