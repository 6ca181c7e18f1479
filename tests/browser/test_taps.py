"""How many taps a battle takes: First Blood, walked in the app by both players at once, at 360 px."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import expect

from campaign.battles.models import Battle
from campaign.scenarios.answers import Handles
from campaign.scenarios.expect import differences
from campaign.scenarios.form import read
from registers import projection
from registers.ledger import session
from tests.browser.walking import Player, walk
from tests.campaign.first_blood import ALPHA, BRAVO, SCENARIO, Fought, Stacked, begin, fall, loaded

pytestmark = pytest.mark.django_db(transaction=True)

MOST_TAPS = 26


@pytest.fixture
def fought(book) -> Fought:
    return begin()


@pytest.fixture
def players(fought, phone) -> tuple[Player, Player]:
    """Ada and Ben as the scenario has them, each with the page of the sequence open."""
    ada = Player(
        phone(fought.ada),
        picks=["Stormtroopers (no. 3)", "X-34 Landspeeder"],
        aid=["Active Recruiting", "Medevac"],
        adds=[("Corps", "Snowtroopers")],
        names=["Grim Hounds", "Ghost Watch", "Long Shadow"],
    )
    ben = Player(phone(fought.ben), picks=["Stormtroopers (no. 3)"], aid=["AT-RT"])
    for player in (ada, ben):
        player.page.goto(f"/battles/{fought.battle.pk}/sequence/")
    return ada, ben


def walk_to_the_end(*players: Player) -> int:
    """Walk; how many taps it took until both pages say that the battle is closed."""
    walk(*players)
    for player in players:
        expect(player.page.get_by_text("closed", exact=True)).to_be_visible()
    taps = sum(player.taps for player in players)
    assert [player.errors for player in players] == [[] for _ in players]
    print(f"taps: {taps}, by player {[player.taps for player in players]}")
    return taps


@pytest.mark.nightly
def test_the_battle_as_it_is_written_down(fought, players, monkeypatch):
    """The dice of the scenario fall; what comes out is what the scenario expects, to the last point."""
    ada, ben = players
    rolls: dict[int, list[list[str]]] = {
        id(ada): [["corps", "heavy"], ["block"], ["hit", "critical", "blank", "hit"]],
        id(ben): [["surge"], ["surge", "blank", "hit", "critical"]],
    }

    def stack(player: Player, press: Any) -> Any:
        def pressed(target: Any) -> None:
            if player.page.locator("form#app").count():
                fall(monkeypatch, Stacked(*rolls[id(player)].pop(0)))
            press(target)

        return pressed

    for player in players:
        player.press = stack(player, player.press)  # type: ignore[method-assign]
    taps = walk_to_the_end(*players)
    assert taps <= MOST_TAPS, f"{taps} taps"
    assert (ada.typed, ben.typed) == (1, 0)
    expected = read(SCENARIO)["acts"][3]["registers"]
    for side, handles, name in ((fought.blue, ALPHA, "alpha"), (fought.red, BRAVO, "bravo")):
        register, known = side.own_register, Handles()
        known.keys = handles | ({"t4": "8"} if name == "alpha" else {})
        book = session.rulebook_for(register)
        assert list(differences(book, projection.state_of(register), known, expected[name])) == []


@pytest.mark.nightly
def test_with_dice_as_they_fall(players, monkeypatch):
    fall(monkeypatch, loaded(4))
    taps = walk_to_the_end(*players)
    assert taps <= MOST_TAPS, f"{taps} taps"
    assert Battle.objects.get().status == Battle.Status.CLOSED


class Worst(random.Random):
    """Criticals alone: every unit gains Experience, three reach a Veteran Rank, and all keep a Setback."""

    def choices(self, population: Any, *args: Any, k: int = 1, **words: Any) -> list[Any]:
        return ["critical" if "critical" in population else "block"] * k

    def sample(self, population: Any, k: int, **words: Any) -> list[Any]:
        return ["corps", "special-forces"]


@pytest.mark.nightly
def test_with_the_dice_that_ask_most(players, monkeypatch):
    ada, _ = players
    ada.picks = ["Stormtroopers (no. 2)", "X-34 Landspeeder"]
    fall(monkeypatch, Worst())
    taps = walk_to_the_end(*players)
    assert ada.typed == 3  # each of the three needs its name (R9)
    assert taps <= MOST_TAPS, f"{taps} taps"
