"""The Post-Battle Sequence, as two phones walk it by what the pages offer."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page

from bench.rehearsal.battle import Fought, Player
from bench.rehearsal.person import Person, shown

TAKES_BACK, AT_THE_TABLE, ASKS_AID, EDITS = 0.02, 0.15, 0.5, 0.5
#: What rolls, or ends a step in which more could be done.
SIMPLE = ".action-bar button[form='app'], .action-bar button[form='answer']"


class Walker:
    """A player on the way through the ten steps of a battle."""

    def __init__(
        self, player: Player, battle: Fought | None, page: Page | None = None, person: Person | None = None
    ) -> None:
        self.player, self.battle, self.person = player, battle, person or player.person
        self.page = page or self.person.page
        self.path = f"{battle.path}sequence/" if battle else ""
        self.edited = self.asked = 0

    def open(self) -> None:
        """Come to the page of the own sequence."""
        self.person.open(self.path)

    def has(self, selector: str) -> bool:
        """Whether the page has that."""
        return self.page.locator(selector).count() > 0

    @property
    def is_done(self) -> bool:
        """Whether it is over for this side."""
        return self.has("#sum, #poster")

    @property
    def is_asked(self) -> bool:
        """Whether the page asks anything."""
        return self.has(".question") and not self.has(".waiting")

    @property
    def step(self) -> int:
        """The number of the running step; 0 when there is none."""
        number = self.page.locator(".question__number")
        return int(number.inner_text()) if number.count() else 0

    def answer(self) -> None:
        """Answer what is asked, in some way that it offers."""
        self.person.record.counts["answers"] += 1
        # Now and then, and as soon as it can be once: what chance alone brings, it may leave out.
        never = not self.person.record.opened["battles:undo"]
        if (never or self.person.chance(TAKES_BACK)) and self.undo():
            return
        form = self._forms()
        form()
        if self.has("#refused"):
            text = self.page.locator("#refused").inner_text()
            print(f"           refused in step {self.step}: {text!r}", flush=True)

    def tap(self) -> Locator | None:
        """Something that answers by one tap, if the question has it."""
        if self.is_asked:
            for found in (self.page.locator("button.pick[name='choice']"), self.page.locator(SIMPLE)):
                if found.count() and found.first.is_visible():
                    return found.first
        return None

    def undo(self) -> bool:
        """Undo the last answer, where that is offered."""
        back = self.page.locator("form[action$='undo/'] button")
        if not back.count():
            return False
        self.person.record.counts["undos"] += 1
        self.person.touch(back.first)
        return True

    def _forms(self) -> Callable[[], None]:
        if self.has("form#app"):
            return self._dice
        step = self.step
        if step == 6 and self.has("[name^='commendation:'], [name^='name:']"):
            return self._award
        if step == 7 and self.has("button.pick[name='answer'], .aid__rest"):
            return self._aid
        if step == 8:
            return self._edit
        if self.has("button.pick"):
            return self._pick
        return self._rest

    @property
    def _bar(self) -> Locator:
        return self.page.locator(".action-bar .button--primary").last

    def _dice(self) -> None:
        dice = self.page.locator("form#table fieldset")
        if not dice.count() or not self.person.chance(AT_THE_TABLE):
            self.person.touch(self._bar)
            return
        self.person.unfold("Enter my own dice")
        for die in dice.all():
            self.person.any_of(die.locator("label")).click()
        self.person.press("Use these results", within=self.page.locator(".action-bar"))

    def _pick(self) -> None:
        self.person.touch(self.person.any_of(self.page.locator("button.pick")))

    def _award(self) -> None:
        for due in self.page.locator("form#answer > .due").all():
            if due.get_attribute("open") is None:
                due.locator("> summary").click()
            for more in due.locator("details:not([open]) > summary").all():
                more.click()
            name = due.locator("[name^='name:']")
            if name.count():
                name.fill(f"Squad {self.person.random.randrange(1000)}")
            picks = due.locator("button.pick")
            if picks.count():
                self.person.touch(self.person.any_of(picks))
                return
            options = due.locator(".award > .choice__option")
            if not options.count():
                continue
            chosen = self.person.any_of(options)
            chosen.click()
            keywords = chosen.locator("xpath=..").locator(".award__keywords .choice__option")
            if keywords.count():
                keywords.first.click()
        self.person.touch(self._bar)

    def _aid(self) -> None:
        """A request that one tap makes, or one that is unfolded first; then on."""
        taps = shown(self.page.locator("button.pick[name='answer']"))
        if self.asked < 2 and taps and self.person.chance(ASKS_AID):
            self.asked += 1
            self.person.touch(self.person.random.choice(taps))
        else:
            self.person.touch(self._bar)

    def _edit(self) -> None:
        """Add a corps unit where there is room for one, or must be; then on."""
        refused = self.has("#refused")
        if (self.edited < 1 and self.person.chance(EDITS)) or refused:
            self.edited += 1
            closed = self.page.locator("details#shelf-corps")
            if closed.count():
                closed.locator("> summary").click()
                closed.wait_for(state="detached")
                # Another phone may have answered for this side meanwhile: there is nothing to add to.
                if not self.has("form#shelf-corps"):
                    self.open()
                    return
            shelf = self.page.locator("form#shelf-corps > details").first
            if shelf.count():
                if shelf.get_attribute("open") is None:
                    shelf.locator("> summary").click()
                adds = shelf.locator("> .offer button")
                if adds.count():
                    self.person.touch(self.person.any_of(adds))
                    return
        # A unit that is owed may be missing.
        with self.person.record.expecting(422):
            self.person.touch(self._bar)

    def _rest(self) -> None:
        """Yes or no, a card that joins, dice to roll again: whatever there is to press, filled in where it must be."""
        if self.has("form.yes-no"):
            self.person.press("Yes" if self.person.chance(0.8) else "No")
            return
        cards = self.page.locator("form#answer input[name='card']")
        if cards.count():
            self.person.any_of(self.page.locator("form#answer .award > .choice__option")).click()
        takes = self.page.locator("form#answer input[name='take']")
        if takes.count():
            how_many = int((re.findall(r"\d+", self._bar.inner_text()) or ["1"])[0])
            for box in takes.all()[:how_many]:
                box.check()
        if self.has("form#keep"):
            self.person.touch(self.page.locator(".action-bar [form='keep']"))
            return
        self.person.touch(self._bar)


def walk(*walkers: Walker) -> None:
    """Let all answer in turn until the sequence of each is over."""
    waited = 0
    while not all(each.is_done for each in walkers):
        moved = False
        for each in walkers:
            if each.is_asked:
                each.answer()
                moved = True
        if moved:
            waited = 0
            continue
        waited += 1
        if waited > 2:
            raise AssertionError("\n\n".join(each.page.locator("body").inner_text() for each in walkers))
        for each in walkers:
            each.open()
