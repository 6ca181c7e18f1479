"""A laptop at a table: phones open it on plain http by a name of the LAN, where browsers allow less."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from members.services import invitations
from tests.campaign.factories import in_play, make_table, planned

pytestmark = [pytest.mark.nightly, pytest.mark.django_db(transaction=True)]

PASSWORD = "wide open skies"


@pytest.fixture
def site(live_server, settings) -> str:
    settings.ALLOWED_HOSTS = ["localhost", "laptop.lan"]
    return live_server.url.replace("localhost", "laptop.lan")


def sign_in(page: Page, site: str, user: User) -> None:
    user.set_password(PASSWORD)
    user.save()
    page.goto(f"{site}{reverse('account_login')}")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").tap()
    page.wait_for_url(f"{site}/")


def test_a_player_joins_and_plays_without_what_needs_https(page: Page, book, site):
    table = make_table()
    battle = in_play(planned(table))
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(f"{site}{reverse('account_login')}")
    assert not page.evaluate("isSecureContext")
    expect(page.get_by_role("button", name="Use a passkey")).to_be_hidden()
    expect(page.get_by_text("Here, sign in with your password.")).to_be_visible()
    sign_in(page, site, table.ada)
    page.goto(f"{site}{reverse('mfa_index')}")
    expect(page.get_by_text("Passkeys need an https address.")).to_be_visible()
    page.goto(f"{site}{reverse('notifications:settings')}")
    expect(page.get_by_text("They need JavaScript and a secure address (https).")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on push on this device")).to_be_hidden()
    page.goto(f"{site}{reverse('battles:table', args=[battle.pk])}")
    with page.expect_response("**/table/"):
        page.locator(".mark--defeated").first.tap()
    assert messages == []
    page.context.set_offline(True)
    page.locator("[data-poll]").first.evaluate("poll => htmx.trigger(poll, 'poll')")
    expect(page.get_by_text("Do not reload it: on http it opens only online.")).to_be_visible()


def test_an_organizer_passes_on_an_address_that_phones_open(page: Page, book, site):
    table = make_table()
    invitation = invitations.invite(actor=table.cora, group=table.campaign)
    sign_in(page, site, table.cora)
    page.goto(f"{site}{reverse('campaign:invitation', args=[table.campaign.pk, invitation.pk])}")
    link = f"{site}{invitation.get_absolute_url()}"
    expect(page.locator("main").get_by_text(link).or_(page.locator(f"main [value='{link}']")).first).to_be_visible()
