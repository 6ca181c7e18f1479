"""The main pages on a slow phone are light, and nothing moves after it is painted. `bench/paint.py` times them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median

import pytest
from django.conf import settings as live_settings
from django.core.management import call_command
from django.test import Client
from django.test.testcases import LiveServerThread
from playwright.sync_api import BrowserContext, CDPSession, Page

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign
from core.templatetags import cached_include
from dashboard.management.commands import demo

pytestmark = pytest.mark.django_db(transaction=True)

#: How many times slower than this machine the phone is; how often each page is loaded.
SLOWER, LOADS = 4, 3
#: Bytes of a page with all its files but pictures.
HEAVIEST = 120_000
#: What a load may move in all: less than the last digit that Lighthouse writes. A page painted half read moves some.
STILL = 0.001

WATCH = """
window.watched = { shifts: [], painted: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.watched.painted = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    window.watched.shifts.push([value, ...sources.map(({ node }) => node?.outerHTML?.slice(0, 120))]);
}).observe({ type: "layout-shift", buffered: true });
"""
#: Two frames after everything has arrived and whatever moves by itself has come to rest.
AT_REST = """async () => {
  while (!window.watched.painted) await new Promise(requestAnimationFrame);
  const ends = ({ effect }) => effect.getTiming().iterations !== Infinity;
  await Promise.all(document.getAnimations().filter(ends).map((each) => each.finished));
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
  return window.watched;
}"""


@dataclass
class Slow:
    """A slow phone. `weighed` is what came to it since the last load: kind and bytes, headers included."""

    page: Page
    cdp: CDPSession
    kinds: dict[str, str] = field(default_factory=dict)
    weighed: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.add_init_script(WATCH)
        self.cdp.send("Network.enable")
        self.cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self.cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        self.cdp.on(
            "Network.responseReceived", lambda message: self.kinds.update({message["requestId"]: message["type"]})
        )
        self.cdp.on("Network.loadingFinished", self._weigh)

    def _weigh(self, data: dict) -> None:
        self.weighed.append((self.kinds.get(data["requestId"], ""), data["encodedDataLength"]))

    def load(self, url: str) -> tuple[list, float]:
        """What moved, and the bytes that are no picture."""
        self.weighed.clear()
        assert self.page.goto(url, wait_until="load").status == 200
        seen = self.page.evaluate(AT_REST)
        return seen["shifts"], sum(size for kind, size in self.weighed if kind != "Image")


@pytest.fixture
def production(settings, tmp_path, book) -> Iterator[str]:
    """The site as gunicorn serves it: static files collected, with hashes and compressed, by WhiteNoise."""
    settings.STATIC_ROOT = tmp_path
    compressed = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": compressed}
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    cached_include.forget()  # parts of pages that name files without their hashes
    call_command("collectstatic", verbosity=0, interactive=False)
    server = LiveServerThread("127.0.0.1", static_handler=lambda application: application)
    server.daemon = True
    server.start()
    server.is_ready.wait()
    assert server.error is None
    yield f"http://127.0.0.1:{server.port}"
    server.terminate()
    cached_include.forget()


@pytest.fixture
def slow(new_context, production, monkeypatch, tmp_path) -> Slow:
    """Ada's phone, in the demo campaign after four battles."""
    monkeypatch.setattr(demo, "DATA_DIR", tmp_path)
    call_command("demo", verbosity=0)
    client = Client()
    client.force_login(User.objects.get(username="ada"))
    context: BrowserContext = new_context()
    session = client.cookies[live_settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": live_settings.SESSION_COOKIE_NAME, "value": session, "url": production}])
    page = context.new_page()
    return Slow(page, context.new_cdp_session(page))


def main_pages() -> dict[str, str]:
    """Those that people look at all evening."""
    campaign = Campaign.objects.get()
    battle = Battle.objects.get(status=Battle.Status.SEQUENCE)
    register = battle.sides.get(colour="blue").register
    return {
        "home": "/",
        "campaign": campaign.get_absolute_url(),
        "Register": f"/registers/{register.pk}/",
        "battle": battle.get_absolute_url(),
        "sequence": f"/battles/{battle.pk}/sequence/",
        "chronicle": f"{campaign.get_absolute_url()}chronicle/",
        "rules": "/rules/",
    }


def shifted(shifts: list) -> float:
    """How far a page moved in one load. The middle one counts: a busy machine may paint once before all is there."""
    return sum(value for value, *_ in shifts)


@pytest.mark.nightly
def test_light_and_still(slow, production):
    slow.load(f"{production}/")  # the first load of all warms what a server in use has warm
    moved, heavy = {}, {}
    for name, path in main_pages().items():
        loads = [slow.load(f"{production}{path}") for _ in range(LOADS)]
        # The middle one: what the load before still had to tell is now and then counted with this one.
        heavy[name] = round(median(weight for _, weight in loads))
        moved[name] = sorted((shifts for shifts, _ in loads), key=shifted)[len(loads) // 2]
    assert {name: shifts for name, shifts in moved.items() if shifted(shifts) >= STILL} == {}
    assert {name: weight for name, weight in heavy.items() if weight > HEAVIEST} == {}
    assert {name for name, weight in heavy.items() if weight < 1_000} == set()  # something was weighed
