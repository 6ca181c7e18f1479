"""Print preview pages with their options, and their PDFs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.adapters import too_often
from core.pdf import Opened, PdfRefused, PdfUnavailable, answer_with, missing, to_pdf
from registers.print.paper_sizes import CARDS, PAPERS, CardFormat, CardPage, ColumnPage, Paper

#: The parameter that asks for a PDF, and its value.
AS, PDF = "as", "pdf"


@dataclass(frozen=True, slots=True)
class Choice:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """Printable pages and the options for them. `ticks` as `components/tick.html` takes them.

    `opened` opens the pictures on the pages for a PDF (`registers.print.pictures.opener`). `links` are (label, address)
    of other things to print.
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
    if limited := too_often(request, "print"):
        return limited
    html = render_to_string("registers/print/pdf.html", {"printed": printed})
    try:
        content = to_pdf(html, opened=printed.opened)
    except PdfUnavailable:
        return _page(request, printed, status=503)
    except PdfRefused as refused:
        return refused.on(_page(request, printed, status=503, refused=str(refused)))
    return answer_with(content, f"{printed.name} {printed.paper.slug}")


def document_answer(
    request: HttpRequest, template: str, context: Mapping[str, Any], name: str, opened: Opened
) -> HttpResponse:
    """Return a template as a PDF called `name`; if that is impossible, as a page to print that says why (503)."""
    if limited := too_often(request, "print"):
        return limited
    try:
        return answer_with(to_pdf(render_to_string(template, dict(context)), opened=opened), name)
    except PdfUnavailable as unavailable:
        return render(request, template, {**context, "missing": str(unavailable)}, status=503)
    except PdfRefused as refused:
        return refused.on(render(request, template, {**context, "refused": str(refused)}, status=503))


def _page(request: HttpRequest, printed: Printed, *, status: int = 200, refused: str = "") -> HttpResponse:
    violations = [{"sentence": refused}] if refused else []
    context = {"printed": printed, "missing": missing(), "violations": violations}
    return render(request, "registers/print/page.html", context, status=status)
