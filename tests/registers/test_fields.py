"""The column for terms."""

from __future__ import annotations

import pytest
from django.core import serializers
from django.db import connection

from registers.models import Register
from rules.core.campaign_rules import CampaignRules, HouseRules

pytestmark = pytest.mark.django_db


def test_only_what_differs_from_the_rulebook_is_kept(player):
    terms = CampaignRules(length=3, factions=("rebel",), house=HouseRules(draw="neither"))
    Register.objects.create(owner=player, terms=terms)
    assert Register.objects.get().terms == terms
    assert list(Register.objects.values_list("terms__length", flat=True)) == [3]
    with connection.cursor() as cursor:
        cursor.execute("SELECT terms::text FROM registers_register")
        assert cursor.fetchall() == [('{"draw": "neither", "length": 3, "factions": ["rebel"]}',)]


def test_a_row_that_was_written_without_terms_has_the_usual_ones(player):
    register = Register.objects.create(owner=player)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE registers_register SET terms = DEFAULT")
    assert Register.objects.get(pk=register.pk).terms == CampaignRules()


def test_a_host_may_dump_and_load_it(player):
    terms = CampaignRules(length=3, factions=("rebel",))
    register = Register.objects.create(owner=player, terms=terms)
    [loaded] = serializers.deserialize("json", serializers.serialize("json", [register]))
    Register.objects.all().delete()
    loaded.save()
    assert Register.objects.get().terms == terms
