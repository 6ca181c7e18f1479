"""What goes wrong at a table: the connection is lost, a thumb taps twice, a tab is old, the server dies."""

import time

from playwright.sync_api import Locator, Page, expect

from bench.rehearsal.person import AGAIN, PATIENCE
from bench.rehearsal.sequence import Walker
from bench.rehearsal.site import Site

#: Longer than a tap takes to leave the phone, shorter than an answer takes to be written.
MID_ANSWER = 0.03
LOST = (502, 503, "failed")


def lost_connection(walker: Walker) -> None:
    """What is new still comes; then an answer does not leave the phone, says so, and is sent again once it can be."""
    person, button = walker.person, walker.tap()
    if button is None:
        return
    person.hears("battles:sequence_poll", walker.page)
    person.context.set_offline(True)
    with person.errs(*LOST):
        button.click()
        expect(_unsent(walker.page)).to_be_visible(timeout=PATIENCE)
    person.context.set_offline(False)
    person.touch(_unsent(walker.page))
    person.record.counts["lost connections"] += 1


def double_tap(walker: Walker) -> None:
    """Two taps, one answer."""
    person, button = walker.person, walker.tap()
    if button is None:
        return
    with person.errs(409, 422):
        walker.page.evaluate("document.documentElement.dataset.touched = ''")
        button.dblclick()
        person.await_answer()
    walker.open()
    person.record.counts["double taps"] += 1


def stale_tab(walker: Walker) -> None:
    """A second tab of the same page answers a question that the first one has answered already."""
    person = walker.person
    old = person.context.new_page()
    old.goto(walker.page.url, wait_until="domcontentloaded")
    walker.answer()
    other = Walker(walker.player, walker.battle, old)
    if (button := other.tap()) is not None:
        with person.errs(409, 422):
            person.touch(button)
    old.close()
    walker.open()
    person.record.counts["stale tabs"] += 1


def killed(walker: Walker, site: Site) -> None:
    """The site is killed between the tap and the answer, and started again; what was tapped is sent again, once."""
    person, button = walker.person, walker.tap()
    if button is None:
        return
    with person.errs(*LOST):
        button.evaluate("(button) => { setTimeout(() => button.click()); }")
        time.sleep(MID_ANSWER)
        site.kill()
        time.sleep(0.2)
        site.start()
        if person.sees(_unsent(walker.page), within=1_000):
            person.record.counts["answers sent again"] += 1
            person.touch(_unsent(walker.page))
    walker.open()
    person.record.counts["restarts"] += 1


def _unsent(page: Page) -> Locator:
    return page.locator(AGAIN).first
