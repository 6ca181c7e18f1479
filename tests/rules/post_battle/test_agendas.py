"""Step 1, Progress Agendas (R25 to R28): all 21 of them are played."""

from dataclasses import replace
from typing import Any

import pytest

from rules.clauses import (
    All,
    Confirmed,
    GainExperience,
    GainSetback,
    Lost,
    MarkedUndefeatedAtLeast,
    NoMarkedUnitDefeated,
    SecondaryVpAtLeast,
    SecondaryVpMoreThanOpponent,
    TokensAtLeast,
    Won,
)
from rules.effects import (
    AgendaProgressed,
    CombatPotentialRaised,
    Effect,
    SetbackRemoved,
    SupplyPointsGained,
)
from rules.force import Field, Force
from rules.post_battle.agendas import (
    confirmations,
    holds,
    progress_agendas,
    progressions,
    rewards_withheld,
    shield,
)
from rules.report import Report
from rules.rulebook import Rulebook
from rules.script import Progress, Scene
from rules.setbacks import NO_SHIELD, Shield

from ..build import (
    OTHERS,
    PARAGON,
    SCOUT,
    SNOW,
    TROOPERS,
    WALKER,
    change,
    done,
    fell,
    force,
    house,
    noted,
    play,
    report,
    xp,
)

FOES = "At least one of them was a commander or operative"
DUEL = "Your Paragon defeated 1 or more enemy units"
FEWER = "You have fewer units on the battlefield than your opponent"
POINT = "The chosen unit contests the marked point at the end of the game"


def step(book: Rulebook, side: Report, *answers: Any, start: Force | None = None) -> Progress:
    """Step 1 of a Register that is on the arc of the Agenda in play; every question is asked."""
    first = start or force()
    if side.agenda:
        first = force_on(book, side.agenda, first)
    return play(book, first, lambda scene: progress_agendas(scene, side), answers, ask_all=True)


def force_on(book: Rulebook, agenda: str, start: Force) -> Force:
    return replace(start, story_arc=book.agendas[agenda].story_arc)


def side(agenda: str, *units: str, **facts: Any) -> Report:
    return report(*(units or (PARAGON, TROOPERS, OTHERS, SCOUT)), agenda=agenda, **facts)


def progressed(agenda: str, times: int) -> Effect:
    return AgendaProgressed(agenda=agenda, amount=times, rule="R25")


def supply(book: Rulebook, agenda: str, *amounts: int) -> list[Effect]:
    return [
        SupplyPointsGained(amount=amount, rule="R26", why=book.agendas[agenda].name) for amount in amounts
    ]


def gains(book: Rulebook, agenda: str, *units: str, amount: int = 1) -> list[Effect]:
    return [xp(unit, amount, "R26", book.agendas[agenda].name) for unit in units]


def heals(book: Rulebook, agenda: str, unit: str, *slugs: str) -> list[Effect]:
    return [
        SetbackRemoved(unit=unit, setback=slug, rule="R26", why=book.agendas[agenda].name) for slug in slugs
    ]


# --- Progress ------------------------------------------------------------------------------------------------


def test_no_agenda_in_play(book: Rulebook) -> None:
    assert done(step(book, report(PARAGON))) == [noted("R25", "no Agenda in play")]


def test_an_agenda_that_did_not_progress_gives_nothing(book: Rulebook) -> None:
    """R26."""
    assert done(step(book, side("keep-them-in-line", tokens=1))) == [
        noted("R25", "Keep Them in Line did not progress")
    ]


