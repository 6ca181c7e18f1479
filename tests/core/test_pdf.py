"""PDFs without a network, and a site without the libraries that they need."""

import gc
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from io import BytesIO
from types import SimpleNamespace

import pypdfium2
import pytest
from PIL import Image
from pypdf import PdfReader
from weasyprint.text import fonts

from core import own_process, pdf
from ops.paths import BASE_DIR


@pytest.fixture
def without(monkeypatch):
    """Make the import of WeasyPrint fail."""

    def fail(error: Exception):
        def import_module(name: str):
            raise error

        pdf._weasyprint.cache_clear()
        monkeypatch.setattr(pdf, "import_module", import_module)

    yield fail
    pdf._weasyprint.cache_clear()


@pytest.fixture
def here(monkeypatch):
    """Make PDFs in this process, so that a test sees what happens."""
    monkeypatch.setattr(own_process, "run", lambda work, *, answer=None, **_: work(answer))


def picture() -> bytes:
    content = BytesIO()
    Image.new("L", (4, 4)).save(content, "PNG")
    return content.getvalue()


def test_the_words_of_a_document():
    made = pdf.to_pdf("<html lang=en><title>Roll</title><p>Captain Sorne</p>")
    reader = PdfReader(BytesIO(made))
    assert [page.extract_text() for page in reader.pages] == ["Captain Sorne"]
    assert reader.metadata.title == "Roll"


#: A title over three lines, a hyphen at the end of a line, letters that fonts join, and two names from right to left.
HARD = (
    "<html lang=en><title>\n  Roll\n  of honor </title><link rel=stylesheet href=/static/css/paper/paper.css>"
    "<style>p { width: 3cm; font-size: 12pt !important; white-space: normal !important }</style><div class=leaf>"
    "<p>xxxxxxxx Battle-Shaken<p>office fluffy<p>דוד – שלום, 3</div>"
)


def test_what_programs_read_in_it():
    made = pdf.to_pdf(HARD)
    reader = PdfReader(BytesIO(made))
    maps = [each.get_object()["/ToUnicode"].get_data() for each in reader.pages[0]["/Resources"]["/Font"].values()]
    assert not any(b"<00660066" in each or b"<00660069" in each for each in maps)  # some programs keep ligatures
    assert reader.metadata.title == "Roll of honor"
    words = pypdfium2.PdfDocument(made)[0].get_textpage().get_text_range().split()
    assert words[:4] == ["xxxxxxxx", "Battle-Shaken", "office", "fluffy"]
    assert {"דוד", "שלום"} <= {word.strip(",") for word in words[4:]}


@pytest.mark.nightly
@pytest.mark.parametrize("program", ["pdftotext", "mutool", "gs"])
def test_what_other_programs_read_in_it(program, tmp_path):
    if not shutil.which(program):
        pytest.skip(f"{program} is missing")
    path = tmp_path / "hard.pdf"
    path.write_bytes(pdf.to_pdf(HARD))
    commands = {
        "pdftotext": ["pdftotext", path, "-"],
        "mutool": ["mutool", "draw", "-q", "-F", "txt", path],
        "gs": ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=txtwrite", "-sOutputFile=-", path],
    }
    found = subprocess.run(commands[program], capture_output=True, check=True, timeout=60).stdout.decode()
    assert found.split()[:4] == ["xxxxxxxx", "Battle-Shaken", "office", "fluffy"]


def test_a_machine_without_a_font_says_so(monkeypatch):
    monkeypatch.setattr(pdf, "_has_font", lambda letter: letter != ord("漢"))
    with pytest.raises(pdf.PdfRefused, match="This server has no font for “漢”"):
        pdf.to_pdf("<p>Ada, 漢字")
    assert pdf._without_font("Zoë שלום 🎲 字") == ""


def test_which_letters_have_a_font():
    """Latin, Greek, Hebrew and Arabic are in fonts-dejavu-core; no font has a letter that Unicode does not."""
    assert [pdf._has_font(ord(letter)) for letter in ("a", "λ", "ש", "م", "\U000e1000")] == [True] * 4 + [False]


def test_a_page_as_a_picture():
    html = "<style>@page { size: 30px 20px; margin: 0 } body { margin: 0; background: #f00 }</style><body></body>"
    picture = Image.open(BytesIO(pdf.to_png(html, width=30, height=20)))
    assert (picture.format, picture.size, picture.getcolors()) == ("PNG", (30, 20), [(600, (255, 0, 0))])


def test_our_letters_are_in_it():
    made = pdf.to_pdf(
        "<html lang=en><link rel=stylesheet href=/static/css/paper/paper.css><p class=leaf>Captain Sorne</p>"
    )
    fonts = PdfReader(BytesIO(made)).pages[0]["/Resources"]["/Font"].values()
    assert [font.get_object()["/BaseFont"].endswith("+Paper-Condensed") for font in fonts] == [True]


def test_its_fonts_are_unpacked_before_its_process_begins():
    """Which would unpack them for every PDF, since it ends with it."""
    pdf._letters.cache_clear()
    pdf._weasyprint.cache_clear()
    pdf._weasyprint()
    before = pdf._letters.cache_info()
    assert pdf._static_file("fonts/fira-sans-condensed/latin-400.woff2")[:4] == b"\0\1\0\0"
    assert pdf._letters.cache_info().misses == before.misses


