"""How long the main pages take to be painted on a slow phone: as ratios to a text file, and in seconds on slow 4G.

    .venv/bin/python bench/paint.py

starts the demo in a directory that is removed at the end, and opens each page as ada in the system's Chromium with a
processor four times slower. Each page and the text file are loaded in turn. Then each page is loaded with an empty
cache on a connection as slow as Lighthouse's slow 4G. The exit status is 1 if the quickest largest paint of a page
takes more than LIMIT times that of the text file, or if its first paint, with all styles and text that can be read,
takes SECONDS or more on slow 4G, in the middle of its loads.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.attack import site

if TYPE_CHECKING:
    from playwright.sync_api import Page

LIMIT, SECONDS = 6.0, 2.0
SLOWER, LOADS, SLOW_LOADS = 4, 7, 3
#: Milliseconds until an answer begins, and bytes a second.
SLOW_4G = {"offline": False, "latency": 562.5, "downloadThroughput": 184_320, "uploadThroughput": 84_375}
BARE = "/static/vendor/htmx-LICENSE.txt"
PAINTED = """() => new Promise((tell) => {
  new PerformanceObserver((list) => tell(list.getEntries().at(-1).startTime))
    .observe({ type: "largest-contentful-paint", buffered: true });
})"""
FIRST_PAINTED = """() => new Promise((tell) => {
  new PerformanceObserver((list) => tell(list.getEntriesByName("first-contentful-paint")[0].startTime))
    .observe({ type: "paint", buffered: true });
})"""
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


def painted(page: Page, url: str, what: str = PAINTED) -> float:
    """Return the milliseconds until the largest element of a page is painted, or its first with FIRST_PAINTED."""
    page.goto(url, wait_until="load")
    return float(page.evaluate(what))


def sign_in(page: Page, address: str, log: str) -> dict[str, str]:
    """Sign in as ada with the password that the demo prints. Returns the paths of the main pages by name."""
    password = re.search(r"^ +ada +(\S+)", log, re.MULTILINE)
    if password is None:
        raise ValueError("The demo prints no password for ada")
    page.goto(f"{address}/accounts/login/")
    page.fill("[name=login]", "ada")
    page.fill("[name=password]", password[1])
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"{address}/")
    campaign = page.locator("a[href*='/campaigns/']").first.get_attribute("href") or ""
    page.goto(f"{address}{campaign}")
    register = page.locator("a[href^='/registers/']").first.get_attribute("href") or ""
    battle = page.locator("a[href^='/battles/']").first.get_attribute("href") or ""
    pages = {"home": "/", "campaign": campaign, "Register": register, "battle": battle}
    page.goto(f"{address}{battle}")
    sequence = page.locator("a[href*='/sequence/']").first.get_attribute("href") or ""
    pages |= {"sequence": sequence, "chronicle": f"{campaign}chronicle/"}
    return pages | {"rules": "/rules/"}


def seconds_on_slow_4g(page: Page, address: str, pages: dict[str, str]) -> dict[str, float]:
    """Return the seconds until each page is first painted with an empty cache, in the middle of its loads."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    cdp.send("Network.enable")
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
    cdp.send("Network.emulateNetworkConditions", SLOW_4G)
    return {
        name: median(painted(page, f"{address}{path}", FIRST_PAINTED) for _ in range(SLOW_LOADS)) / 1000
        for name, path in pages.items()
    }


def measure(place: Path) -> tuple[dict[str, float], dict[str, float]]:
    """Return how many times longer than the text file each page takes, quickest against quickest, and the seconds that
    it takes on slow 4G.
    """
    from playwright.sync_api import sync_playwright

    with site(place) as (port, _process), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        page = browser.new_page(viewport={"width": 360, "height": 800})
        address = f"http://127.0.0.1:{port}"
        pages = sign_in(page, address, (place / "log").read_text())
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        taken = [
            {name: painted(page, f"{address}{path}") for name, path in (pages | {"text file": BARE}).items()}
            for _ in range(LOADS)
        ]
        stranger = browser.new_page(viewport={"width": 360, "height": 800})
        slow = seconds_on_slow_4g(stranger, address, {"landing": "/"}) | seconds_on_slow_4g(page, address, pages)
        browser.close()
    quickest = {name: min(each[name] for each in taken) for name in taken[0]}
    bare = quickest.pop("text file")
    print(f"text file: {bare:.0f} ms")
    return {name: milliseconds / bare for name, milliseconds in quickest.items()}, slow


def main() -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="musterbook-paint-") as place:
        ratios, slow = measure(Path(place))
    for name, seconds in slow.items():
        ratio = ratios.get(name, 0.0)
        over = ratio > LIMIT or seconds >= SECONDS
        print(f"{name:<10} {ratio:5.1f} × {seconds:5.2f} s{'  over the limit' if over else ''}")
    return int(max(ratios.values()) > LIMIT or max(slow.values()) >= SECONDS)


if __name__ == "__main__":
    sys.exit(main())
