"""What makes a page legible to everybody, for tests that look at pages."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: WCAG 2.2 AA, and what axe advises besides.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def faults(page: Page) -> list[str]:
    """What axe has against the page with all that folds standing open, and whether it is wider than its window."""
    page.locator("main details").evaluate_all("all => all.forEach((details) => (details.open = true))")
    found = Axe().run(
        page, options={"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
    )
    said = [
        f"{each['id']}: {node['html'][:160]}"
        for each in found.response["violations"]
        for node in each["nodes"][:3]
    ]
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [*said, *([f"{wide} px wide in {window}"] if wide > window else [])]
