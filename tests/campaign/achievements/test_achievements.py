"""Which achievements a career has, and when."""

from datetime import date

import pytest

from campaign.achievements.achievements import ACHIEVEMENTS, Act, Career, Fight, Moment, reached
from rules.register import effects as e


def day(number: int) -> date:
    return date(2026, 3, number)


def fight(number: int, result: str = "lost", **words) -> Fight:
    return Fight(battle=f"b{number}", number=number, day=day(number), result=result, **words)


def act(number: int, *effects: e.Effect) -> Act:
    return Act(day=day(number), battle=f"b{number}", effects=effects)


def check(unit: str, *, fell: bool = False, rolls: int = 1) -> list[e.Effect]:
    """A Casualty Check of a unit with so many rolls of its dice."""
    rolled = [e.DiceRolled(rule="R31", die="black-attack", faces=("hit",), unit=unit)] * rolls
    return [*rolled, *([e.UnitFell(rule="R35", unit=unit)] if fell else [])]


def found(career: Career, slug: str) -> Moment | None:
    return next((moment for achievement, moment in reached(career) if achievement.slug == slug), None)


def test_a_career_without_a_battle_has_none():
    assert reached(Career()) == []


def test_battles_and_victories():
    results = ["lost", "won", "won", "drawn", "won", "won", "won", "won", "lost", "lost"]
    career = Career(fights=[fight(number, result) for number, result in enumerate(results, start=1)])
    assert found(career, "first-battle") == Moment(day(1), "b1")
    assert found(career, "first-victory") == Moment(day(2), "b2")
    assert found(career, "streak") == Moment(day(7), "b7")
    assert found(career, "ten-battles") == Moment(day(10), "b10")
    shorter = Career(fights=career.fights[:6])
    assert (found(shorter, "streak"), found(shorter, "ten-battles")) == (None, None)


def test_the_own_turning_point_mission_must_be_won():
    fights = [fight(1, "won"), fight(2, "lost", own_mission=True), fight(3, "won", own_mission=True)]
    assert found(Career(fights=fights[:2]), "turning-point") is None
    assert found(Career(fights=fights), "turning-point") == Moment(day(3), "b3")


def test_the_end_of_a_story_arc_with_and_without_all_agendas():
    arc = [act(1, e.ReputationGained(rule="R40", amount=3)), act(2, e.ReputationGained(rule="R48", amount=1))]
    career = Career(acts=arc)
    assert (found(career, "story-arc"), found(career, "all-agendas")) == (Moment(day(2), "b2"), None)
    more = Career(acts=[*arc, act(3, *[e.ReputationGained(rule="R48", amount=1)] * 2)])
    assert found(more, "all-agendas") == Moment(day(3), "b3")
    # An imported Register has its Reputation without a battle.
    imported = Career(acts=[Act(day=day(1), effects=[e.ReputationGained(rule="R48", amount=2)])])
    assert found(imported, "story-arc") is None


def test_reputation_from_the_start_counts_too():
    opened = Act(day=day(1), effects=[e.RegisterOpened(rule="R1", combat_potential=0, supply_points=0, reputation=2)])
    gains = [act(number, e.ReputationGained(rule="R48", amount=1)) for number in (2, 3, 4)]
    assert found(Career(acts=[opened, *gains]), "renown") == Moment(day(4), "b4")
    assert found(Career(acts=gains), "renown") is None


def test_veteran_ranks():
    ranks = [act(n, e.VeteranRankReached(rule="R14", unit="4", veteran_rank=n)) for n in (1, 2, 3, 4, 5)]
    career = Career(acts=ranks)
    assert found(career, "veteran") == Moment(day(3), "b3", "4")
    assert found(career, "legend") == Moment(day(5), "b5", "4")
    assert found(Career(acts=ranks[:4]), "legend") is None


