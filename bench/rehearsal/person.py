"""Somebody with a phone: opens pages, reads them, and touches what stands on them."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Error as BrowserError, Locator, Page, TimeoutError as TooLate, expect

from bench.rehearsal.record import Record, name_of

PHONE = {"viewport": {"width": 360, "height": 800}, "has_touch": True, "reduced_motion": "reduce"}
DESK = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
PASSWORD = "steel-4-parade"
PATIENCE = 60_000  # milliseconds until a page is there

#: Offers to send an answer again that was lost.
AGAIN = "[data-again]:visible"
#: What a browser says where a page leads on by itself just then, and how often that is put up with.
TRIES = 4
LEAVING = ("ERR_ABORTED", "interrupted by another navigation")

#: Whether the page has pictures, and each that need not be scrolled to is there. Who leaves sooner breaks them off.
ARRIVED = """() => {
    const now = [...document.images].filter((one) => one.loading !== "lazy");
    return now.length && now.every((one) => one.complete && one.naturalWidth);
}"""

#: Where links lead. Those of a drawing have no plain `href`.
HREFS = "(all) => all.map((one) => new URL(one.getAttribute('href'), document.baseURI).href)"

#: Notices when what was touched has been answered: by another page, or by HTMX in this one.
LISTENS = """
    const touched = (event) => ["click", "submit"].includes(event.detail.requestConfig?.triggeringEvent?.type);
    const answered = (event) => { if (touched(event)) delete document.documentElement.dataset.touched; };
    for (const name of ["htmx:afterSettle", "htmx:responseError", "htmx:sendError", "htmx:timeout"])
        document.addEventListener(name, answered);
"""


class Person:
    """One person at one browser. `random` decides what is chosen where anything may be."""

    def __init__(self, browser: Browser, record: Record, home: str, name: str, random: Random, **looks: object) -> None:
        self.name, self.record, self.home, self.random = name, record, home, random
        self.context = browser.new_context(**{**PHONE, **looks}, base_url=home)  # type: ignore[arg-type]
        self.context.add_init_script(LISTENS)
        self.context.set_default_timeout(PATIENCE)
        record.watch(self.context, name, home)
        self.page: Page = self.context.new_page()

    # --- Going ---------------------------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """Where this person is."""
        return urlsplit(self.page.url).path

    def open(self, path: str) -> None:
        """Go to an address of the site; again, if the page was just leaving for another one by itself."""
        for tries in range(TRIES, 0, -1):
            try:
                self.page.goto(path, wait_until="domcontentloaded")
                return
            except BrowserError as error:
                leaving = any(each in error.message for each in LEAVING)
                if tries == 1 or not leaving or "Download is starting" in error.message:
                    raise
                self.page.wait_for_load_state()

    def visit(self, path: str) -> None:
        """Go to an address that may also be a file."""
        try:
            self.open(path)
        except BrowserError as error:
            if "Download is starting" not in error.message:
                raise

    def links(self) -> list[str]:
        """The addresses of this site that the page leads to."""
        found = self.page.locator("a[href]").evaluate_all(HREFS)
        return [link.removeprefix(self.home).split("#")[0] for link in found if link.startswith(f"{self.home}/")]

    def touch(self, target: Locator) -> None:
        """Touch something that is answered, and wait for the answer; send it again where the page offers that."""
        page = target.page
        page.evaluate("document.documentElement.dataset.touched = ''")
        target.click()
        self.await_answer(page)
        again = page.locator(AGAIN)
        if again.count():
            self.record.counts["answers sent again"] += 1
            self.touch(again.first)

    def await_answer(self, page: Page | None = None) -> None:
        """Wait until what was touched last is answered."""
        page = page or self.page
        page.locator("html:not([data-touched])").wait_for(state="attached")
        page.wait_for_load_state("domcontentloaded")

    def tap(self, target: Locator) -> None:
        """Tap something on the table page, and wait until no tap waits to be sent."""
        target.click()
        target.page.evaluate(
            "async () => { while (Object.keys(localStorage).some((key) => key.startsWith('taps:')))"
            " await new Promise(requestAnimationFrame); }"
        )

    def press(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        """Press the button of that name."""
        self.touch((within or self.page).get_by_role("button", name=name, exact=isinstance(name, str)).first)

    def follow(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        """Follow the link of that name."""
        self.touch((within or self.page).get_by_role("link", name=name).first)

    def unfold(self, name: str) -> None:
        """Open what is folded under those words, if it is closed."""
        fold = self.page.locator("details:not([open]) > summary", has_text=name)
        if fold.count():
            fold.first.click()

    # --- Reading ---------------------------------------------------------------------------------------------------

    def has(self, selector: str) -> bool:
        """Whether the page has that."""
        return self.page.locator(selector).count() > 0

    def reads(self, words: str | re.Pattern[str]) -> None:
        """These words stand on the page."""
        expect(self.page.get_by_text(words).first).to_be_visible(timeout=PATIENCE)

    def sees_pictures(self) -> None:
        """The page's pictures have come."""
        self.page.wait_for_function(ARRIVED)

    def hears(self, name: str, page: Page | None = None) -> None:
        """The page asks by itself, at the address of that name, what is new. Who is always quicker never sees that."""
        (page or self.page).wait_for_event("response", lambda answer: name_of(urlsplit(answer.url).path) == name)

    def any_of(self, found: Locator) -> Locator:
        """One of those, as chance has it."""
        return found.nth(self.random.randrange(found.count()))

    def chance(self, how_often: float) -> bool:
        """Whether it happens this time."""
        return self.random.random() < how_often

    def sees(self, target: Locator, within: int = 300) -> bool:
        """Whether it is there within so many milliseconds."""
        try:
            target.first.wait_for(timeout=within)
        except TooLate:
            return False
        return True

    # --- Filling -----------------------------------------------------------------------------------------------

    def fill(self, **fields: str) -> None:
        """Type into fields, by their names."""
        for name, text in fields.items():
            self.page.locator(f"main [name='{name}']:is(input, textarea)").first.fill(text)

    def option(self, label: str | re.Pattern[str], within: Locator | None = None) -> Locator:
        """The big button of a choice that says so."""
        return (within or self.page).locator(".choice__option", has_text=label).first

    @contextmanager
    def errs(self, *mishaps: int | str) -> Iterator[None]:
        """A mistake of this person: the site answers as `mishaps` say."""
        self.record.counts["mistakes"] += 1
        with self.record.expecting(*mishaps):
            yield

    # --- Coming in ---------------------------------------------------------------------------------------------

    def sign_up(self, link: str) -> None:
        """Follow an invitation as a stranger: the first try has two passwords that differ."""
        self.open(link)
        self.press("Sign up and join")
        self.fill(username=self.name, password1=PASSWORD, password2="another-one")
        with self.errs(200, 422):
            self.press("Sign up")
        self.fill(password1=PASSWORD, password2=PASSWORD)
        self.press("Sign up")
        self.reads("Welcome to")

    def sign_in(self, path: str = "/accounts/login/") -> None:
        """Sign in by name and password."""
        self.open(path)
        self.fill(login=self.name, password=PASSWORD)
        self.press("Sign in")


def shown(found: Locator) -> Sequence[Locator]:
    """Those that can be seen."""
    return [each for each in found.all() if each.is_visible()]
