"""Step 7, Make Aid Requests (R41 to R46), and the same requests at the founding (R10)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.effects import (
    AidRequested,
    AssetGained,
    CombatPotentialRaised,
    Effect,
    MaximumVeteranRankRaised,
    SetbackRemoved,
    SupplyPointsSpent,
    UnitReassigned,
    UpgradeAdded,
)
from rules.force import Force, Trait
from rules.post_battle.aid_requests import RequestAid, Wish, held_at_most, make_aid_requests
from rules.refusal import Problem
from rules.rulebook import Rulebook
from rules.script import Choose, ChooseSeveral, Pool, Progress, Roll

from ..build import (
    AT_ST,
    BIKE,
    OTHERS,
    PARAGON,
    SNOW,
    TROOPERS,
    WALKER,
    broken,
    change,
    done,
    fell,
    force,
    house,
    noted,
    play,
    problems,
    report,
    without,
)


def step(book: Rulebook, *answers: Any, start: Force | None = None) -> Progress:
    return play(book, start or force(), lambda scene: make_aid_requests(scene, report(PARAGON)), answers)


def wish(request: str, **words: str) -> dict[str, str]:
    return {"request": request, **words}


def paid(slug: str, name: str, cost: int = 1, asset: str = "") -> list[Effect]:
    return [
        AidRequested(request=slug, asset=asset, rule="R41"),
        SupplyPointsSpent(amount=cost, rule="R41", why=name),
    ]


def upgraded(unit: str, slug: str, rule: str, why: str) -> Effect:
    return UpgradeAdded(unit=unit, upgrade=slug, rule=rule, why=why)


# --- Asking --------------------------------------------------------------------------------------------------


def test_as_many_requests_as_the_player_likes(book: Rulebook) -> None:
    """R41."""
    assert step(book).question == RequestAid(
        rule="R41", text="5 SP: make an Aid Request, or go on.", supply_points=5
    )
    assert done(step(book, None)) == [noted("R41", "no Aid Request")]


def test_without_supply_points_nothing_is_asked(book: Rulebook) -> None:
    """R41: SP never below 0."""
    assert done(step(book, start=force(supply_points=0))) == [noted("R41", "no Aid Request")]
    last = step(book, wish("active-recruiting"), start=force(supply_points=1))
    assert (last.done, last.answers, last.force.supply_points) == (True, (wish("active-recruiting"), None), 0)


def test_a_wish_in_words() -> None:
    question = RequestAid(rule="R41", text="", supply_points=1)
    assert question.check(wish("reassign-unit", unit="3")) == Wish("reassign-unit", unit="3")
    every = wish("reassign-unit", unit="3", upgrade="", asset="", setback="")
    assert question.check(every) == Wish("reassign-unit", unit="3")
    assert question.check(None) is None
    assert question.forced is None


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("active-recruiting", "Choose an Aid Request."),
        ({}, "Choose an Aid Request."),
        ({"request": ""}, "Choose an Aid Request."),
        ({"request": "active-recruiting", "amount": "2"}, "Choose an Aid Request."),
        ({"request": 1}, "Choose an Aid Request and what it is for."),
        ({"request": "reassign-unit", "unit": 3}, "Choose an Aid Request and what it is for."),
    ],
)
def test_answers_of_another_shape_are_refused(book: Rulebook, answer: Any, text: str) -> None:
    assert problems(lambda: step(book, answer)) == [Problem("R41", text)]


def test_there_is_no_other_request(book: Rulebook) -> None:
    assert problems(lambda: step(book, wish("air-strike"))) == [
        Problem("R41", "There is no such Aid Request.", "request")
    ]


def test_every_printed_request_is_known(book: Rulebook) -> None:
    repeatable = {slug: request.repeatable for slug, request in book.aid_requests.items()}
    assert repeatable == {
        "active-recruiting": False, "request-medical-supplies": True, "request-strategic-asset": True,
        "request-reinforcements": True, "special-training": False, "supplies-and-provisions": True,
        "reassign-unit": True,
    }  # fmt: skip


def test_words_that_a_request_does_not_need_count_nothing(book: Rulebook) -> None:
    """R43: no asset is requested by recruiting."""
    progress = step(book, wish("active-recruiting", asset="medevac"), None)
    assert progress.force.requests == {"active-recruiting": 1}


# --- Active Recruiting ---------------------------------------------------------------------------------------


def test_active_recruiting(book: Rulebook) -> None:
    """R41: 150 points for 1 SP."""
    assert done(step(book, wish("active-recruiting"), None)) == [
        *paid("active-recruiting", "Active Recruiting"),
        CombatPotentialRaised(amount=150, rule="R41", why="Active Recruiting"),
    ]


def test_it_is_made_once_per_sequence(book: Rulebook) -> None:
    """R41; the founding counts as one (R10)."""
    once = Problem("R41", "Active Recruiting can be made once per sequence.", "request")
    assert problems(lambda: step(book, *[wish("active-recruiting")] * 2)) == [once]
    founding = force(commissioned=False, in_field=None, requests={"active-recruiting": 1}, supply_points=0)
    assert problems(lambda: step(book, wish("active-recruiting"), start=founding)) == [
        once, Problem("R41", "This costs 1 SP; there are 0.", "request"),
    ]  # fmt: skip


# --- Medical Supplies ----------------------------------------------------------------------------------------

MEDICAL, SUPPLIES = "request-medical-supplies", "Request Medical Supplies"


def sick(*setbacks: str, **changes: Any) -> Force:
    return change(force(), TROOPERS, setbacks=setbacks, **changes)


def healed(slug: str, why: str = "medical supplies") -> Effect:
    return SetbackRemoved(unit=TROOPERS, setback=slug, rule="R42", why=why)


def rolled(*faces: str) -> Effect:
    return fell(TROOPERS, "R42", "medical supplies", *faces, die="red_defense")


def test_the_last_setback_goes_without_a_roll(book: Rulebook) -> None:
    """R42."""
    assert done(step(book, wish(MEDICAL, unit=TROOPERS), None, start=sick("downtrodden"))) == [
        *paid(MEDICAL, SUPPLIES), healed("downtrodden"),
    ]  # fmt: skip


def test_the_player_chooses_the_first_and_those_for_blocks(book: Rulebook) -> None:
    """R42: a red defense die for each Setback still there."""
    start = sick("downtrodden", "battle-shaken", "battle-fatigue", "downtrodden")
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    dice = step(book, asked, start=start)
    assert dice.question == Roll(
        rule="R42",
        text="Medical supplies: roll 3",
        about=TROOPERS,
        pools=(Pool("aid", "red_defense", 3, "Grim Hounds: each block removes a Setback"),),
    )
    which = step(book, asked, {"aid": ["block", "surge", "block"]}, start=start)
    assert which.question == ChooseSeveral(
        rule="R42",
        text="Grim Hounds: which 2 Setbacks go?",
        about=TROOPERS,
        kind="setbacks",
        bag={"battle-shaken": 1, "battle-fatigue": 1, "downtrodden": 1},
        labels={
            "battle-shaken": "Battle-Shaken",
            "battle-fatigue": "Battle-Fatigue 1",
            "downtrodden": "Downtrodden 1",
        },
        count=2,
    )
    gone = ["downtrodden", "battle-shaken"]
    assert done(step(book, asked, {"aid": ["block", "surge", "block"]}, gone, None, start=start)) == [
        *paid(MEDICAL, SUPPLIES),
        healed("downtrodden"),
        rolled("block", "surge", "block"),
        healed("downtrodden", "a block"),
        healed("battle-shaken", "a block"),
    ]


def test_the_first_is_asked_for_where_it_is_not_named(book: Rulebook) -> None:
    """R42: only if there are different ones."""
    asked = step(book, wish(MEDICAL, unit=TROOPERS), start=sick("downtrodden", "battle-shaken")).question
    assert isinstance(asked, Choose)
    assert (asked.rule, asked.about) == ("R42", TROOPERS)
    assert (asked.kind, [option.value for option in asked.options]) == (
        "setback",
        ["battle-shaken", "downtrodden"],
    )
    alike = step(
        book, wish(MEDICAL, unit=TROOPERS), {"aid": ["blank"]}, None, start=sick("downtrodden", "downtrodden")
    )
    assert done(alike) == [*paid(MEDICAL, SUPPLIES), healed("downtrodden"), rolled("blank")]


def test_one_setback_goes_for_one_block(book: Rulebook) -> None:
    """R42: nothing is asked where only one kind is left."""
    start = sick("downtrodden", "battle-fatigue", "battle-fatigue")
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    assert done(step(book, asked, {"aid": ["surge", "block"]}, ["battle-fatigue"], None, start=start))[3:] == [
        rolled("surge", "block"), healed("battle-fatigue", "a block"),
    ]  # fmt: skip
    forced = step(book, asked, {"aid": ["surge", "block"]}, start=start)
    assert isinstance(forced.question, RequestAid)
    several = sick("downtrodden", "battle-fatigue", "battle-shaken", name="")
    one = step(book, asked, {"aid": ["block", "blank"]}, start=several)
    assert isinstance(one.question, ChooseSeveral)
    assert one.question.text == "Stormtroopers: which 1 Setback goes?"


@pytest.mark.parametrize(("rank", "cost"), [(0, 1), (1, 1), (2, 2), (3, 3)])
def test_it_costs_the_unit_s_veteran_rank(book: Rulebook, rank: int, cost: int) -> None:
    """R41: at least 1; and may be repeated."""
    start = sick("downtrodden", "downtrodden", veteran_rank=rank)
    asked = wish(MEDICAL, unit=TROOPERS, setback="downtrodden")
    assert step(book, asked, {"aid": ["blank"]}, start=start).effects[1] == SupplyPointsSpent(
        amount=cost, rule="R41", why=SUPPLIES
    )
    twice = step(book, asked, {"aid": ["blank"]}, asked, None, start=replace(start, supply_points=2 * cost))
    assert twice.force.dossiers[TROOPERS].setbacks == ()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, [Problem("R41", "Choose a unit of the Register.", "unit")]),
        ({"unit": "99"}, [Problem("R41", "Choose a unit of the Register.", "unit")]),
        ({"unit": SNOW}, [Problem("R42", "This unit has no Setback.", "unit")]),
        ({"unit": TROOPERS, "setback": "battle-shaken"},
         [Problem("R42", "This unit does not have that Setback.", "setback")]),
    ],
)  # fmt: skip
def test_medical_supplies_that_are_refused(
    book: Rulebook, words: dict[str, str], expected: list[Problem]
) -> None:
    assert problems(lambda: step(book, wish(MEDICAL, **words), start=sick("downtrodden"))) == expected


# --- Strategic Assets ----------------------------------------------------------------------------------------

ASSET, REQUEST = "request-strategic-asset", "Request Strategic Asset"
TWICE = ("request-assistance", "requisition-special-equipment")


@pytest.mark.parametrize(
    ("slug", "cost"),
    [
        ("request-assistance", 1), ("heroic-intervention", 2), ("requisition-special-equipment", 1), ("medevac", 1),
        ("orbital-bombardment", 1), ("combat-drop", 1), ("authorized-extraordinary-use", 1), ("contingency-plan", 1),
    ],
)  # fmt: skip
def test_every_asset_has_its_cost_and_its_number(book: Rulebook, slug: str, cost: int) -> None:
    """R43: 1 of each, 2 of Request Assistance and Requisition Special Equipment."""
    asked = wish(ASSET, asset=slug)
    one = [*paid(ASSET, REQUEST, cost, slug), AssetGained(asset=slug, rule="R43")]
    allowed, often = (2, "twice") if slug in TWICE else (1, "once")
    assert done(step(book, *[asked] * allowed, None)) == one * allowed
    name = book.assets[slug].name
    held = Problem("R43", f"The Register already holds {name} {often}.", "asset")
    made = Problem("R43", f"{name} can be requested {often} per sequence.", "asset")
    assert problems(lambda: step(book, *[asked] * (allowed + 1))) == [held, made]
    assert problems(lambda: step(book, asked, start=force(assets=(slug,) * allowed))) == [held]
    assert problems(lambda: step(book, asked, start=force(requests={slug: allowed}))) == [made]


@pytest.mark.parametrize("slug", sorted(TWICE))
def test_or_one_of_each_without_exception(book: Rulebook, slug: str) -> None:
    """R43, `requested_twice`: it may be requested again, once the first has been used."""
    strict, asked = house(book, requested_twice="one_held"), wish(ASSET, asset=slug)
    held = Problem("R43", f"The Register already holds {book.assets[slug].name} once.", "asset")
    assert problems(lambda: step(strict, asked, asked)) == [held]
    assert step(strict, asked, start=force(requests={slug: 1})).question is not None
    most = [held_at_most(strict, asset) for asset in book.assets.values()]
    assert most == [1] * len(book.assets)


def test_assets_that_are_refused(book: Rulebook) -> None:
    """R43, R41."""
    text = "Choose a Strategic Asset."
    assert problems(lambda: step(book, wish(ASSET), start=force(supply_points=0))) == [
        Problem("R43", text, "asset")
    ]
    assert problems(
        lambda: step(book, wish(ASSET, asset="heroic-intervention"), start=force(supply_points=1))
    ) == [Problem("R41", "This costs 2 SP; there are 1.", "request")]


# --- Reinforcements and provisions ---------------------------------------------------------------------------

REINFORCEMENTS, PROVISIONS = "request-reinforcements", "supplies-and-provisions"


def test_reinforcements_bring_a_heavy_weapon_or_personnel(book: Rulebook) -> None:
    """R45."""
    for slug in ("dlt-19-stormtrooper", "stormtrooper"):
        assert done(step(book, wish(REINFORCEMENTS, unit=TROOPERS, upgrade=slug), None)) == [
            *paid(REINFORCEMENTS, "Request Reinforcements"), upgraded(TROOPERS, slug, "R45", "reinforcements"),
        ]  # fmt: skip


@pytest.mark.parametrize(("rank", "cost"), [(0, 1), (1, 1), (3, 3)])
def test_they_cost_the_unit_s_veteran_rank(book: Rulebook, rank: int, cost: int) -> None:
    """R41."""
    start = change(force(), TROOPERS, veteran_rank=rank)
    asked = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="stormtrooper")
    assert step(book, asked, start=start).force.supply_points == 5 - cost


def test_they_may_bring_a_card_beyond_the_one_of_joining_but_a_slot_it_needs(book: Rulebook) -> None:
    """R45, R8."""
    start = change(force(), TROOPERS, upgrades=("t-21-stormtrooper",), commendations=("flexible-response",))
    asked = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="dlt-19-stormtrooper")
    assert step(book, asked, start=start).force.dossiers[TROOPERS].upgrades == (
        "t-21-stormtrooper", "dlt-19-stormtrooper",
    )  # fmt: skip
    full = change(start, TROOPERS, commendations=())
    assert broken(lambda: step(book, asked, start=full)) == ["R8"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, [Problem("R41", "Choose a unit of the Register.", "unit"),
              Problem("R8", "Choose an upgrade card.", "upgrade")]),
        ({"unit": WALKER, "upgrade": "dw-3-grenade-launcher"},
         [Problem("R45", "Its card has no heavy weapon or personnel slot.", "unit"),
          Problem("R45", "This request brings a heavy weapon or personnel upgrade.", "upgrade")]),
        ({"unit": TROOPERS, "upgrade": "targeting-scopes"},
         [Problem("R45", "This request brings a heavy weapon or personnel upgrade.", "upgrade")]),
        ({"unit": TROOPERS, "upgrade": "flametrooper"},
         [Problem("R8", "Flametrooper is not for Stormtroopers.", "flametrooper")]),
        ({"unit": "99", "upgrade": "stormtrooper"}, [Problem("R41", "Choose a unit of the Register.", "unit")]),
    ],
)  # fmt: skip
def test_reinforcements_that_are_refused(
    book: Rulebook, words: dict[str, str], expected: list[Problem]
) -> None:
    """R45: it is the printed bar that counts."""
    assert problems(lambda: step(book, wish(REINFORCEMENTS, **words))) == expected


def test_a_slot_of_a_commendation_is_not_printed(book: Rulebook) -> None:
    """R45."""
    start = change(force(), BIKE, commendations=("flexible-response",))
    asked = wish(REINFORCEMENTS, unit=BIKE, upgrade="dlt-19-stormtrooper")
    assert "R45" in broken(lambda: step(book, asked, start=start))


def test_provisions_bring_anything_else(book: Rulebook) -> None:
    """R41: 1 SP for each unit, whatever its VR."""
    start = change(force(), TROOPERS, veteran_rank=3)
    asked = wish(PROVISIONS, unit=TROOPERS, upgrade="targeting-scopes")
    more = wish(PROVISIONS, unit=WALKER, upgrade="dw-3-grenade-launcher")
    assert done(step(book, asked, more, None, start=start)) == [
        *paid(PROVISIONS, "Supplies and Provisions"), upgraded(TROOPERS, "targeting-scopes", "R41", "provisions"),
        *paid(PROVISIONS, "Supplies and Provisions"), upgraded(WALKER, "dw-3-grenade-launcher", "R41", "provisions"),
    ]  # fmt: skip
    assert problems(lambda: step(book, wish(PROVISIONS, unit=TROOPERS, upgrade="stormtrooper"))) == [
        Problem("R41", "This request brings no heavy weapon or personnel upgrade.", "upgrade")
    ]
    assert broken(lambda: step(book, wish(PROVISIONS, unit=TROOPERS))) == ["R8"]


@pytest.mark.parametrize("slug", [REINFORCEMENTS, PROVISIONS])
def test_what_they_bring_must_fit_the_register(book: Rulebook, slug: str) -> None:
    """R2, R5, R4."""
    card = "dlt-19-stormtrooper" if slug == REINFORCEMENTS else "targeting-scopes"
    asked = wish(slug, unit=TROOPERS, upgrade=card)
    assert broken(lambda: step(book, asked, start=force(combat_potential=445))) == ["R2"]
    assert broken(lambda: step(book, asked, start=without(force(), OTHERS, SNOW))) == ["R4"]
    banned = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="agent-kallus")
    assert broken(lambda: step(book, banned)) == ["R5"]


# --- Special Training ----------------------------------------------------------------------------------------


def trained(rank: int, training: int = 0, unit: str = TROOPERS) -> Force:
    return change(force(), unit, veteran_rank=rank, training=training)


@pytest.mark.parametrize(("rank", "training", "unit"), [(3, 0, TROOPERS), (4, 1, TROOPERS), (3, 0, WALKER)])
def test_special_training_raises_the_maximum(book: Rulebook, rank: int, training: int, unit: str) -> None:
    """R44."""
    assert done(step(book, wish("special-training", unit=unit), None, start=trained(rank, training, unit))) == [
        *paid("special-training", "Special Training"), MaximumVeteranRankRaised(unit=unit, rule="R44"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "unit", "problem"),
    [
        (trained(2), TROOPERS, Problem("R44", "It is at VR 2, not yet at its maximum, VR 3.", "unit")),
        (trained(3, 1), TROOPERS, Problem("R44", "It is at VR 3, not yet at its maximum, VR 4.", "unit")),
        (trained(5, 2), TROOPERS, Problem("R44", "Its maximum is VR 5 already.", "unit")),
        (trained(5, 0, PARAGON), PARAGON, Problem("R44", "Its maximum is VR 5 already.", "unit")),
        (force(), "99", Problem("R41", "Choose a unit of the Register.", "unit")),
    ],
)
def test_training_that_is_refused(book: Rulebook, start: Force, unit: str, problem: Problem) -> None:
    """R44: up to 5."""
    assert problems(lambda: step(book, wish("special-training", unit=unit), start=start)) == [problem]


def test_training_once_per_sequence(book: Rulebook) -> None:
    """R41."""
    asked = wish("special-training", unit=TROOPERS)
    start = change(trained(3), TROOPERS, veteran_rank=4)
    assert broken(lambda: step(book, asked, asked, start=start)) == ["R41"]


# --- Reassign ------------------------------------------------------------------------------------------------


def test_a_unit_is_reassigned(book: Rulebook) -> None:
    """R46: and more of them; R4 applies afterwards."""
    progress = step(book, wish("reassign-unit", unit=OTHERS), wish("reassign-unit", unit=SNOW), None)
    assert done(progress) == [
        *paid("reassign-unit", "Reassign Unit"), UnitReassigned(unit=OTHERS, rule="R46"),
        *paid("reassign-unit", "Reassign Unit"), UnitReassigned(unit=SNOW, rule="R46"),
    ]  # fmt: skip
    assert (set(progress.force.reassigned), progress.force.fallen) == ({OTHERS, SNOW}, {})
    scopes = wish(PROVISIONS, unit=TROOPERS, upgrade="targeting-scopes")
    assert broken(lambda: step(book, scopes, start=replace(progress.force, supply_points=1))) == ["R4"]


def test_the_paragon_is_never_reassigned(book: Rulebook) -> None:
    """R6, R46."""
    assert problems(lambda: step(book, wish("reassign-unit", unit=PARAGON))) == [
        Problem("R46", "The Paragon cannot be reassigned.", "unit"),
        Problem("R6", "The Paragon never leaves the Register.", "unit"),
    ]
    assert broken(lambda: step(book, wish("reassign-unit"), start=force(paragon=""))) == ["R41"]


# --- Selfless Warden -----------------------------------------------------------------------------------------


def warden(**changes: Any) -> Force:
    return force(trait=Trait("selfless-warden", 1), **changes)


def lost(amount: int) -> Effect:
    return SupplyPointsSpent(amount=amount, rule="R41", why="Selfless Warden")


def white(*faces: str) -> Effect:
    return fell("", "R41", "Selfless Warden", *faces, die="white_defense")


def test_selfless_warden_comes_first(book: Rulebook) -> None:
    """R41: for the Trait the Paragon has now (R37)."""
    assert step(book, start=warden()).question == Roll(
        rule="R41",
        text="Selfless Warden: roll 3",
        pools=(Pool("warden", "white_defense", 3, "Selfless Warden: −1 SP for each block or surge"),),
    )


@pytest.mark.parametrize(
    ("faces", "points", "amount"),
    [
        (["blank", "blank", "blank"], 5, 0), (["block", "blank", "surge"], 5, 2), (["block", "surge", "surge"], 5, 3),
        (["block", "block", "block"], 2, 2), (["surge", "blank", "blank"], 0, 0),
    ],
)  # fmt: skip
def test_it_costs_supply_points_if_able(book: Rulebook, faces: list[str], points: int, amount: int) -> None:
    """R41: SP never below 0."""
    answers = [{"warden": faces}, *[None] * (points > amount)]
    assert done(step(book, *answers, start=warden(supply_points=points))) == [
        white(*faces), *[lost(amount)] * bool(amount), noted("R41", "no Aid Request"),
    ]  # fmt: skip


def test_other_traits_cost_nothing(book: Rulebook) -> None:
    assert done(step(book, None, start=force(trait=Trait("greedy", 1)))) == [noted("R41", "no Aid Request")]


def test_all_that_is_wrong_is_said_at_once(book: Rulebook) -> None:
    """R2, R8, R41, R45."""
    start = force(combat_potential=440, supply_points=0)
    asked = wish(REINFORCEMENTS, unit=BIKE, upgrade="tenacity")
    assert broken(lambda: step(book, asked, start=start)) == ["R8", "R2", "R45", "R45", "R41"]
    assert start.dossiers[WALKER].card == AT_ST
