"""The pages of accounts in a browser, on a phone, under the content security policy."""

import pytest
from allauth.mfa.models import Authenticator
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.accounts.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complains of: above all, what the content security policy stopped."""
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    return heard


@pytest.fixture
def passkey(page: Page):
    """A device that makes passkeys and says yes to everything."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": device})


def sign_in(page: Page):
    page.goto("/accounts/login/?next=/accounts/")
    page.get_by_label("Username").fill("leia")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/accounts/")


@pytest.mark.nightly
def test_a_player_signs_up_and_stays_signed_in(page: Page):
    page.goto("/accounts/signup/")
    page.get_by_label("Username").fill("leia")
    page.get_by_label("Password", exact=False).first.fill(PASSWORD)
    page.get_by_label("again", exact=False).fill(PASSWORD)

    page.get_by_role("button", name="Sign up").last.click()

    expect(page).to_have_url(page.url.replace("accounts/signup/", ""))
    expect(page.get_by_text("leia").first).to_be_visible()
    assert list(User.objects.values_list("username")) == [("leia",)]


@pytest.mark.usefixtures("leia", "passkey")
def test_a_passkey_is_added_and_signs_in_alone(page: Page, complaints):
    sign_in(page)
    page.get_by_role("link", name="Passkeys and security keys").click()
    page.get_by_role("link", name="Add passkey or key").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/accounts/")
    page.locator("summary").click()
    page.get_by_role("button", name="Sign out").click()

    page.get_by_role("button", name="Use a passkey").click()

    expect(page.locator("summary")).to_have_text("leia")
    assert sorted(Authenticator.objects.values_list("type", flat=True)) == ["recovery_codes", "webauthn"]
    assert complaints == []


@pytest.mark.nightly
@pytest.mark.usefixtures("leia")
def test_a_device_without_passkeys_is_told_so(page: Page):
    page.add_init_script("navigator.credentials.get = () => Promise.reject(new Error('none'))")
    page.goto("/accounts/login/")
    expect(page.get_by_text("Your device did not offer a passkey.")).to_be_hidden()

    page.get_by_role("button", name="Use a passkey").click()

    expect(page.get_by_text("Your device did not offer a passkey.")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.usefixtures("leia")
def test_the_pages_are_legible_to_everyone_and_nothing_in_them_is_stopped(page: Page, complaints):
    for address in ("login", "signup", "password/reset"):
        page.goto(f"/accounts/{address}/")
        assert legible(page), address
    sign_in(page)
    page.goto("/accounts/2fa/totp/activate/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".qr svg")).to_be_visible()
    for address in ("", "email/", "2fa/", "2fa/totp/activate/", "2fa/webauthn/add/", "delete/"):
        page.goto(f"/accounts/{address}")
        assert legible(page), address
    assert complaints == []


def legible(page: Page) -> bool:
    """Whether axe finds nothing, and nothing is wider than the phone."""
    found = Axe().run(page).response["violations"]
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    return not wide
