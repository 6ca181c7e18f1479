"""Putting a Register right by hand: effects, and what no row could hold (R1, R6, R8, R10, R12, R15, R36, R49)."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.adjustments.corrections import (
    Correction,
    Promotion,
    WantedValue,
    corrected,
    corrected_values,
    is_corrected,
    promotion,
)
from rules.core.rulebook import Rulebook
from rules.register.effects import Corrected, from_data, to_data
from rules.register.state import Dossier, RegisterState, Trait, apply, everyone, replay, value_of
from tests.rules.adjustments.wishes import AGENDA, WISHES
from tests.rules.build import OFFICER, OTHERS, PARAGON, STORMTROOPERS, TROOPERS, change, state

ARC = "bring-peace-to-the-galaxy"


def wish(book: Rulebook, before: RegisterState, **values: Any) -> Correction:
    """A correction of the Register's own values."""
    return corrected(book, before, [WantedValue(name, new) for name, new in values.items()])


def of_unit(book: Rulebook, before: RegisterState, key: str = TROOPERS, **values: Any) -> Correction:
    return corrected(book, before, [WantedValue(name, new, unit=key) for name, new in values.items()])


def wrong(correction: Correction) -> list[tuple[str, str]]:
    assert (correction.effects == ()) is bool(correction.impossible)
    return [(violation.rule, violation.about) for violation in correction.impossible]


@pytest.mark.parametrize(
    ("unit", "experience", "expected"),
    [
        (TROOPERS, 4, None),
        (TROOPERS, 5, Promotion(1, 1, 0)),
        (TROOPERS, 50, Promotion(3, 3, 0)),  # a corps unit stops at VR 3
        (PARAGON, 13, Promotion(2, 2, 2)),
    ],
)
def test_what_a_unit_reaches(
    book: Rulebook, unit: str, experience: int, expected: Promotion | None
) -> None:  # R12, R15, R16
    assert promotion(book, state(), unit, experience) == expected
    reached = change(state(), unit, veteran_rank=expected.veteran_rank if expected else 0)
    assert promotion(book, reached, unit, experience) is None


