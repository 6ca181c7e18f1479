"""How tall the main pages are on a phone, in screens of 360 × 800 px.

    .venv/bin/python bench/page_heights.py

plays the demo campaign on a site in a directory that is removed at the end, and opens each page in the system's
Chromium when it is of use: the army page while the army is chosen, the report while the battle is played. The exit
status is 1 when a page is taller than its limit.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from uuid import uuid4

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.own_site import own_site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from accounts.models import User
    from registers.models import Register

WIDTH, HEIGHT = 360, 800
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
#: Most screens of a page that has a limit.
LIMITS: Mapping[str, float] = {
    "Building": 3,
    "Campaign": 3,
    "Register": 3,
    "Dossier": 3,
    "Dossier of the Paragon": 3,
    "History, 30 battles": 3,
    "Report": 2.5,
    "Battle, to confirm": 2,
}
#: Screens before the pages were folded (commit c4d5a16), for comparison.
BEFORE: Mapping[str, str] = {
    "Home": "1.3",
    "Building": "1.8–2.6",
    "Unit form": "3.7",
    "Register": "4.1–4.6",
    "Dossier": "2.6",
    "History, 3 battles": "8.5",
    "Army": "3.0",
    "Battle": "3.6–4.1",
    "Battle, to confirm": "3.8",
    "Report": "3.5",
    "Sequence, step 1": "1.9–3.7",
    "Rules": "61",
}
#: Battles of the long history.
MANY = 30


class Phones:
    """Phones of players, and the heights that they measured, by the name of the page."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._pages: dict[str, Page] = {}
        self.heights: dict[str, float] = {}

    def measure(self, name: str, user: User, path: str) -> Page:
        """Open a page and keep its height in screens. Raises ValueError unless it is shown."""
        page = self._page(user)
        answer = page.goto(f"{self._address}{path}", wait_until="load")
        if answer is None or not answer.ok or "/accounts/" in page.url:
            raise ValueError(f"{name}: {path} is not shown, but {page.url}")
        self.heights[name] = page.evaluate("document.documentElement.scrollHeight") / HEIGHT
        return page

    def _page(self, user: User) -> Page:
        if user.username not in self._pages:
            from django.conf import settings
            from django.test import Client

            client = Client()
            client.force_login(user)
            context = self._browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
            cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": self._address}])
            self._pages[user.username] = context.new_page()
        return self._pages[user.username]


