"""The page of a sequence."""

from campaign.battles.access import battle_for
from campaign.battles.pages.sequence import Page, page_of
from campaign.battles.services.sequence import sequence_side
from tests.campaign.first_blood import Fought


def page(fought: Fought, colour: str) -> Page:
    battle, role = battle_for(fought.ada, fought.battle.pk)
    sides = {side.colour: side for side in battle.sides.all()}
    return page_of(sequence_side(battle, sides[colour], sides["red" if colour == "blue" else "blue"], role))
