"""How tall the pages of a player's first and last ten minutes are on a phone, in screens of 360 × 800 px."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from campaign.battles.services import planning
from campaign.services import campaigns
from registers.models import Register
from registers.projection import state_of
from registers.services import building
from rules.register import effects as e
from tests.browser.broken_words import broken_words
from tests.campaign.battles.closing import GRIM_HOUNDS, blue_to_step_5, red_to_step_5
from tests.campaign.factories import happen
from tests.campaign.first_blood import ALPHA, BRAVO, Stacked, begin, choose_army, fall, found_registers, in_play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

SCREEN = 800
#: Most screens of each page.
MOST = {
    "new campaign": 2, "campaign with Registers": 2, "builder": 3, "planned battle": 2, "waiting battle": 2,
    "ready battle": 2, "report": 2.5, "step 6": 2, "step 6 after an error": 2.5, "step 7": 2, "complete": 2,
}  # fmt: skip


def measure(page: Page, name: str) -> None:
    """Compare the height of the page with its limit, once nothing loads any more; none of its words breaks inside."""
    expect(page.locator(".htmx-request")).to_have_count(0)
    height = page.evaluate("document.documentElement.scrollHeight") / SCREEN
    print(f"{name}: {height:.2f} screens of at most {MOST[name]}")
    assert height <= MOST[name], f"{name}: {height:.2f} screens"
    assert broken_words(page) == []


def test_a_new_campaign(book, phone):
    ada = User.objects.create_user("ada")
    campaign = campaigns.create_campaign(actor=ada, name="Winter of the Patrols")
    page = phone(ada)
    page.goto(campaign.get_absolute_url())
    measure(page, "new campaign")


def test_building_whatever_is_opened(book, phone):
    ada = User.objects.create_user("ada")
    draft = building.open_register(actor=ada, owner=ada, faction="empire")
    page = phone(ada)
    page.goto(f"/registers/{draft.pk}/building/?unit=imperial-officer-ruthless-efficiency")
    measure(page, "builder")
    page.get_by_label("Name (required)").fill("Captain Sorne")
    page.get_by_label("Defend in Depth").check()
    page.get_by_role("button", name="Add Imperial Officer").tap()
    for number in (1, 2, 3):
        page.get_by_role("button", name="Add Stormtroopers", exact=True).tap()
        expect(page.get_by_role("button", name="Remove Stormtroopers")).to_have_count(number)
        measure(page, "builder")
    shelves = page.locator("#shelves .shelf")
    for place in range(shelves.count()):
        if shelves.nth(place).get_attribute("open") is None:
            shelves.nth(place).locator("> summary").tap()
        expect(page.locator("#shelves .shelf[open]")).to_have_count(1)  # the others close, and this stays in sight
        expect(shelves.nth(place).locator("> summary")).to_be_in_viewport()
        measure(page, "builder")
    for stage in ("aid", "arc", "name"):
        page.goto(f"/registers/{draft.pk}/building/?stage={stage}")
        measure(page, "builder")


def test_a_planned_battle(book, phone):
    campaign, ada, ben = found_registers()
    page = phone(ada)
    page.goto(campaign.get_absolute_url())
    measure(page, "campaign with Registers")
    battle = planning.plan_battle(
        actor=ada, campaign=campaign, size=600,
        blue=planning.Contender(register_id=ada.registers.get().pk),
        red=planning.Contender(register_id=ben.registers.get().pk),
    )  # fmt: skip
    page.goto(battle.get_absolute_url())
    measure(page, "planned battle")
    sides = {side.colour: side for side in battle.sides.all()}
    choose_army(ada, sides["blue"], [ALPHA[each] for each in ("leader", "t1", "t2", "t3", "scout")])
    page.goto(battle.get_absolute_url())
    measure(page, "waiting battle")
    choose_army(ben, sides["red"], list(BRAVO.values()))
    page.goto(battle.get_absolute_url())
    measure(page, "ready battle")


def test_the_report(book, phone):
    fought = in_play()
    page = phone(fought.ada)
    page.goto(f"/battles/{fought.battle.pk}/report/")
    measure(page, "report")


def wound_all(register: Register) -> None:
    """Give each unit a long name and Setbacks, and the Register SP for all requests."""
    name_all(register, "of the longest names that any unit of this Register was given")
    for card in ("downtrodden", "battle-fatigue"):
        happen(register, *(e.SetbackGained(unit=key, setback=card, rule="R36") for key in state_of(register).dossiers))
    happen(register, e.SupplyPointsGained(amount=30, rule="R30"))


def name_all(register: Register, name: str) -> None:
    named = [e.UnitNamed(unit=key, name=f"{key} {name}", rule="R9") for key in state_of(register).dossiers]
    happen(register, *named)


def test_the_last_steps_and_the_end(book, phone, monkeypatch):
    fall(monkeypatch, Stacked("corps", "heavy"))
    fought = begin()
    blue_to_step_5(fought)
    red_to_step_5(fought)
    fought.answer("blue", "7")
    fought.answer("red", "3")
    page, address = phone(fought.ada), f"/battles/{fought.battle.pk}/sequence/blue/"
    page.goto(address)
    measure(page, "step 6")
    page.get_by_label("Name").fill("   ")
    page.locator("#answer .pick:visible").first.tap()
    expect(page.get_by_role("alert").get_by_text("needs a name")).to_be_visible()
    measure(page, "step 6 after an error")
    fought.answer("blue", GRIM_HOUNDS)
    page.goto(address)
    measure(page, "step 7")
    wound_all(fought.blue.own_register)
    page.reload()
    measure(page, "step 7")  # however many units have something to wish for
    name_all(fought.blue.own_register, "Hounds")
    page.reload()
    page.locator("summary", has_text="Request Strategic Asset").tap()
    expect(page.get_by_role("button", name=re.compile("Combat Drop"))).to_be_visible()
    for colour in ("blue", "blue", "red", "red"):
        fought.answer(colour, None)
    page.goto(address)
    measure(page, "complete")
    page.goto(f"/registers/{fought.blue.register_id}/ledger/")
    row = page.locator("main .history__entry").first.bounding_box()
    assert row["y"] + row["height"] <= SCREEN  # the newest entry is on the first screen