#: What each Agenda asks for: a report that progresses it not at all, once, twice.
CONDITIONS: dict[str, list[dict[str, Any]]] = {
    **{
        agenda: [{"tokens": first - 1}, {"tokens": first}, {"tokens": second - 1}, {"tokens": second}]
        for agenda, first, second in (
            ("persons-of-interest", 5, 7), ("gather-intelligence", 3, 4), ("keep-them-in-line", 2, 3),
            ("midnight-strikes", 2, 3), ("on-the-run", 2, 3), ("the-long-game", 2, 4), ("show-of-strength", 2, 3),
            ("investigate-corruption", 2, 3), ("beat-them-to-the-punch", 4, 6), ("search-for-treasure", 4, 6),
            ("survey-landscape", 3, 5), ("glorious-charge", 3, 4), ("discover-valuables", 2, 3),
            ("loot-and-plunder", 1, 3), ("salvage-materiel", 2, 5),
        )
    },
    "small-victories": [
        {"tokens": 2, "result": "lost"}, {"tokens": 3, "result": "won"},
        {"tokens": 9, "result": "drawn"}, {"tokens": 3, "result": "lost"},
    ],
    "against-all-odds": [
        {"tokens": 2, "result": "won", "confirmed": frozenset({FEWER})}, {"tokens": 3, "result": "won"},
        {"tokens": 3, "result": "drawn", "confirmed": frozenset({FEWER})},
        {"tokens": 3, "result": "won", "confirmed": frozenset({FEWER})},
    ],
    "concentrated-efforts": [
        {"secondary_vp": 2, "opponent_secondary_vp": 0}, {"secondary_vp": 3, "opponent_secondary_vp": 3},
        {"secondary_vp": 4, "opponent_secondary_vp": 5}, {"secondary_vp": 3, "opponent_secondary_vp": 2},
    ],
    "daring-defense": [
        {"tokens": 2, "confirmed": frozenset({POINT})}, {"tokens": 3},
        {"tokens": 4, "confirmed": frozenset({FEWER})}, {"tokens": 3, "confirmed": frozenset({POINT})},
    ],
    "martial-prowess": [
        {"confirmed": frozenset({FOES})}, {"confirmed": frozenset({DUEL})},
        {"tokens": 9, "confirmed": frozenset({DUEL})}, {"confirmed": frozenset({DUEL, FOES})},
    ],
    "protect-your-allies": [
        {"marked": (TROOPERS, OTHERS), "defeated": (TROOPERS,)},
        {"marked": (TROOPERS, OTHERS, SCOUT), "defeated": (TROOPERS,)},
        {"marked": (TROOPERS, OTHERS, SCOUT), "defeated": (SCOUT, PARAGON)},
        {"marked": (TROOPERS, OTHERS), "defeated": (SCOUT,)},
    ],
}  # fmt: skip


def test_every_agenda_is_tried(book: Rulebook) -> None:
    assert set(CONDITIONS) == set(book.agendas)


@pytest.mark.parametrize("agenda", CONDITIONS)
def test_each_condition_met_progresses_by_one(book: Rulebook, agenda: str) -> None:
    """R25: a later one counts only if all earlier ones did."""
    reports = [side(agenda, **facts) for facts in CONDITIONS[agenda]]
    assert [progressions(book.agendas[agenda], each, 0) for each in reports] == [0, 1, 1, 2]


@pytest.mark.parametrize("agenda", CONDITIONS)
def test_progress_stops_at_the_number_that_completes_it(book: Rulebook, agenda: str) -> None:
    """R25: 3, and 2 in the Weekend War."""
    card, best = book.agendas[agenda], side(agenda, **CONDITIONS[agenda][3])
    needed = 2 if card.story_arc == "the-weekend-war" else 3
    assert card.progressions_to_complete == needed
    assert [progressions(card, best, already) for already in range(5)] == (
        [2, 2, 1, 0, 0] if needed == 3 else [2, 1, 0, 0, 0]
    )


def test_progress_of_earlier_battles_counts(book: Rulebook) -> None:
    """R25: of this Agenda."""
    start = force(agendas={"martial-prowess": 2, "glorious-charge": 1})
    both = side("martial-prowess", confirmed=frozenset({DUEL, FOES}), defeated=(PARAGON,))
    progress = step(book, both, start=start)
    assert done(progress) == [progressed("martial-prowess", 1), *supply(book, "martial-prowess", 1)]
    assert progress.force.agendas == {"martial-prowess": 3, "glorious-charge": 1}


