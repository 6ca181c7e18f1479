"""Printable sheets of armies: a preview page with a choice of paper, and the same sheets as a PDF."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from accounts.adapters import check_limit
from core.form_fields import entered
from core.pdf import missing, pdf_answer
from lists.queries.sheets import ArmySheet
from rules.core.values import Value

#: Lines that half a page has room for, by the size of its letters in points.
HALF_PAGE = {11: 38, 10: 48, 9: 58, 8: 68, 7: 80}
#: Lines that a whole page has room for, by the size of its letters in points.
WHOLE_PAGE = {12: 80, 11: 90, 10: 100, 9: 118, 8: 140, 7: 10_000}


class PrintedArmy(Value):
    """A sheet with the name of its player, its event (or nothing), and notes to print below its head."""

    sheet: ArmySheet
    player: str = ""
    occasion: str = ""
    notes: tuple[str, ...] = ()


class PrintedPage(Value):
    """One army on a whole page, or two on halves. `letters` are the sizes of their letters, in points."""

    armies: tuple[tuple[PrintedArmy, int], ...]
    is_halved: bool


class PaperForm(forms.Form):
    """The paper, and whether the answer is a PDF."""

    paper = forms.ChoiceField(choices=[("a4", "A4"), ("letter", "Letter")], required=False)
    #: The address has `as`, a word of Python.
    as_ = forms.CharField(required=False)

    def add_prefix(self, field_name: str) -> str:
        """Return the name of a field in the address."""
        return super().add_prefix(field_name).rstrip("_")


def whole_pages(armies: Iterable[PrintedArmy]) -> list[PrintedPage]:
    """Return a page for each army."""
    return [PrintedPage(((army, _letters(army, WHOLE_PAGE)),), is_halved=False) for army in armies]


def half_pages(armies: Iterable[PrintedArmy]) -> list[PrintedPage]:
    """Return two armies to a page, each in a half of it, in their order. One that is too long has a page of its own,
    after the others.
    """
    short: list[PrintedArmy] = []
    long: list[PrintedArmy] = []
    for army in armies:
        (short if army.sheet.lines + len(army.notes) <= max(HALF_PAGE.values()) else long).append(army)
    pages = [
        PrintedPage(tuple((army, _letters(army, HALF_PAGE)) for army in short[start : start + 2]), is_halved=True)
        for start in range(0, len(short), 2)
    ]
    return [*pages, *whole_pages(long)]


def _letters(army: PrintedArmy, room: dict[int, int]) -> int:
    lines = army.sheet.lines + len(army.notes)
    return next((size for size, most in room.items() if lines <= most), min(room))


def print_answer(
    request: HttpRequest,
    name: str,
    pages: Sequence[PrintedPage],
    crumbs: Sequence[dict[str, str]],
    *,
    nothing: str = "",
    kept: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Return the page to print, or the PDF if the address asks for it (`?as=pdf`). If PDFs are unavailable, the page
    says why (503). `nothing` is the sentence for no pages; `kept` are names and values that stay in the address.
    """
    asked = entered(PaperForm(request.GET))
    paper = asked["paper"] or "a4"
    context: dict[str, Any] = {"name": name, "pages": pages, "paper": paper}
    context |= {"crumbs": crumbs, "nothing": nothing, "kept": kept}
    if asked["as_"] == "pdf" and pages:
        check_limit(request, "print")
        html = render_to_string("lists/print/pdf.html", context)
        return pdf_answer(html, f"{name} {paper}", partial(_page, request, context))
    return _page(request, context)


def _page(request: HttpRequest, context: dict[str, Any], **why: str) -> HttpResponse:
    """Show the page. `why` says why there is no PDF, if one was asked for."""
    papers = [
        {"value": value, "label": label, "checked": value == context["paper"]}
        for value, label in (("a4", "A4"), ("letter", gettext("Letter")))
    ]
    violations = [{"sentence": why["refused"]}] if "refused" in why else []
    more = {"papers": papers, "missing": missing(), "violations": violations}
    return render(request, "lists/print/page.html", context | more, status=503 if why else 200)
