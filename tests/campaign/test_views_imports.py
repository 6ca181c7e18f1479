"""A Register of a campaign, founded from a list."""

from __future__ import annotations

from uuid import uuid4

from django.urls import reverse

from campaign.models import Enlistment
from registers.models import Register
from registers.services.ledger import force_of
from tests.registers.views.reading import text_of
from tests.registers.views.test_imports import form_of, tts


def address(table) -> str:
    return reverse("campaign:import_register", args=[table.campaign.pk])


def test_it_serves_in_the_campaign(client, table):
    client.force_login(table.mia)
    text = tts({"Snowtroopers": [], "Scout Troopers": []})
    page = client.post(address(table), {"text": text, "register": str(uuid4())})
    fields = form_of(page) | {"do": "found"}
    for _ in range(2):  # law 6: the form comes twice
        answer = client.post(address(table), fields)
        assert answer["Location"] == reverse("registers:founding", args=[fields["register"]])
    register = Register.objects.get(pk=fields["register"])
    assert (register.owner, Enlistment.objects.get(register=register).campaign) == (table.mia, table.campaign)
    assert [dossier.card for dossier in force_of(register).dossiers.values()] == [
        "snowtroopers",
        "scout-troopers",
    ]


def test_the_campaign_leads_there(client, table):
    client.force_login(table.mia)
    assert address(table) in client.get(table.campaign.get_absolute_url()).content.decode()
    assert "Outer Rim Winter" in text_of(client.get(address(table)))


def test_a_stranger(client, table):
    client.force_login(table.eve)
    assert client.get(address(table)).status_code == 404
    assert client.post(address(table), {"text": "x"}).status_code == 404
    assert not table.eve.registers.exists()
