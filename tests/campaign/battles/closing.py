"""First Blood, walked to its end, a step or all of it.

Dice of the app that fall as a test says do not follow from their seed: with TABLE as their source they are typed in.
"""

from campaign.battles.models import Battle, Side
from campaign.battles.services import sequence
from campaign.battles.services.sequence import APP, TABLE, UndoScope
from catalogue.models import Unit
from tests.campaign.first_blood import Fought
from tests.once import once

SCOUT_AND_T1 = {"check:2": ["blank"], "check:5": ["blank"]}
ALL_OF_BRAVO = {"check:2": ["surge"], "check:3": ["blank"], "check:6": ["hit"]}
GRIM_HOUNDS = {"3": {"commendation": "resilient", "name": "Grim Hounds"}}


@once
def to_step_4(fought: Fought, source: str = APP) -> None:
    """Alpha through steps 1 to 3."""
    fought.answer("blue", ["corps", "heavy"])
    fought.answer("blue", "3")
    fought.answer("blue", {"supply": ["block"]}, source)


@once
def blue_to_step_5(fought: Fought, source: str = APP) -> None:
    to_step_4(fought, source)
    fought.answer("blue", SCOUT_AND_T1, TABLE)


@once
def red_to_step_5(fought: Fought) -> None:
    fought.answer("red", {"supply": ["surge"]})
    fought.answer("red", ALL_OF_BRAVO)
    fought.answer("red", {"setback:6": ["critical"]})


def undo(fought: Fought, colour: str, what: str = UndoScope.ANSWER) -> Side:
    side = fought.side(colour)
    form = {"battle_id": side.battle_id, "colour": colour, "turn": side.turn}
    assert sequence.undo_answers(actor=side.own_register.owner, what=what, **form)
    return fought.side(colour)


@once
def all_but_the_last(fought: Fought, source: str = APP) -> None:
    """To the question whose answer closes the battle: blue's, at step 8."""
    red_to_step_5(fought)
    blue_to_step_5(fought, source)
    for colour, answer in (("red", "3"), ("blue", "7"), ("red", None), ("red", None)):
        fought.answer(colour, answer)
    fought.answer("blue", GRIM_HOUNDS)
    fought.answer("blue", None)


def last(fought: Fought) -> Battle:
    """The answer that closes the battle."""
    side = fought.blue
    sequence.answer(actor=fought.ada, side_id=side.pk, turn=side.turn, answer=None)
    return Battle.objects.get(pk=fought.battle.pk)


@once
def closed(fought: Fought, source: str = APP) -> Battle:
    """The battle once both sequences are over."""
    all_but_the_last(fought, source)
    return last(fought)


def broken_by_points(fought: Fought) -> None:
    """Blue adds a unit in step 8, then a points update makes it cost more than the Register has."""
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("blue", "7"), ("red", "3"), ("blue", GRIM_HOUNDS), ("blue", None)):
        fought.answer(colour, answer)
    fought.answer("blue", {"add": {"unit": "df-90-mortar-trooper"}})
    Unit.objects.filter(slug="df-90-mortar-trooper").update(points=900)
