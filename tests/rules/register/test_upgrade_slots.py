"""Which upgrade cards a unit may have (R5, R7, R8)."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from rules.core.campaign_rules import CampaignRules
from rules.core.card_types import Term, Unit, Upgrade
from rules.core.rulebook import Rulebook
from rules.core.violations import Violation
from rules.register.state import Dossier
from rules.register.upgrade_slots import (
    Bearer,
    all_slots,
    availability_violations,
    bearer,
    beyond_compulsory,
    card_ban_violations,
    compulsory,
    compulsory_name,
    equip_violations,
    fits,
    lent_bearer,
    may_equip,
    missing_compulsory,
    shares_faction,
    spoken,
)
from tests.rules.build import PARAGON, TROOPERS, change, state


def upgrade(kind: str, *, grants: tuple[str, ...] = (), slug: str = "") -> Upgrade:
    return Upgrade(slug or kind, kind, "", kind, 5, False, None, grants_slots=grants)


def a_unit(**changes: object) -> Unit:
    plain = Unit("guards", "Guards", "", "empire", "corps", "trooper", "trooper", False, False, 40, ("gear",), ())
    return replace(plain, **changes)  # type: ignore[arg-type]


def serving(unit: Unit, faction: str = "empire") -> Bearer:
    return Bearer(unit, faction, unit.faction, unit.affiliation)


# --- Who bears them ------------------------------------------------------------------------------------------


def test_a_bearer_has_the_slots_of_its_card_and_its_commendations(book: Rulebook) -> None:
    """R8."""
    start = change(state(), TROOPERS, commendations=("resilient", "advanced-drill", "extra-equipment"))
    unit = bearer(book, start, start.dossiers[TROOPERS])
    assert unit == Bearer(book.units["stormtroopers"], "empire", "empire", "", ("training", "gear", "grenades"))
    assert all_slots(unit) == Counter({"heavy-weapon": 1, "personnel": 1, "gear": 2, "grenades": 2, "training": 1})


def test_a_unit_that_joined_by_a_reward_has_the_faction_and_affiliation_it_took_over(book: Rulebook) -> None:
    """Section 8: not its own printed affiliation, even where the Paragon has none."""
    truck = Dossier("8", "wlo-5-speeder-tank", faction="empire")
    assert bearer(book, state(), truck) == Bearer(book.units["wlo-5-speeder-tank"], "empire", "empire", affiliation="")


def test_a_mercenary_keeps_its_printed_affiliation(book: Rulebook) -> None:
    pykes = Dossier("8", "pyke-syndicate-foot-soldiers")
    assert bearer(book, state(), pykes) == Bearer(
        book.units["pyke-syndicate-foot-soldiers"], "empire", "mercenary", "pyke"
    )


@pytest.mark.parametrize(("card", "faction"), [("rebel-troopers", "rebel"), ("pyke-syndicate-foot-soldiers", "")])
def test_before_the_register_has_a_faction_the_unit_s_own_counts(book: Rulebook, card: str, faction: str) -> None:
    """R3, R8: whatever the order."""
    assert bearer(book, state(faction=""), Dossier("8", card)).army_faction == faction


def test_a_lent_unit_bears_what_its_card_allows(book: Rulebook) -> None:
    vader = book.units["darth-vader-dark-lord-of-the-sith"]
    assert lent_bearer(state(), vader) == Bearer(vader, "empire", "empire", "")


# --- What never enters a Register ----------------------------------------------------------------------------


def test_unique_units_never_enter_a_register(book: Rulebook) -> None:
    """R5."""
    assert list(card_ban_violations(book, book.units["general-veers-master-tactician"])) == [
        Violation(
            "R5",
            "General Veers, Master Tactician is unique. Unique units cannot join a Register.",
            "general-veers-master-tactician",
        )
    ]


@pytest.mark.parametrize(
    ("kind", "banned"),
    [
        ("squad-leader", True), ("personnel", True), ("heavy-weapon", True), ("crew", True), ("pilot", True),
        ("armament", True), ("command", False), ("training", False), ("doctrine", False), ("gear", False),
    ],
)  # fmt: skip
def test_unique_upgrades_of_six_types_never_enter_a_register(book: Rulebook, kind: str, banned: bool) -> None:
    """R5."""
    card = replace(upgrade(kind), unique=True, army_limit=1)
    text = f"{kind} is a unique {spoken(kind)} upgrade. A Register cannot have those."
    assert list(card_ban_violations(book, card)) == ([Violation("R5", text, kind)] if banned else [])


@pytest.mark.parametrize(
    ("today", "points", "expected"),
    [
        ("", 10, "Guards is not released yet (2026-08-14)."),
        ("2026-08-13", 10, "Guards is not released yet (2026-08-14)."),
        ("2026-08-14", 10, ""),
        ("2026-08-14", 0, "Guards cannot be used yet: points not published."),
    ],
)
def test_a_card_is_playable_from_its_day_on(book: Rulebook, today: str, points: int, expected: str) -> None:
    """R5."""
    card = a_unit(release="2026-08-14", points=points)
    found = [each.text for each in availability_violations(replace(book, today=today), card)]
    assert found == ([expected] if expected else [])


def test_unreleased_cards_wait_for_a_campaign_that_allows_them(book: Rulebook) -> None:
    """R5."""
    card = a_unit(release="July 2026")
    assert list(availability_violations(book, card)) == [
        Violation("R5", "Guards is not released yet (July 2026).", "guards")
    ]
    assert list(availability_violations(book.under(CampaignRules(unreleased=True)), card)) == []


def test_retired_cards_are_not_added_any_more(book: Rulebook) -> None:
    assert list(card_ban_violations(book, a_unit(retired=True))) == [
        Violation("R5", "Guards is no longer in the catalogue.", "guards")
    ]


# --- Slots ---------------------------------------------------------------------------------------------------


def test_every_card_needs_a_slot_of_its_own() -> None:
    """R8."""
    gear, other = upgrade("gear"), upgrade("gear", slug="more")
    assert [fits(Counter(slots), [gear, other]) for slots in (["gear", "gear"], ["gear"], [])] == [
        True, False, False,
    ]  # fmt: skip


def test_a_granted_slot_counts_only_once_its_card_sits_in_another() -> None:
    """R8: a card that gives a slot of its own type cannot sit in it."""
    captain = upgrade("personnel", grants=("training",))
    own = upgrade("heavy-weapon", grants=("heavy-weapon",))
    drill = upgrade("training")
    assert fits(Counter(["personnel"]), [captain, drill])
    assert not fits(Counter(["training"]), [captain, drill])
    assert not fits(Counter(), [own])
    assert fits(Counter(["heavy-weapon"]), [own, upgrade("heavy-weapon", slug="second")])
    assert not fits(Counter(["heavy-weapon"]), [own, *(upgrade("heavy-weapon", slug=s) for s in "ab")])


def test_cards_may_sit_in_slots_of_one_another_in_any_order() -> None:
    """R8."""
    first = upgrade("personnel", grants=("training",))
    second = upgrade("training", grants=("comms",))
    third = upgrade("comms", grants=("gear",))
    assert fits(Counter(["personnel"]), [third, second, first, upgrade("gear")])
    assert not fits(Counter(["gear"]), [third, second, first])


def test_a_ring_of_cards_that_hold_each_other_does_not_fit() -> None:
    """R8."""
    assert not fits(Counter(), [upgrade("gear", grants=("comms",)), upgrade("comms", grants=("gear",))])


# --- What a unit may equip -----------------------------------------------------------------------------------


def test_a_card_that_fits() -> None:
    assert list(equip_violations(serving(a_unit()), [], [upgrade("gear")])) == []


def test_everything_that_is_wrong_with_a_card_is_said_at_once() -> None:
    """R8: no repetition, restrictions, a free slot."""
    scopes = replace(upgrade("gear"), restrictions=((Term("rank", "heavy"),),))
    assert list(equip_violations(serving(a_unit()), [scopes], [scopes])) == [
        Violation("R8", "Guards already has gear.", "gear"),
        Violation("R8", "Guards cannot take gear.", "gear"),
        Violation("R8", "Guards has no free slot for this (gear).", "guards"),
    ]


def test_types_without_a_slot_are_named() -> None:
    new = [upgrade("heavy-weapon"), upgrade("comms")]
    assert list(equip_violations(serving(a_unit()), [], new)) == [
        Violation("R8", "Guards has no free slot for this (comms, heavy weapon).", "guards")
    ]


@pytest.mark.parametrize(
    ("key", "value", "other"),
    [
        ("faction", "empire", "rebel"),
        ("affiliation", "pyke", "black sun"),
        ("force_side", "dark", "light"),
        ("rank", "corps", "heavy"),
        ("unit", "Guards", "Guard"),
        ("unit_title", "Elite", ""),
        ("unit_type", "trooper", "clone trooper"),
        ("keyword", "Scout", "Scout 1"),
        ("has_slot", "gear", "comms"),
        ("defense_die", "red", "white"),
    ],
)
def test_every_word_of_a_restriction(key: str, value: str, other: str) -> None:
    """R8: each compares with a printed column; negated, it must not hold."""
    unit = serving(a_unit(affiliation="pyke", title="Elite", keywords=("Scout 1",), defense_die="red"))

    def allowed(*terms: Term) -> bool:
        return not list(equip_violations(unit, [], [replace(upgrade("gear"), restrictions=(terms,))]))

    assert [
        allowed(Term(key, value)), allowed(Term(key, other)),
        allowed(Term(key, value, negated=True)), allowed(Term(key, other, negated=True)),
    ] == [True, False, False, True]  # fmt: skip


@pytest.mark.parametrize(
    ("faction", "side"),
    [
        ("rebel", "light"), ("republic", "light"), ("empire", "dark"), ("separatist", "dark"), ("mercenary", "dark"),
        ("mandalorian", ""),
    ],
)  # fmt: skip
def test_sides_of_the_force(faction: str, side: str) -> None:
    """Mercenaries count as dark."""
    unit = serving(a_unit(faction=faction), faction)
    allowed = [
        word
        for word in ("light", "dark")
        if not list(equip_violations(unit, [], [replace(upgrade("gear"), restrictions=((Term("force_side", word),),))]))
    ]
    assert allowed == [side] * bool(side)


def test_one_of_several_alternatives_is_enough() -> None:
    card = replace(
        upgrade("gear"), restrictions=((Term("rank", "heavy"),), (Term("rank", "corps"), Term("unit_type", "trooper")))
    )
    droid = a_unit(unit_type="droid trooper")
    assert list(equip_violations(serving(a_unit()), [], [card])) == []
    assert list(equip_violations(serving(droid), [], [card])) == [Violation("R8", "Guards cannot take gear.", "gear")]


def test_an_upgrade_that_changes_the_affiliation_opens_cards_for_it(book: Rulebook) -> None:
    clan, carbines = book.upgrades["clan-wren"], book.upgrades["galaar-15-carbines"]
    unit = a_unit(name="Mandalorian Warriors", unit_type="mandalorian trooper", upgrade_slots=("clan", "armament"))
    assert list(equip_violations(serving(unit), [], [clan, carbines])) == []
    assert list(equip_violations(serving(unit), [], [carbines])) == [
        Violation("R8", f"Mandalorian Warriors cannot take {carbines.full_name}.", carbines.slug)
    ]


def test_an_upgrade_that_changes_the_affiliation_leaves_the_others_what_they_are_for(book: Rulebook) -> None:
    """R8: a raider's pilot is one no longer; what was not for the unit before is nobody's fault now."""
    tank = book.units["wlo-5-speeder-tank"]
    gunner, crew = book.upgrades["frenzied-gunner"], book.upgrades["black-sun-crew"]
    assert list(equip_violations(serving(tank), [gunner], [crew])) == [
        Violation("R8", "With Black Sun Crew, WLO-5 Speeder Tank could not keep Frenzied Gunner.", crew.slug)
    ]
    assert list(equip_violations(serving(replace(tank, rank="support")), [gunner], [crew])) == []


def test_a_card_that_was_for_the_unit_by_another_one_that_is_away(book: Rulebook) -> None:
    """R8, when a correction puts another card in the place of the one that changed the affiliation."""
    clan, carbines = book.upgrades["clan-wren"], book.upgrades["galaar-15-carbines"]
    unit = a_unit(
        name="Mandalorian Warriors", unit_type="mandalorian trooper", upgrade_slots=("gear", "clan", "armament")
    )
    assert list(equip_violations(serving(unit), [carbines], [upgrade("gear")], before=[clan, carbines])) == [
        Violation("R8", f"Mandalorian Warriors cannot take {carbines.full_name}.", carbines.slug)
    ]


def test_a_card_of_a_faction_is_for_units_or_armies_of_it() -> None:
    card = replace(upgrade("gear"), faction="republic")
    mercenary = a_unit(faction="mercenary")
    assert list(equip_violations(serving(mercenary, "republic"), [], [card])) == []
    assert list(equip_violations(serving(mercenary, "empire"), [], [card])) != []


def test_a_mercenary_card_is_only_for_armies_that_hire_it() -> None:
    card = replace(upgrade("gear"), hireable_by=("separatist",))
    assert list(equip_violations(serving(a_unit(), "separatist"), [], [card])) == []
    assert list(equip_violations(serving(a_unit(), ""), [], [card])) == []
    assert list(equip_violations(serving(a_unit(), "empire"), [], [card])) == [
        Violation("R8", "Guards cannot take gear.", "gear")
    ]


# --- What is compulsory --------------------------------------------------------------------------------------


def test_equip_and_programmed_name_what_is_compulsory() -> None:
    """R7: types as types, anything else as the name of a card."""
    unit = a_unit(keywords=("Programmed", "Equip: Armament, Heavy Weapon", "Scout 1", "Equip: A280"))
    assert compulsory(unit) == ("programming", "armament", "heavy-weapon", "A280")
    assert [compulsory_name(wanted) for wanted in ("heavy-weapon", "A280")] == ["a Heavy weapon upgrade", "A280"]


def test_what_is_left_and_what_is_missing() -> None:
    """R7: each compulsory entry takes one card."""
    unit = a_unit(keywords=("Equip: Doctrine", "Equip: A280", "Programmed"))
    cards = [upgrade("doctrine"), upgrade("doctrine", slug="second"), replace(upgrade("armament"), name="A280")]
    assert beyond_compulsory(unit, cards) == (cards[1],)
    assert missing_compulsory(unit, cards) == ("programming",)


def test_every_compulsory_entry_of_the_catalogue_is_a_type_or_a_card(book: Rulebook) -> None:
    names = {card.name for card in book.upgrades.values()} | {card.type for card in book.upgrades.values()}
    assert {word for unit in book.units.values() for word in compulsory(unit)} <= names


# --- Factions ------------------------------------------------------------------------------------------------


def test_who_serves_where() -> None:
    """R3."""
    hired = a_unit(faction="mercenary", hireable_by=("rebel",))
    assert [shares_faction(unit, faction) for unit in (a_unit(), hired) for faction in ("empire", "rebel")] == [
        True, False, False, True,
    ]  # fmt: skip


def test_a_unit_of_another_faction_is_not_hired() -> None:
    """R3: only a unit without a Faction is."""
    assert not shares_faction(a_unit(hireable_by=("rebel",)), "rebel")


def test_slugs_as_a_player_says_them() -> None:
    assert (spoken("heavy-weapon"), spoken("A280")) == ("heavy weapon", "A280")


def test_the_paragon_of_the_tests_may_have_a_doctrine(book: Rulebook) -> None:
    unit = bearer(book, state(), state().dossiers[PARAGON])
    assert list(equip_violations(unit, [], [book.upgrades["defend-in-depth"]])) == []


def test_whether_a_unit_may_equip_cards_is_what_its_problems_say(book: Rulebook) -> None:
    """For every seventh unit and all cards: one of each, the same twice, and each with the one after it."""
    upgrades, answers = [*book.upgrades.values()], set()
    for unit in [*book.units.values()][::7]:
        for card, after in pairwise(upgrades):
            for cards in ([card], [card, card], [card, after]):
                may = may_equip(serving(unit), cards)
                assert may is not any(equip_violations(serving(unit), [], cards)), (unit.slug, cards)
                answers.add((len(cards), may))
    assert answers == {(1, True), (1, False), (2, True), (2, False)}
