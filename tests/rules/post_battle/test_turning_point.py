"""Step 2, Turning Point Rewards (R29): all 7 missions are played."""

from dataclasses import replace
from typing import Any

import pytest

from rules.core.card_types import TurningPoint
from rules.core.reward_effects import EndOfGame, TokensAtLeast, read_reward
from rules.core.rulebook import Rulebook
from rules.post_battle.dialogue import Choose, Progress
from rules.post_battle.turning_point import turning_point_rewards
from rules.register.effects import (
    CommendationOwed,
    Effect,
    KeywordGained,
    KeywordLost,
    SetbackGained,
    SetbackRemoved,
    SupplyPointsGained,
    SupplyPointsSpent,
    TraitGained,
    UnitAdded,
)
from rules.register.state import RegisterState

from ..build import OTHERS, PARAGON, SNOW, TROOPERS, change, done, fell, house, noted, play, report, state, xp

HOLDS = "An allied unit holds a Holorecorder and its player scored VP from this secondary objective"
STOLEN = "One of your units holds an enemy Holorecorder and the opponent scored VP from this secondary objective"

ARCS = [
    "bring-peace-to-the-galaxy", "liberate-the-system", "peacekeeping-mission", "root-out-the-corruption",
    "the-weekend-war", "birth-of-a-legend", "a-pirates-life",
]  # fmt: skip


def step(book: Rulebook, arc: str, *answers: Any, start: RegisterState | None = None, **facts: Any) -> Progress:
    """Step 2 of the owner of the arc's mission (or not), every question asked."""
    facts = {"owns_turning_point": True, "turning_point": book.story_arcs[arc].turning_point} | facts
    side = report(PARAGON, TROOPERS, OTHERS, **facts)
    first = replace(start or state(), story_arc=arc)
    return play(book, first, lambda context: turning_point_rewards(context, side), answers, ask_all=True)


def name(book: Rulebook, arc: str) -> str:
    return book.story_arcs[arc].turning_point.name


def gains(book: Rulebook, arc: str, *units: str, amount: int = 1) -> list[Effect]:
    return [xp(unit, amount, "R29", name(book, arc)) for unit in units]


def heals(book: Rulebook, arc: str, unit: str, *slugs: str) -> list[Effect]:
    return [SetbackRemoved(unit=unit, setback=slug, rule="R29", why=name(book, arc)) for slug in slugs]


def word(book: Rulebook, arc: str, keyword: str) -> Effect:
    return KeywordGained(unit=PARAGON, keyword=keyword, rule="R29", why=name(book, arc))


def supply(book: Rulebook, arc: str, *amounts: int) -> list[Effect]:
    return [SupplyPointsGained(amount=amount, rule="R29", why=name(book, arc)) for amount in amounts]


NO_BLOCK = {"reward": ["blank", "surge", "blank", "surge", "blank"]}


# --- When it happens -----------------------------------------------------------------------------------------


def test_no_mission(book: Rulebook) -> None:
    assert done(play(book, state(), lambda context: turning_point_rewards(context, report(PARAGON)))) == [
        noted("R29", "no Turning Point Mission")
    ]


def test_a_side_that_conceded_skips_the_step(book: Rulebook) -> None:
    """R51."""
    assert done(step(book, ARCS[0], conceded=True, result="lost", secondary_vp=9)) == [
        noted("R51", "skipped: conceded")
    ]


def test_victory_and_defeat_are_the_owner_s(book: Rulebook) -> None:
    """R29: the other side gets its end of game only."""
    assert done(step(book, ARCS[0], owns_turning_point=False, result="won", secondary_vp=3)) == supply(book, ARCS[0], 2)
    assert done(step(book, ARCS[0], owns_turning_point=False, result="lost", secondary_vp=2)) == []


@pytest.mark.parametrize("arc", ARCS[:-1])
def test_a_draw_is_not_a_win(book: Rulebook, arc: str) -> None:
    """R29 [reading]: the owner resolves the defeat."""
    assert step(book, arc, NO_BLOCK, result="drawn") == step(book, arc, NO_BLOCK, result="lost")


@pytest.mark.parametrize("arc", ARCS[:-1])
def test_or_a_draw_is_neither(book: Rulebook, arc: str) -> None:
    """R29, `draw`: won and lost stay what they are."""
    neither = house(book, draw="neither")
    assert done(step(neither, arc, result="drawn")) == [noted("R29", "a draw: neither victory nor defeat")]
    lost = step(neither, arc, NO_BLOCK, result="lost")
    assert (lost.effects, lost.question) == (
        (there := step(book, arc, NO_BLOCK, result="lost")).effects, there.question,
    )  # fmt: skip


