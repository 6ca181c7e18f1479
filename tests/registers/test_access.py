"""Who may see a Register, and who may change it."""

from dataclasses import replace

import pytest
from django.db.models import Q
from django.http import Http404

from registers import campaign_side
from registers.access import editable_register_for, may_edit, register_for
from registers.campaign_side import CampaignSide
from tests.registers.factories import make_player


def test_its_owner(player, founded):
    assert register_for(player, founded.pk) == founded
    assert editable_register_for(player, founded.pk) == founded
    assert may_edit(player, founded)


def test_nobody_else(other, founded):
    with pytest.raises(Http404):
        register_for(other, founded.pk)
    with pytest.raises(Http404):
        editable_register_for(other, founded.pk)
    assert not may_edit(other, founded)


def test_the_staff(founded):
    staff = make_player("root", is_staff=True, is_superuser=True)
    assert editable_register_for(staff, founded.pk) == register_for(staff, founded.pk) == founded


def test_whoever_another_room_names(monkeypatch, other, founded):
    seen = CampaignSide(seen_by=lambda user: Q(entries__act="open"))
    monkeypatch.setattr(campaign_side, "campaigns", seen)
    assert register_for(other, founded.pk) == founded
    assert not may_edit(other, founded)
    managed = replace(seen, managed_by=lambda user: Q(entries__position__gt=0))  # found once, whatever is joined
    monkeypatch.setattr(campaign_side, "campaigns", managed)
    assert editable_register_for(other, founded.pk) == founded
