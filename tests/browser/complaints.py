"""What a browser complains of."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def complaints(page: Page, address: str) -> list[tuple[str, str]]:
    """What is wrong with a page, its folded parts opened."""
    page.goto(address)
    page.locator("main details").evaluate_all("all => all.forEach((details) => (details.open = true))")
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    found = [(address, each["id"]) for each in Axe().run(page).response["violations"]]
    return [*found, (address, "too wide")] if wide else found
