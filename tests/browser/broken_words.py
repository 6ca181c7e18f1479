"""Words of the site that break inside because their place is too narrow."""

from playwright.sync_api import Page

#: Each word of a heading, button or label that stands on two lines.
FOUND = """
() => [...document.querySelectorAll("main :is(h1, h2, h3, button, .button, .pick, summary, label, legend, th)")]
  .filter((each) => each.checkVisibility())
  .flatMap((each) => {
    const found = [], texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (texts.nextNode()) {
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]{2,}/gu)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
        if (lines.size > 1) found.push(`${word} in ${each.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}`);
      }
    }
    return found;
  })
"""


def broken_words(page: Page) -> list[str]:
    """The broken words, each with the beginning of what it stands in."""
    return page.evaluate(FOUND)
