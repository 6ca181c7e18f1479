"""Step 7, Aid Requests: Strategic Assets, reinforcements and provisions."""

import pytest

from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.effects import AssetGained, Effect, UpgradeAdded

from ..build import BIKE, OTHERS, SNOW, TROOPERS, WALKER, broken, change, done, house, state, violations, without
from .requesting import PROVISIONS, REINFORCEMENTS, paid, step, wish


def upgraded(unit: str, slug: str, rule: str, why: str) -> Effect:
    return UpgradeAdded(unit=unit, upgrade=slug, rule=rule, why=why)


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
    held = Violation("R43", f"The Register cannot hold {name} more than {often}.", "asset")
    made = Violation("R43", f"{name} can be requested only {often} per sequence.", "asset")
    assert violations(lambda: step(book, *[asked] * (allowed + 1))) == [held, made]
    assert violations(lambda: step(book, asked, start=state(assets=(slug,) * allowed))) == [held]
    assert violations(lambda: step(book, asked, start=state(requests={slug: allowed}))) == [made]


@pytest.mark.parametrize("slug", sorted(TWICE))
def test_or_one_of_each_without_exception(book: Rulebook, slug: str) -> None:
    """R43, `requested_twice`: it may be requested again, once the first has been used."""
    strict, asked = house(book, requested_twice="one_held"), wish(ASSET, asset=slug)
    held = Violation("R43", f"The Register cannot hold {book.assets[slug].name} more than once.", "asset")
    assert violations(lambda: step(strict, asked, asked)) == [held]
    assert step(strict, asked, start=state(requests={slug: 1})).question is not None
    most = [strict.held_at_most(asset) for asset in book.assets.values()]
    assert most == [1] * len(book.assets)


def test_assets_that_are_refused(book: Rulebook) -> None:
    """R43, R41."""
    text = "Choose a Strategic Asset."
    assert violations(lambda: step(book, wish(ASSET), start=state(supply_points=0))) == [
        Violation("R43", text, "asset")
    ]
    assert violations(lambda: step(book, wish(ASSET, asset="heroic-intervention"), start=state(supply_points=1))) == [
        Violation("R41", "This costs 2 SP, but only 1 are left.", "request")
    ]


# --- Reinforcements and provisions ---------------------------------------------------------------------------


def test_reinforcements_bring_a_heavy_weapon_or_personnel(book: Rulebook) -> None:
    """R45."""
    for slug in ("dlt-19-stormtrooper", "stormtrooper"):
        assert done(step(book, wish(REINFORCEMENTS, unit=TROOPERS, upgrade=slug), None)) == [
            *paid(REINFORCEMENTS, "Request Reinforcements"), upgraded(TROOPERS, slug, "R45", "reinforcements"),
        ]  # fmt: skip


@pytest.mark.parametrize(("rank", "cost"), [(0, 1), (1, 1), (3, 3)])
def test_they_cost_the_unit_s_veteran_rank(book: Rulebook, rank: int, cost: int) -> None:
    """R41."""
    start = change(state(), TROOPERS, veteran_rank=rank)
    asked = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="stormtrooper")
    assert step(book, asked, start=start).state.supply_points == 5 - cost


def test_they_may_bring_a_card_beyond_the_one_of_joining_but_a_slot_it_needs(book: Rulebook) -> None:
    """R45, R8."""
    start = change(state(), TROOPERS, upgrades=("t-21-stormtrooper",), commendations=("flexible-response",))
    asked = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="dlt-19-stormtrooper")
    assert step(book, asked, start=start).state.dossiers[TROOPERS].upgrades == (
        "t-21-stormtrooper", "dlt-19-stormtrooper",
    )  # fmt: skip
    full = change(start, TROOPERS, commendations=())
    assert broken(lambda: step(book, asked, start=full)) == ["R8"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, [Violation("R41", "Choose a unit of the Register.", "unit"),
              Violation("R8", "Choose an upgrade card.", "upgrade")]),
        ({"unit": WALKER, "upgrade": "dw-3-grenade-launcher"},
         [Violation("R45", "This unit’s card has no heavy weapon or personnel slot.", "unit"),
          Violation("R45", "Choose a heavy weapon or personnel upgrade.", "upgrade")]),
        ({"unit": TROOPERS, "upgrade": "targeting-scopes"},
         [Violation("R45", "Choose a heavy weapon or personnel upgrade.", "upgrade")]),
        ({"unit": TROOPERS, "upgrade": "flametrooper"},
         [Violation("R8", "Stormtroopers cannot take Flametrooper.", "flametrooper")]),
        ({"unit": "99", "upgrade": "stormtrooper"}, [Violation("R41", "Choose a unit of the Register.", "unit")]),
    ],
)  # fmt: skip
def test_reinforcements_that_are_refused(book: Rulebook, words: dict[str, str], expected: list[Violation]) -> None:
    """R45: it is the printed bar that counts."""
    assert violations(lambda: step(book, wish(REINFORCEMENTS, **words))) == expected


def test_a_slot_of_a_commendation_is_not_printed(book: Rulebook) -> None:
    """R45."""
    start = change(state(), BIKE, commendations=("flexible-response",))
    asked = wish(REINFORCEMENTS, unit=BIKE, upgrade="dlt-19-stormtrooper")
    assert "R45" in broken(lambda: step(book, asked, start=start))


def test_provisions_bring_anything_else(book: Rulebook) -> None:
    """R41: 1 SP for each unit, whatever its VR."""
    start = change(state(), TROOPERS, veteran_rank=3)
    asked = wish(PROVISIONS, unit=TROOPERS, upgrade="targeting-scopes")
    more = wish(PROVISIONS, unit=WALKER, upgrade="dw-3-grenade-launcher")
    assert done(step(book, asked, more, None, start=start)) == [
        *paid(PROVISIONS, "Supplies and Provisions"), upgraded(TROOPERS, "targeting-scopes", "R41", "provisions"),
        *paid(PROVISIONS, "Supplies and Provisions"), upgraded(WALKER, "dw-3-grenade-launcher", "R41", "provisions"),
    ]  # fmt: skip
    assert violations(lambda: step(book, wish(PROVISIONS, unit=TROOPERS, upgrade="stormtrooper"))) == [
        Violation("R41", "This request cannot add a heavy weapon or personnel upgrade. Choose another type.", "upgrade")
    ]
    assert broken(lambda: step(book, wish(PROVISIONS, unit=TROOPERS))) == ["R8"]


@pytest.mark.parametrize("slug", [REINFORCEMENTS, PROVISIONS])
def test_what_they_bring_must_fit_the_register(book: Rulebook, slug: str) -> None:
    """R2, R5, R4."""
    card = "dlt-19-stormtrooper" if slug == REINFORCEMENTS else "targeting-scopes"
    asked = wish(slug, unit=TROOPERS, upgrade=card)
    assert broken(lambda: step(book, asked, start=state(combat_potential=445))) == ["R2"]
    assert broken(lambda: step(book, asked, start=without(state(), OTHERS, SNOW))) == ["R4"]
    banned = wish(REINFORCEMENTS, unit=TROOPERS, upgrade="agent-kallus")
    assert broken(lambda: step(book, banned)) == ["R5"]
