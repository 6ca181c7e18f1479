"""Print preview pages with their options, and their PDFs with uploaded pictures."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.adapters import check_limit
from core.pdf import Opened, missing, pdf_answer
from registers.models import Register
from registers.print.paper_sizes import CARDS, PAPERS, CardFormat, CardPage, ColumnPage, Paper
from registers.print.typesetting import Picture
from rules.core.values import KeywordValue, Value
from uploads import models as uploads

#: The parameter that asks for a PDF, and its value.
AS, PDF = "as", "pdf"
#: The end of a picture's path on this site.
PATH = re.compile(r"/photos/(?P<key>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<size>full|medium|small)/$")


class Choice(Value):
    """A question with one answer. `options` are (value, label, note), `current` is one of their values."""

    name: str
    legend: str
    options: Sequence[tuple[str, str, str]]
    current: str
    segments: bool = True

    def as_options(self) -> list[dict[str, Any]]:
        """Return the options as `components/choice.html` takes them."""
        return [
            {"value": value, "label": label, "note": note, "checked": value == self.current}
            for value, label, note in self.options
        ]


class Printed(KeywordValue):
    """Printable pages and the options for them. `ticks` as `components/tick.html` takes them.

    `opened` opens the pictures on the pages for a PDF (`opener`). `links` are (label, address)
    of other things to print. `note` says what is missing.
    """

    name: str
    paper: Paper
    pages: Sequence[CardPage | ColumnPage]
    choices: Sequence[Choice]
    ticks: Sequence[Mapping[str, Any]] = ()
    ticks_legend: str = ""
    crumbs: Sequence[Mapping[str, str]] = ()
    faction: str = ""
    nothing: str = ""
    note: str = ""
    opened: Opened | None = None
    links: Sequence[tuple[str, str]] = ()
    links_legend: str = ""


def choice(query: QueryDict, name: str, legend: str, options: Iterable[tuple[str, str, str]], **more: Any) -> Choice:
    """Return a question with the answer in the address, or its first option if that is missing or unknown."""
    offered = list(options)
    wished = query.get(name)
    current = next((value for value, _label, _note in offered if value == wished), offered[0][0])
    return Choice(name, legend, offered, current, **more)


def paper_choice(query: QueryDict) -> tuple[Choice, Paper]:
    """Return the choice of a paper size, and the paper."""
    sizes = (("a4", "A4", ""), ("letter", _("Letter"), ""))
    asked = choice(query, "paper", _("Paper"), sizes)
    return asked, PAPERS[asked.current]


def format_choice(query: QueryDict) -> tuple[Choice, CardFormat]:
    """Return the choice of a card size, and the cards."""
    sizes = (("small", "63 × 88 mm", ""), ("large", "70 × 120 mm", ""))
    asked = choice(query, "size", _("Card size"), sizes)
    return asked, CARDS[asked.current]


def answer(request: HttpRequest, printed: Printed) -> HttpResponse:
    """Return the page, or the PDF if the address asks for it. If PDFs are unavailable, the page says why (503)."""
    if request.GET.get(AS) != PDF or not printed.pages:
        return _page(request, printed)
    check_limit(request, "print")
    html = render_to_string("registers/print/pdf.html", {"printed": printed})
    name = f"{printed.name} {printed.paper.slug}"
    return pdf_answer(html, name, partial(_page, request, printed), opened=printed.opened)


def _page(request: HttpRequest, printed: Printed, **why: str) -> HttpResponse:
    """Show the page. `why` says why there is no PDF, if one was asked for."""
    violations = [{"sentence": why["refused"]}] if "refused" in why else []
    context = {"printed": printed, "missing": missing(), "violations": violations}
    return render(request, "registers/print/page.html", context, status=503 if why else 200)


def portraits_of(register: Register) -> dict[str, uploads.Picture]:
    """Return the pictures of a Register's Dossiers by the keys of their units. One query."""
    rows = register.dossiers.filter(picture__isnull=False).select_related("picture")
    return {row.key: row.picture for row in rows if row.picture}


def on_paper(register: Register, picture: uploads.Picture, size: str = "medium") -> Picture:
    """Return a Dossier's picture as printed pages take it."""
    address = reverse("registers:photo", args=[register.pk, picture.pk, size])
    return Picture(address, picture.alt, picture.height > picture.width, picture.focus)


def opener(known: Mapping[UUID, uploads.Picture]) -> Opened:
    """Return the function with which `core.pdf.to_pdf` opens pictures: only those in `known`."""

    def opened(path: str) -> bytes | None:
        asked = PATH.search(path)
        picture = known.get(UUID(asked["key"])) if asked else None
        return picture.content(asked["size"]) if asked and picture else None

    return opened
