"""The rules on a phone, on a desk and on paper."""

import re
import subprocess
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _cards(book):
    pass


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_and_axe_finds_nothing(page: Page, scheme: str, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    found = []
    for address in ("/rules/", "/rules/?q=setback", "/rules/?q=xyzzy", "/rules/print/"):
        page.goto(address)
        page.locator("main details").evaluate_all("all => all.forEach((details) => (details.open = true))")
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        found += [(address, each["id"]) for each in Axe().run(page).response["violations"]]
        found += [(address, "too wide")] * wide
    assert found == []


@pytest.mark.nightly
@pytest.mark.parametrize("width", [360, 1280])
def test_targets_of_the_jump_list_are_large_and_it_stays_in_sight(page: Page, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/rules/#R34")
    strip = page.get_by_role("navigation", name="Contents")
    heights = strip.get_by_role("link").evaluate_all("all => all.map((a) => a.getBoundingClientRect().height)")
    assert min(heights) >= 44
    expect(strip).to_be_in_viewport()
    expect(page.get_by_role("heading", name="R34")).to_be_in_viewport()


@pytest.mark.nightly
def test_typing_finds_and_the_address_can_be_sent_on(page: Page):
    page.goto("/rules/")
    page.get_by_role("searchbox").press_sequentially("medev")
    expect(page.locator("#found-number")).to_contain_text("3 results for “medev”")
    expect(page).to_have_url(re.compile(r"/rules/\?q=medev$"))
    expect(page.get_by_role("searchbox")).to_be_focused()
    expect(page.locator("#R34")).to_have_count(0)
    page.get_by_role("link", name="Strategic Assets").click()
    expect(page.locator("#table-strategic-assets")).to_be_in_viewport()
    expect(page.locator("#R34")).to_have_count(1)


@pytest.mark.nightly
def test_without_scripts_a_button_finds(new_context):
    page = new_context(java_script_enabled=False).new_page()
    page.goto("/rules/")
    page.get_by_role("searchbox").fill("R34")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".passage").first).to_have_id("R34")


def words_on(pdf: Path, number: int) -> int:
    """How many words a page of a PDF has."""
    only = ["-f", str(number), "-l", str(number)]
    return len(subprocess.run(["pdftotext", *only, pdf, "-"], capture_output=True, check=True).stdout.split())


@pytest.mark.nightly
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_sheet_is_two_pages_well_filled(page: Page, tmp_path: Path, paper: str):
    page.goto("/rules/print/")
    sheet = tmp_path / "sheet.pdf"
    page.pdf(path=sheet, format=paper)
    output = subprocess.run(["pdfinfo", sheet], capture_output=True, check=True, text=True).stdout
    assert re.findall(r"^Pages: +(\d+)$", output, re.MULTILINE) == ["2"]
    assert words_on(sheet, 2) > 0.6 * words_on(sheet, 1)


@pytest.mark.nightly
def test_the_sheet_is_legible_and_hides_its_buttons(page: Page):
    page.goto("/rules/print/")
    page.emulate_media(media="print")
    sizes = page.eval_on_selector_all(
        "main *", "all => all.map((each) => parseFloat(getComputedStyle(each).fontSize) * 72 / 96)"
    )
    assert min(sizes) >= 6.5
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
