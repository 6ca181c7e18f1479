"""Campaigns and battles in the admin."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.campaign.factories import in_play, planned
from tests.registers.factories import make_player


@pytest.fixture
def staff(client, table):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def test_battles_are_looked_at_and_never_changed(staff, table):
    battle = in_play(planned(table))
    assert staff.get(reverse("admin:campaign_battle_changelist") + "?q=ashen").status_code == 200
    change = reverse("admin:campaign_battle_change", args=[battle.pk])
    assert staff.get(change).status_code == 200
    assert staff.post(change, {}).status_code == 403
    assert staff.get(reverse("admin:campaign_battle_add")).status_code == 403


def test_a_campaign_has_its_members_and_is_not_deleted(staff, table):
    change = reverse("admin:campaign_campaign_change", args=[table.campaign.pk])
    page = staff.get(change)
    assert page.status_code == 200
    assert "Ashen Patrol in Outer Rim Winter" in page.content.decode()
    assert staff.post(reverse("admin:campaign_campaign_delete", args=[table.campaign.pk])).status_code == 403
