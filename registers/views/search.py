"""The search among units and upgrades that HTMX asks for while somebody types: the shelves alone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from core.form_errors import by_field
from registers.options.context import unit_form
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState

#: What HTMX puts the answer in the place of.
TARGET = "shelves"


def query_without(request: HttpRequest, *names: str) -> str:
    """Return the query of the address without these words."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return query.urlencode()


def searches(request: HttpRequest, state: RegisterState) -> bool:
    """Whether only the shelves are asked for, of a Register to which units may be added."""
    return request.method == "GET" and request.htmx.target == TARGET and not state.in_field


def shelves(
    request: HttpRequest, book: Rulebook, state: RegisterState, hidden: list[dict[str, Any]]
) -> HttpResponse:
    """What the search finds; `hidden` are the fields that every form of it carries."""
    words = request.GET.copy()
    words.pop("unit", None)  # a search leads back to the shelves
    context = {"edit": unit_form(book, state, words), "hidden": hidden, "violations": by_field((), "name")}
    answer = render(request, "registers/_unit_form.html#shelves", context)
    patch_vary_headers(answer, ["HX-Target"])
    return answer
