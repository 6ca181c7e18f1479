"""Take the pictures of the main pages for docs/looks.md, in both themes, on a phone and on a laptop.

    .venv/bin/python bench/pictures.py

plays the demo campaign on a site in a directory that is removed at the end, opens each page in the system's Chromium
when it is of use, and writes docs/images/pages/. Commit the files after changing a page.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import own_site
from bench.page_heights import HEIGHT, OPTIONS, WIDTH, Phones, play_and_measure, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from accounts.models import User

PLACE = Path(__file__).parents[1] / "docs" / "images" / "pages"
#: The pages by the names of `page_heights`, and their files.
PAGES: Mapping[str, str] = {
    "Home": "home",
    "Campaign": "campaign",
    "Building": "building",
    "Register": "register",
    "Dossier of the Paragon": "paragon",
    "Army": "army",
    "Table": "table",
    "Battle, to confirm": "confirm",
    "Chronicle": "chronicle",
}
SIZES = ((WIDTH, HEIGHT), (1280, 800))
SEQUENCE = "Sequence, step 1"
#: The question of the picture of the sequence, and how many answers may come before it.
QUESTION, ANSWERS = "Award Supply Points", 8


class Photographed(Phones):
    """Phones that take a picture of each page of PAGES."""

    def measure(self, name: str, user: User, path: str) -> Page:
        """Open a page as `Phones.measure` does, and take its pictures."""
        page = super().measure(name, user, path)
        if name == SEQUENCE:
            answer_until_the_dice(page)
            take(page, "sequence")
        elif name in PAGES:
            take(page, PAGES[name])
        return page


def take(page: Page, name: str) -> None:
    """Write the top of a page in each size and theme."""
    from PIL import Image
    from playwright.sync_api import expect

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.evaluate("window.scrollTo(0, 0)")
            expect(page.locator(".htmx-request")).to_have_count(0)
            page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
            picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
            picture.save(PLACE / f"{name}-{width}-{theme}.webp", quality=78, method=6)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})


def answer_until_the_dice(page: Page) -> None:
    """Answer questions with the first option, or by the main button."""
    from playwright.sync_api import expect

    for _ in range(ANSWERS):
        if QUESTION in (page.locator("#question").text_content() or ""):
            break
        options = page.locator("#answer button.pick")
        button = options.first if options.count() else page.locator(".action-bar .button--primary").first
        before = page.locator("#other-side").get_attribute("hx-get")
        button.click()
        expect(page.locator(f"#other-side[hx-get='{before}']")).to_have_count(0)


def main() -> int:
    """Take all pictures."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    from playwright.sync_api import sync_playwright

    PLACE.mkdir(exist_ok=True)
    with own_site("pictures"), served() as address, sync_playwright() as playwright:
        from django.core.management import call_command

        from accounts.models import User
        from campaign.battles.models import Battle

        call_command("load_catalogue", verbosity=0)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        phones = Photographed(browser, address)
        play_and_measure(phones)
        ada, battle = User.objects.get(username="ada"), Battle.objects.select_related("campaign").order_by("-number")[0]
        phones.measure("Chronicle", ada, f"{battle.campaign.get_absolute_url()}chronicle/")
        stranger = browser.new_page()
        stranger.goto(address)
        take(stranger, "landing")
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