# --- End of game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arc", ["bring-peace-to-the-galaxy", "peacekeeping-mission"])
@pytest.mark.parametrize(("vp", "amounts"), [(2, ()), (3, (2,)), (4, (2,))])
def test_three_vp_from_the_secondary_objective_give_2_sp(
    book: Rulebook, arc: str, vp: int, amounts: tuple[int, ...]
) -> None:
    assert done(step(book, arc, owns_turning_point=False, secondary_vp=vp)) == supply(book, arc, *amounts)


def test_holorecorders(book: Rulebook) -> None:
    """2 SP, and 2 XP to a unit that took part and was not defeated."""
    arc = "liberate-the-system"
    claims = {"owns_turning_point": False, "defeated": (TROOPERS,)}
    both = frozenset({HOLDS, STOLEN})
    asked = step(book, arc, claims=both, **claims).question
    assert isinstance(asked, Choose)
    assert [option.value for option in asked.options] == [PARAGON, OTHERS]
    assert done(step(book, arc, OTHERS, claims=both, **claims)) == [
        *supply(book, arc, 2), *gains(book, arc, OTHERS, amount=2),
    ]  # fmt: skip
    assert done(step(book, arc, claims=frozenset({HOLDS}), **claims)) == supply(book, arc, 2)
    assert done(step(book, arc, OTHERS, claims=frozenset({STOLEN}), **claims)) == gains(book, arc, OTHERS, amount=2)
    assert done(step(book, arc, **claims)) == []


@pytest.mark.parametrize("arc", ARCS[3:])
def test_other_missions_give_nothing_at_the_end_of_the_game(book: Rulebook, arc: str) -> None:
    assert done(step(book, arc, owns_turning_point=False, secondary_vp=9, result="won")) == []


def test_each_entry_of_the_end_of_game_is_a_reward_of_its_own(book: Rulebook) -> None:
    """Section 8: "distinct" looks at one reward."""
    each = read_reward(
        [{"do": "choose_units", "count": 1, "each": [{"do": "gain_experience", "amount": 1}], "distinct": True}], ""
    )
    entry = EndOfGame(TokensAtLeast(0), each)
    mission = replace(book.story_arcs[ARCS[0]].turning_point, end_of_game=(entry, entry))
    facts = {"turning_point": mission, "owns_turning_point": False}
    assert done(step(book, ARCS[0], TROOPERS, TROOPERS, **facts)) == gains(book, ARCS[0], TROOPERS, TROOPERS)


# --- Victory -------------------------------------------------------------------------------------------------

#: What the Paragon may choose, whether it has to, and what it is rid of.
SPOILS = [
    ("bring-peace-to-the-galaxy", ("Compel", "Strategize 1"), False, "Disgraced"),
    ("liberate-the-system", ("Uncanny Luck 1", "One Step Ahead"), False, "Hunted"),
    ("peacekeeping-mission", ("Danger Sense 1", "Quick Thinking"), True, "Insecure"),
    ("root-out-the-corruption", ("Strategize 1", "Guidance: Droid Trooper"), False, "Faulty Equipment"),
    ("the-weekend-war", ("Eyes on the Prize: Agile 1", "Eyes on the Prize: Tactical 1"), True, ""),
]


@pytest.mark.parametrize(("arc", "words", "compulsory", "burden"), SPOILS)
def test_a_victory_gives_the_paragon_a_keyword(
    book: Rulebook, arc: str, words: tuple[str, ...], compulsory: bool, burden: str
) -> None:
    start = change(state(), PARAGON, keywords=(burden, burden)) if burden else state()
    rid = [KeywordLost(unit=PARAGON, keyword=burden, rule="R29", why=name(book, arc))] if burden else []
    for place, keyword in enumerate(words):
        answers = (None, str(place)) if compulsory else (None, True, str(place))
        won = step(book, arc, *answers, start=start, result="won")
        assert done(won) == [word(book, arc, keyword), *rid]
        assert won.state.dossiers[PARAGON].keywords == (keyword,)
    if not compulsory:
        assert done(step(book, arc, None, False, start=start, result="won")) == rid


@pytest.mark.parametrize("arc", ARCS[:-1])
def test_up_to_three_units_learn_or_heal(book: Rulebook, arc: str) -> None:
    """1 XP, or all Setbacks; declining ends it."""
    start = change(state(), SNOW, setbacks=("downtrodden", "battle-fatigue"))
    progress = step(book, arc, TROOPERS, "0", SNOW, "1", OTHERS, "0", start=start, result="won")
    assert list(progress.effects[:4]) == [
        *gains(book, arc, TROOPERS),
        *heals(book, arc, SNOW, "battle-fatigue", "downtrodden"),
        *gains(book, arc, OTHERS),
    ]


