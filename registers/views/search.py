"""Search for units and upgrades, requested by HTMX while the user types. Returns the lists of offers only."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from core.form_errors import by_field
from registers.options.context import unit_form
from rules.core.rulebook import Rulebook
from rules.register.state import RegisterState

#: Id of the element that HTMX replaces with the answer.
TARGET = "shelves"


def query_without(request: HttpRequest, *names: str) -> str:
    """Return the query string of the address without these parameters."""
    query = request.GET.copy()
    for name in names:
        query.pop(name, None)
    return query.urlencode()


def searches(request: HttpRequest, state: RegisterState) -> bool:
    """Return whether HTMX asks for the offers only, of a Register to which units may be added."""
    return request.method == "GET" and request.htmx.target == TARGET and not state.in_field


def shelves(request: HttpRequest, book: Rulebook, state: RegisterState, hidden: list[dict[str, Any]]) -> HttpResponse:
    """Return the offers that the search finds. `hidden` are the fields that each of their forms includes."""
    words = request.GET.copy()
    words.pop("unit", None)  # a search leads back to the offers
    context = {"edit": unit_form(book, state, words), "hidden": hidden, "violations": by_field((), "name", "upgrades")}
    answer = render(request, "registers/_unit_form.html#shelves", context)
    patch_vary_headers(answer, ["HX-Target"])
    return answer
