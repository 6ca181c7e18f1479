"""What makes a page legible to everybody, for tests that look at pages."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

#: WCAG 2.2 AA, and what axe advises besides.
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
#: Those of its rules that look at colours: all that another theme of the same page can break.
OF_COLOURS = ("color-contrast", "link-in-text-block")


def open_folds(page: Page) -> None:
    """Let all folds stand open; those that are fetched then have come, and the page is no longer dimmed."""
    page.locator("main details").evaluate_all("all => all.forEach((details) => (details.open = true))")
    page.wait_for_function("() => !document.querySelector('details[hx-get][open], .htmx-request')")


#: The bar of the main button covers rows only until one scrolls; axe would measure what it leaves of them.
BARS_ASIDE = """
document.querySelectorAll(".page__actions, .action-bar").forEach((bar) => { bar.style.position = "static"; })
"""


def faults(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    """What axe has against the page with all that folds standing open, and whether it is wider than its window.

    `only` are the rules to ask for; all of TAGS if there are none.
    """
    open_folds(page)
    page.evaluate(BARS_ASIDE)
    asked = {"type": "rule", "values": only} if only else {"type": "tag", "values": TAGS}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("(options) => axe.run(options)", {"runOnly": asked, "resultTypes": ["violations"]})
    sentences = [
        f"{each['id']}: {node['html'][:160]} {node['any'][0]['message'] if node['any'] else ''}".rstrip()
        for each in found["violations"]
        for node in each["nodes"][:3]
    ]
    wide, window = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    return [*sentences, *([f"{wide} px wide in {window}"] if wide > window else [])]
