"""The whole job by two people with a phone each, at 360 px: from signing in to two Registers that are right."""

import pytest
from playwright.sync_api import Page, expect

from campaign.battles.models import Battle
from registers.ledger.verification import differences
from registers.models import Register
from registers.projection import state_of
from tests.browser.campaign_steps import choose_agenda, follow, look_again, new_register, plan, press
from tests.browser.walking import Player, walk
from tests.campaign.first_blood import Stacked, fall
from tests.registers.factories import make_player

pytestmark = pytest.mark.django_db(transaction=True)


def sign_in(page: Page, name: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("steel-4-parade")
    page.get_by_role("button", name="Sign in", exact=True).tap()
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()


def found_campaign(page: Page, other: str) -> None:
    follow(page, "Create a campaign")
    page.get_by_label("Name").fill("Outer Rim Winter")
    press(page, "Create campaign")
    follow(page, "Invite people, change roles")
    page.get_by_text("Add someone with an account").tap()
    page.get_by_label("Their sign-in name").fill(other)
    press(page, "Add player")
    expect(page.get_by_role("link", name="ada organizer")).to_be_visible()
    follow(page, "Outer Rim Winter")
    expect(page.get_by_role("heading", name="Outer Rim Winter")).to_be_visible()


@pytest.mark.nightly
def test_two_registers_that_are_right(book, new_context, monkeypatch):
    make_player("ada")
    make_player("ben")
    ada, ben = new_context().new_page(), new_context().new_page()
    sign_in(ada, "ada")
    sign_in(ben, "ben")

    found_campaign(ada, "ben")
    campaign = ada.url
    new_register(
        ada, "Empire", ("Imperial Officer, Ruthless Efficiency", "Captain Sorne"),
        ["Stormtroopers", "Stormtroopers", "Snowtroopers"], "Bring Peace to the Galaxy", "Ashen Patrol",
    )  # fmt: skip
    ben.goto(campaign)
    new_register(
        ben, "Rebel", ("Rebel Officer, Fighting for Freedom", "Major Tal"),
        ["Rebel Troopers", "Rebel Troopers", "Fleet Troopers"], "Liberate the System", "Dune Wardens",
    )  # fmt: skip

    ada.goto(campaign)
    plan(ada, "Ashen Patrol", "Dune Wardens")
    press(ada, "Save army")
    expect(ada.get_by_text("Waiting for Dune Wardens")).to_be_visible()
    battle = ada.url
    look_again(ben, battle)
    follow(ben, "Choose army of Dune Wardens")
    press(ben, "Save army")
    expect(ben.get_by_text("Waiting for Ashen Patrol")).to_be_visible()
    look_again(ada, battle)
    choose_agenda(ada, "Keep Them in Line")
    look_again(ben, battle)
    choose_agenda(ben, "Midnight Strikes")
    press(ben, "Start battle")
    expect(ben.get_by_role("button", name="Next round")).to_be_visible()

    # Each of them reports their own units; who sees the other's part last confirms.
    look_again(ada, battle)
    follow(ada, "Report battle")
    ada.locator(".choice__option", has_text="Ashen Patrol").tap()
    ada.get_by_label("Stormtroopers (no. 2) was defeated").check()
    press(ada, "Report battle")
    expect(ada.get_by_text("Waiting for ben")).to_be_visible()
    look_again(ben, battle)
    ben.get_by_role("link", name="Dispute report").tap()  # it opens the form below
    follow(ben, "Change report")
    ben.get_by_label("Rebel Troopers (no. 2) was defeated").check()
    ben.get_by_label("Rebel Troopers (no. 3) was defeated").check()
    press(ben, "Report battle")
    expect(ben.get_by_text("Waiting for ada")).to_be_visible()
    look_again(ada, battle)
    ada.get_by_role("button", name="Confirm report").tap()
    look_again(ben, battle)
    for page in (ada, ben):
        expect(page.locator("#question")).to_contain_text("Award Supply Points")

    # Supply for ada, her check and its Setback; then ben's supply and his two checks.
    fall(monkeypatch, Stacked("block", "hit", "blank", "block", "surge", "blank"))
    players = (
        Player(ada, picks=["Fleet Troopers"], aid=["Active Recruiting"], adds=[("Corps", "Snowtroopers")]),
        Player(ben, picks=["Captain Sorne"]),
    )
    walk(*players)

    assert Battle.objects.get().status == Battle.Status.CLOSED
    assert not [found for register in Register.objects.all() for found in differences(register)]
    alpha, bravo = (state_of(Register.objects.get(name=name)) for name in ("Ashen Patrol", "Dune Wardens"))
    follow(ada, "Show after-action report")
    expect(ada.get_by_role("heading", name="Ashen Patrol", exact=True)).to_be_visible()
    assert (alpha.supply_points, alpha.combat_potential, len(alpha.dossiers)) == (7, 750, 5)
    assert {key: dossier.experience for key, dossier in alpha.dossiers.items()} == {
        "1": 4, "2": 1, "3": 1, "4": 1, "5": 0,
    }  # fmt: skip
    assert alpha.dossiers["2"].setbacks == ("battle-shaken",)
    assert (bravo.supply_points, list(bravo.fallen)) == (8, ["2"])
    assert {key: dossier.experience for key, dossier in bravo.dossiers.items()} == {"1": 1, "3": 2, "4": 4}
