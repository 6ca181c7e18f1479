"""The groups of staff: they are there, stay as changed, and each finds no link in the admin that it may not follow."""

import re
from urllib.parse import urljoin

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.urls import Resolver404, resolve, reverse
from lxml import html

from accounts.models import User
from campaign.battles.models import Battle
from core.admin_theme import may_view
from dashboard.staff_groups import GROUPS, create_missing_groups
from registers.services.corrections import correct
from rules.adjustments.corrections import WantedValue
from tests.campaign.conftest import table
from tests.campaign.factories import in_play, planned
from tests.html import html_of
from tests.registers.conftest import book
from tests.registers.factories import make_player
from tests.tournaments.factories import make_event, published_round, started
from tournaments.models import Entry

__all__ = ["book", "table"]
#: What each group searches from its start page.
SEARCHED = {
    "Corrections": ["registers_register"],
    "Catalogue": [],
    "Accounts": ["accounts_user"],
    "Events": ["tournaments_event"],
}


def member(group: str) -> User:
    """Somebody of the staff whose only rights are those of a group."""
    user = make_player(group.lower(), is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    return user


def links_of(client, start: str) -> dict[str, int]:
    """Follow the links and forms of the admin from a page, one of each kind: their addresses with the answers."""
    asked, kinds, to_ask = {}, set(), [start]
    while to_ask:
        path = to_ask.pop(0)
        answer = client.get(path)
        asked[path] = answer.status_code
        if "text/html" not in answer.get("Content-Type", "") or answer.status_code != 200:
            continue
        tree = html.fromstring(answer.content)
        for link in (*tree.xpath("//a/@href"), *tree.xpath("//form/@action")):
            there = urljoin(path, link).partition("#")[0]
            kind = any_card(kind_of(there) or "")
            if kind and kind not in kinds:
                kinds.add(kind)
                to_ask.append(there)
    return asked


def any_card(kind: str) -> str:
    """The same for all cards, whose pages have the same permissions."""
    return re.sub("catalogue_(?!pointschange)[a-z]+_", "catalogue_card_", kind)


def kind_of(link: str) -> str | None:
    """The name of the admin's page that a link leads to; none for other pages and for the sign-out."""
    try:
        name = resolve(link.partition("?")[0]).view_name
    except Resolver404:
        return None
    return name if name.startswith("admin:") and name != "admin:logout" else None


@pytest.mark.django_db
def test_every_site_has_the_groups_and_keeps_what_its_admins_change():
    assert set(Group.objects.values_list("name", flat=True)) == GROUPS.keys()
    Group.objects.get(name="Events").delete()
    Group.objects.get(name="Accounts").permissions.clear()
    create_missing_groups()
    numbers = {group.name: group.permissions.count() for group in Group.objects.all()}
    assert numbers == {"Corrections": 10, "Catalogue": 55, "Accounts": 0, "Events": 9}


@pytest.mark.django_db
@pytest.mark.parametrize("group", GROUPS)
def test_all_links_of_the_start_page_may_be_followed(client, group):
    client.force_login(member(group))
    page = client.get(reverse("admin:index"))
    tree, request = html.fromstring(page.content), page.wsgi_request
    names = {kind.removeprefix("admin:") for kind in map(kind_of, tree.xpath("//a/@href")) if kind}
    lists = [name.removesuffix("_changelist") for name in names if name.endswith("_changelist")]
    assert len(lists) > 2
    assert [name for name in lists if not may_view(name.replace("_", ".", 1), request)] == []
    searches = [kind_of(action) for action in tree.xpath("//main//form/@action")]
    assert searches == [f"admin:{each}_changelist" for each in SEARCHED[group]]


@pytest.mark.django_db
def test_a_link_to_another_object_is_for_those_who_may_open_it(client):
    entry = make_event(players=4).entries.first()
    Entry.objects.filter(pk=entry.pk).update(user=User.objects.get(username="olga"))
    client.force_login(member("Events"))
    page = client.get(reverse("admin:tournaments_entry_change", args=[entry.pk])).text
    assert f'href="{reverse("admin:tournaments_event_change", args=[entry.event_id])}"' in page
    assert "olga" in page
    assert "/admin/accounts/" not in page


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("group", "reaches"),
    [
        ("Corrections", ["registers_register_change", "battles_ledgercorrection_change", "battles_battle_change"]),
        ("Catalogue", ["catalogue_card_change", "catalogue_card_import", "catalogue_card_export"]),
        ("Accounts", ["accounts_user_change", "mfa_authenticator_delete", "auth_user_password_change"]),
        ("Events", ["tournaments_entry_change", "tournaments_game_change", "tournaments_event_change"]),
    ],
)
def test_all_links_of_a_group_lead_somewhere(client, table, settings, group, reaches):
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]  # queries are counted where the pages are tested
    if group == "Events":
        published_round(started(make_event()))
    if group == "Corrections":
        wishes = [WantedValue("supply_points", 9)]
        correct(actor=table.cora, register_id=table.alpha.pk, position=table.alpha.position, wishes=wishes, reason="so")
        Battle.objects.filter(pk=in_play(planned(table)).pk).update(status=Battle.Status.DISPUTED)
    EmailAddress.objects.create(user=table.ada, email="ada@example.org")
    Authenticator.objects.create(user=table.ada, type=Authenticator.Type.TOTP, data={"secret": "hush"})
    client.force_login(member(group))
    asked = links_of(client, reverse("admin:index"))
    assert {path: status for path, status in asked.items() if status not in (200, 302)} == {}
    assert {f"admin:{name}" for name in reaches} <= {any_card(kind_of(path)) for path in asked}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("group", "statuses"),
    [("Corrections", [200, 200, 200]), ("Catalogue", [404] * 3), ("Accounts", [404] * 3), ("Events", [404] * 3)],
)
def test_the_staff_does_on_the_site_what_its_group_may_do(client, table, group, statuses):
    client.force_login(member(group))
    event = make_event(players=4)
    pages = [
        reverse("campaign:edit", args=[table.campaign.pk]),
        reverse("registers:correct", args=[table.alpha.pk]),
        reverse("tournaments:settings", args=[event.pk]),
    ]
    assert [client.get(page).status_code for page in pages] == statuses


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("permission", "statuses"), [("change_register", [404, 200, 200]), ("organize_campaign", [200, 200, 200])]
)
def test_one_permission_alone_is_enough_for_what_it_names(client, table, permission, statuses):
    clerk = make_player("clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename=permission))
    client.force_login(clerk)
    pages = [
        reverse("campaign:edit", args=[table.campaign.pk]),
        reverse("registers:detail", args=[table.alpha.pk]),
        reverse("registers:correct", args=[table.alpha.pk]),
    ]
    assert [client.get(page).status_code for page in pages] == statuses


@pytest.mark.django_db
def test_the_admin_links_to_pages_that_open_alone(client, table):
    """Who only corrects is sent to no page of organizers."""
    clerk = make_player("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=("change_register", "view_register")))
    client.force_login(clerk)
    page = html_of(client.get(reverse("admin:registers_register_change", args=[table.alpha.pk])))
    words = ("Correct on the site", "Campaign on the site")
    assert [word in page for word in words] == [True, False]
    assert "award_registers" not in html_of(client.get(reverse("admin:registers_register_changelist")))
