"""How many taps a battle takes on a phone: the sequence of First Blood, and the whole first battle of the demo."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from accounts.models import User
from campaign.battles.models import Battle
from campaign.battles.services import sequence
from campaign.models import Campaign
from campaign.scenarios import demo
from campaign.scenarios.answers import Handles
from campaign.scenarios.expect import differences
from campaign.scenarios.play import play, read
from registers import projection
from registers.ledger import session
from tests.browser.campaign_steps import look_again
from tests.browser.walking import Player, walk
from tests.campaign.first_blood import ALPHA, BRAVO, SCENARIO, Fought, Stacked, begin, fall, loaded

pytestmark = pytest.mark.django_db(transaction=True)

#: Most taps of both players in the sequence of First Blood, and of each from the plan of a battle to its end: of that
#: battle, and of a typical one.
MOST_TAPS, MOST_IN_ALL, MOST_IN_TYPICAL = 19, 24, 14


@pytest.fixture
def fought(book) -> Fought:
    return begin()


@pytest.fixture
def players(fought, phone) -> tuple[Player, Player]:
    """Ada and Ben as the scenario has them, each with the page of the sequence open."""
    ada = Player(
        phone(fought.ada),
        picks=["Stormtroopers (no. 3)", "X-34 Landspeeder", "Resilient"],
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
        expect(player.page.get_by_text("Hero of the day")).to_be_visible()
    taps = sum(player.taps for player in players)
    assert [player.errors for player in players] == [[] for _ in players]
    print(f"taps: {taps}, by player {[player.taps for player in players]}")
    return taps


def stack(patch: pytest.MonkeyPatch, ada: Player, ben: Player) -> None:
    """Let the dice and tokens of the scenario fall for each of them."""
    rolls: dict[int, list[list[str]]] = {
        id(ada): [["corps", "heavy"], ["block", "hit", "critical", "blank", "hit"]],
        id(ben): [["surge", "surge", "blank", "hit", "critical"]],
    }

    def stacked(player: Player, press: Any) -> Any:
        def pressed(target: Any) -> None:
            if player.page.locator("form#app").count():
                fall(patch, Stacked(*rolls[id(player)].pop(0)))
            press(target)

        return pressed

    for player in (ada, ben):
        player.press = stacked(player, player.press)  # type: ignore[method-assign]


@pytest.mark.nightly
def test_the_battle_as_it_is_written_down(fought, players, monkeypatch):
    """The dice of the scenario fall; what comes out is what the scenario expects, to the last point."""
    ada, ben = players
    stack(monkeypatch, *players)
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


def mark(player: Player, marks: Iterable[str]) -> None:
    """Tap buttons of the table page by their ids, and wait until each is saved."""
    for each in marks:
        with player.page.expect_response("**/table/"):
            player.touch(player.page.locator(f"#{each}"))


@pytest.mark.nightly
@pytest.mark.parametrize("typical", [True, False], ids=["typical", "First Blood"])
def test_from_the_plan_to_the_end(book, phone, monkeypatch, typical):
    """The first battle of the demo: each marks their units at the table, one reports, and the other confirms. The
    typical battle has two Casualty Checks, a promotion and an Aid Request for each.
    """
    scenario = read(demo.SCENARIO)
    campaign = Campaign.objects.create(name=scenario["scenario"])
    play(scenario | {"acts": scenario["acts"][:2]}, campaign)
    ada = Player(
        phone(User.objects.get(username="ada")), picks=["Stormtroopers (no. 3)", "X-34 Landspeeder"],
        aid=["Active Recruiting"], names=["Grim Hounds"],
    )  # fmt: skip
    ben = Player(
        phone(User.objects.get(username="ben")), picks=["Stormtroopers (no. 3)"], aid=["Active Recruiting"],
        names=["Dust Devil"],
    )  # fmt: skip
    defeated = {"blue": ("2", "5"), "red": ("2", "3")}
    contesting = {"blue": ("3",), "red": ("7",)}
    tokens = {"blue": 0, "red": 0}
    if typical:
        fall(monkeypatch, Worst())
    else:
        stack(monkeypatch, ada, ben)
        ada.aid.append("Medevac")
        ada.adds, ben.aid = [("Corps", "Snowtroopers")], ["AT-RT"]
        defeated["red"] += ("6",)
        contesting = {"blue": ("3", "1"), "red": ("4",)}
        tokens = {"blue": 3, "red": 1}

    ada.page.goto(reverse("battles:plan", args=[campaign.pk]))
    ada.page.get_by_role("button", name="Create battle").tap()
    if not typical:
        ada.touch(ada.page.locator(".roll__head", has_text="74-Z Speeder Bikes"))
    ada.touch(ada.page.get_by_role("button", name="Save army"))
    expect(ada.page.get_by_text("Waiting for Dune Wardens")).to_be_visible()
    battle = Battle.objects.get().get_absolute_url()
    ben.page.goto("/")
    ben.touch(ben.page.get_by_role("link", name="Choose the army of Dune Wardens"))
    ben.touch(ben.page.get_by_role("button", name="Save army"))
    expect(ben.page.get_by_text("Waiting for Ashen Patrol")).to_be_visible()
    for player, agenda in ((ada, "Keep Them in Line"), (ben, "Midnight Strikes")):
        look_again(player.page, battle)  # the pages also update themselves, within some seconds
        player.touch(player.page.locator(".agenda-option", has_text=agenda))
        expect(player.page.locator(".agenda-chosen", has_text=agenda)).to_be_visible()
    ben.touch(ben.page.get_by_role("button", name="Start battle"))
    expect(ben.page.get_by_role("button", name="Next round")).to_be_visible()

    look_again(ada.page, battle)
    for player, side in ((ben, "red"), (ada, "blue")):
        marks = [f"mark-{side}-{unit}-defeated" for unit in defeated[side]]
        marks += [f"mark-{side}-{unit}-contesting" for unit in contesting[side]]
        mark(player, [*marks, *[f"tokens-{side}-more"] * tokens[side]])
    ada.touch(ada.page.get_by_role("link", name="Report battle"))
    ada.touch(ada.page.locator(".choice__option", has_text="Ashen Patrol"))
    ada.touch(ada.page.get_by_role("button", name="Report battle"))
    expect(ada.page.get_by_text("Waiting for ben")).to_be_visible()
    look_again(ben.page, battle)
    expect(ben.page.get_by_role("button", name="Confirm report")).to_be_visible()
    report, bar = (ben.page.locator(each).bounding_box() for each in (".report-rows", ".action-bar"))
    assert report["y"] + report["height"] <= bar["y"]  # the whole report is on the first screen
    ben.touch(ben.page.get_by_role("button", name="Confirm report"))
    ada.page.wait_for_url("**/sequence/blue/")  # by itself
    walk_to_the_end(ada, ben)
    assert max(ada.taps, ben.taps) <= (MOST_IN_TYPICAL if typical else MOST_IN_ALL), [ada.taps, ben.taps]
    assert Battle.objects.get().status == Battle.Status.CLOSED


@pytest.mark.nightly
def test_both_roll_their_own_dice_in_all_ten_steps(players, fought):
    """As test_the_sequence_of_first_blood, but each die falls on the table and is typed in."""
    ada, ben = players
    ada.faces = ["corps", "heavy", "block", "hit", "critical", "blank", "hit"]
    ben.faces = ["surge", "surge", "blank", "hit", "critical"]
    walk(*players)
    dice = [entry.rolled_by_hand for side in (fought.blue, fought.red) for entry in sequence.finished_steps(side)]
    assert (Battle.objects.get().status, ada.faces, ben.faces) == (Battle.Status.CLOSED, [], [])
    assert sum(map(len, dice)) > 0
    assert (ada.errors, ben.errors) == ([], [])
