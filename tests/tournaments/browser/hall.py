"""A hall with an event in it: everyone's browser, and what people do on the pages of an event."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

from playwright.sync_api import BrowserContext, Error, Locator, Page, expect

from accounts.models import User
from tests.tournaments.factories import SEED
from tournaments.models import Entry, Event, Game, Round

#: Reported as an error by every page on a phone that is wider than it, also after a part of it was replaced.
TOO_WIDE = """
(() => {
  const look = () => {
    const wide = document.documentElement.scrollWidth;
    if (wide > innerWidth) console.error(`${location.pathname} is ${wide} px wide`);
  };
  addEventListener("load", look);
  addEventListener("htmx:afterSettle", look);
})();
"""
LAPTOP = {"width": 1280, "height": 800}
#: What the browser says about a request that was under way when its page was left.
LEFT_ALONE = ("ERR_ABORTED", "htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")


@dataclass
class Hall:
    """An event and the browsers of its people, by name. `errors` are what the browsers complain of."""

    phone: Callable[..., Page]
    new_context: Callable[..., BrowserContext]
    event_id: UUID
    pages: dict[str, Page] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def arrive(self, name: str, user: User | None = None, *, laptop: bool = False) -> Page:
        """Give somebody a browser, signed in if they have an account."""
        page = self.pages[name] = self.phone(user) if user else self.new_context().new_page()
        if laptop:
            page.set_viewport_size(LAPTOP)
        page.add_init_script(TOO_WIDE)
        page.on("pageerror", lambda error: self.errors.append(f"{name}: {error}"))
        page.on("console", lambda message: self._hear(name, message.type, message.text))
        return page

    def _hear(self, name: str, kind: str, text: str) -> None:
        if kind == "error" and not any(words in text for words in LEFT_ALONE):
            self.errors.append(f"{name}: {text}")

    @property
    def event(self) -> Event:
        """The event as it is now."""
        return Event.objects.get(pk=self.event_id)

    def entry(self, name: str) -> Entry:
        """A player as they are now."""
        return Entry.objects.get(event=self.event_id, name=name)

    def games(self, number: int | None = None) -> list[Game]:
        """The games of two players in a round, or in the last one, by place."""
        games = Game.objects.filter(round__event=self.event_id).exclude(second=None)
        last = number or Round.objects.filter(event=self.event_id).latest("number").number
        return list(games.filter(round__number=last).select_related("first", "second", "round").order_by("place"))

    def open(self, who: str, path: str = "") -> Page:
        """Open a page of the event; one that asks for news may be loading itself anew at this moment."""
        page = self.pages[who]
        for last in (False, False, False, True):
            try:
                page.goto(f"/events/{self.event_id}/{path}")
                break
            except Error as error:
                if last or not any(words in str(error) for words in ("ERR_ABORTED", "interrupted")):
                    raise
                with suppress(Error):
                    page.wait_for_load_state()
        return page

    def follow_link(self, who: str, name: str) -> Page:
        """Open the personal link of a player and go on as that player."""
        page = self.pages[who]
        page.goto(f"/events/me/{self.entry(name).token}/")
        if "/events/me/" in page.url:
            press(page, f"Continue as {name}")
            page.wait_for_url("**/me/")
        return page

    def leave(self) -> None:
        """Close every page before its browser is closed: Chromium may wait for ever for one that asks for news."""
        for page in self.pages.values():
            with suppress(Error):  # a page that reloads itself at this moment interrupts it
                page.goto("about:blank")
            page.close()

    # --- The organizer -----------------------------------------------------------------------------------------------

    def create(self, who: str, name: str, rules: str) -> None:
        """Create the event by its form, with the identifier and the seed on which its draws depend."""
        page = self.pages[who]
        page.goto("/events/")
        follow(page, "Create event")
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Place").fill("The Sabacc Table")
        page.locator(".choice__option", has_text=rules).tap()
        page.locator("input[name=event]").evaluate("(input, value) => { input.value = value; }", str(self.event_id))
        press(page, "Create event")
        expect(page.get_by_role("heading", name=name)).to_be_visible()
        Event.objects.filter(pk=self.event_id).update(seed=SEED)

    def step(self, who: str, label: str) -> Page:
        """Take the next step that the console offers."""
        page = self.open(who, "console/")
        with page.expect_navigation():
            page.locator(".next-step__button", has_text=label).tap()
        return page

    def start(self, who: str) -> None:
        """Start the event; players without an army list need a reason (E9)."""
        page = self.open(who, "console/")
        reason = page.locator("#step_reason")
        if reason.count():
            reason.fill("The lists are on paper today")
        with page.expect_navigation():
            page.locator(".next-step__button", has_text="Start the event").tap()

    def finish(self, who: str) -> None:
        """Finish the event, which asks once more."""
        page = self.open(who, "console/")
        page.locator(".next-step summary").tap()
        with page.expect_navigation():
            page.locator("#take-finish").tap()

    def publish(self, who: str) -> None:
        """Publish the draft that is shown."""
        page = self.pages[who]
        press(page, "Publish the pairings")
        expect(page.get_by_text("The pairings are published.")).to_be_visible()

    def draw(self, who: str, label: str) -> None:
        """Draw the next round on the console and publish it."""
        page = self.step(who, label)
        expect(page.get_by_text("draft, for leaders only")).to_be_visible()
        self.publish(who)

    def close(self, who: str, label: str) -> None:
        """Close the round on the console."""
        page = self.step(who, label)
        expect(page.locator(".next-step__title", has_text=label)).to_have_count(0)

    def player_row(self, who: str, name: str) -> Locator:
        """Open what can be done with a player on the console."""
        page = self.open(who, "console/")
        row = page.locator(f"#player-{self.entry(name).number}")
        row.locator("a.row").tap()
        expect(row.get_by_role("button").first).to_be_visible()
        return row

    # --- Results -----------------------------------------------------------------------------------------------------

    def enter(self, who: str, game: Game, **result: object) -> None:
        """Enter the result of a game as a leader, from the list of missing results."""
        page = self.open(who, "console/")
        page.locator("section", has=page.locator("#missing")).get_by_role(
            "link", name=f"{game.table}: {game.first.name} – {game.second.name}"
        ).tap()
        expect(page.get_by_role("heading", name=f"{game.first.name} – {game.second.name}")).to_be_visible()
        fill_in(page, game, **result)
        press(page, "Save result")
        expect(page.locator(".next-step__label")).to_have_text("Next")
        game.refresh_from_db()
        assert game.state == Game.State.CONFIRMED

    def report(self, who: str, game: Game, **result: object) -> Page:
        """Report a result as a player."""
        page = self.open(who, "me/")
        follow(page, "Report result")
        fill_in(page, game, **result)
        press(page, "Report result")
        expect(page.get_by_text("Result reported. Your opponent confirms it.")).to_be_visible()
        return page

    def confirm(self, who: str) -> Page:
        """Confirm as a player what the opponent has reported."""
        page = self.open(who, "me/")
        press(page, "Confirm result")
        expect(page.get_by_text("Result confirmed.")).to_be_visible()
        return page


def press(page: Page | Locator, name: str) -> None:
    """Tap a button."""
    page.get_by_role("button", name=name, exact=True).tap()


def follow(page: Page, name: str) -> None:
    """Tap a link."""
    page.get_by_role("link", name=name).first.tap()


def unfold(page: Page, name: str) -> None:
    """Open a fold."""
    page.locator("summary", has_text=name).first.tap()


def choose(page: Page, field: str, label: str) -> None:
    """Tap one of the big buttons of a field."""
    page.locator(f"label:has(input[name={field}])", has_text=label).tap()


def fill_in(
    page: Page,
    game: Game,
    *,
    how: str = "Victory",
    winner: str = "",
    by: str = "",
    blue: str = "",
    roll: str = "",
    phase: str = "",
    figures: dict[str, tuple[int, int]] | None = None,
) -> None:
    """Fill in a result. `figures` are points defeated and victory tokens by name, by default 500 and 5 for the winner
    and 300 and 3 for the other.
    """
    choose(page, "how", how)
    asked = {"by": by, "blue": blue, "roll": roll, "phase": phase}
    if not blue or how == "All units defeated":  # else the figures say who wins (E27)
        asked = {"winner": winner, **asked}
    for name, value in asked.items():
        if value:
            choose(page, name, value)
    if how in ("Draw, not played", "No-show"):
        return
    for player in (game.first.name, game.second.name):
        points, tokens = figures[player] if figures else (500, 5) if player == winner else (300, 3)
        side = page.locator(".result__figures fieldset", has=page.locator("legend", has_text=player))
        side.get_by_label("Points defeated").fill(str(points))
        side.get_by_label("Victory tokens").fill(str(tokens))
