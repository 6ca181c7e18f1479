"""PDFs, made of the HTML and the styles that a browser prints (WeasyPrint), without asking any network.

WeasyPrint needs libraries of the system (docs/hosting.md). It is loaded when a page is printed for the first
time, so that a site without them does everything else; `missing` says which one it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext
from fontTools.ttLib import woff2
from PIL import ImageFile

#: What addresses in a document are relative to. The name is one that no network knows.
SITE = "https://musterbook.invalid/"

#: Bytes of what stands at a path of the site, or None where the document may have nothing from there.
Opened = Callable[[str], bytes | None]

#: Seconds for which a PDF waits for the one before it, and after which who did not get it may ask again.
WAIT, AGAIN = 3, 30
_printing = Lock()


class PdfUnavailable(Exception):
    """There can be no PDF here: the text names the library that is missing."""


class PdfRefused(Exception):
    """There is no PDF of this now: the text is a sentence that says why. `again`: seconds to wait, if that helps."""

    def __init__(self, why: str, *, again: int | None = None) -> None:
        super().__init__(why)
        self.again = again

    def on(self, page: HttpResponse) -> HttpResponse:
        """The page that says so, which tells programs when to ask again."""
        if self.again:
            page["Retry-After"] = str(self.again)
        return page


def missing() -> str:
    """The library that PDFs lack here ("libpango-1.0-0"); empty where they can be made."""
    try:
        _weasyprint()
    except PdfUnavailable as unavailable:
        return str(unavailable)
    return ""


def to_pdf(html: str, *, opened: Opened | None = None) -> bytes:
    """The document as a PDF, tagged to be read aloud; for `opened` see `laid_out`.

    Raises PdfUnavailable, and PdfRefused where this process is still at another one.
    """
    with _one_at_a_time(), _fonts() as fonts:
        return bytes(laid_out(html, opened=opened, fonts=fonts).write_pdf(pdf_tags=True))


def answer_with(content: bytes, name: str) -> HttpResponse:
    """A PDF as the answer to a request: the browser shows it, and keeps it as `name` without what no file name has."""
    disposition = content_disposition_header(False, f"{slugify(name) or 'musterbook'}.pdf") or "inline"
    return HttpResponse(content, content_type="application/pdf", headers={"Content-Disposition": disposition})


def laid_out(html: str, *, opened: Opened | None = None, fonts: Any = None) -> Any:
    """The document on its pages, as a `weasyprint.Document`. Raises PdfUnavailable.

    `fonts` is the `FontConfiguration` that its letters are loaded into, by default one of its own. It may have our
    static files, and what `opened` gives for another path of the site ("/pictures/7"); whatever else it names is left
    out.
    """
    page = _weasyprint().HTML(string=html, base_url=SITE, url_fetcher=_fetcher(opened))
    return page.render(fonts, pdf_tags=True)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Each takes seconds and hundreds of megabytes; the pages of everybody else shall not wait for several."""
    if not _printing.acquire(timeout=WAIT):
        raise PdfRefused(
            gettext("Another PDF is being made. Ask again in half a minute, or print from the browser."),
            again=AGAIN,
        )
    try:
        yield
    finally:
        _printing.release()


@contextmanager
def _fonts() -> Iterator[Any]:
    """The fonts of one document.

    They lie in a directory of half a megabyte, in memory where /tmp is. WeasyPrint removes it when the collector finds
    the document, which hangs in a ring; a worker that ends before that leaves it for good.
    """
    _weasyprint()
    fonts = import_module("weasyprint.text.fonts").FontConfiguration()
    try:
        yield fonts
    finally:
        fonts.__del__()


@cache
def _weasyprint() -> Any:
    try:
        weasyprint = import_module("weasyprint")
    except (ImportError, OSError) as error:  # a package, or a library of the system
        named = re.search(r"library '([^']+)'|No module named '([^']+)'", str(error))
        raise PdfUnavailable(next(filter(None, named.groups())) if named else str(error)) from error
    # It has Pillow read broken pictures as far as they go, for the whole process: what people send would come halved.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    return weasyprint


def _fetcher(opened: Opened | None) -> Any:
    """What opens the addresses in a document: what stands on our own site, without asking anybody."""
    urls = import_module("weasyprint.urls")

    class Fetcher(urls.URLFetcher):  # type: ignore[misc, name-defined]
        def fetch(self, url: str, headers: object = None) -> Any:
            path = unquote(urlsplit(url).path)
            content = _content(path, opened) if url.startswith(SITE) else None
            if content is None:
                raise ValueError(f"Nothing of ours: {url}")
            kind = guess_type(path)[0] or "application/octet-stream"
            return urls.URLFetcherResponse(url, content, {"Content-Type": kind})

    return Fetcher()


def _content(path: str, opened: Opened | None) -> bytes | None:
    static = f"/{settings.STATIC_URL.strip('/')}/"
    if path.startswith(static):
        return _static_file(path.removeprefix(static))
    return opened(path) if opened else None


def _static_file(name: str) -> bytes | None:
    """A static file by the name that a template gives it; it is in static/ where nothing has collected it."""
    found = staticfiles_storage.path(name) if staticfiles_storage.exists(name) else finders.find(name)
    if not isinstance(found, str):
        return None
    return _letters(found) if name.endswith(".woff2") else Path(found).read_bytes()


@cache
def _letters(path: str) -> bytes:
    """A font, unpacked: WeasyPrint would unpack it for each PDF again, which takes longer than setting the pages."""
    unpacked = BytesIO()
    woff2.decompress(path, unpacked)
    return unpacked.getvalue()
