"""Three people with a phone each, at 360 px: one invites, two follow the link as strangers and fight."""

import re

import pytest
from playwright.sync_api import Page, expect

from campaign.battles.models import Battle
from campaign.services import campaigns
from registers.ledger.verification import differences
from registers.models import Register
from tests.browser.campaign_steps import choose_agenda, follow, new_register, plan, press
from tests.browser.walking import Player, walk
from tests.campaign.first_blood import fall, loaded
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db(transaction=True)


def invite(page: Page) -> str:
    """From the page of the campaign: make the link that is offered, and take it along."""
    follow(page, "Invite people, change roles")
    press(page, "Create invitation")
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    return page.get_by_role("textbox", name="Link", exact=True).input_value()


def sign_up_by(page: Page, link: str, name: str) -> None:
    page.goto(link)
    expect(page.get_by_text("cora invites you to this Star Wars: Legion campaign.")).to_be_visible()
    press(page, "Sign up and join")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password", exact=True).fill("steel-4-parade")
    page.get_by_label("Password (again)").fill("steel-4-parade")
    press(page, "Sign up")
    expect(page.get_by_text("Welcome to Outer Rim Winter.")).to_be_visible()
    expect(page.get_by_role("heading", name="Outer Rim Winter")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.nightly
def test_from_a_link_to_a_battle(book, phone, new_context, monkeypatch):
    organizer = make_player("cora")
    campaign = campaigns.create_campaign(actor=organizer, name="Outer Rim Winter")
    cora, ada, ben = phone(organizer), new_context().new_page(), new_context().new_page()
    cora.goto(campaign.get_absolute_url())
    link = invite(cora)
    sign_up_by(ada, link, "ada")
    sign_up_by(ben, link, "ben")
    cora.goto(f"{campaign.get_absolute_url()}people/")
    expect(cora.get_by_text("2 people joined")).to_be_visible()

    new_register(
        ada, "Rebel", ("Rebel Officer, Fighting for Freedom", "Major Tal"),
        ["Rebel Troopers", "Rebel Troopers", "Fleet Troopers"], "Liberate the System", "Dune Wardens",
    )  # fmt: skip
    new_register(
        ben, "Empire", ("Imperial Officer, Ruthless Efficiency", "Captain Sorne"),
        ["Stormtroopers", "Stormtroopers", "Snowtroopers"], "Bring Peace to the Galaxy", "Ashen Patrol",
    )  # fmt: skip

    ben.goto(campaign.get_absolute_url())
    plan(ben, "Ashen Patrol", "Dune Wardens")
    battle = Battle.objects.get()
    press(ben, "Save army")
    expect(ben.get_by_text("Waiting for Dune Wardens")).to_be_visible()
    ada.goto("/")  # what waits for her is one tap away
    follow(ada, "Choose the army of Dune Wardens")
    press(ada, "Save army")
    expect(ada.get_by_text("Waiting for Ashen Patrol")).to_be_visible()
    ben.goto(battle.get_absolute_url())
    choose_agenda(ben, "Keep Them in Line")
    ada.goto(battle.get_absolute_url())
    choose_agenda(ada, "Midnight Strikes")
    press(ada, "Start battle")
    expect(ada.get_by_role("button", name="Next round")).to_be_visible()

    follow(ada, "Report battle")
    ada.locator(".choice__option", has_text="Dune Wardens").tap()
    ada.get_by_label("Rebel Troopers (no. 2) was defeated").check()
    press(ada, "Report battle")
    expect(ada.get_by_text("Waiting for ben")).to_be_visible()
    ada.goto("/")  # the page that waits would load itself anew just as she goes on
    ben.goto("/")
    follow(ben, "Confirm ada’s report")
    fall(monkeypatch, loaded(1))
    ben.get_by_label("Nothing to enter for my units").tap()
    press(ben, "Confirm report")
    expect(ben.locator("#question")).to_contain_text("Award Supply Points")
    ada.goto(battle.get_absolute_url())
    follow(ada, "Continue Post-Battle Sequence")
    expect(ada.locator("#question")).to_contain_text("Award Supply Points")
    walk(Player(ada, names=["Grim Hounds"] * 4), Player(ben, names=["Sable Watch"] * 4))

    cora.goto(battle.get_absolute_url())
    expect(cora.get_by_text(re.compile("Dune Wardens")).first).to_be_visible()
    assert Battle.objects.get().status == Battle.Status.CLOSED
    assert not [found for register in Register.objects.all() for found in differences(register)]
