"""Step 1, Progress Agendas (R26): the rewards of all 21, Agenda by Agenda."""

import pytest

from rules.core.rulebook import Rulebook
from rules.register.effects import CombatPotentialRaised, Effect, OrderTokensDrawn, SetbackRemoved

from ..build import OTHERS, PARAGON, SCOUT, SNOW, TROOPERS, WALKER, change, done, fell, state, xp
from .progressing import CONDITIONS, DUEL, FOES, POINT, progressed, side, step, supply


def gains(book: Rulebook, agenda: str, *units: str, amount: int = 1) -> list[Effect]:
    return [xp(unit, amount, "R26", book.agendas[agenda].name) for unit in units]


def heals(book: Rulebook, agenda: str, unit: str, *slugs: str) -> list[Effect]:
    return [SetbackRemoved(unit=unit, setback=slug, rule="R26", why=book.agendas[agenda].name) for slug in slugs]


SICK = {"setbacks": ("battle-fatigue", "downtrodden")}


@pytest.mark.parametrize("agenda", ["persons-of-interest", "on-the-run", "the-long-game", "search-for-treasure"])
def test_a_unit_is_healed_or_learns(book: Rulebook, agenda: str) -> None:
    """For each progression another unit: all its Setbacks go, or it gains 2 XP if it had none."""
    start = change(state(), SNOW, **SICK)
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


def drawn(book: Rulebook, agenda: str, *ranks: str) -> Effect:
    return OrderTokensDrawn(ranks=ranks, rule="R26", why=book.agendas[agenda].name)


@pytest.mark.parametrize(
    "agenda", ["keep-them-in-line", "midnight-strikes", "against-all-odds", "investigate-corruption"]
)
def test_order_tokens_give_two_xp(book: Rulebook, agenda: str) -> None:
    best = side(agenda, **CONDITIONS[agenda][3])
    assert done(step(book, best, ["special-forces", "corps"], SNOW)) == [
        progressed(agenda, 2), drawn(book, agenda, "special-forces", "corps"),
        *gains(book, agenda, SCOUT, SNOW, amount=2),
    ]  # fmt: skip
    once = side(agenda, **CONDITIONS[agenda][1])
    assert done(step(book, once, ["commander"])) == [
        progressed(agenda, 1), drawn(book, agenda, "commander"), *gains(book, agenda, PARAGON, amount=2),
    ]  # fmt: skip


def test_beat_them_to_the_punch(book: Rulebook) -> None:
    """1 XP, and a Setback goes, which the player picks."""
    agenda, start = "beat-them-to-the-punch", change(state(), SCOUT, **SICK)
    assert done(step(book, side(agenda, tokens=6), ["commander", "special-forces"], "downtrodden", start=start)) == [
        progressed(agenda, 2),
        drawn(book, agenda, "commander", "special-forces"),
        *gains(book, agenda, PARAGON, SCOUT),
        *heals(book, agenda, SCOUT, "downtrodden"),
    ]


def test_gather_intelligence(book: Rulebook) -> None:
    """Each time 2 SP, or a unit with 2 XP that may lose a Setback, or nothing."""
    agenda, start = "gather-intelligence", change(state(), SNOW, setbacks=("downtrodden",))
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
    agenda, start = "daring-defense", change(state(), OTHERS, **SICK)
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
    agenda, start = "survey-landscape", change(state(), SNOW, **SICK)
    assert done(step(book, side(agenda, tokens=5))) == [progressed(agenda, 2), *supply(book, agenda, 1, 1)]
    assert done(step(book, side(agenda, tokens=3, result="won"), SNOW, "battle-fatigue", start=start)) == [
        progressed(agenda, 1),
        *supply(book, agenda, 1),
        *heals(book, agenda, SNOW, "battle-fatigue"),
        *gains(book, agenda, SNOW),
    ]


def test_glorious_charge(book: Rulebook) -> None:
    """A unit is healed; or it and the Paragon gain 1 XP each."""
    agenda, start = "glorious-charge", change(state(), SNOW, **SICK)
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
    agenda, start = "martial-prowess", change(state(), PARAGON, setbacks=("downtrodden",))
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
    agenda, start = "protect-your-allies", change(state(), OTHERS, setbacks=("downtrodden",))
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