@contextmanager
def served() -> Iterator[str]:
    """Serve the site in a thread. Yields its address."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.test.testcases import LiveServerThread
    from django.test.utils import override_settings

    with override_settings(ALLOWED_HOSTS=["127.0.0.1", "testserver"], DEBUG=False):
        server = LiveServerThread("127.0.0.1", static_handler=StaticFilesHandler)
        server.daemon = True
        server.start()
        server.is_ready.wait()
        if server.error is not None:
            raise server.error
        try:
            yield f"http://127.0.0.1:{server.port}"
        finally:
            server.terminate()


def play_and_measure(phones: Phones) -> None:
    """Play the demo campaign; at each stage of its last battle, measure the pages of that stage."""
    from campaign.scenarios import battle as scenarios, demo

    def after(service: Callable[..., Any], measure: Callable[[Any], None]) -> Callable[..., Any]:
        def wrapped(**words: Any) -> Any:
            done = service(**words)
            measure(words)
            return done

        return wrapped

    def planned(_words: Any) -> None:
        side = _battle().sides.get(colour="blue")
        phones.measure("Army", side.register.owner, f"/sides/{side.pk}/army/")

    def begun(_words: Any) -> None:
        battle = _battle()
        ada = battle.sides.get(colour="blue").register.owner
        phones.measure("Battle", ada, f"{battle.get_absolute_url()}?details")
        phones.measure("Table", ada, f"{battle.get_absolute_url()}table/")
        phones.measure("Report", ada, f"{battle.get_absolute_url()}report/")

    def reported(_words: Any) -> None:
        battle = _battle()
        ben = battle.sides.get(colour="red").register.owner
        phones.measure("Battle, to confirm", ben, battle.get_absolute_url())

    def last_battle(*words: Any) -> Any:
        with ExitStack() as stack:
            for services, name, measure in (
                (scenarios.planning, "plan_battle", planned),
                (scenarios.army_service, "begin", begun),
                (scenarios.reports, "report", reported),
            ):
                service = getattr(services, name)
                stack.enter_context(patch.object(services, name, after(service, measure)))
            return scenarios.begin_sequence(*words)

    with patch.object(demo, "begin_sequence", last_battle):
        demo.set_up_campaign()
    battle = _battle()
    register = battle.sides.get(colour="blue").register
    ada = register.owner
    phones.measure("Sequence, step 1", ada, f"{battle.get_absolute_url()}sequence/")
    mine = f"/registers/{register.pk}/"
    phones.measure("Home", ada, "/")
    phones.measure("Campaign", ada, battle.campaign.get_absolute_url())
    phones.measure("Rules", ada, "/rules/")
    phones.measure("Register", ada, mine)
    phones.measure("Dossier of the Paragon", ada, f"{mine}dossiers/{register.paragon}/")
    phones.measure("Dossier", ada, f"{mine}dossiers/2/")
    phones.measure("History, 3 battles", ada, f"{mine}ledger/")
    _fight_often(register)
    phones.measure(f"History, {MANY} battles", ada, f"{mine}ledger/")
    _measure_building(phones, ada)


def _battle() -> Any:
    from campaign.battles.models import Battle

    return Battle.objects.select_related("campaign").order_by("-number")[0]


def _fight_often(register: Register) -> None:
    """Add battles to the ledger, with the effects of the last closed one that can happen any number of times."""
    from django.db import transaction

    from registers.ledger.session import LedgerSession, effects_of_entry
    from rules.register import effects as e

    repeatable = (e.SupplyPointsGained, e.ReputationGained, e.AgendaProgressed, e.DiceRolled, e.Noted)
    entries = list(register.entries.exclude(battle="").order_by("position"))
    battles = list(dict.fromkeys(entry.battle for entry in entries))
    of_last = [entry for entry in entries if entry.battle == battles[-2] and entry.step]
    with transaction.atomic():
        session = LedgerSession.lock(register.pk)
        locked = session.registers[register.pk]
        for battle in (str(uuid4()) for _ in range(MANY - len(battles))):
            for entry in of_last:
                effects = [effect for effect in effects_of_entry(entry) if isinstance(effect, repeatable)]
                if effects:
                    session.stage(locked, actor=None, act=entry.act, battle=battle, step=entry.step, effects=effects)
        session.commit()


def _measure_building(phones: Phones, player: User) -> None:
    from registers.services import building

    draft = building.open_register(actor=player, owner=player, faction="empire")
    page = phones.measure("Building", player, f"/registers/{draft.pk}/building/")
    officer = page.locator("a", has_text="Officer").first.get_attribute("href") or ""
    phones.measure("Unit form", player, f"/registers/{draft.pk}/building/{officer.split('#')[0]}")


def main() -> int:
    """Measure and print."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in this thread
    from playwright.sync_api import sync_playwright

    with own_site("heights"), served() as address, sync_playwright() as playwright:
        from django.core.management import call_command

        call_command("load_catalogue", verbosity=0)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        phones = Phones(browser, address)
        play_and_measure(phones)
        browser.close()
    print("| page | before | now |\n|---|---|---|")
    for name, height in sorted(phones.heights.items()):
        over = "  over the limit" if height > LIMITS.get(name, height) else ""
        print(f"| {name} | {BEFORE.get(name, '')} | {height:.1f} |{over}")
    return int(any(phones.heights[name] > limit for name, limit in LIMITS.items()))


if __name__ == "__main__":
    raise SystemExit(main())
