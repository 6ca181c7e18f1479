"""What the tables themselves refuse of campaigns, battles and sides."""

import pytest
from django.db import IntegrityError, transaction

from campaign.battles.models import Battle
from tests.campaign.factories import against_guest, in_play, planned


def test_numbers_are_unique_in_a_campaign(table):
    battle = planned(table)
    with pytest.raises(IntegrityError, match="battle_numbers_are_unique"), transaction.atomic():
        Battle.objects.create(campaign=table.campaign, number=1, size=1, date=battle.date)


@pytest.mark.parametrize(
    ("field", "value", "name"),
    [("owner", "red", "owner_of_a_turning_point_is_blue"), ("winner", "both", "winner_is_a_side")],
)
def test_what_a_battle_may_say(table, field, value, name):
    battle = planned(table)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Battle.objects.filter(pk=battle.pk).update(**{field: value})


@pytest.mark.parametrize(
    ("colour", "changes", "name"),
    [
        ("blue", {"guest_name": "Sal"}, "a_register_or_a_guest"),
        ("blue", {"register": None}, "a_register_or_a_guest"),
        ("blue", {"step": 12}, "ten_steps_and_done"),
        ("red", {"step": 1}, "only_registers_walk_the_steps"),
        ("red", {"colour": "blue"}, "one_side_a_colour"),
    ],
)
def test_what_a_side_may_say(table, colour, changes, name):
    battle = against_guest(table)
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        battle.sides.filter(colour=colour).update(**changes)


def test_one_battle_in_play_a_register(table):  # R11
    in_play(against_guest(table))
    other = against_guest(table)
    with pytest.raises(IntegrityError, match="one_battle_in_play_a_register"), transaction.atomic():
        other.sides.filter(colour="blue").update(begun=True)


def test_one_membership_a_person_and_one_campaign_a_register(table):
    with pytest.raises(IntegrityError, match="one_membership_a_person"), transaction.atomic():
        table.campaign.memberships.create(user=table.ada, role="organizer")
    with pytest.raises(IntegrityError, match="campaign_enlistment_register_id"), transaction.atomic():
        table.campaign.enlistments.create(register=table.alpha)