@pytest.mark.usefixtures("here")
def test_its_letters_leave_no_directory_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = []
    monkeypatch.setattr(fonts, "mkdtemp", lambda **named: made.append(tempfile.mkdtemp(**named)) or made[-1])
    gc.disable()  # what it removes is no merit of ours
    try:
        pdf.to_pdf("<link rel=stylesheet href=/static/css/paper/paper.css><p class=leaf>Captain Sorne</p>")
        assert (len(made), list(tmp_path.iterdir())) == (1, [])
    finally:
        gc.enable()


def test_it_may_have_what_the_site_opens_for_it():
    asked = []
    made = pdf.to_pdf("<img src=/pictures/7 alt=x>", opened=lambda path: asked.append(path) or picture())
    assert asked == ["/pictures/7"]
    assert len(PdfReader(BytesIO(made)).pages[0].images) == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:9/secret.png",
        "https://example.org/x.png",
        "file:///etc/passwd",
        "/static/../config/settings.py",
        "/static/no-such-file.png",
        "/pictures/7",
    ],
)
def test_it_has_nothing_from_anywhere_else(address, monkeypatch, caplog):
    monkeypatch.setattr("socket.socket.connect", lambda *args: pytest.fail("It asked a network."))
    with caplog.at_level(logging.ERROR, "weasyprint"):
        made = pdf.to_pdf(f"<p>Words</p><img src='{address}' alt=''>")
    page = PdfReader(BytesIO(made)).pages[0]
    assert (page.extract_text(), len(page.images)) == ("Words", 0)
    assert "Nothing of ours" in caplog.text


def test_one_at_a_time_and_the_next_one_when_it_is_done(monkeypatch):
    monkeypatch.setattr(pdf, "WAIT", 0)
    sentences = []

    def opened(path):
        with pytest.raises(pdf.PdfRefused) as refused:
            pdf.to_pdf("<p>Another</p>")
        sentences.append((str(refused.value), refused.value.again))

    pdf.to_pdf("<html lang=en><img src=/pictures/7 alt=x>", opened=opened)
    words = "Another PDF is being created. Try again in half a minute, or print from the browser."
    assert sentences == [(words, 30)]
    assert pdf.to_pdf("<html lang=en><p>The next").startswith(b"%PDF")


def test_one_that_fails_holds_up_no_other(monkeypatch):
    monkeypatch.setattr(pdf, "WAIT", 0)
    with monkeypatch.context() as broken:
        broken.setattr(pdf, "laid_out", lambda *args, **words: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            pdf.to_pdf("<p>Words</p>")
    assert pdf.to_pdf("<html lang=en><p>The next").startswith(b"%PDF")


def test_one_that_takes_too_long_is_stopped(monkeypatch):
    monkeypatch.setattr(pdf, "LIMIT", 0.2)
    monkeypatch.setattr(pdf, "laid_out", lambda *args, **words: time.sleep(60))
    started = time.monotonic()
    with pytest.raises(pdf.PdfRefused, match="takes too long"):
        pdf.to_pdf("<p>Words</p>")
    assert time.monotonic() - started < 10


def test_one_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(pdf, "MOST", 10)
    with pytest.raises(pdf.PdfRefused, match="too large for a PDF"):
        pdf.to_pdf("<p>Words</p>")


def test_nothing_is_missing_here():
    assert pdf.missing() == ""


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (OSError("cannot load library 'libpango-1.0-0': libpango-1.0-0: cannot open shared object"), "libpango-1.0-0"),
        (ModuleNotFoundError("No module named 'weasyprint'"), "weasyprint"),
        (OSError("something else"), "something else"),
    ],
)
def test_a_site_without_a_library_says_which(without, error, named):
    without(error)
    assert pdf.missing() == named
    with pytest.raises(pdf.PdfUnavailable, match=named):
        pdf.to_pdf("<p>Words</p>")


def test_a_site_starts_without_it():
    code = "import sys, django; django.setup(); import config.urls; print('weasyprint' in sys.modules)"
    words = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "SECRET_KEY": "not-kept"}
    command = [sys.executable, "-c", code]
    output = subprocess.run(command, cwd=BASE_DIR, env=words, capture_output=True, text=True, check=True).stdout
    assert output == "False\n"


def test_a_booklet_folds_into_pages_in_order():
    pages = "".join(f"<p style='break-before: page'>page {number}" for number in range(1, 6))
    html = f"<style>@page {{ size: 148mm 210mm }} p:first-of-type {{ break-before: auto }}</style>{pages}"
    sides = PdfReader(BytesIO(pdf.to_pdf(html, booklet=True))).pages
    assert [re.findall(r"page (\d)", side.extract_text()) for side in sides] == [["1"], ["2"], ["3"], ["4", "5"]]
    assert {(round(side.mediabox.width), round(side.mediabox.height)) for side in sides} == {(839, 595)}
    assert pdf.booklet_order(8) == [7, 0, 1, 6, 5, 2, 3, 4]


def test_words_in_a_bold_name_move_to_the_next_line_whole():
    name = "<b>Ember of the R · <bdi>sudablor</bdi></b>"
    boxes = "".join(f"<p style='width: {width}mm; overflow-wrap: anywhere'>{name}</p>" for width in range(40, 60, 2))
    [page] = PdfReader(BytesIO(pdf.laid_out(boxes).write_pdf())).pages
    assert page.extract_text().count("sudablor") == 10


def test_names_from_right_to_left_are_isolated_on_paper(monkeypatch):
    class Given(Exception):
        pass

    def html(string: str, **_):
        raise Given(string)

    monkeypatch.setattr(pdf, "_weasyprint", lambda: SimpleNamespace(HTML=html))
    with pytest.raises(Given, match=r"^<p><bdi>דוד</bdi></p>$"):
        pdf.laid_out("<p>דוד</p>")