def test_all_story_arcs_and_a_command_card():
    acts = [act(1, e.CommandCardUnlocked(rule="R16", command_card="x")), act(2, e.SagaCompleted(rule="R49", arcs=3))]
    career = Career(acts=acts)
    assert (found(career, "command-card"), found(career, "all-arcs")) == (Moment(day(1), "b1"), Moment(day(2), "b2"))


def test_five_casualty_checks_that_one_unit_survives():
    """Rerolls are one check, dice for Setbacks are none, and a check that fails does not count."""
    acts = [
        act(1, *check("3", rolls=3), *check("5")),
        act(2, *check("3"), e.DiceRolled(rule="R36", die="black-attack", faces=("hit",), unit="3")),
        act(3, *check("3"), *check("5", fell=True)),
        act(4, *check("3")),
        act(5, *check("6"), *check("3")),
    ]
    assert found(Career(acts=acts), "survivor") == Moment(day(5), "b5", "3")
    assert found(Career(acts=acts[:4]), "survivor") is None
    assert found(Career(acts=[*acts[:4], act(5, *check("3", fell=True))]), "survivor") is None


def test_a_victory_without_a_casualty():
    career = Career(fights=[fight(1, "won"), fight(2), fight(3, "won")], acts=[act(1, *check("5", fell=True))])
    assert found(career, "unscathed") == Moment(day(3), "b3")


def test_a_rival_is_defeated_in_a_later_battle_against_the_same_register():
    named = [act(1, e.RivalNamed(rule="R39", rival="2", name="Grim Hounds"))]
    first = fight(1, "won", opponent="bravo", defeated=("2",))
    other = fight(2, opponent="delta", defeated=("2",))
    again = fight(3, opponent="bravo", defeated=("4", "2"))
    assert found(Career(fights=[first, other], acts=named), "rival") is None
    assert found(Career(fights=[first, other, again], acts=named), "rival") == Moment(day(3), "b3")
    lent = [act(1, e.RivalNamed(rule="R39", rival="L1", name="A lent unit"))]
    later = fight(2, opponent="bravo", defeated=("L1",))
    assert found(Career(fights=[first, later], acts=lent), "rival") is None


def test_three_commendations_of_one_unit():
    awards = [act(n, e.CommendationAwarded(rule="R15", unit=u, commendation="c")) for n, u in enumerate("34333", 1)]
    assert found(Career(acts=awards), "decorated") == Moment(day(4), "b4", "3")
    assert found(Career(acts=awards[:3]), "decorated") is None


def test_the_fifth_casualty():
    acts = [act(n, e.UnitFell(rule="R35", unit=str(n))) for n in range(1, 6)]
    assert found(Career(acts=acts), "price") == Moment(day(5), "b5", "5")
    assert found(Career(acts=acts[:4]), "price") is None


@pytest.mark.parametrize(
    ("painted", "moment"),
    [
        ({}, None),
        ({"1": 1}, None),
        ({"1": 1, "2": 1}, Moment(day(3), "b3")),
        ({"1": 1, "2": 5}, Moment(day(5), "b3")),
        ({"1": 1, "2": 5, "3": 4}, Moment(day(4), "b4")),
    ],
)
def test_a_battle_with_a_painted_army(painted, moment):
    fights = [fight(2), fight(3, fielded=("1", "2")), fight(4, fielded=("1", "3"))]
    career = Career(fights=fights, painted={key: day(number) for key, number in painted.items()})
    assert found(career, "painted") == moment


def test_the_oldest_first_and_each_name_once():
    career = Career(
        fights=[fight(1), fight(2, "won")], acts=[act(1, e.CommandCardUnlocked(rule="R16", command_card="x"))]
    )
    assert [achievement.slug for achievement, _moment in reached(career)] == [
        "first-battle", "command-card", "first-victory", "unscathed",
    ]  # fmt: skip
    assert len({str(achievement.name) for achievement in ACHIEVEMENTS}) == len(ACHIEVEMENTS) == 18