def test_what_its_player_confirms_is_asked_when_it_is_reached(book: Rulebook) -> None:
    """R25: and not if an earlier condition fails."""
    asked: list[str] = []

    def confirm(text: str) -> bool:
        asked.append(text)
        return False

    odds = book.agendas["against-all-odds"]
    assert progressions(odds, side("against-all-odds", tokens=2, result="won"), 0, confirm) == 0
    assert progressions(odds, side("against-all-odds", tokens=3, result="lost"), 0, confirm) == 1
    assert asked == []
    assert progressions(odds, side("against-all-odds", tokens=3, result="won"), 0, confirm) == 1
    assert asked == [FEWER]


def test_texts_to_confirm_in_the_order_of_the_card(book: Rulebook) -> None:
    texts = {slug: confirmations(agenda.progress) for slug, agenda in book.agendas.items()}
    assert {slug: said for slug, said in texts.items() if said} == {
        "against-all-odds": [FEWER], "daring-defense": [POINT], "martial-prowess": [DUEL, FOES],
    }  # fmt: skip


def test_texts_in_the_order_in_which_they_are_reached() -> None:
    """Section 8: those of "all" stand where it stands."""
    conditions = (Confirmed("a"), All((Won(), Confirmed("b"), Confirmed("c"))), Confirmed("d"))
    assert confirmations(conditions) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("condition", "facts", "expected"),
    [
        (TokensAtLeast(2), {"tokens": 2}, True),
        (TokensAtLeast(2), {"tokens": 1}, False),
        (SecondaryVpAtLeast(3), {"secondary_vp": 3}, True),
        (SecondaryVpAtLeast(3), {"secondary_vp": 2}, False),
        (SecondaryVpMoreThanOpponent(), {"secondary_vp": 2, "opponent_secondary_vp": 1}, True),
        (SecondaryVpMoreThanOpponent(), {"secondary_vp": 2, "opponent_secondary_vp": 2}, False),
        (MarkedUndefeatedAtLeast(1), {"marked": ("2", "3"), "defeated": ("2",)}, True),
        (MarkedUndefeatedAtLeast(2), {"marked": ("2", "3"), "defeated": ("2",)}, False),
        (NoMarkedUnitDefeated(), {"marked": ("3",), "defeated": ("2",)}, True),
        (NoMarkedUnitDefeated(), {"marked": ("2", "3"), "defeated": ("2",)}, False),
        (Won(), {"result": "won"}, True),
        (Won(), {"result": "drawn"}, False),
        (Lost(), {"result": "lost"}, True),
        (Lost(), {"result": "drawn"}, False),
        (Confirmed("x"), {"confirmed": frozenset({"x"})}, True),
        (Confirmed("x"), {"confirmed": frozenset({"y"})}, False),
        (All((Won(), TokensAtLeast(1))), {"result": "won", "tokens": 1}, True),
        (All((Won(), TokensAtLeast(1))), {"result": "won"}, False),
    ],
)
def test_conditions(condition: Any, facts: dict[str, Any], expected: bool) -> None:
    """Section 8."""
    said = Report(**facts)
    assert holds(condition, said, lambda text: text in said.confirmed) is expected


# --- Rewards, Agenda by Agenda -------------------------------------------------------------------------------

SICK = {"setbacks": ("battle-fatigue", "downtrodden")}


@pytest.mark.parametrize(
    "agenda", ["persons-of-interest", "on-the-run", "the-long-game", "search-for-treasure"]
)
def test_a_unit_is_healed_or_learns(book: Rulebook, agenda: str) -> None:
    """For each progression another unit: all its Setbacks go, or it gains 2 XP if it had none."""
    start = change(force(), SNOW, **SICK)
    best = side(agenda, **CONDITIONS[agenda][3])
    assert done(step(book, best, SNOW, TROOPERS, start=start)) == [
        progressed(agenda, 2),
        *heals(book, agenda, SNOW, "battle-fatigue", "downtrodden"),
        *gains(book, agenda, TROOPERS, amount=2),
    ]


def test_search_for_treasure_won(book: Rulebook) -> None:
    agenda = "search-for-treasure"
    assert done(step(book, side(agenda, tokens=4, result="won"), SNOW)) == [
        progressed(agenda, 1),
        *gains(book, agenda, SNOW, amount=2),
        CombatPotentialRaised(amount=100, rule="R26", why="Search for Treasure"),
    ]