class TestEffects:
    def test_of_the_register(self, book: Rulebook) -> None:
        before = state(trait=Trait("unsure", 1, fresh=True))
        found = wish(
            book, before, name=" Dawn ", supply_points=5, reputation=2, trait=["unsure", 2], assets=["medevac"],
        )  # fmt: skip
        assert found == Correction(
            effects=(
                Corrected(field="name", old="Ashen Patrol", new="Dawn"),
                Corrected(field="reputation", old=0, new=2),
                Corrected(field="trait", old=("unsure", 1, True), new=("unsure", 2, True)),
                Corrected(field="assets", old=(), new=("medevac",)),
            ),
            after=replace(before, name="Dawn", reputation=2, trait=Trait("unsure", 2, fresh=True), assets=("medevac",)),
        )

    @pytest.mark.parametrize("none", [None, "", []])
    def test_a_trait_is_taken_away(self, book: Rulebook, none: Any) -> None:
        before = state(trait=Trait("unsure", 1, fresh=True))
        assert wish(book, before, trait=none) == Correction(
            effects=(Corrected(field="trait", old=("unsure", 1, True), new=None),), after=replace(before, trait=None)
        )

    def test_of_a_unit(self, book: Rulebook) -> None:
        before = change(state(), TROOPERS, experience=4, setbacks=("downtrodden",))
        found = of_unit(book, before, experience=3, setbacks=[], keywords=["Inspire 1", " "])
        assert found == Correction(
            effects=(
                Corrected(unit=TROOPERS, field="experience", old=4, new=3),
                Corrected(unit=TROOPERS, field="setbacks", old=("downtrodden",), new=()),
                Corrected(unit=TROOPERS, field="keywords", old=(), new=("Inspire 1",)),
            ),
            after=change(before, TROOPERS, experience=3, setbacks=(), keywords=("Inspire 1",)),
        )

    def test_another_arc_begins_without_progress(self, book: Rulebook) -> None:
        before = state(agendas={AGENDA: 2})
        found = corrected(book, before, [WantedValue("story_arc", "a-pirates-life")])
        assert found.effects == (
            Corrected(field="story_arc", old=ARC, new="a-pirates-life"),
            Corrected(agenda=AGENDA, field="progress", old=2, new=0),
        )
        assert found.after == replace(before, story_arc="a-pirates-life", agendas={})

    def test_an_agenda(self, book: Rulebook) -> None:
        before = state(story_arc=ARC, agendas={AGENDA: 1})
        found = corrected(book, before, [WantedValue("story_arc", ARC), WantedValue("progress", 2, agenda=AGENDA)])
        assert found == Correction(
            effects=(Corrected(agenda=AGENDA, field="progress", old=1, new=2),),
            after=replace(before, agendas={AGENDA: 2}),
        )

    def test_where_a_unit_is(self, book: Rulebook) -> None:
        found = of_unit(book, state(), place="fallen")
        assert found.effects == (Corrected(unit=TROOPERS, field="place", old="serving", new="fallen"),)
        assert list(found.after.fallen) == [TROOPERS]
        back = of_unit(book, found.after, place="serving")
        assert list(back.after.dossiers) == list(state().dossiers)

    def test_enters_a_dossier(self, book: Rulebook) -> None:
        new = {"card": STORMTROOPERS, "name": "Late", "experience": 3, "setbacks": ["downtrodden"]}
        found = corrected(book, state(), [WantedValue("dossier", new, unit="new")])
        data = {"place": "serving", **new}
        assert found.effects == (Corrected(unit="8", field="dossier", old=None, new=data),)
        assert found.after.dossiers["8"] == Dossier("8", STORMTROOPERS, "Late", experience=3, setbacks=("downtrodden",))
        assert found.after.next_key == 9

    def test_strikes_a_dossier_and_nothing_else_of_it(self, book: Rulebook) -> None:
        wishes = [WantedValue("experience", 9, unit=OTHERS), WantedValue("dossier", None, unit=OTHERS)]
        found = corrected(book, state(), wishes)
        data = {"place": "serving", "card": STORMTROOPERS, "name": "Night Shift"}
        assert found.effects == (Corrected(unit=OTHERS, field="dossier", old=data, new=None),)
        assert OTHERS not in everyone(found.after)

    def test_first_of_its_kind_settles_faction_and_paragon(self, book: Rulebook) -> None:
        found = corrected(
            book, RegisterState(), [WantedValue("dossier", {"card": OFFICER, "name": "Sorne"}, unit="new")]
        )
        assert (found.after.faction, found.after.paragon) == ("empire", "1")
        assert [each.rule for each in found.against_rules] == ["R2"]  # of no points at all

    def test_slots_that_a_commendation_gave_are_found_anew(self, book: Rulebook) -> None:
        slug = next(s for s, card in book.commendations.items() if card.upgrade_slots == ("training",))
        card = next(s for s, up in book.upgrades.items() if up.type == "training" and not up.restrictions)
        found = of_unit(book, state(), commendations=[slug], upgrades=[card])
        assert found.after.dossiers[TROOPERS].by_commendation == (card,)
        less = of_unit(book, found.after, upgrades=[])
        assert less.after.dossiers[TROOPERS].by_commendation == ()
        kept = of_unit(book, found.after, upgrades=[card], experience=1)
        assert [effect.field for effect in kept.effects] == ["experience"]


