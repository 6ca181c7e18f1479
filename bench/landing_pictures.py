"""Pictures of the app on the landing page, taken of its own demo: `python -m bench.landing_pictures ADDRESS`.

ADDRESS is that of a running site, as http://127.0.0.1:8000. Run it after changing the pages of the sequence or of a
Register, and commit the files in static/pictures/. It needs Chromium and the development packages; the running app
needs neither.
"""

import shutil
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

STATIC = Path(__file__).parents[1] / "static" / "pictures"
#: A phone, in CSS pixels; the files are larger by SCALE, as `templates/dashboard/_picture.html` says.
PHONE, SCALE = {"width": 360, "height": 640}, 1.5
#: The question that is shown, and how many answers may come before it.
QUESTION, ANSWERS = "Award Supply Points", 8


def take(address: str) -> None:
    """Write the four pictures."""
    from playwright.sync_api import sync_playwright  # lazy: optional

    STATIC.mkdir(exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=PHONE, device_scale_factor=SCALE, color_scheme="light")
        page.goto(address)
        page.get_by_role("button", name="Try the demo").click()
        for _ in range(ANSWERS):
            if QUESTION in (page.locator("#question").text_content() or ""):
                break
            _answer(page)
        _both_themes(page, "sequence")
        page.goto(page.url.partition("sequence/")[0])
        register = page.locator("a[href*='/registers/']").first.get_attribute("href")
        page.goto(f"{address.rstrip('/')}{register}")
        _both_themes(page, "register")
        page.reload()
        page.get_by_role("button", name="Leave demo").click()
        browser.close()


def _answer(page: Any) -> None:
    """Answer the open question with the first option, or by the main button."""
    options = page.locator("#answer button.pick")
    button = options.first if options.count() else page.locator(".action-bar .button--primary").first
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        button.click()
    page.wait_for_timeout(500)  # until the answer is on the page


def _both_themes(page: Any, name: str) -> None:
    page.evaluate("document.querySelectorAll('.demo-banner, .cover__links').forEach(each => each.remove())")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.evaluate("window.scrollTo(0, 0)")
        page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")
        picture = Image.open(BytesIO(page.screenshot()))
        picture.convert("RGB").save(STATIC / f"{name}-{theme}.webp", quality=82, method=6)


if __name__ == "__main__":
    take(sys.argv[1])
