"""Sixteen people without accounts and one organizer play rounds on their phones, and each tap counts."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from tests.registers.factories import make_player
from tests.tournaments.browser.hall import TOO_WIDE
from tests.tournaments.table_world import GC, TR
from tournaments.models import Entry, Event, Game

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

NAMES = (
    "Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana", "Ida", "Jon", "Kai", "Lea", "Mia", "Nils", "Ove", "Pia",
)  # fmt: skip
#: The most taps in a round: of a player, and of the organizer.
MOST_TAPS, MOST_OF_THE_ORGANIZER = 6, 5


class Phone:
    """A phone whose taps are counted. Typing into the field that has the focus is no tap."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, 0
        self.errors: list[str] = []
        page.add_init_script(TOO_WIDE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def tap(self, target: Locator) -> None:
        """Tap something once."""
        target.tap()
        self.taps += 1

    def press(self, name: str) -> None:
        """Tap the button or link with this name."""
        button, link = (self.page.get_by_role(role, name=name, exact=True) for role in ("button", "link"))
        self.tap(button.or_(link).first)

    def type(self, target: Locator, text: str) -> None:
        """Type into a field, which needs a tap unless it has the focus."""
        if not target.evaluate("each => each === document.activeElement"):
            self.tap(target)
        self.page.keyboard.type(text)


def register(phone: Phone, event: Event, name: str) -> None:
    """Register by the link on a poster, which leads to My table."""
    phone.page.goto(event.get_absolute_url())
    phone.press("Register")
    phone.type(phone.page.get_by_label("Your name"), name)
    phone.press("Register")
    expect(phone.page.get_by_role("heading", name=name)).to_be_visible()


def report(phone: Phone, game: Game) -> None:
    """Report on the phone of the first player that the first player has won, as the blue player of regulated games."""
    phone.press("Report result")
    phone.page.wait_for_url("**/report/")  # until it is loaded: scripts move the focus
    chosen = "winner" if game.round.event.rule_set == GC else "blue"
    phone.tap(phone.page.locator(f"label:has(input[name={chosen}])", has_text=game.first.name))
    for player, points, tokens in ((game.first, "500", "5"), (game.second, "300", "3")):
        side = phone.page.locator(".result__figures fieldset", has=phone.page.locator("legend", has_text=player.name))
        phone.type(side.get_by_label("Points defeated"), points)
        phone.type(side.get_by_label("Victory tokens"), tokens)
    phone.press("Report result")
    expect(phone.page.get_by_text(f"Waiting for {game.second.name} to confirm")).to_be_visible()


def play_round(olga: Phone, phones: dict[str, Phone], event: Event, number: int) -> None:
    """Draw, publish, start the clock, report, confirm and close. Phones show their table by themselves."""
    olga.press(f"Draw round {number}")
    olga.press("Publish the pairings")
    olga.press("Start the clock")
    found = Game.objects.select_related("first", "second", "round__event").filter(round__number=number)
    for game in found:
        one, other = phones[game.first.name], phones[game.second.name]
        for phone in (one, other):
            expect(phone.page.locator(".table-ticket__round")).to_contain_text(str(number))
            expect(phone.page.locator(".table-ticket__number")).to_have_text(str(game.table))
        report(one, game)
        question = one.page.get_by_label("What is it about?")
        one.page.locator("#judge details").evaluate("each => each.open = true")
        question.fill("Does my unit see theirs?")
        other.press("Confirm result")
        expect(other.page.get_by_text("Result confirmed.")).to_be_visible()
        is_last = game.round.event.rounds == number and not game.round.event.cut
        then = "That was your last game." if is_last else "Your next table appears here."
        expect(one.page.get_by_text(f"Confirmed. {then}")).to_be_visible()
        expect(question).to_have_value("Does my unit see theirs?")  # news of the page keep what is typed
    olga.press(f"Close round {number}")
    expect(olga.page.get_by_text(f"Close round {number}", exact=True)).to_have_count(0)


@pytest.mark.parametrize(("rules", "rounds"), [(GC, 4), (TR, 1)])
def test_rounds_of_walk_ins(phone, new_context, rules, rounds):
    olga = Phone(phone(make_player("olga")))
    olga.page.goto("/events/")
    olga.press("Create event")
    olga.type(olga.page.get_by_label("Name", exact=True), "Winter Cup")
    word = "Galactic Conquest" if rules == GC else "Tournament Regulations"
    olga.tap(olga.page.locator(".choice__option", has_text=word))
    olga.press("Create event")
    olga.press("Open registration")
    event = Event.objects.get()
    phones = {name: Phone(new_context().new_page()) for name in NAMES}
    for name, each in phones.items():
        register(each, event, name)
        assert each.taps == 3
    olga.page.goto(f"/events/{event.pk}/console/")
    olga.press("Check players in")
    olga.press("Check in all")
    olga.type(olga.page.get_by_label("Reason"), "Lists are on paper today")  # E9
    olga.press("Start the event")
    for number in range(1, rounds + 1):
        for each in (olga, *phones.values()):
            each.taps = 0
        play_round(olga, phones, event, number)
        assert max(each.taps for each in phones.values()) <= MOST_TAPS
        assert olga.taps <= MOST_OF_THE_ORGANIZER
    assert set(Entry.objects.values_list("state", flat=True)) == {Entry.State.PLAYING}
    for each in (olga, *phones.values()):
        assert each.errors == []
        with suppress(Error):  # a page that reloads itself at this moment interrupts it
            each.page.goto("about:blank")
