"""PDFs, and pictures of them, from the HTML and styles that a browser prints (WeasyPrint), without network access.

WeasyPrint needs system libraries (docs/hosting.md). It is loaded when a PDF is made for the first time, so that a site
without them can do everything else; `missing` names the library that is missing.
"""

import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import gettext

from core import own_process
from core.bidi import isolated
from ops.paths import BASE_DIR

#: Base address of a document. No network knows this name.
SITE = "https://musterbook.invalid/"

#: Takes a path of the site; returns the file's bytes, or None if the document may not load it.
Opened = Callable[[str], bytes | None]

#: Seconds that a PDF waits for the one before it, after which a refused request may be sent again, and that one takes.
WAIT, AGAIN, LIMIT = 3, 30, 60
#: Characters of the largest document: result slips of 256 games are a quarter of it.
MOST = 4_000_000


#: Programs that read a PDF do not take ligatures apart.
LETTER_BY_LETTER = "* { font-variant-ligatures: none !important }"
#: A hyphen inside a word, and the same with a word joiner, after which no line ends.
HYPHEN, JOINED = re.compile(r"(?<=\w)-(?=\w)"), "-\u2060"
#: WeasyPrint may break a word anywhere that begins an element within a line, where a browser takes it to the next line.
#: In these elements it may not, unless a word has more letters than a narrow column.
WITHIN_LINES, LONGEST_WORD = frozenset({"b", "bdi", "em", "i", "small", "span", "strong"}), 16
FONTS = BASE_DIR / "static" / "fonts"
#: Letters that the site's own fonts have. Others need a font of the system, which is looked for by blocks of 256.
OWN_LETTERS, BLOCK = 0x250, 256


class PdfUnavailable(Exception):
    """PDFs are unavailable; the text names the missing library."""


class PdfRefused(Exception):
    """No PDF can be made now; the text says why. `again`: seconds to wait, if that helps."""

    def __init__(self, why: str, *, again: int | None = None) -> None:
        super().__init__(why)
        self.again = again

    def on(self, page: HttpResponse) -> HttpResponse:
        """Return the page, with a Retry-After header for programs if waiting helps."""
        if self.again:
            page["Retry-After"] = str(self.again)
        return page


def missing() -> str:
    """Return the missing library ("libpango-1.0-0"); empty if PDFs can be made."""
    try:
        _weasyprint()
    except PdfUnavailable as unavailable:
        return str(unavailable)
    return ""


def to_pdf(html: str, *, opened: Opened | None = None, booklet: bool = False) -> bytes:
    """Return the document as a tagged PDF for screen readers; for `opened` see `laid_out`. With `booklet`, return its
    pages in pairs, on sheets to print on both sides, flip on the short edge, and fold.

    Raises PdfUnavailable, and PdfRefused for a document that is too large or takes too long, or while another one is
    made.
    """

    def made(opened: Opened | None) -> bytes:
        with _fonts() as fonts:
            pdf = bytes(laid_out(html, opened=opened, fonts=fonts).write_pdf(pdf_tags=not booklet))
            return _folded(pdf) if booklet else pdf

    return _apart(html, made, opened)


