"""The Post-Battle Sequence: its page at each kind of step, an answer that is posted, and polls that find nothing new.

Answers are given at tables that go on, each drawn from the page as chance had it and one that the rules take, by a
phone that has HTMX. So all kinds of questions are among them as often as players are asked them, and answers that end
a step and let the other side go on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from random import Random
from typing import TYPE_CHECKING

from bench.speed import A_POST, BARE, Site, Thing, counted

if TYPE_CHECKING:
    from accounts.models import User
    from bench.tables import Answer
    from campaign.battles.models import Side

HTMX = {"HX-Request": "true"}
TABLES, SAMPLES = 4, 40
#: What is shown of a side: the number of a step that asks something, and what it asks.
STEPS = {1: "the first question", 4: "dice", 6: "Commendations", 7: "Aid Requests", 8: "editing"}


def things(site: Site) -> Iterable[Thing]:
    """As both players of a battle ask for it."""
    for step, side in _at_steps(Random(1)):  # noqa: S311 - chance that guards no secret
        name = f"The sequence’s page: {STEPS[step]}"
        yield site.page(name, side.own_register.owner, _address(side), limits={BARE: 10})
    yield _answer(site, Random(2))  # noqa: S311
    yield from _polls(site, Random(3))  # noqa: S311


def _address(side: Side) -> str:
    return f"/battles/{side.battle_id}/sequence/{side.colour}/"


def _at_steps(random: Random) -> Iterator[tuple[int, Side]]:
    """A side at each of the STEPS, each of another battle, asked something there."""
    from bench.simulated_battles import answer
    from bench.tables import supply, table
    from campaign.battles.services.sequence import running_step

    for step in STEPS:
        while True:
            battle = table(f"Step {step} {random.random()}", random)
            blue, red = battle.sides.select_related("register__owner", "battle").order_by("colour")
            while blue.step < step and (answer(blue, red, random, supply()) or answer(red, blue, random, supply())):
                blue.refresh_from_db()
            if blue.step == step and running_step(blue, red).question:
                yield step, blue
                break


# --- Answers -------------------------------------------------------------------------------------------------


def _answer(site: Site, random: Random) -> Thing:
    from bench.tables import answers

    given = answers(random, TABLES)
    browsers = {}

    def once() -> float:
        one: Answer = next(given)
        if one.who not in browsers:
            browsers[one.who] = site.browser(one.who)
        sent = {name: [value for other, value in one.act.sent if other == name] for name, _ in one.act.sent}
        return browsers[one.who].ask(one.act.address, sent=sent, headers=HTMX)

    return Thing(
        name="An answer posted",
        once=once,
        queries=lambda: max(_statements(next(given)) for _ in range(SAMPLES)),
        most=A_POST,
        limits={BARE: 12},
    )


def _statements(one: Answer) -> int:
    from bench.acts import send

    with counted() as statements:
        send(one.act, HTMX)
    return len(statements)


# --- Polls ---------------------------------------------------------------------------------------------------


def _polls(site: Site, random: Random) -> Iterator[Thing]:
    from bench.acts import browser_of
    from bench.tables import table
    from campaign.battles.queries.page_versions import page_version

    side = table("Poll", random).sides.select_related("register__owner", "battle").get(colour="blue")
    who = side.own_register.owner
    shown = browser_of(who).get(_address(side)).content.decode()
    asks = re.search(r'id="other-side"[^>]*?hx-get="([^"]+)"[^>]*?hx-headers="([^"]+)"', shown)
    if asks is None:
        raise AssertionError("the page does not ask for the other side")
    tag = json.loads(unescape(asks[2]))
    yield _poll(site, "An unchanged poll of the sequence (304)", who, unescape(asks[1]), 304, tag)
    battle = f"/battles/{side.battle_id}/poll/?seen={page_version(side.battle)}"
    yield _poll(site, "An unchanged poll of a battle (204)", who, battle, 204)


def _poll(site: Site, name: str, who: User, address: str, status: int, headers: dict[str, str] | None = None) -> Thing:
    from bench.speed import queries_of

    browser, sent = site.browser(who), HTMX | (headers or {})
    once: Callable[[], float] = lambda: browser.ask(address, headers=sent, status=status)  # noqa: E731
    return Thing(name=name, once=once, queries=lambda: queries_of(who, address, sent), most=5, limits={BARE: 1.5})
