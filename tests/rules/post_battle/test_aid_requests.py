"""Step 7, Make Aid Requests (R41 to R46), and the same requests at the founding (R10)."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.post_battle.aid_requests import RequestAid, RequestedAid
from rules.post_battle.dialogue import Pool, Roll
from rules.register.effects import (
    CombatPotentialRaised,
    Effect,
    MaximumVeteranRankRaised,
    SupplyPointsSpent,
    UnitReassigned,
)
from rules.register.state import Field, RegisterState, Trait

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
    house,
    noted,
    state,
    violations,
)
from .requesting import PROVISIONS, REINFORCEMENTS, paid, step, wish

# --- Asking --------------------------------------------------------------------------------------------------


def test_as_many_requests_as_the_player_likes(book: Rulebook) -> None:
    """R41."""
    assert step(book).question == RequestAid(
        rule="R41", text="5 SP left. Make an Aid Request, or continue.", supply_points=5
    )
    assert done(step(book, None)) == [noted("R41", "no Aid Request")]


def test_without_supply_points_nothing_is_asked(book: Rulebook) -> None:
    """R41: SP never below 0."""
    assert done(step(book, start=state(supply_points=0))) == [noted("R41", "no Aid Request")]
    last = step(book, wish("active-recruiting"), start=state(supply_points=1))
    assert (last.done, last.answers, last.state.supply_points) == (True, (wish("active-recruiting"), None), 0)


def test_a_wish_in_words() -> None:
    question = RequestAid(rule="R41", text="", supply_points=1)
    assert question.check(wish("reassign-unit", unit="3")) == RequestedAid("reassign-unit", unit="3")
    every = wish("reassign-unit", unit="3", upgrade="", asset="", setback="")
    assert question.check(every) == RequestedAid("reassign-unit", unit="3")
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
    assert violations(lambda: step(book, answer)) == [Violation("R41", text)]


def test_there_is_no_other_request(book: Rulebook) -> None:
    assert violations(lambda: step(book, wish("air-strike"))) == [
        Violation("R41", "This Aid Request does not exist. Choose another one.", "request")
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
    assert progress.state.requests == {"active-recruiting": 1}


# --- Active Recruiting ---------------------------------------------------------------------------------------


def test_active_recruiting(book: Rulebook) -> None:
    """R41: 150 points for 1 SP."""
    assert done(step(book, wish("active-recruiting"), None)) == [
        *paid("active-recruiting", "Active Recruiting"),
        CombatPotentialRaised(amount=150, rule="R41", why="Active Recruiting"),
    ]


def test_it_is_made_once_per_sequence(book: Rulebook) -> None:
    """R41; the founding counts as one (R10)."""
    once = Violation("R41", "Active Recruiting can be made only once per sequence.", "request")
    assert violations(lambda: step(book, *[wish("active-recruiting")] * 2)) == [once]
    founding = state(commissioned=False, in_field=None, requests={"active-recruiting": 1}, supply_points=0)
    assert violations(lambda: step(book, wish("active-recruiting"), start=founding)) == [
        once, Violation("R41", "This costs 1 SP, but only 0 are left.", "request"),
    ]  # fmt: skip


# --- Special Training ----------------------------------------------------------------------------------------


def trained(rank: int, training: int = 0, unit: str = TROOPERS) -> RegisterState:
    return change(state(), unit, veteran_rank=rank, training=training)


@pytest.mark.parametrize(("rank", "training", "unit"), [(3, 0, TROOPERS), (4, 1, TROOPERS), (3, 0, WALKER)])
def test_special_training_raises_the_maximum(book: Rulebook, rank: int, training: int, unit: str) -> None:
    """R44."""
    assert done(step(book, wish("special-training", unit=unit), None, start=trained(rank, training, unit))) == [
        *paid("special-training", "Special Training"), MaximumVeteranRankRaised(unit=unit, rule="R44"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "unit", "violation"),
    [
        (
            trained(2),
            TROOPERS,
            Violation("R44", "This unit is at VR 2. It must reach its maximum, VR 3, first.", "unit"),
        ),
        (
            trained(3, 1),
            TROOPERS,
            Violation("R44", "This unit is at VR 3. It must reach its maximum, VR 4, first.", "unit"),
        ),
        (trained(5, 2), TROOPERS, Violation("R44", "This unit’s maximum is already VR 5.", "unit")),
        (trained(5, 0, PARAGON), PARAGON, Violation("R44", "This unit’s maximum is already VR 5.", "unit")),
        (state(), "99", Violation("R41", "Choose a unit of the Register.", "unit")),
    ],
)
def test_training_that_is_refused(book: Rulebook, start: RegisterState, unit: str, violation: Violation) -> None:
    """R44: up to 5."""
    assert violations(lambda: step(book, wish("special-training", unit=unit), start=start)) == [violation]


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
    assert (set(progress.state.reassigned), progress.state.fallen) == ({OTHERS, SNOW}, {})
    scopes = wish(PROVISIONS, unit=TROOPERS, upgrade="targeting-scopes")
    assert broken(lambda: step(book, scopes, start=replace(progress.state, supply_points=1))) == ["R4"]


def test_the_paragon_is_never_reassigned(book: Rulebook) -> None:
    """R6, R46."""
    assert violations(lambda: step(book, wish("reassign-unit", unit=PARAGON))) == [
        Violation("R46", "The Paragon cannot be reassigned.", "unit"),
        Violation("R6", "The Paragon never leaves the Register.", "unit"),
    ]
    assert broken(lambda: step(book, wish("reassign-unit"), start=state(paragon=""))) == ["R41"]


# --- Selfless Warden -----------------------------------------------------------------------------------------


def warden(**changes: Any) -> RegisterState:
    kept = {"trait": Trait("selfless-warden", 1), "in_field": Field("b1", trait="selfless-warden")}
    return state(**kept | changes)


def lost(amount: int) -> Effect:
    return SupplyPointsSpent(amount=amount, rule="R41", why="Selfless Warden")


def white(*faces: str) -> Effect:
    return fell("", "R41", "Selfless Warden", *faces, die="white_defense")


def test_a_selfless_warden_of_this_sequence(book: Rulebook) -> None:
    """R37, R52: it begins with the next game, by house rules at once; one that was replaced counts to the end."""
    new = warden(in_field=Field("b1"))
    assert isinstance(step(book, start=new).question, RequestAid)
    assert isinstance(step(house(book, selfless_warden="at_once"), start=new).question, Roll)
    former = warden(trait=None)
    assert isinstance(step(book, start=former).question, Roll)
    assert isinstance(step(house(book, selfless_warden="at_once"), start=former).question, RequestAid)


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
    assert done(step(book, None, start=state(trait=Trait("greedy", 1)))) == [noted("R41", "no Aid Request")]


def test_all_that_is_wrong_is_said_at_once(book: Rulebook) -> None:
    """R2, R8, R41, R45."""
    start = state(combat_potential=440, supply_points=0)
    asked = wish(REINFORCEMENTS, unit=BIKE, upgrade="tenacity")
    assert broken(lambda: step(book, asked, start=start)) == ["R8", "R2", "R45", "R45", "R41"]
    assert start.dossiers[WALKER].card == AT_ST