@pytest.mark.parametrize(
    "agenda", ["keep-them-in-line", "midnight-strikes", "against-all-odds", "investigate-corruption"]
)
def test_order_tokens_give_two_xp(book: Rulebook, agenda: str) -> None:
    best = side(agenda, **CONDITIONS[agenda][3])
    assert done(step(book, best, ["special-forces", "corps"], SNOW)) == [
        progressed(agenda, 2), *gains(book, agenda, SCOUT, SNOW, amount=2),
    ]  # fmt: skip
    once = side(agenda, **CONDITIONS[agenda][1])
    assert done(step(book, once, ["commander"])) == [
        progressed(agenda, 1), *gains(book, agenda, PARAGON, amount=2),
    ]  # fmt: skip


def test_beat_them_to_the_punch(book: Rulebook) -> None:
    """1 XP, and a Setback goes, which the player picks."""
    agenda, start = "beat-them-to-the-punch", change(force(), SCOUT, **SICK)
    assert done(
        step(book, side(agenda, tokens=6), ["commander", "special-forces"], "downtrodden", start=start)
    ) == [
        progressed(agenda, 2),
        *gains(book, agenda, PARAGON, SCOUT),
        *heals(book, agenda, SCOUT, "downtrodden"),
    ]


def test_gather_intelligence(book: Rulebook) -> None:
    """Each time 2 SP, or a unit with 2 XP that may lose a Setback, or nothing."""
    agenda, start = "gather-intelligence", change(force(), SNOW, setbacks=("downtrodden",))
    twice = side(agenda, tokens=4)
    assert done(step(book, twice, "0", "1", SNOW, True, start=start)) == [
        progressed(agenda, 2),
        *supply(book, agenda, 2),
        *gains(book, agenda, SNOW, amount=2),
        *heals(book, agenda, SNOW, "downtrodden"),
    ]
    assert done(step(book, twice, "1", TROOPERS, "1", TROOPERS, start=start)) == [
        progressed(agenda, 2), *gains(book, agenda, TROOPERS, TROOPERS, amount=2),
    ]  # fmt: skip
    assert done(step(book, twice, "2", "2")) == [progressed(agenda, 2)]


def test_small_victories(book: Rulebook) -> None:
    """Each time 1 SP, or 1 XP to another unit, or nothing."""
    agenda = "small-victories"
    assert done(step(book, side(agenda, tokens=3, result="lost"), "1", SNOW, "1", TROOPERS)) == [
        progressed(agenda, 2), *gains(book, agenda, SNOW, TROOPERS),
    ]  # fmt: skip
    assert done(step(book, side(agenda, tokens=3, result="lost"), "0", "2")) == [
        progressed(agenda, 2), *supply(book, agenda, 1),
    ]  # fmt: skip


@pytest.mark.parametrize(("result", "more"), [("won", (1,)), ("drawn", ()), ("lost", ())])
def test_concentrated_efforts(book: Rulebook, result: str, more: tuple[int, ...]) -> None:
    agenda = "concentrated-efforts"
    assert done(step(book, side(agenda, secondary_vp=3, result=result))) == [
        progressed(agenda, 2), *supply(book, agenda, 2, 2, *more),
    ]  # fmt: skip


def test_daring_defense(book: Rulebook) -> None:
    """Once, however often it progressed: 2 XP, or all Setbacks, or nothing for the marked unit."""
    agenda, start = "daring-defense", change(force(), OTHERS, **SICK)
    marked = side(agenda, tokens=3, confirmed=frozenset({POINT}), marked=(OTHERS,), defeated=(OTHERS,))
    rewards = [done(step(book, marked, option, start=start)) for option in ("0", "1", "2")]
    assert rewards == [
        [progressed(agenda, 2), *gains(book, agenda, OTHERS, amount=2)],
        [progressed(agenda, 2), *heals(book, agenda, OTHERS, "battle-fatigue", "downtrodden")],
        [progressed(agenda, 2)],
    ]


