"""Registers in the admin: to look at."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.registers.factories import make_player, make_register


@pytest.fixture
def staff(client, book):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", ["register", "dossier", "entry"])
def test_listed_and_never_changed(staff, player, model):
    founded = make_register(player)
    rows = {"register": founded, "dossier": founded.dossiers.first(), "entry": founded.entries.first()}
    assert staff.get(reverse(f"admin:registers_{model}_changelist") + "?q=ashen").status_code == 200
    change = reverse(f"admin:registers_{model}_change", args=[rows[model].pk])
    assert staff.get(change).status_code == 200
    assert staff.post(change, {}).status_code == 403
    assert staff.get(reverse(f"admin:registers_{model}_add")).status_code == 403
    assert staff.post(reverse(f"admin:registers_{model}_delete", args=[rows[model].pk])).status_code == 403
