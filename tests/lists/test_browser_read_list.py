"""A stranger checks a list, on a phone and on a desk."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.lists.armies import MINIMAL

pytestmark = pytest.mark.django_db(transaction=True)

TEXT = f"See my list:\n{MINIMAL}\nDarth Vader (Saber Throw)"


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_list_is_read_decided_and_copied(page: Page, book, scheme: str, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    found = []

    def look() -> None:
        page.wait_for_load_state()
        wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
        found.extend(
            [*(each["id"] for each in Axe().run(page).response["violations"]), *(["too wide"] if wide else [])]
        )

    page.goto("/")
    page.get_by_role("link", name="Check an army list").click()
    look()
    page.get_by_label("List or link").fill(TEXT)
    page.get_by_role("button", name="Check list").click()
    look()
    page.get_by_label("Darth Vader").select_option("darth-vader-dark-lord-of-the-sith")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Copy").first.wait_for()
    look()

    assert found == []
