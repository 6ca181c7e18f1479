"""The column for campaign rules."""

import pytest
from django.core import serializers
from django.db import connection

from registers.models import Register
from rules.core.campaign_rules import CampaignRules, HouseRules

pytestmark = pytest.mark.django_db


def test_only_what_differs_from_the_rulebook_is_kept(player):
    campaign_rules = CampaignRules(length=3, factions=("rebel",), house=HouseRules(draw="neither"))
    Register.objects.create(owner=player, campaign_rules=campaign_rules)
    assert Register.objects.get().campaign_rules == campaign_rules
    assert list(Register.objects.values_list("campaign_rules__length", flat=True)) == [3]
    with connection.cursor() as cursor:
        cursor.execute("SELECT campaign_rules::text FROM registers_register")
        assert cursor.fetchall() == [('{"draw": "neither", "length": 3, "factions": ["rebel"]}',)]


def test_a_row_that_was_written_without_terms_has_the_usual_ones(player):
    register = Register.objects.create(owner=player)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE registers_register SET campaign_rules = DEFAULT")
    assert Register.objects.get(pk=register.pk).campaign_rules == CampaignRules()


def test_a_host_may_dump_and_load_it(player):
    campaign_rules = CampaignRules(length=3, factions=("rebel",))
    register = Register.objects.create(owner=player, campaign_rules=campaign_rules)
    [loaded] = serializers.deserialize("json", serializers.serialize("json", [register]))
    Register.objects.all().delete()
    loaded.save()
    assert Register.objects.get().campaign_rules == campaign_rules