def test_a_legend_is_lauded_and_owed_a_commendation(book: Rulebook) -> None:
    arc = "birth-of-a-legend"
    assert done(step(book, arc, None, result="won")) == [
        word(book, arc, "Lauded"),
        CommendationOwed(unit=PARAGON, rule="R29", why=name(book, arc)),
    ]


def test_pirates_win_a_vehicle(book: Rulebook) -> None:
    assert done(step(book, "a-pirates-life", {"card": "wlo-5-speeder-tank"}, result="won")) == [
        UnitAdded(unit="8", card="wlo-5-speeder-tank", faction="empire", rule="R29")
    ]


def test_every_vehicle_that_pirates_may_win_is_in_the_catalogue(book: Rulebook) -> None:
    question = step(book, "a-pirates-life", result="won").question
    assert sorted(card.value for card in question.cards) == [  # type: ignore[union-attr]
        "a-a5-speeder-truck-mercenary", "a-a5-speeder-truck-rebel", "laat-le-patrol-transport-empire",
        "laat-le-patrol-transport-republic", "tx-225-gavw-occupier-tank", "wlo-5-speeder-tank",
    ]  # fmt: skip


# --- Defeat --------------------------------------------------------------------------------------------------


def trait(slug: str) -> Effect:
    return TraitGained(trait=slug, games=2, rule="R29")


def burden(book: Rulebook, arc: str) -> list[Effect]:
    """What a defeat leaves the Paragon with."""
    keywords = {arc: word for arc, _, _, word in SPOILS if word}
    if arc in keywords:
        return [word(book, arc, keywords[arc])]
    return [trait({"the-weekend-war": "on-the-back-foot", "birth-of-a-legend": "disillusioned"}[arc])]


@pytest.mark.parametrize("arc", ARCS[:-1])
def test_a_defeat_rolls_five_red_dice_and_burdens_the_paragon(book: Rulebook, arc: str) -> None:
    """For each block a unit gains 2 XP, or loses a Setback, or neither."""
    start = change(state(), SNOW, setbacks=("downtrodden",))
    faces = ["block", "surge", "block", "blank", "block"]
    answers = ({"reward": faces}, TROOPERS, "0", SNOW, "1", OTHERS, "2")
    assert done(step(book, arc, *answers, start=start, result="lost")) == [
        fell("", "R29", name(book, arc), *faces, die="red_defense"),
        *gains(book, arc, TROOPERS, amount=2),
        *heals(book, arc, SNOW, "downtrodden"),
        *burden(book, arc),
    ]


@pytest.mark.parametrize("arc", ARCS[:-1])
def test_the_same_unit_may_be_chosen_for_each_block(book: Rulebook, arc: str) -> None:
    """Except in the Birth of a Legend, where they differ."""
    faces = ["block", "block", "blank", "blank", "blank"]
    second = step(book, arc, {"reward": faces}, TROOPERS, "0", result="lost").question
    assert isinstance(second, Choose)
    assert (TROOPERS in [option.value for option in second.options]) is (arc != "birth-of-a-legend")


@pytest.mark.parametrize("result", ["lost", "drawn"])
def test_beaten_pirates_roll_for_what_they_took(book: Rulebook, result: str) -> None:
    """A red attack die for each equipment removed: hit 1 SP, surge 2 XP and a Setback to another than the Paragon."""
    arc, faces = "a-pirates-life", ["surge", "hit", "critical", "hit"]
    answers = ({"reward": faces}, TROOPERS, {f"setback:{TROOPERS}": ["hit"]})
    assert done(step(book, arc, *answers, result=result, asks={"equipment_removed": 4})) == [
        fell("", "R29", name(book, arc), *faces, die="red_attack"),
        *supply(book, arc, 1, 1),
        *gains(book, arc, TROOPERS, amount=2),
        fell(TROOPERS, "R36", "Setback", "hit"),
        SetbackGained(unit=TROOPERS, setback="battle-fatigue", rule="R36"),
        *gains(book, arc, PARAGON, amount=2),
        trait("greedy"),
    ]


def test_pirates_who_took_nothing_roll_nothing(book: Rulebook) -> None:
    arc = "a-pirates-life"
    assert done(step(book, arc, result="lost", asks={"equipment_removed": 0})) == [
        *gains(book, arc, PARAGON, amount=2), trait("greedy"),
    ]  # fmt: skip


def test_the_paragon_is_not_among_the_pirates_who_suffer(book: Rulebook) -> None:
    asked = step(book, "a-pirates-life", {"reward": ["surge"]}, result="lost", asks={"equipment_removed": 1}).question
    assert isinstance(asked, Choose)
    assert PARAGON not in [option.value for option in asked.options]


# --- What the owner takes from the opponent ------------------------------------------------------------------

