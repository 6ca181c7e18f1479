"""Push messages in a browser: turning them on, and what is shown when one arrives.

No browser can be subscribed without its maker's push service, so subscribe() of the page is a stand-in; all else is the
browser's own.
"""

import json
from collections.abc import Callable, Iterator

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from accounts.models import User
from notifications.models import PushSubscription
from tests.browser.conftest import sign_in
from tests.notifications.browsers import Browser, told, work
from tests.notifications.listening import Listener, listening
from tests.registers.factories import make_player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly]

SUBSCRIBE = """PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) throw new TypeError("not as a push service wants it");
  return { toJSON: () => (%s) };
}"""
#: What notifications the worker shows, once there is one; none after some ten seconds.
SHOWN = """async () => {
  const [registration] = await navigator.serviceWorker.getRegistrations();
  let all = [];
  for (let frame = 0; frame < 600 && !all.length; frame++) {
    await new Promise(requestAnimationFrame);
    all = await registration.getNotifications();
  }
  return all.map(({ title, body, data }) => [title, body, data.url]);
}"""


@pytest.fixture
def service(settings, live_server) -> Iterator[Listener]:
    """What stands where the push service of the browser's maker would."""
    settings.SITE_URL = live_server.url
    with listening() as listener:
        settings.PUSH_ORIGINS = [listener.origin]
        yield listener


@pytest.fixture
def ada() -> User:
    ada = make_player("ada")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    return ada


def deliver(devtools: CDPSession, origin: str, registrations: list[str], message: dict[str, str]) -> None:
    """Let the browser's worker get a message, as from the push service."""
    data = {"origin": origin, "registrationId": registrations[-1], "data": json.dumps(message)}
    devtools.send("ServiceWorker.deliverPushMessage", data)


def notifications_page(context: BrowserContext, user: User, url: str) -> Page:
    sign_in(context, user, url)
    page = context.new_page()
    page.goto(f"{url}{reverse('notifications:settings')}")
    return page


def test_turned_on_and_shown(new_context: Callable[..., BrowserContext], live_server, service, ada):
    device = Browser()
    context = new_context(permissions=["notifications"])
    subscription = {"endpoint": f"{service.origin}/push/1", "keys": device.keys}
    context.add_init_script(SUBSCRIBE % json.dumps(subscription))
    page = notifications_page(context, ada, live_server.url)
    devtools, registrations = context.new_cdp_session(page), []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(each["registrationId"] for each in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.get_by_role("button", name="Turn on push on this device").click()
    expect(page.get_by_role("button", name="Remove ")).to_be_visible()
    assert PushSubscription.objects.get().user == ada

    assert told(ada, url="/battles/1/") == {ada.pk}
    work()
    deliver(devtools, live_server.url, registrations, device.read(service.bodies[0]))
    assert page.evaluate(SHOWN) == [["Report to confirm", "Confirm it.", "/battles/1/"]]


def test_a_browser_that_blocks_says_so(new_context: Callable[..., BrowserContext], live_server, service, ada):
    context = new_context()
    context.add_init_script("Notification.requestPermission = async () => 'denied'")
    page = notifications_page(context, ada, live_server.url)
    page.get_by_role("button", name="Turn on push on this device").click()
    expect(page.get_by_text("Your browser blocks notifications from this site.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn on push on this device")).to_be_enabled()
    assert PushSubscription.objects.count() == 0