class TestImpossible:
    @pytest.mark.parametrize(
        ("values", "rule"),
        [
            ({"supply_points": -1}, "R1"),
            ({"supply_points": 10_000}, "R1"),
            ({"reputation": "2"}, "R1"),
            ({"name": ""}, "R10"),
            ({"name": "x" * 81}, "R10"),
            ({"name": 4}, "R10"),
            ({"faction": "hutts"}, "R3"),
            ({"story_arc": "nowhere"}, "R49"),
            ({"assets": ["nothing"]}, "R43"),
            ({"assets": "medevac"}, "R43"),
            ({"command_cards": [[]]}, "R16"),
            ({"paragon": "99"}, "R6"),
            ({"trait": ["unsure"]}, "R37"),
            ({"trait": ["unsure", 0]}, "R37"),
            ({"next_key": 3}, ""),
        ],
    )
    def test_of_the_register(self, book: Rulebook, values: dict[str, Any], rule: str) -> None:
        assert wrong(wish(book, state(), **values)) == [(rule, next(iter(values)))]

    @pytest.mark.parametrize(
        ("values", "rule"),
        [
            ({"experience": 51}, "R12"),
            ({"veteran_rank": 6}, "R12"),
            ({"card": "x"}, "R5"),
            ({"place": "gone"}, "R35"),
            ({"upgrades": ["fragmentation-grenades", "fragmentation-grenades"]}, "R8"),
            ({"keywords": ["\n"]}, None),
            ({"keywords": ["a\nb"]}, "R15"),
        ],
    )
    def test_of_a_unit(self, book: Rulebook, values: dict[str, Any], rule: str | None) -> None:
        found = of_unit(book, state(), **values)
        if rule is None:
            assert found == Correction(after=state())
        else:
            assert wrong(found) == [(rule, f"{TROOPERS}.{next(iter(values))}")]

    def test_all_at_once_and_each_at_its_place(self, book: Rulebook) -> None:
        wishes = [
            WantedValue("supply_points", -1),
            WantedValue("progress", 1, agenda="none"),
            WantedValue("dossier", {"experience": 60}, unit="new"),
            WantedValue("name", "x", unit="99"),
            WantedValue("dossier", None, unit="98"),
        ]
        assert wrong(corrected(book, state(), wishes)) == [
            ("R5", "new.card"), ("R12", "new.experience"), ("R1", "supply_points"), ("R25", "agenda.none"),
            ("R19", "99.name"), ("R19", "98.dossier"),
        ]  # fmt: skip

    def test_no_paragon_without_a_unit(self, book: Rulebook) -> None:
        assert wrong(of_unit(book, state(), PARAGON, place="fallen")) == [("R6", "paragon")]
        assert wrong(wish(book, state(), paragon="")) == [("R10", "paragon"), ("R6", "paragon")]


class TestReplay:
    def test_finds_out_what_it_stood_on(self, book: Rulebook) -> None:
        effect = of_unit(book, change(state(), TROOPERS, experience=4), experience=3).effects[0]
        with pytest.raises(ValueError, match="experience is not 4"):
            apply(state(), effect)
        with pytest.raises(KeyError):
            apply(replace(state(), dossiers={}), effect)

    def test_the_same_wish_again(self, book: Rulebook) -> None:
        wishes = [WantedValue("dossier", {"card": STORMTROOPERS}, unit="new")]
        effects = corrected(book, state(), wishes).effects
        assert is_corrected(effects, wishes, book, state())
        assert not is_corrected(effects, [WantedValue("supply_points", 1)], book, state())
        assert not is_corrected([], [], book, state())

    def test_a_unit_that_is_not_there(self) -> None:
        with pytest.raises(KeyError):
            value_of(state(), "name", unit="99")


@given(wishes=st.lists(WISHES, max_size=6))
def test_there_and_back_is_the_same_register(book: Rulebook, wishes: list[WantedValue]) -> None:
    before = state()
    there = corrected(book, before, wishes)
    kept = [from_data(json.loads(json.dumps(to_data(effect)))) for effect in there.effects]
    assert kept == list(there.effects)
    assert replay(kept, before) == there.after
    back = [replace(effect, old=effect.new, new=effect.old) for effect in there.effects[::-1]]
    assert replace(replay(back, there.after), next_key=before.next_key) == before


class TestValues:
    def test_of_a_field(self) -> None:
        effect = Corrected(unit="3", field="experience", old=12, new=9)
        assert list(corrected_values(effect)) == [("experience", 12, 9)]

    def test_of_a_dossier_that_was_missing(self) -> None:
        effect = Corrected(unit="9", field="dossier", old=None, new={"card": "stormtroopers", "experience": 4})
        assert list(corrected_values(effect)) == [("card", None, "stormtroopers"), ("experience", None, 4)]

    def test_of_a_dossier_that_was_struck(self) -> None:
        effect = Corrected(unit="9", field="dossier", old={"card": "stormtroopers"}, new=None)
        assert list(corrected_values(effect)) == [("card", "stormtroopers", None)]
