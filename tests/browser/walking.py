"""A player with a phone: walks the sequence by what the page shows, and counts every tap."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, TimeoutError as TooLate, expect


@dataclass
class Player:
    """Somebody at the table. `picks` are labels to tap among several, in this order of preference.

    `aid` are the requests still to be made, by what stands on their buttons; `adds` the units to add in step 8,
    by shelf and name; `names` what units are called; `faces` what the own tokens and dice show, if they are typed in.
    `taps` counts every touch, and `typed` every name; `errors` are what the browser complains of.
    """

    page: Page
    picks: Sequence[str] = ()
    aid: list[str] = field(default_factory=list)
    adds: list[tuple[str, str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    faces: list[str] = field(default_factory=list)
    taps: int = 0
    typed: int = 0
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    @property
    def step(self) -> int:
        """The number of the running step; 0 when all are done."""
        number = self.page.locator(".question__number")
        return int(number.inner_text()) if number.count() else 0

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to tap: no waiting panel, and not the end."""
        return bool(self.step) and not self.page.locator(".waiting").count()

    @property
    def is_done(self) -> bool:
        """Whether the sum of the whole sequence is shown."""
        return bool(self.page.locator("#sum, #poster").count())

    def answer(self) -> None:
        """Answer the question on the page, in as few taps as it takes."""
        if self.faces and self.page.locator("form#table").count():
            self._enter_dice()
        elif self.page.locator("form#app").count():
            self.press(self._action)
        elif self.step == 6 and self.page.locator("[name^='commendation:']").count():
            self._award()
        elif self.step == 7:
            self._request()
        elif self.step == 8:
            self._edit()
        else:
            self.press(self._pick())

    def press(self, target: Locator) -> None:
        """Tap what answers, and wait for the page as it is then."""
        before = self.page.locator("#other-side").get_attribute("hx-get")
        self.touch(target)
        expect(self.page.locator(f"#other-side[hx-get='{before}']")).to_have_count(0)
        self._skip_the_reveal()

    def _skip_the_reveal(self) -> None:
        """Close the dialog of Casualty Checks, which lead on by themselves; the last one would close it."""
        if self.page.locator("template#reveal").count():
            self.page.locator("dialog.reveal").wait_for()
            self.page.evaluate("document.querySelector('dialog.reveal').close()")

    def touch(self, target: Locator) -> None:
        """Tap, and count it."""
        target.tap()
        self.taps += 1

    def moves_on(self, within: int) -> bool:
        """Whether a page that waits moves on by itself within so many milliseconds."""
        try:
            self.page.locator(".waiting").wait_for(state="detached", timeout=within)
        except TooLate:
            return False
        self._skip_the_reveal()
        return self.is_asked

    @property
    def _action(self) -> Locator:
        return self.page.locator(".action-bar .button--primary")

    def _pick(self) -> Locator:
        for label in self.picks:
            if (found := self.page.locator(".pick", has_text=label)).count():
                return found.first
        return self.page.locator(".pick").first

    def _award(self) -> None:
        for due in self.page.locator("form#answer > .due").all():
            if (name := due.locator("[name^='name:']")).count():
                self.touch(name)
                name.press_sequentially(self.names.pop(0))
                self.typed += 1
            if due.locator(".pick").count():
                wanted = [pick for each in self.picks if (pick := due.locator(".pick", has_text=each)).count()]
                pick = wanted[0].first if wanted else due.locator(".pick").first
                if not pick.is_visible():
                    self.touch(due.locator("summary", has_text="more Commendations"))
                self.press(pick)
                return
            self.touch(due.locator(".choice__option").first)
        self.press(self._action)

    def _enter_dice(self) -> None:
        self.touch(self.page.locator("details:has(form#table) > summary"))
        for token in self.page.locator("form#table select").all():
            token.select_option(self.faces.pop(0))
        for die in self.page.locator("form#table .faces").all():
            self.touch(die.locator(f".faces__face:has([value='{self.faces.pop(0)}'])"))
        self.press(self.page.get_by_role("button", name="Use these"))

    def _request(self) -> None:
        wanted = self.aid.pop(0) if self.aid else ""
        button = self.page.locator("button.pick", has_text=wanted)
        end = self._action if self.adds else self.page.locator("[name='no_edits']")
        self.press(button.first if wanted and button.count() else end)

    def _edit(self) -> None:
        if not self.adds:
            self.press(self._action)
            return
        shelf, unit = self.adds.pop(0)
        add = self.page.get_by_role("button", name=f"Add {unit}", exact=True)
        if not add.is_visible():
            self.touch(self.page.locator("summary", has_text=shelf).first)
        self.press(add)


def walk(*players: Player) -> None:
    """Let all of them answer in turn, until every sequence is over."""
    looked = 0
    while not all(player.is_done for player in players):
        asked = [player for player in players if player.is_asked]
        for player in asked:
            player.answer()
        if asked:
            looked = 0
        elif not any(player.moves_on(within=500) for player in players):
            looked += 1
            assert looked < 20, "both wait, and neither page moves on"
