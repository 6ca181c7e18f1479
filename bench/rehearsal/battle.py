"""A battle from its plan to the confirmed report, by its two players."""

import re
from dataclasses import dataclass

from bench.rehearsal.person import Person, shown

#: How often an Agenda's tokens are enough for all that it asks.
DONE = 0.9


@dataclass
class Player:
    """A person who plays a Register in the campaign; `register` is where its page is."""

    person: Person
    register: str
    name: str
    done: bool = False

    def look(self) -> None:
        """Look at the Register: whether all its Story Arcs are complete."""
        self.person.open(self.register)
        self.done = self.person.page.get_by_text("all Story Arcs complete", exact=True).count() > 0


@dataclass
class Fought:
    """A battle: where its page and its campaign's are, and who plays; `second` is None where a guest does."""

    path: str
    campaign: str
    first: Player
    second: Player | None

    @property
    def players(self) -> list[Player]:
        """Those at the table."""
        return [each for each in (self.first, self.second) if each]


def plan(campaign: str, first: Player, second: Player | None, size: str = "1000") -> Fought:
    """The first plans it, against the second or a guest. Where a Turning Point Mission must be played, it is."""
    person = first.person
    person.open(f"{campaign}battles/new/")
    own = person.page.locator(".choice", has_text=re.compile("Your Register|First Register")).first
    if own.count():
        person.option(re.compile(rf"^\s*{re.escape(first.name)}"), own).click()
    against = person.page.locator(".choice", has_text="Opponent").first
    if second:
        person.option(re.compile(rf"^\s*{re.escape(second.name)}"), against).click()
    else:
        person.option(re.compile("guest", re.IGNORECASE), against).click()
        person.fill(guest_name="Somebody from next door", guest_points="600")
        person.page.locator("[name='guest_faction']").select_option(index=1)
    person.page.locator(f"input[name='size'][value='{size}']").check(force=True)
    _choose_mission(person, first, second)
    person.touch(person.page.locator(".action-bar .button--primary"))
    there = person.page.locator(".breadcrumbs a").last.get_attribute("href") or ""
    return Fought(there, campaign, first, second)


def _choose_mission(person: Person, first: Player, second: Player | None) -> None:
    """Whoever may play their Turning Point Mission does; its owner is blue."""
    eligible = person.page.locator("section li:has(.stamp)", has_not=person.page.locator("details"))
    names = eligible.locator("b").all_inner_texts()
    whose = {first.name: "own", second.name if second else "": "opponent"}
    chosen = next((whose[name] for name in names if name in whose), "")
    if names:
        person.page.locator(f"input[name='turning_point'][value='{chosen}']").check(force=True)


def choose_army(player: Player, battle: Fought, *, hand: bool = False) -> None:
    """Field all units, and now and then a Command Hand and a Battle Deck."""
    person = player.person
    person.open(battle.path)
    person.follow(re.compile(rf"(Choose army( of {re.escape(player.name)})?|Change army)"))
    person.press("Select all")
    if hand:
        _cards(person, "Command Hand", "hand")
        _cards(person, "Battle Deck", "deck")
    reason = person.page.locator("[name='rank_reason']")
    if reason.is_visible():
        reason.fill("We have no other figures")
    person.touch(person.page.locator(".action-bar .button--primary"))
    if person.has("#army"):
        raise AssertionError(f"{person.name} cannot save the army: {person.page.locator('main').inner_text()}")


def _cards(person: Person, leaf: str, name: str) -> None:
    """Fill the fields of a leaf of cards with the first ones that are free."""
    person.unfold(leaf)
    all_nine = person.page.get_by_role("button", name="Select all nine")
    if name == "deck" and all_nine.count():
        person.touch(all_nine)
        return
    for place in range(person.page.locator(f"select[name='{name}']").count()):
        field = person.page.locator(f"select[name='{name}']").nth(place)
        taken = {each.input_value() for each in person.page.locator(f"select[name='{name}']").all()}
        free = [each.get_attribute("value") or "" for each in field.locator("option").all()]
        chosen = next((value for value in free if value and value not in taken), "")
        field.select_option(chosen)
        person.page.wait_for_load_state("networkidle")


def choose_agendas(battle: Fought) -> None:
    """Choose the first Agenda of each side, Blue first, if there is one to choose."""
    for player in (*battle.players, *battle.players):
        person = player.person
        person.open(battle.path)
        agenda = person.page.locator("#choose-agenda .agenda-option")
        if agenda.count():
            person.touch(agenda.first)


def begin(player: Player, battle: Fought) -> None:
    """Start the battle."""
    person = player.person
    person.open(battle.path)
    person.press("Start battle")


def report(player: Player, battle: Fought, *, won: bool | None = None) -> None:
    """Write what happened: who fell, who held, how the Agendas went."""
    person = player.person
    person.open(f"{battle.path}report/")
    for fold in person.page.locator("details.report-other:not([open]) > summary").all():
        fold.click()
    winner = person.random.choice(["blue", "red"] if won is None else ["blue" if won else "red"])
    person.fill(**{f"{colour}-vp": "8" if colour == winner else "5" for colour in ("blue", "red")})
    person.page.locator(f"label:has(#winner-{winner})").click()
    for colour in ("blue", "red"):
        _fell(person, colour)
        _agenda(person, colour)
    person.unfold("Mission and notes")
    person.fill(notes="A long evening.")
    person.touch(person.page.locator(".action-bar .button--primary"))
    if person.has("#report"):
        raise AssertionError(f"{person.name} cannot report: {person.page.locator('main').inner_text()}")


def _fell(person: Person, colour: str) -> None:
    """Some fell, some others held an objective, and as many are marked as the Agenda says, or all that may be; who fell
    is not where it marks the undefeated."""
    for row in shown(person.page.locator(f"tr:has(input[name='{colour}-fell'])")):
        happened = person.random.choices(("fell", "held", ""), weights=(1, 1, 2))[0]
        for what in ("fell", "held"):
            row.locator(f"input[name='{colour}-{what}']").set_checked(happened == what)
    boxes = person.page.locator(f"input[name='{colour}-marked']:enabled")
    if not boxes.count():
        return
    text = person.page.locator("main .sheet", has=boxes).first.inner_text()
    most, marked = re.search(r"Mark (\d+)", text), 0
    for box in boxes.all():
        fell = box.locator("xpath=ancestor::tr").locator(f"input[name='{colour}-fell']").is_checked()
        mark = (most is None or marked < int(most[1])) and not (fell and "undefeated" in text)
        box.set_checked(mark)
        marked += mark


def _agenda(person: Person, colour: str) -> None:
    """Most of what an Agenda asks for was done."""
    tokens = person.page.locator(f"input[name='{colour}-tokens'], input[name='{colour}-secondary_vp']")
    for field in shown(tokens):
        field.fill("7" if person.chance(DONE) else "2")
    for box in shown(person.page.locator(f"input[name='{colour}-confirmed'], input[name='{colour}-claims']")):
        box.check()


def confirm(player: Player, battle: Fought) -> None:
    """Agree with the other's report."""
    person = player.person
    person.open(battle.path)
    nothing = person.page.get_by_label("Nothing to enter for my units")
    if nothing.count():
        nothing.check()
    person.press("Confirm report")
