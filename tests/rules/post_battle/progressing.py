"""Step 1 with its effects, and what each Agenda asks for, for its tests."""

from dataclasses import replace
from typing import Any

from rules.battle.report import Report
from rules.core.rulebook import Rulebook
from rules.post_battle.agendas import progress_agendas
from rules.post_battle.dialogue import Progress
from rules.register.effects import AgendaProgressed, Effect, SupplyPointsGained
from rules.register.state import RegisterState

from ..build import OTHERS, PARAGON, SCOUT, TROOPERS, play, report, state

FOES = "At least one of them was a commander or operative"
DUEL = "Your Paragon defeated 1 or more enemy units"
FEWER = "You have fewer units on the battlefield than your opponent"
POINT = "The chosen unit contests the marked point at the end of the game"


def step(book: Rulebook, side: Report, *answers: Any, start: RegisterState | None = None) -> Progress:
    """Step 1 of a Register that is on the arc of the Agenda in play; every question is asked."""
    first = start or state()
    if side.agenda:
        first = force_on(book, side.agenda, first)
    return play(book, first, lambda context: progress_agendas(context, side), answers, ask_all=True)


def force_on(book: Rulebook, agenda: str, start: RegisterState) -> RegisterState:
    return replace(start, story_arc=book.agendas[agenda].story_arc)


def side(agenda: str, *units: str, **facts: Any) -> Report:
    return report(*(units or (PARAGON, TROOPERS, OTHERS, SCOUT)), agenda=agenda, **facts)


def progressed(agenda: str, times: int) -> Effect:
    return AgendaProgressed(agenda=agenda, amount=times, rule="R25")


def supply(book: Rulebook, agenda: str, *amounts: int) -> list[Effect]:
    return [SupplyPointsGained(amount=amount, rule="R26", why=book.agendas[agenda].name) for amount in amounts]


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