TAKE: dict[str, Any] = {"do": "opponent_loses_supply_points", "amount": 1}


@pytest.fixture(name="mission")
def raid_mission(book: Rulebook) -> TurningPoint:
    """A mission whose owner gains 2 SP and takes 3 in a victory, and takes 1 in a defeat."""
    return replace(
        book.story_arcs[ARCS[0]].turning_point,
        name="The Raid",
        end_of_game=(),
        victory=read_reward([{"do": "gain_supply_points", "amount": 2}, TAKE | {"amount": 2}, TAKE], ""),
        defeat=read_reward([TAKE], ""),
    )


def raid(book: Rulebook, mission: TurningPoint, *, supply_points: int = 5, **facts: Any) -> list[Effect]:
    side = report(PARAGON, TROOPERS, **{"turning_point": mission, "opponent": "Ash", **facts})
    return done(play(book, state(supply_points=supply_points), lambda context: turning_point_rewards(context, side)))


def spent(amount: int) -> Effect:
    return SupplyPointsSpent(amount=amount, rule="R29", why="The Raid")


def test_the_owner_gains_and_is_told_what_the_opponent_loses(book: Rulebook, mission: TurningPoint) -> None:
    assert raid(book, mission, owns_turning_point=True, result="won") == [
        SupplyPointsGained(amount=2, rule="R29", why="The Raid"),
        noted("R29", "up to 2 SP taken from Ash"),
        noted("R29", "up to 1 SP taken from Ash"),
    ]
    assert raid(book, mission, owns_turning_point=True, result="lost", opponent_is_guest=True) == [
        noted("R29", "no SP taken: Ash brought no Register")
    ]


@pytest.mark.parametrize(("before", "lost"), [(5, 3), (3, 3), (2, 2)])
def test_the_other_side_loses_supply_points_but_never_below_none(
    book: Rulebook, mission: TurningPoint, before: int, lost: int
) -> None:
    """R41: SP are never below 0."""
    assert raid(book, mission, supply_points=before, result="lost") == [spent(lost)]


def test_whoever_has_none_loses_none(book: Rulebook, mission: TurningPoint) -> None:
    assert raid(book, mission, supply_points=0, result="lost") == [noted("R29", "The Raid: no SP to lose")]


def test_the_result_decides_what_the_other_side_loses(book: Rulebook, mission: TurningPoint) -> None:
    """R29: a draw is the owner's defeat, or neither by a house rule."""
    assert raid(book, mission, result="won") == raid(book, mission, result="drawn") == [spent(1)]
    assert raid(house(book, draw="neither"), mission, result="drawn") == []


def test_to_concede_saves_no_supply_points(book: Rulebook, mission: TurningPoint) -> None:
    """R51: the side skips its own rewards, not what the owner's victory takes."""
    assert raid(book, mission, result="lost", conceded=True) == [noted("R51", "skipped: conceded"), spent(3)]


def test_an_owner_who_conceded_takes_nothing(book: Rulebook, mission: TurningPoint) -> None:
    """R51: the owner skips the step."""
    assert raid(book, mission, result="won", opponent_conceded=True) == []
    assert raid(book, mission, result="lost", owns_turning_point=True, conceded=True) == [
        noted("R51", "skipped: conceded")
    ]


def test_or_an_owner_who_conceded_has_lost_the_mission(book: Rulebook, mission: TurningPoint) -> None:
    """R51, R52, `conceded_mission`: with the Loss Reward, also for the other side; who owns none skips as always."""
    lost = house(book, conceded_mission="lost")
    assert raid(lost, mission, result="lost", owns_turning_point=True, conceded=True) == [
        noted("R29", "up to 1 SP taken from Ash")
    ]
    assert raid(lost, mission, result="won", opponent_conceded=True) == [spent(1)]
    assert raid(lost, mission, result="lost", conceded=True) == [noted("R51", "skipped: conceded"), spent(3)]


def test_an_owner_who_conceded_cannot_win_the_mission(book: Rulebook, mission: TurningPoint) -> None:
    """R51, R52, `conceded_mission`: not if both conceded and the report names the owner the winner, or a draw."""
    lost = house(book, conceded_mission="lost", draw="neither")
    for result, other in (("won", "lost"), ("drawn", "drawn")):
        facts: dict[str, Any] = {"conceded": True, "opponent_conceded": True}
        assert raid(lost, mission, result=result, owns_turning_point=True, **facts) == [
            noted("R29", "up to 1 SP taken from Ash")
        ]
        assert raid(lost, mission, result=other, **facts) == [noted("R51", "skipped: conceded"), spent(1)]
        assert raid(book, mission, result=other, **facts) == [noted("R51", "skipped: conceded")]
