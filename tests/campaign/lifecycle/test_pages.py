"""The pages that close, archive, reopen, delete and restore a campaign, and what Home says of it."""

from datetime import timedelta
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bench.simulated_battles import walk
from bench.simulation import Supply
from campaign.archive.services.archive import note_export
from campaign.battles.models import Battle
from campaign.lifecycle.services import remove_expired
from campaign.models import Campaign
from catalogue.snapshot import rulebook
from dashboard.inbox import inbox_for
from tests.campaign.factories import address, in_play, planned
from tests.campaign.fights import gain_reputation, over
from tests.html import html_of
from tests.statements import without_catalogue


def post(client, table, do: str, **more):
    return client.post(address(table, "campaign:lifecycle"), {"do": do, **more}, follow=True)


def home(client) -> str:
    return html_of(client.get(reverse("home")))


def test_closing_shows_the_planned_battles_and_leads_to_the_end(table, as_cora):
    gain_reputation(table.bravo, 2, over(table, winner="red"))
    battle = planned(table)
    page = html_of(as_cora.get(address(table, "campaign:lifecycle")))
    assert f'name="planned" value="{battle.pk}"' in page
    assert f'href="{battle.get_absolute_url()}"' in page
    refused = post(as_cora, table, "close")
    assert (refused.status_code, Campaign.objects.get().state) == (422, "open")
    for _twice in range(2):  # a double tap
        answer = post(as_cora, table, "close", planned=str(battle.pk))
        assert answer.redirect_chain[0][0] == address(table, "campaign:end")
        assert "Outer Rim Winter is closed." in html_of(answer)
    assert Battle.objects.get(pk=battle.pk).status == "cancelled"


def test_the_end_takes_few_statements(fought, client):
    ada = fought.ada_organizes()
    walk(fought.battle, Random(1), Supply(rulebook()))
    Campaign.objects.update(state="closed", closed_at=timezone.now())
    client.force_login(ada)
    end = reverse("campaign:end", args=[fought.battle.campaign_id])
    client.get(end)
    with CaptureQueriesContext(connection) as queries:
        page = html_of(client.get(end))
    assert "Roll of honor" in page
    assert len(without_catalogue(query["sql"] for query in queries)) <= 15


def test_the_end_has_the_standings_in_order_whoever_looks(table, client):
    gain_reputation(table.bravo, 2, over(table, winner="red"))
    end = address(table, "campaign:end")
    client.force_login(table.ada)
    assert client.get(end).url == table.campaign.get_absolute_url()
    Campaign.objects.update(state="closed", closed_at=timezone.now())
    for user in (table.ada, table.mia):
        client.force_login(user)
        page = html_of(client.get(end))
        assert page.index("Dune Wardens") < page.index("Ashen Patrol")
        assert reverse("chronicle:book", args=[table.campaign.pk]) in page
        assert address(table, "archive:export") not in page
    client.force_login(table.cora)
    assert address(table, "archive:export") in html_of(client.get(end))


def test_a_battle_under_way_is_named_instead_of_the_buttons(table, as_cora):
    battle = in_play(planned(table))
    page = html_of(as_cora.get(address(table, "campaign:lifecycle")))
    assert battle.get_absolute_url() in page
    assert 'value="close"' not in page
    assert post(as_cora, table, "close").status_code == 422  # from a page of before


def test_an_archived_campaign_leaves_home_and_comes_back(table, client):
    client.force_login(table.ada)
    waiting = planned(table)
    assert inbox_for(table.ada)
    client.force_login(table.cora)
    post(client, table, "archive", planned=str(waiting.pk))
    for user in (table.cora, table.ada):
        client.force_login(user)
        page = home(client)
        assert inbox_for(user) == []
        first, rest = page.split("Archived and deleted")
        assert "Outer Rim Winter" not in first
        assert "Outer Rim Winter" in rest
        assert "Ashen Patrol" not in page
    client.force_login(table.cora)
    for _twice in range(2):
        assert "Outer Rim Winter is open again." in html_of(post(client, table, "reopen"))
    assert "Archived and deleted" not in home(client)


def test_a_deleted_campaign_is_restored_from_home(table, client):
    client.force_login(table.cora)
    delete = address(table, "campaign:delete")
    refused = client.post(delete, follow=True)
    assert "Download the campaign file first." in html_of(refused)
    note_export(table.campaign, timezone.now())
    for _twice in range(2):
        page = html_of(client.post(delete, follow=True))
        assert "Outer Rim Winter is deleted. You can restore it for 30 days." in page
        assert 'value="restore"' in page  # not in a closed fold of another page
    status = address(table, "campaign:lifecycle")
    assert f'href="{status}"' in home(client)
    client.force_login(table.ada)
    page = home(client)
    assert (status in page, "Ashen Patrol" in page) == (False, True)
    assert client.get(status).status_code == 404
    client.force_login(table.cora)
    assert client.get(delete).url == status
    for _twice in range(2):
        assert "Outer Rim Winter is restored." in html_of(post(client, table, "restore"))
    assert client.get(table.campaign.get_absolute_url()).status_code == 200


def test_a_page_of_before_finds_a_removed_campaign_gone(table, as_cora):
    Campaign.everything.update(deleted_at=timezone.now() - timedelta(days=31))
    remove_expired()
    assert post(as_cora, table, "restore").status_code == 404
