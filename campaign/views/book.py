"""The campaign as a book: for its members, and for whoever has the link of the chronicle."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import too_often
from campaign import access
from campaign.saga.book import Book, book_of, opens
from config.pdf import PdfRefused, PdfUnavailable, answer_with, to_pdf

from .public import UNLISTED, link_of

#: Of a book that becomes a PDF: a hundred battles and as many pieces. Lists of so many lines take half a minute.
MOST_TAGS = 10_000


@require_safe
def book(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The whole campaign as a PDF; where there can be none, as a page to print that says why (503)."""
    campaign, _role = access.campaign_for(request.user, pk)
    if limited := too_often(request, "book"):
        return limited
    return _printed(request, {"book": book_of(campaign, access.pictures_of)})


@login_not_required
@never_cache
@require_safe
def public_book(request: HttpRequest, token: str) -> HttpResponse:
    """The same for strangers: without names of accounts, places and notes."""
    campaign = link_of(token).campaign
    if limited := too_often(request, "public_book"):
        return limited
    words = {"book": book_of(campaign, access.public_pictures_of), "token": token}
    response = _printed(request, words)
    response["X-Robots-Tag"] = UNLISTED
    return response


def _printed(request: HttpRequest, words: dict[str, Any]) -> HttpResponse:
    book: Book = words["book"]
    html = render_to_string("paper/book.html", words)
    try:
        if html.count("<") > MOST_TAGS:
            raise PdfRefused(_("This book is too long for a PDF. Print this page instead."))
        content = to_pdf(html, opened=opens(book.pictures))
    except PdfUnavailable as unavailable:
        return render(request, "paper/book.html", {**words, "missing": str(unavailable)}, status=503)
    except PdfRefused as refused:
        return refused.on(render(request, "paper/book.html", {**words, "refused": str(refused)}, status=503))
    return answer_with(content, book.campaign.name)
