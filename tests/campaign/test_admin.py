"""Campaigns and battles in the admin."""

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.battles.services import army
from campaign.models import Campaign
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services import story_arcs
from tests.campaign.factories import army_chosen, in_play, planned
from tests.campaign.story_arcs.factories import published
from tests.html import html_of
from tests.registers.factories import make_player


@pytest.fixture
def staff(client, table):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def test_battles_are_looked_at_and_never_changed(staff, table):
    battle = in_play(planned(table))
    assert staff.get(reverse("admin:battles_battle_changelist") + "?q=ashen").status_code == 200
    change = reverse("admin:battles_battle_change", args=[battle.pk])
    assert staff.get(change).status_code == 200
    assert staff.post(change, {}).status_code == 403
    assert staff.get(reverse("admin:battles_battle_add")).status_code == 403


def test_an_army_is_shown_once_it_has_taken_the_field(staff, table):
    """Staff may be the opponent: before, not even they read it."""
    battle = army_chosen(planned(table))
    change = reverse("admin:battles_battle_change", args=[battle.pk])
    names = ", ".join(each.name or each.unit.name for each in table.alpha.dossiers.all())
    assert (battle.armies_hidden, names in html_of(staff.get(change))) == (True, False)
    army.begin(actor=table.ada, battle_id=battle.pk)
    assert names in html_of(staff.get(change))


def test_a_campaign_has_its_members_and_is_not_deleted(staff, table):
    change = reverse("admin:campaign_campaign_change", args=[table.campaign.pk])
    page = staff.get(change)
    assert page.status_code == 200
    assert ">Ashen Patrol</a>" in html_of(page)
    assert staff.post(reverse("admin:campaign_campaign_delete", args=[table.campaign.pk])).status_code == 403
    assert staff.get(reverse("admin:campaign_campaign_add")).status_code == 403


def test_staff_find_and_restore_a_deleted_campaign(staff, table):
    Campaign.objects.update(deleted_at=timezone.now())
    listed = html_of(staff.get(reverse("admin:campaign_campaign_changelist")))
    assert ">deleted</td>" in listed
    change = html_of(staff.get(reverse("admin:campaign_campaign_change", args=[table.campaign.pk])))
    page = reverse("campaign:lifecycle", args=[table.campaign.pk])
    assert f'<a href="{page}">Restore campaign</a>' in change
    assert staff.post(page, {"do": "restore"}).status_code == 302
    assert Campaign.objects.get().deleted_at is None


def test_consent_is_only_shown(staff, table):
    change = reverse("admin:campaign_campaign_change", args=[table.campaign.pk])
    table.campaign.enlistments.filter(register=table.alpha).update(awaits_consent=True)
    html = html_of(staff.get(change))
    assert "Cannot play until an organizer approves them" in html
    assert reverse("campaign:consent", args=[table.campaign.pk, table.alpha.pk]) not in html  # who may not organize
    assert "awaits_consent" not in {
        name for form in staff.get(change).context["inline_admin_formsets"][1].formset for name in form.fields
    }


def test_own_arcs_are_looked_at_and_never_changed(staff, table):
    version = published(table)
    token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
    story_arcs.load_arcs()
    taken = table.campaign.adopted_arcs.get()
    shipped = ArcVersion.objects.filter(arc__origin="cold-freight").get()
    for name, *rows in (
        ("customarc", version.arc, shipped.arc), ("arcversion", version, shipped), ("adoptedarc", taken),
    ):  # fmt: skip
        pages = [staff.get(reverse(f"admin:story_arcs_{name}_changelist") + "?q=our")]
        pages += [staff.get(reverse(f"admin:story_arcs_{name}_change", args=[row.pk])) for row in rows]
        assert [page.status_code for page in pages] == [200] * len(pages)
        assert not [page for page in pages if token in html_of(page)]
        refused = [
            staff.post(reverse(f"admin:story_arcs_{name}_change", args=[rows[0].pk]), {}),
            staff.post(reverse(f"admin:story_arcs_{name}_delete", args=[rows[0].pk]), {"post": "yes"}),
            staff.post(reverse(f"admin:story_arcs_{name}_add"), {}),
        ]
        assert [page.status_code for page in refused] == [403] * 3