def test_show_of_strength(book: Rulebook) -> None:
    """Each time 2 SP, or 1 XP to another defeated unit, or nothing; void where none was defeated."""
    agenda = "show-of-strength"
    beaten = side(agenda, tokens=3, defeated=(TROOPERS, SCOUT))
    assert done(step(book, beaten, "1", SCOUT, "1", TROOPERS)) == [
        progressed(agenda, 2), *gains(book, agenda, SCOUT, TROOPERS),
    ]  # fmt: skip
    assert done(step(book, beaten, "1", None, "0")) == [progressed(agenda, 2), *supply(book, agenda, 2)]
    assert done(step(book, side(agenda, tokens=3), "1", "2")) == [progressed(agenda, 2)]


def test_survey_landscape(book: Rulebook) -> None:
    """1 SP each time; won, a unit loses a Setback and gains 1 XP."""
    agenda, start = "survey-landscape", change(force(), SNOW, **SICK)
    assert done(step(book, side(agenda, tokens=5))) == [progressed(agenda, 2), *supply(book, agenda, 1, 1)]
    assert done(step(book, side(agenda, tokens=3, result="won"), SNOW, "battle-fatigue", start=start)) == [
        progressed(agenda, 1),
        *supply(book, agenda, 1),
        *heals(book, agenda, SNOW, "battle-fatigue"),
        *gains(book, agenda, SNOW),
    ]


def test_glorious_charge(book: Rulebook) -> None:
    """A unit is healed; or it and the Paragon gain 1 XP each."""
    agenda, start = "glorious-charge", change(force(), SNOW, **SICK)
    assert done(step(book, side(agenda, tokens=4), SNOW, PARAGON, start=start)) == [
        progressed(agenda, 2),
        *heals(book, agenda, SNOW, "battle-fatigue", "downtrodden"),
        *gains(book, agenda, PARAGON, PARAGON),
    ]
    assert done(step(book, side(agenda, tokens=3), WALKER)) == [
        progressed(agenda, 1), *gains(book, agenda, WALKER, PARAGON),
    ]  # fmt: skip


def test_martial_prowess(book: Rulebook) -> None:
    """1 SP each time; the Paragon, if not defeated, gains 1 XP once and may lose a Setback."""
    agenda, start = "martial-prowess", change(force(), PARAGON, setbacks=("downtrodden",))
    both = frozenset({DUEL, FOES})
    assert done(step(book, side(agenda, confirmed=both), True, start=start)) == [
        progressed(agenda, 2),
        *supply(book, agenda, 1, 1),
        *gains(book, agenda, PARAGON),
        *heals(book, agenda, PARAGON, "downtrodden"),
    ]
    assert done(step(book, side(agenda, confirmed=both, defeated=(PARAGON,)), start=start)) == [
        progressed(agenda, 2), *supply(book, agenda, 1, 1),
    ]  # fmt: skip


def test_protect_your_allies(book: Rulebook) -> None:
    """Each marked unit that was spared: 1 XP, may lose a Setback. None defeated: 2 SP, 2 XP to the Paragon."""
    agenda, start = "protect-your-allies", change(force(), OTHERS, setbacks=("downtrodden",))
    marked = (TROOPERS, OTHERS, SCOUT)
    assert done(step(book, side(agenda, marked=marked, defeated=(TROOPERS,)), False, start=start)) == [
        progressed(agenda, 1), *gains(book, agenda, OTHERS, SCOUT),
    ]  # fmt: skip
    assert done(step(book, side(agenda, marked=marked), True, start=start)) == [
        progressed(agenda, 2),
        *gains(book, agenda, TROOPERS, OTHERS),
        *heals(book, agenda, OTHERS, "downtrodden"),
        *gains(book, agenda, SCOUT),
        *supply(book, agenda, 2),
        *gains(book, agenda, PARAGON, amount=2),
    ]


