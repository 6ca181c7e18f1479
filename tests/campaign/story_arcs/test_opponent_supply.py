"""A custom Turning Point Mission whose owner's victory takes SP from the opponent: each ledger says its own part."""

import pytest

from campaign.battles.models import Battle
from campaign.story_arcs.services import story_arcs
from catalogue.snapshot import forget
from registers.ledger.session import effects_of_entry
from rules.register.effects import Effect, Noted, SupplyPointsGained, SupplyPointsSpent
from tests.campaign.battles.amending import applied, balanced, corrected
from tests.campaign.battles.closing import blue_to_step_5
from tests.campaign.first_blood import Fought, in_play, report_and_confirm
from tests.rules.arcs.arcs import printed

RAID = {**printed("bring-peace-to-the-galaxy"), "name": "Raiders"}
RAID["turning_point"] |= {
    "name": "The Raid",
    "end_of_game": [],
    "victory": [{"do": "gain_supply_points", "amount": 2}, {"do": "opponent_loses_supply_points", "amount": 2}],
}


@pytest.fixture
def raided(book) -> Fought:
    """Blue has won The Raid, its own mission."""
    fought = in_play()
    campaign, organizer = fought.battle.campaign, fought.ada_organizes()
    arc = story_arcs.begin(actor=organizer, campaign=campaign, name="Raiders")
    arc = story_arcs.change(actor=organizer, arc_id=arc.pk, revision=1, draft=RAID)
    version = story_arcs.publish(actor=organizer, arc_id=arc.pk, revision=arc.revision)
    forget()
    Battle.objects.filter(pk=fought.battle.pk).update(owner="blue", turning_point=version.story_arc)
    report_and_confirm(fought)
    return fought


def second_step(fought: Fought, colour: str) -> list[Effect]:
    entry = fought.side(colour).own_register.entries.filter(step=2).latest("position")
    return effects_of_entry(entry)


def test_both_ledgers_say_what_a_victory_takes(raided):
    blue_to_step_5(raided)
    source = {"rule": "R29", "why": "The Raid"}
    assert second_step(raided, "blue") == [
        SupplyPointsGained(amount=2, **source),
        Noted(rule="R29", why="up to 2 SP taken from Dune Wardens"),
    ]
    assert second_step(raided, "red") == [SupplyPointsSpent(amount=2, **source)]
    assert balanced()


def test_a_corrected_report_takes_other_supply_points(raided):
    """The mission is a defeat after all: red gets its 2 SP back."""
    before = raided.red.own_register.supply_points
    applied(raided, corrected(raided, "red"))
    assert second_step(raided, "red") == []
    assert raided.red.own_register.supply_points == before + 2
    assert balanced()
