"""Registers of campaigns in the admin: found by their campaign, awarded many at once; and the admin's start page."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign
from registers.models import Register
from registers.services.corrections import correct
from rules.adjustments.corrections import WantedValue
from tests.campaign.factories import in_play, planned
from tests.html import html_of
from tests.registers.factories import make_player, make_register

LIST = "admin:registers_register_changelist"


@pytest.fixture
def staff(client, db):
    client.force_login(make_player("root", is_staff=True, is_superuser=True))
    return client


def award(staff, *registers: Register):
    """Choose the action that awards these Registers."""
    return staff.post(
        reverse(LIST), {"action": "award_registers", "_selected_action": [str(each.pk) for each in registers]}
    )


def test_registers_are_found_by_their_campaign(staff, table):
    alone = make_register(make_player("dora"))
    listed = {
        key: {row.pk for row in staff.get(reverse(LIST), {name: key}).context["cl"].result_list}
        for name, key in (("q", "outer rim"), ("campaign", str(table.campaign.pk)), ("campaign", "none"))
    }
    both = {table.alpha.pk, table.bravo.pk}
    assert listed == {"outer rim": both, str(table.campaign.pk): both, "none": {alone.pk}}


def test_the_list_takes_as_many_queries_for_three_registers_as_for_one(staff, table, django_assert_num_queries):
    with CaptureQueriesContext(connection) as few:
        staff.get(reverse(LIST), {"q": "ashen"})
    make_register(make_player("dora"))
    with django_assert_num_queries(len(few)):
        staff.get(reverse(LIST))


def test_battles_are_links_for_those_who_may_open_them(client, table):
    battle, clerk, group = (
        in_play(planned(table)),
        make_player("clerk", is_staff=True),
        Group.objects.get(name="Corrections"),
    )
    clerk.groups.add(group)
    client.force_login(clerk)
    page = reverse("admin:registers_register_change", args=[table.alpha.pk])
    link = f'<a href="{battle.get_absolute_url()}">Battle 1</a>'
    assert link in html_of(client.get(page))
    group.permissions.remove(Permission.objects.get(codename="organize_campaign"))
    html = html_of(client.get(page))
    assert (link in html, "Battle 1" in html) == (False, True)


def test_the_award_page_opens_with_the_chosen_registers_ticked(staff, table):
    answer = award(staff, table.bravo)
    assert answer.url.startswith(reverse("campaign:award", args=[table.campaign.pk]))
    assert staff.get(answer.url).context["form"]["registers"].value() == [str(table.bravo.pk)]
    assert len(award(staff, table.alpha, table.bravo).url) == len(answer.url)  # however many they are


def test_an_award_is_for_registers_of_one_campaign(staff, table):
    alone = make_register(make_player("dora"))
    refused = award(staff, table.alpha, alone)
    assert [str(each) for each in get_messages(refused.wsgi_request)] == ["Select Registers of one campaign."]


def cards_of(client) -> dict[str, int]:
    return {card.label: card.number for card in client.get(reverse("admin:index")).context["cards"]}


def test_the_start_page_counts_and_each_number_leads_to_its_list(staff, table):
    battle = in_play(planned(table))
    Battle.objects.filter(pk=battle.pk).update(status=Battle.Status.DISPUTED)
    assert cards_of(staff) == {
        "Registers over their Combat Potential": 0,
        "Registers in a battle": 2,
        "Disputed reports": 1,
        "Events running": 0,
        "Disputed results of events": 0,
        "Judge calls waiting": 0,
        "Failed jobs": ProcrastinateJob.objects.filter(status="failed").count(),
    }
    for card in staff.get(reverse("admin:index")).context["cards"]:
        assert staff.get(card.address).context["cl"].result_count == card.number


def test_the_start_page_counts_only_what_a_person_may_view(client, table):
    client.force_login(make_player("looker", is_staff=True))
    assert cards_of(client) == {}
    assert "Correct a Register" not in client.get(reverse("admin:index")).text


def test_the_sidebar_begins_with_corrections_and_ends_with_plumbing(staff):
    groups = staff.get(reverse("admin:index")).context["sidebar_navigation"]
    assert groups[0]["items"][0]["title"] == "Correct a Register"
    titles = [group["title"] for group in groups]
    assert titles[1:4] == ["Campaigns", "Events", "Catalogue"]
    assert titles[-1] == "System"
    assert [item["title"] for item in groups[1]["items"]][:3] == ["Campaigns", "Battles", "Players"]


def test_the_start_page_has_the_latest_corrections(staff, table):
    wishes = [WantedValue("supply_points", 9)]
    correct(
        actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position, wishes=wishes, reason="lost SP"
    )
    said = html_of(staff.get(reverse("admin:index")))
    assert all(text in said for text in ("Ashen Patrol", "Outer Rim Winter", "SP: 5 → 9", "lost SP", "cora"))


def test_the_start_page_says_who_is_stuck_since_when(staff, fought, monkeypatch):
    assert staff.get(reverse("admin:index")).context["stuck"] == []
    monkeypatch.setattr("campaign.organizer_tasks.queries.STUCK_AFTER", timedelta(0))
    [task] = staff.get(reverse("admin:index")).context["stuck"]
    since = date_format(localdate(), "MONTH_DAY_FORMAT")
    assert (task.title, task.note) == (
        "Battle 1: Ashen Patrol against Dune Wardens", f"ada and ben: step 1, waiting since {since}"
    )  # fmt: skip
    clerk = make_player("clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_battle"))
    for user, address in (
        (User.objects.get(username="root"), f"/battles/{fought.battle.pk}/sequence/blue/"),
        (clerk, reverse("admin:battles_battle_change", args=[fought.battle.pk])),
    ):
        staff.force_login(user)
        assert re.findall(r'href="([^"]+)"\s*>Battle 1:', html_of(staff.get(reverse("admin:index")))) == [address]
    Campaign.objects.update(guest=clerk)  # a campaign of the demo
    assert staff.get(reverse("admin:index")).context["stuck"] == []


def test_from_the_start_page_to_the_form_in_two_steps(staff, table):
    found = staff.get(reverse(LIST), {"q": "ashen"})
    form = reverse("admin:registers_register_change", args=[table.alpha.pk])
    assert f'href="{form}' in html_of(found)
    assert staff.get(form).context["form"]
    assert f'action="{reverse(LIST)}"' in staff.get(reverse("admin:index")).text