def test_discover_valuables(book: Rulebook) -> None:
    """Two red defense dice each time: a unit gains 1 XP for a block; 1 SP for a surge or blank."""
    agenda, name = "discover-valuables", "Discover Valuables"
    answers = ({"reward": ["blank", "block"]}, SNOW, {"reward": ["block", "block"]}, SNOW, SNOW)
    assert done(step(book, side(agenda, tokens=3), *answers)) == [
        progressed(agenda, 2),
        fell("", "R26", name, "blank", "block", die="red_defense"),
        *gains(book, agenda, SNOW),
        *supply(book, agenda, 1),
        fell("", "R26", name, "block", "block", die="red_defense"),
        *gains(book, agenda, SNOW, SNOW),
    ]
    assert done(step(book, side(agenda, tokens=2), {"reward": ["surge", "blank"]})) == [
        progressed(agenda, 1),
        fell("", "R26", name, "surge", "blank", die="red_defense"),
        *supply(book, agenda, 1, 1),
    ]


def test_loot_and_plunder(book: Rulebook) -> None:
    """1 XP to each unit that carries Plunder, once; 1 SP each time."""
    agenda = "loot-and-plunder"
    assert done(step(book, side(agenda, tokens=3, marked=(TROOPERS, OTHERS, SCOUT)))) == [
        progressed(agenda, 2),
        *gains(book, agenda, TROOPERS, OTHERS, SCOUT),
        *supply(book, agenda, 1, 1),
    ]


def test_salvage_materiel(book: Rulebook) -> None:
    """Each time 1 SP, and 1 XP to another unit."""
    agenda = "salvage-materiel"
    assert done(step(book, side(agenda, tokens=5), SNOW, TROOPERS)) == [
        progressed(agenda, 2),
        *supply(book, agenda, 1),
        *gains(book, agenda, SNOW),
        *supply(book, agenda, 1),
        *gains(book, agenda, TROOPERS),
    ]


# --- Tunnel Vision and Daring Defense's shield ---------------------------------------------------------------


def test_tunnel_vision_takes_supply_and_experience(book: Rulebook) -> None:
    """R27: the Trait the Paragon had when the battle began; progress and questions stand."""
    agenda = "salvage-materiel"
    start = force(in_field=Field("b1", "tunnel-vision"))
    progress = step(book, side(agenda, tokens=2), SNOW, start=start)
    assert done(progress) == [
        progressed(agenda, 1),
        noted("R27", "Tunnel Vision: no SP from the Agenda"),
        noted("R27", "Tunnel Vision: no Experience from the Agenda", SNOW),
    ]
    assert progress.force.agendas == {agenda: 1}


@pytest.mark.parametrize(
    ("trait", "withheld"),
    [("tunnel-vision", True), ("unsure", False), ("", False), ("captious-command", False)],
)
def test_which_trait_withholds(book: Rulebook, trait: str, withheld: bool) -> None:
    """R27."""
    assert rewards_withheld(Scene(book, force(in_field=Field("b1", trait)))) is withheld


def test_out_of_the_field_nothing_is_withheld(book: Rulebook) -> None:
    assert rewards_withheld(Scene(book, force(in_field=None))) is False


@pytest.mark.parametrize(
    ("agenda", "field", "expected"),
    [
        ("daring-defense", Field("b1", "", 1),
         Shield(frozenset([TROOPERS]), (GainExperience(2), GainSetback()))),
        ("daring-defense", Field("b1", "tunnel-vision", 2),
         Shield(frozenset([TROOPERS]), (GainExperience(2), GainSetback()), withheld=True)),
        ("daring-defense", Field("b1"), NO_SHIELD),
        ("daring-defense", None, NO_SHIELD),
        ("protect-your-allies", Field("b1", "", 1), NO_SHIELD),
        ("", Field("b1", "", 1), NO_SHIELD),
    ],
)  # fmt: skip
def test_the_shield_is_part_of_the_reward(
    book: Rulebook, agenda: str, field: Field | None, expected: Shield
) -> None:
    """R28 [reading]: it needs progress, unless the house says that it always holds."""
    marked = report(PARAGON, TROOPERS, agenda=agenda, marked=(TROOPERS,))
    assert shield(Scene(book, force(in_field=field)), marked) == expected
    always = shield(Scene(house(book, shield="always"), force(in_field=field)), marked)
    if agenda == "daring-defense":
        assert always == Shield(
            frozenset([TROOPERS]), (GainExperience(2), GainSetback()), withheld=expected.withheld
        )
    else:
        assert always == NO_SHIELD