def booklet_order(pages: int) -> list[int]:
    """Return the order in which this many pages are printed, two on each side of a sheet, to be folded into a booklet.
    Pages count from 0; their number is a multiple of 4.
    """
    sheets = range(pages // 4)
    return [page for at in sheets for page in (pages - 1 - 2 * at, 2 * at, 2 * at + 1, pages - 2 - 2 * at)]


def _folded(pdf: bytes) -> bytes:
    pdfium = _pdfium()
    with pdfium.PdfDocument(pdf) as read, pdfium.PdfDocument.new() as ordered:
        width, height = read[0].get_size()
        while len(read) % 4:
            read.new_page(width, height)
        ordered.import_pages(read, booklet_order(len(read)))
        out = BytesIO()
        with pdfium.PdfDocument(pdfium.raw.FPDF_ImportNPagesToOne(ordered, 2 * width, height, 2, 1)) as sheets:
            sheets.save(out)
    return out.getvalue()


def to_png(html: str, *, width: int, height: int, opened: Opened | None = None) -> bytes:
    """Return the first page of the document as a PNG of `width` × `height` pixels; for `opened` see `laid_out`.

    The document has to set a page of that size in CSS pixels. Raises what `to_pdf` raises.
    """

    def made(opened: Opened | None) -> bytes:
        with _fonts() as fonts:
            document = laid_out(html, opened=opened, fonts=fonts)
            return _drawn(document.copy(document.pages[:1]).write_pdf(), width, height)

    return _apart(html, made, opened)


def _pdfium() -> Any:
    try:
        return import_module("pypdfium2")
    except (ImportError, OSError) as error:
        raise PdfUnavailable("pypdfium2") from error


def _drawn(pdf: bytes, width: int, height: int) -> bytes:
    document = _pdfium().PdfDocument(pdf)
    try:
        page = document[0]
        bitmap = page.render(scale=width / page.get_width())
        # PDFium rounds up to whole pixels.
        picture = bitmap.to_pil().convert("RGB").crop((0, 0, width, height))
        bitmap.close()
        page.close()
    finally:
        document.close()
    out = BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def answer_with(content: bytes, name: str) -> HttpResponse:
    """Return a PDF that the browser shows, with `name` as file name, without characters that file names cannot have."""
    disposition = content_disposition_header(False, f"{slugify(name) or 'musterbook'}.pdf") or "inline"
    return HttpResponse(content, content_type="application/pdf", headers={"Content-Disposition": disposition})


def pdf_answer(html: str, name: str, page: Callable[..., HttpResponse], **words: Any) -> HttpResponse:
    """Return the document as a PDF called `name`; if that is impossible, the `page` to print, which says why.

    `page` is called with `missing` (the library) or `refused` (a sentence). The other words are those of `to_pdf`.
    """
    try:
        return answer_with(to_pdf(html, **words), name)
    except PdfUnavailable as unavailable:
        return page(missing=str(unavailable))
    except PdfRefused as refused:
        return refused.on(page(refused=str(refused)))


def document_answer(
    request: HttpRequest, template: str, context: Mapping[str, Any], name: str, **words: Any
) -> HttpResponse:
    """Return a template as a PDF called `name`, with `for_pdf` set; if that is impossible, as a page to print that says
    why (503). The other words are those of `to_pdf`.
    """

    def page(**why: str) -> HttpResponse:
        return render(request, template, {**context, **why}, status=503)

    return pdf_answer(render_to_string(template, {**context, "for_pdf": True}), name, page, **words)


def png_answer(draw: Callable[[], bytes], headers: Mapping[str, str]) -> HttpResponse:
    """Return the PNG that `draw` returns, or an error 503 if it cannot be made now."""
    try:
        return HttpResponse(draw(), content_type="image/png", headers=headers)
    except PdfUnavailable as unavailable:
        return HttpResponse(str(unavailable), status=503, content_type="text/plain")
    except PdfRefused as refused:
        return refused.on(HttpResponse(str(refused), status=503, content_type="text/plain"))


def laid_out(html: str, *, opened: Opened | None = None, fonts: Any = None) -> Any:
    """Return the document in pages, as a `weasyprint.Document`. Raises PdfUnavailable.

    `fonts` is the `FontConfiguration` to load its fonts into, by default a new one. The document may load our static
    files, and what `opened` returns for another path of the site ("/pictures/7"); all other addresses are left out.
    """
    weasyprint = _weasyprint()
    page = weasyprint.HTML(string=isolated(html), base_url=SITE, url_fetcher=_fetcher(opened))
    _prepare(page.etree_element)
    return page.render(fonts, pdf_tags=True, stylesheets=[weasyprint.CSS(string=LETTER_BY_LETTER)])


def _prepare(root: Any) -> None:
    """Write the title on one line, keep words within lines whole (WITHIN_LINES), and join the halves of words with a
    hyphen: programs that read a PDF take a hyphen at the end of a line for one of the layout, and drop it.
    """
    for element in root.iter():
        words = "".join(element.itertext()).split() if element.tag in WITHIN_LINES else ()
        if words and max(map(len, words)) <= LONGEST_WORD:
            element.set("style", "overflow-wrap: normal")
        if element.tag == "title":
            element.text = " ".join((element.text or "").split())
        elif element.tag not in ("script", "style"):
            element.text = HYPHEN.sub(JOINED, element.text or "")
        element.tail = HYPHEN.sub(JOINED, element.tail or "")


def _apart(html: str, made: Callable[[Opened | None], bytes], opened: Opened | None) -> bytes:
    """Return what `made` makes in a process of its own, one at a time on this machine: each takes seconds and hundreds
    of MB, and other pages must not wait. It gets what `opened` returns from this process.
    """
    if len(html) > MOST:
        raise PdfRefused(gettext("This is too large for a PDF. Print from the browser."))
    if letters := _without_font(html):
        text = gettext("This server has no font for “%(letters)s”. Print from the browser, which has its own fonts.")
        raise PdfRefused(text % {"letters": letters})
    _weasyprint()  # in memory already when the process starts
    try:
        return own_process.run(
            lambda ask: made(ask if opened else None), queue="pdf", wait=WAIT, seconds=LIMIT, answer=opened
        )
    except own_process.Busy:
        text = gettext("Another PDF is being created. Try again in half a minute, or print from the browser.")
        raise PdfRefused(text, again=AGAIN) from None
    except own_process.TooLong:
        raise PdfRefused(gettext("This PDF takes too long. Print from the browser.")) from None


def printable(html: str) -> str:
    """Return text without the letters of all blocks of which `_without_font` finds one."""
    lost = {ord(letter) // BLOCK for letter in _without_font(html)}
    return "".join(letter for letter in html if ord(letter) // BLOCK not in lost) if lost else html


def _without_font(html: str) -> str:
    """Return letters for which this machine has no font: a PDF would show boxes. One of each block is looked for."""
    blocks = {ord(letter) // BLOCK: letter for letter in sorted(set(html)) if letter >= chr(OWN_LETTERS)}
    return "".join(letter for letter in blocks.values() if letter.isalpha() and not _has_font(ord(letter)))


@cache
def _has_font(letter: int) -> bool:
    """Return whether a font of this machine has a letter, as far as fontconfig's program is there to tell."""
    try:
        found = subprocess.run(  # noqa: S603
            ["/usr/bin/fc-list", f":charset={letter:x}", "file"], capture_output=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return True
    return bool(found.stdout.strip())


@contextmanager
def _fonts() -> Iterator[Any]:
    """Yield the font configuration of one document, and delete its directory afterwards.

    The directory has half a megabyte, in memory if /tmp is. WeasyPrint deletes it only when the garbage collector finds
    the document, which is part of a reference cycle; a worker that ends before that leaves it behind.
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
    except (ImportError, OSError) as error:  # a package, or a system library
        named = re.search(r"library '([^']+)'|No module named '([^']+)'", str(error))
        raise PdfUnavailable(next(filter(None, named.groups())) if named else str(error)) from error
    for font in FONTS.rglob("*.woff2"):
        _letters(font.read_bytes())  # the process of a PDF would unpack them, and end
    return weasyprint


def _fetcher(opened: Opened | None) -> Any:
    """Return the fetcher for addresses in a document: our own site only, without network access."""
    urls = import_module("weasyprint.urls")

    class Fetcher(urls.URLFetcher):  # type: ignore[misc, name-defined]
        def fetch(self, url: str, headers: object = None) -> Any:
            if url.startswith("data:image/png;"):
                return super().fetch(url, headers)
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
    """Return a static file by its name in templates, from static/ if files have not been collected."""
    found = staticfiles_storage.path(name) if staticfiles_storage.exists(name) else finders.find(name)
    if not isinstance(found, str):
        return None
    content = Path(found).read_bytes()
    return _letters(content) if name.endswith(".woff2") else content


@cache
def _letters(packed: bytes) -> bytes:
    """Return a font, unpacked: WeasyPrint would unpack it for every PDF, which takes longer than the layout."""
    from fontTools.ttLib import woff2  # lazy: rare

    unpacked = BytesIO()
    woff2.decompress(BytesIO(packed), unpacked)
    return unpacked.getvalue()
