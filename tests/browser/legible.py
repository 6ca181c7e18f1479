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

#: Words of at most twelve letters that go on in the next line: nobody breaks these.
BROKEN_WORDS = r"""
() => {
  const broken = [], range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const spans = () => {
    const [first, last] = [range.getClientRects()[0], [...range.getClientRects()].at(-1)];
    return first && last.top > first.bottom - 2;
  };
  const isSeen = (element) => {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, height } = range.getClientRects()[0];
    return element.contains(document.elementFromPoint(left + 1, top + height / 2));
  };
  while (texts.nextNode()) {
    const text = texts.currentNode;
    range.selectNodeContents(text);
    if (!spans()) continue;
    for (const word of text.data.matchAll(/(?<![\p{L}\d/.@_-])\p{L}{2,12}(?![\p{L}\d/@_-])/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (spans() && isSeen(text.parentElement)) broken.push(`"${word[0]}" breaks: ${text.parentElement.outerHTML}`);
    }
  }
  return broken;
}
"""


def faults(page: Page, *, only: tuple[str, ...] = ()) -> list[str]:
    """What axe has against the page with all that folds standing open, words that break, and whether it is wider than
    its window.

    `only` are the rules to ask for; all of TAGS if there are none.
    """
    open_folds(page)
    page.evaluate(BARS_ASIDE)
    broken = [] if only else page.evaluate(BROKEN_WORDS)
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
    return [*sentences, *broken, *([f"{wide} px wide in {window}"] if wide > window else [])]
