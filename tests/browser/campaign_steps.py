"""The steps of a campaign as a person takes them in the browser."""

from playwright.sync_api import Error, Page, expect


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def look_again(page: Page, address: str) -> None:
    """Open it; a page that waits may be doing so by itself at this moment."""
    try:
        page.goto(address)
    except Error as error:
        if "ERR_ABORTED" not in str(error):
            raise


def follow(page: Page, name: str) -> None:
    page.get_by_role("link", name=name).first.tap()


def new_register(page: Page, faction: str, leader: tuple[str, str], corps: list[str], arc: str, name: str) -> None:
    """From the page of the campaign: Faction, commander, corps units, Story Arc, name."""
    if not page.get_by_role("button", name="Start building").is_visible():
        page.locator("summary", has_text="New Register").tap()
    page.locator(".choice__option", has_text=faction).tap()
    press(page, "Start building")
    card, called = leader
    page.get_by_label("Search units and upgrades").press_sequentially(card)
    follow(page, card)
    page.get_by_label("Name (required)").fill(called)
    page.locator("fieldset [type='radio'][required]").first.check()
    page.get_by_role("button", name="Add ").last.tap()
    expect(page.get_by_role("link", name=called)).to_be_visible()
    for number, unit in enumerate(corps, start=2):
        add = page.get_by_role("button", name=f"Add {unit}", exact=True)
        if not add.is_visible():
            page.locator("summary", has_text="Corps").first.tap()
        add.tap()
        expect(page.locator("section", has_text="Your Register").locator(".rows > li")).to_have_count(number)
    follow(page, "Next: Aid Requests")
    follow(page, "Next: Story Arc")
    press(page, f"Choose {arc}")
    page.get_by_label("Name of the Register").fill(name)
    press(page, "Create Register")
    expect(page.get_by_role("heading", name="Register created")).to_be_visible()
    follow(page, "Open Register")


def plan(page: Page, own: str, other: str) -> None:
    follow(page, "Plan a battle")
    page.locator(".choice", has_text="Your Register").first.locator(".choice__option", has_text=own).first.tap()
    page.locator(".choice", has_text="Opponent").first.locator(".choice__option", has_text=other).tap()
    page.locator(".choice__option", has_text="600").first.tap()
    press(page, "Create battle")
    expect(page.get_by_role("heading", name=f"Army of {own}")).to_be_visible()


def choose_agenda(page: Page, agenda: str) -> None:
    page.locator(".agenda-option", has_text=agenda).tap()
    expect(page.locator(".agenda-chosen", has_text=agenda)).to_be_visible()
