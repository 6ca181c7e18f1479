"""First Blood, walked to its end."""

from __future__ import annotations

from campaign.models import Battle
from campaign.services import sequence
from tests.campaign.first_blood import Fought
from tests.campaign.test_sequence import blue_to_step_5, red_to_step_5

GRIM_HOUNDS = {"3": {"commendation": "resilient", "name": "Grim Hounds"}}


def all_but_the_last(fought: Fought) -> None:
    """To the question whose answer closes the battle: blue's, at step 8."""
    red_to_step_5(fought)
    blue_to_step_5(fought)
    for colour, answer in (("red", "3"), ("blue", "7"), ("red", None), ("red", None)):
        fought.answer(colour, answer)
    fought.answer("blue", GRIM_HOUNDS)
    fought.answer("blue", None)


def last(fought: Fought) -> Battle:
    """The answer that closes the battle."""
    side = fought.blue
    sequence.answer(actor=fought.ada, side_id=side.pk, turn=side.turn, answer=None)
    return Battle.objects.get(pk=fought.battle.pk)


def closed(fought: Fought) -> Battle:
    """The battle once both sequences are over."""
    all_but_the_last(fought)
    return last(fought)
