"""Where a Register serves and what it does next, on its own page."""

from dataclasses import replace

import pytest
from django.urls import reverse

from campaign.battles.services import planning
from campaign.models import Membership
from campaign.pages.register_links import NOT_ACCEPTED, NOWHERE, WITHDRAWN, links_of_register
from registers.campaign_side import RegisterLinks
from rules.register.effects import SagaCompleted
from tests.campaign.factories import Table, happen, in_play, make_table, planned, side_of
from tests.html import html_of
from tests.registers.factories import make_register
from tests.registers.views.reading import text_of


@pytest.fixture
def table(book) -> Table:
    return make_table()


def home(table: Table) -> dict[str, str]:
    return {"label": "Outer Rim Winter", "href": table.campaign.get_absolute_url()}


def rows(table: Table, register) -> tuple[dict[str, str], ...]:
    there = reverse("campaign:register_status", args=[table.campaign.pk, register.pk])
    return ({"title": "Withdraw or retire", "href": there},)


def achievements(table: Table) -> str:
    return f"{reverse('achievements:index', args=[table.campaign.pk])}#register-{table.alpha.pk}"


def page(client, user, register):
    client.force_login(user)
    return client.get(reverse("registers:detail", args=[register.pk]))


def test_nowhere(table):
    lonely = make_register(table.ada, name="Strays")
    solo = reverse("battles:solo", args=[lonely.pk])
    rows = ({"title": "Find a campaign", "href": "/#next"}, {"title": "Solo battles", "href": solo})
    found = RegisterLinks(lacks=NOWHERE, label="Play a battle", href=solo, rows=rows)
    assert links_of_register(table.ada, lonely) == found
    assert links_of_register(table.ada, make_register(table.ada, commissioned=False)) == RegisterLinks()


def test_its_player_and_the_organizer_plan_a_battle(table):
    plan = RegisterLinks(
        crumbs=(home(table),),
        label="Plan a battle",
        href=reverse("battles:plan", args=[table.campaign.pk]),
        achievements=achievements(table),
        rows=rows(table, table.alpha),
    )
    assert [links_of_register(user, table.alpha) for user in (table.ada, table.cora)] == [plan, plan]


def test_others_and_readers_are_led_to_the_campaign_alone(table):
    alone = RegisterLinks(crumbs=(home(table),), achievements=achievements(table))
    assert links_of_register(table.ben, table.alpha) == alone
    table.campaign.memberships.filter(user=table.ada).update(role=Membership.Role.VIEWER)
    assert links_of_register(table.ada, table.alpha) == alone


def test_all_its_story_arcs_are_complete(table):  # R49
    happen(table.alpha, SagaCompleted(arcs=1, rule="R49"))
    table.alpha.refresh_from_db()
    found = links_of_register(table.ada, table.alpha)
    assert (found.crumbs, found.label, found.href) == ((home(table),), "", "")


def test_it_awaits_consent(table):
    table.campaign.enlistments.filter(register=table.alpha).update(awaits_consent=True)
    table.alpha.refresh_from_db()
    assert links_of_register(table.ada, table.alpha) == RegisterLinks(
        crumbs=(home(table),), lacks=NOT_ACCEPTED, achievements=achievements(table), rows=rows(table, table.alpha)
    )


def test_who_has_left_is_led_nowhere(table):
    table.campaign.memberships.filter(user=table.ada).delete()
    assert links_of_register(table.ada, table.alpha) == RegisterLinks()


def test_muster_until_one_has_mustered(table):
    battle = planned(table)
    crumbs = (home(table), {"label": "Battle 1", "href": battle.get_absolute_url()})
    to_battle = RegisterLinks(
        crumbs=crumbs, label="To Battle 1", href=battle.get_absolute_url(), achievements=achievements(table)
    )
    mine = rows(table, table.alpha)
    choose_army = reverse("battles:army", args=[side_of(battle, "blue").pk])
    assert links_of_register(table.ada, table.alpha) == replace(
        to_battle, label="Choose army for Battle 1", href=choose_army, rows=mine
    )
    assert links_of_register(table.ben, table.alpha) == to_battle
    in_play(battle)
    assert links_of_register(table.ada, table.alpha) == replace(to_battle, rows=mine)


def test_it_was_withdrawn(table):
    table.campaign.enlistments.filter(register=table.alpha).update(status="withdrawn")
    there = rows(table, table.alpha)[0]["href"]
    gone = RegisterLinks(crumbs=(home(table),), lacks=WITHDRAWN, stamp="withdrawn")
    again = ({"title": "Bring back", "href": there},)
    found = [links_of_register(user, table.alpha) for user in (table.ada, table.ben)]
    assert found == [replace(gone, label="Bring back", href=there, rows=again), gone]


def test_on_the_page(table, client):
    battle = planned(table)
    html = html_of(page(client, table.ada, table.alpha))
    assert f'href="{table.campaign.get_absolute_url()}">Outer Rim Winter' in html
    assert "Choose army for Battle 1" in html
    assert reverse("registers:edit", args=[table.alpha.pk]) in html
    in_play(battle)
    html = html_of(page(client, table.ada, table.alpha))
    assert f'href="{battle.get_absolute_url()}">To Battle 1' in html
    assert reverse("registers:edit", args=[table.alpha.pk]) not in html
    planning.cancel(actor=table.ada, battle_id=battle.pk)
    assert "Plan a battle" in text_of(page(client, table.ada, table.alpha))


def test_why_it_cannot_fight(table, client):
    assert str(NOWHERE) in text_of(page(client, table.ada, make_register(table.ada, name="Strays")))
