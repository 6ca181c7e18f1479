"""Taking over what a Register kept elsewhere has become (R2, R8 to R16, R25, R36, R43, R49)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rules.adjustments.imported_register import (
    LARGEST,
    ImportedCommendation,
    PastRegister,
    PastUnit,
    take_over_register,
    take_over_unit,
)
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation
from rules.register import effects as e
from rules.register.building import choose_faction, combat_potential_left, open_register
from rules.register.state import Dossier, RegisterState, replay
from rules.register.upgrade_slots import all_slots, bearer, fits
from rules.register.veterans import THRESHOLDS, maximum_veteran_rank
from tests.rules.build import OFFICER, STORMTROOPERS, broken, violations

ARC = "bring-peace-to-the-galaxy"
AGENDA = "keep-them-in-line"


@pytest.fixture
def opened(book: Rulebook) -> RegisterState:
    """An imperial Register that was just opened, with 600 points and 5 SP."""
    start = replay(open_register())
    return replay(choose_faction(book, start, "empire"), start)


def register(book: Rulebook, state: RegisterState, **past: Any) -> list[e.Effect]:
    return plain(take_over_register(book, state, PastRegister(**past)))


def unit(book: Rulebook, state: RegisterState, card: str = STORMTROOPERS, **past: Any) -> list[e.Effect]:
    return plain(take_over_unit(book, state, PastUnit(card=card, **{"name": "Red Six", **past})))


def plain(effects: list[e.Effect]) -> list[e.Effect]:
    """The effects without the words that each of them bears."""
    assert {effect.why for effect in effects} <= {"imported"}
    return [replace(effect, why="") for effect in effects]


class TestRegister:
    def test_whole(self, book: Rulebook, opened: RegisterState) -> None:
        effects = register(
            book, opened,
            combat_potential=850, supply_points=9, reputation=2, story_arc=ARC,
            agendas=[(AGENDA, 2), ("gather-intelligence", 0)], assets=["medevac", "request-assistance"],
        )  # fmt: skip
        assert effects == [
            e.CombatPotentialRaised(amount=250, rule="R1"),
            e.SupplyPointsGained(amount=4, rule="R1"),
            e.ReputationGained(amount=2, rule="R48"),
            e.StoryArcBegun(story_arc=ARC, rule="R49"),
            e.AgendaProgressed(agenda=AGENDA, amount=2, rule="R25"),
            e.AssetGained(asset="medevac", rule="R43"),
            e.AssetGained(asset="request-assistance", rule="R43"),
        ]
        assert replay(effects, opened) == replace(
            opened, combat_potential=850, supply_points=9, reputation=2, story_arc=ARC, agendas={AGENDA: 2},
            assets=("medevac", "request-assistance"),
        )  # fmt: skip

    def test_nothing_is_said(self, book: Rulebook, opened: RegisterState) -> None:
        assert register(book, opened) == []
        assert register(book, opened, combat_potential=600, supply_points=5, reputation=0) == []

    def test_fewer_sp(self, book: Rulebook, opened: RegisterState) -> None:
        assert register(book, opened, supply_points=0) == [e.SupplyPointsSpent(amount=5, rule="R1")]

    def test_numbers_that_cannot_be(self, book: Rulebook, opened: RegisterState) -> None:
        wrong = violations(
            lambda: register(book, opened, combat_potential=599, supply_points=-1, reputation=LARGEST + 1)
        )
        assert wrong == [
            Violation("R1", "A Register can have 600 to 9999 Combat Potential, not 599."),
            Violation("R1", "A Register can have 0 to 9999 SP, not -1."),
            Violation("R1", "A Register can have 0 to 9999 Reputation, not 10000."),
        ]

    def test_agendas(self, book: Rulebook, opened: RegisterState) -> None:
        """R25, R49."""
        assert broken(lambda: register(book, opened, story_arc="nothing")) == ["R49"]
        assert violations(lambda: register(book, opened, agendas=[(AGENDA, 1)])) == [
            Violation("R25", "Keep Them in Line is not an Agenda of the current Story Arc.", AGENDA)
        ]
        found = violations(
            lambda: register(
                book, opened, story_arc=ARC,
                agendas=[(AGENDA, 99), ("gather-intelligence", 1), ("gather-intelligence", 1), ("nothing", 1)],
            )
        )  # fmt: skip
        end = book.agendas[AGENDA].progressions_to_complete
        assert found == [
            Violation("R25", f"Keep Them in Line can progress at most {end} times, not 99.", AGENDA),
            Violation("R25", "Gather Intelligence is listed twice. Remove one.", "gather-intelligence"),
            Violation("R25", "nothing is not an Agenda of the current Story Arc.", "nothing"),
        ]

    def test_assets(self, book: Rulebook, opened: RegisterState) -> None:
        """R43."""
        many = ["medevac", "medevac", "request-assistance", "request-assistance", "nothing"]
        assert violations(lambda: register(book, opened, assets=many)) == [
            Violation("R43", "A Register can hold Medevac at most 1 time.", "medevac"),
            Violation("R43", "Choose a Strategic Asset from the list.", "nothing"),
        ]


class TestUnit:
    def test_whole(self, book: Rulebook, opened: RegisterState) -> None:
        effects = unit(
            book, opened, experience=13,
            awards=[ImportedCommendation("advanced-drill"), ImportedCommendation("resilient")],
            upgrades=["dlt-19-stormtrooper", "offensive-push"], setbacks=["battle-fatigue", "battle-fatigue"],
        )  # fmt: skip
        assert effects == [
            e.UnitAdded(unit="1", card=STORMTROOPERS, name="Red Six", rule="R10"),
            e.ExperienceGained(unit="1", amount=13, rule="R13"),
            e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
            e.VeteranRankReached(unit="1", veteran_rank=2, rule="R12"),
            e.CommendationAwarded(unit="1", commendation="advanced-drill", rule="R15"),
            e.CommendationAwarded(unit="1", commendation="resilient", rule="R15"),
            e.UpgradeAdded(unit="1", upgrade="dlt-19-stormtrooper", rule="R8"),
            e.UpgradeAdded(unit="1", upgrade="offensive-push", by_commendation=True, rule="R8"),
            e.SetbackGained(unit="1", setback="battle-fatigue", rule="R36"),
            e.SetbackGained(unit="1", setback="battle-fatigue", rule="R36"),
        ]
        assert replay(effects, opened).dossiers["1"] == Dossier(
            "1", STORMTROOPERS, "Red Six", upgrades=("dlt-19-stormtrooper", "offensive-push"),
            by_commendation=("offensive-push",), experience=13, veteran_rank=2,
            setbacks=("battle-fatigue", "battle-fatigue"), commendations=("advanced-drill", "resilient"),
        )  # fmt: skip

    def test_fresh(self, book: Rulebook, opened: RegisterState) -> None:
        assert unit(book, opened, name="") == [e.UnitAdded(unit="1", card=STORMTROOPERS, rule="R10")]

    def test_what_the_paragon_is_owed_is_asked_in_step_6(self, book: Rulebook, opened: RegisterState) -> None:
        """R15, R16."""
        after = replay(unit(book, opened, OFFICER, experience=5), opened)
        assert (after.paragon, after.dossiers["1"].owed, after.command_cards_owed) == ("1", 1, 1)

    def test_experience_beyond_the_cap_is_cut(self, book: Rulebook, opened: RegisterState) -> None:
        """R13."""
        assert unit(book, opened, experience=26)[1] == e.ExperienceGained(unit="1", amount=25, lost=1, rule="R13")
        assert broken(lambda: unit(book, opened, experience=-1)) == ["R13"]
        assert broken(lambda: unit(book, opened, experience=LARGEST + 1)) == ["R13"]

    def test_a_veteran_rank_above_its_experience(self, book: Rulebook, opened: RegisterState) -> None:
        """R12, R14."""
        assert unit(book, opened, experience=5, veteran_rank=2)[1:] == [
            e.ExperienceGained(unit="1", amount=5, rule="R13"),
            e.VeteranRankReached(unit="1", veteran_rank=1, rule="R12"),
            e.VeteranRankReached(unit="1", veteran_rank=2, rule="R14"),
        ]
        assert unit(book, opened, experience=5, veteran_rank=1) == unit(book, opened, experience=5)
        assert violations(lambda: unit(book, opened, veteran_rank=4)) == [
            Violation("R12", "Stormtroopers can reach at most VR 3, not 4.", "1")
        ]

    def test_it_has_a_name_from_vr_1(self, book: Rulebook, opened: RegisterState) -> None:
        """R9."""
        assert violations(lambda: unit(book, opened, name="", experience=5)) == [
            Violation("R9", "A unit with a Veteran Rank needs a name. Enter one.", "name")
        ]

    @pytest.mark.parametrize(
        ("past", "text"),
        [
            (
                {"awards": [ImportedCommendation("resilient")]},
                "Resilient: a unit can have at most one Commendation for each VR.",
            ),
            ({"experience": 5, "awards": [ImportedCommendation("nothing")]}, "Choose a Commendation from the list."),
            (
                {"experience": 5, "awards": [ImportedCommendation("recon-badge")]},
                "Stormtroopers cannot have Recon Badge: needs VR 2.",
            ),
            (
                {"experience": 13, "awards": [ImportedCommendation("resilient"), ImportedCommendation("resilient")]},
                "Stormtroopers cannot have Resilient: already awarded.",
            ),
            ({"experience": 5, "awards": [ImportedCommendation("resilient", "Jump")]}, "Resilient: choose no keyword."),
        ],
    )
    def test_commendations(self, book: Rulebook, opened: RegisterState, past: Any, text: str) -> None:
        """R15."""
        found = violations(lambda: unit(book, opened, **past))
        assert [(violation.rule, violation.text) for violation in found] == [("R15", text)]

    def test_that_of_an_arc_and_its_keyword(self, book: Rulebook, opened: RegisterState) -> None:
        """R15: it may have been awarded during an earlier Story Arc."""
        [card] = [card for card in book.commendations.values() if card.choose_keyword]
        rank = max(card.requires.veteran_rank, 1)
        past = {"experience": THRESHOLDS[rank]}
        for keyword in card.choose_keyword:
            after = replay(unit(book, opened, awards=[ImportedCommendation(card.slug, keyword)], **past), opened)
            assert after.dossiers["1"].keywords == (keyword,)
        words = " or ".join(card.choose_keyword)
        assert violations(lambda: unit(book, opened, awards=[ImportedCommendation(card.slug)], **past)) == [
            Violation("R15", f"{card.name}: choose {words}.", card.slug)
        ]

    def test_upgrades(self, book: Rulebook, opened: RegisterState) -> None:
        """R2, R8: how it came by them is not known, so that R7 does not count them."""
        assert broken(lambda: unit(book, opened, upgrades=["nothing"])) == ["R8"]
        assert broken(lambda: unit(book, opened, upgrades=["offensive-push"])) == ["R8"]
        poor = replace(opened, combat_potential=50)
        assert broken(lambda: unit(book, poor, upgrades=["dlt-19-stormtrooper"])) == ["R2"]

    def test_setbacks(self, book: Rulebook, opened: RegisterState) -> None:
        """R36."""
        assert violations(lambda: unit(book, opened, setbacks=["battle-shaken", "battle-shaken"])) == [
            Violation("R36", "A unit cannot have Battle-Shaken twice.", "battle-shaken")
        ]
        assert broken(lambda: unit(book, opened, setbacks=["nothing"])) == ["R36"]

    def test_what_is_refused_of_any_unit(self, book: Rulebook, opened: RegisterState) -> None:
        assert broken(lambda: unit(book, opened, "rebel-troopers")) == ["R3"]
        assert broken(lambda: unit(book, opened, OFFICER, name="")) == ["R7"]


NUMBER = st.one_of(st.none(), st.integers(-2, 12), st.integers(598, 700), st.integers(LARGEST - 1, LARGEST + 1))


@given(data=st.data())
def test_nothing_is_ever_above_its_cap(book: Rulebook, data: st.DataObject) -> None:
    """Whatever a list says: it is refused, or what it comes to keeps R2, R8, R12, R13, R15, R25, R36 and R43."""
    state = replay(open_register())
    state = replay(choose_faction(book, state, "empire"), state)
    slugs = {kind: sorted(getattr(book, kind)) for kind in ("agendas", "assets", "commendations", "setbacks")}
    past = PastRegister(
        combat_potential=data.draw(NUMBER), supply_points=data.draw(NUMBER), reputation=data.draw(NUMBER),
        story_arc=data.draw(st.sampled_from(["", *book.story_arcs])),
        agendas=data.draw(st.lists(st.tuples(st.sampled_from(slugs["agendas"]), st.integers(-1, 7)), max_size=3)),
        assets=data.draw(st.lists(st.sampled_from(slugs["assets"]), max_size=4)),
    )  # fmt: skip
    state = _taken(state, lambda: take_over_register(book, state, past))
    cards = [card for card in book.units.values() if card.faction == "empire" and not card.unique]
    for _ in range(data.draw(st.integers(1, 4))):
        card = data.draw(st.sampled_from(cards))
        fitting = [slug for slug, upgrade in book.upgrades.items() if upgrade.type in card.upgrade_slots]
        unit = PastUnit(
            card=card.slug, name=data.draw(st.sampled_from(["", "Red Six"])),
            experience=data.draw(st.integers(-1, 60)), veteran_rank=data.draw(st.integers(-1, 6)),
            awards=[
                ImportedCommendation(slug)
                for slug in data.draw(st.lists(st.sampled_from(slugs["commendations"]), max_size=3))
            ],
            upgrades=data.draw(st.lists(st.sampled_from(fitting), max_size=2)) if fitting else [],
            setbacks=data.draw(st.lists(st.sampled_from(slugs["setbacks"]), max_size=3)),
        )  # fmt: skip
        now = state
        state = _taken(now, lambda now=now, unit=unit: take_over_unit(book, now, unit))
    _within_caps(book, state)


def _taken(state: RegisterState, take: Callable[[], list[e.Effect]]) -> RegisterState:
    try:
        return replay(take(), state)
    except RuleViolation:
        return state


def _within_caps(book: Rulebook, state: RegisterState) -> None:
    assert 600 <= state.combat_potential <= LARGEST
    assert combat_potential_left(book, state) >= 0
    assert min(state.supply_points, state.reputation, state.command_cards_owed) >= 0
    assert all(state.assets.count(slug) <= book.assets[slug].per_sequence for slug in state.assets)
    for slug, times in state.agendas.items():
        assert book.agendas[slug].story_arc == state.story_arc
        assert 1 <= times <= book.agendas[slug].progressions_to_complete
    for dossier in state.dossiers.values():
        highest = maximum_veteran_rank(book, dossier)
        assert 0 <= dossier.veteran_rank <= highest
        assert 0 <= dossier.experience <= THRESHOLDS[highest]
        assert len(dossier.commendations) + dossier.owed == dossier.veteran_rank
        assert len(set(dossier.commendations)) == len(dossier.commendations)
        assert all(
            dossier.setbacks.count(slug) == 1 or book.setbacks[slug].second == "stacks" for slug in dossier.setbacks
        )
        assert fits(all_slots(bearer(book, state, dossier)), [book.upgrades[slug] for slug in dossier.upgrades])
