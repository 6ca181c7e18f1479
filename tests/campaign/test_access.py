"""Who sees and does what in a campaign."""

import pytest
from django.urls import reverse

from campaign import access
from campaign.battles import access as battle_access
from campaign.models import Campaign
from tests.campaign.factories import against_guest, in_play, planned, side_of
from tests.registers.factories import make_player

PEOPLE = ("eve", "mia", "ben", "ada", "cora")

#: Address, method, and the status that a stranger, a member, the opponent, the player and the organizer get.
TABLE = [
    ("campaign:detail", "get", (404, 200, 200, 200, 200)),
    ("campaign:add_member", "post", (404, 404, 404, 404, 422)),
    ("campaign:new_register", "post", (404, 422, 422, 422, 422)),
    ("campaign:add_register", "post", (404, 422, 422, 302, 422)),
    ("battles:plan", "get", (404, 200, 200, 200, 200)),
    ("battles:detail", "get", (404, 302, 302, 302, 302)),  # to the table
    ("battles:poll", "get", (404, 200, 200, 200, 200)),
    ("battles:cancel", "post", (404, 404, 302, 302, 302)),
    ("battles:report", "get", (404, 404, 200, 200, 200)),
    ("battles:confirm", "post", (404, 404, 302, 302, 302)),
]


def address(name, table, battle) -> str:
    if name == "campaign:add_register":
        return reverse("campaign:add_register", args=[table.campaign.pk, table.alpha.pk])
    owner = (
        battle
        if name in ("battles:detail", "battles:poll", "battles:cancel", "battles:report", "battles:confirm")
        else table.campaign
    )
    return reverse(name, args=[owner.pk])


@pytest.mark.parametrize(("name", "method", "expected"), TABLE, ids=[row[0] for row in TABLE])
def test_who_gets_what(client, table, name, method, expected):
    battle = in_play(planned(table))
    url = address(name, table, battle)
    assert getattr(client, method)(url).headers["Location"].startswith("/accounts/login/")
    found = []
    for person in PEOPLE:
        client.force_login(getattr(table, person))
        found.append(getattr(client, method)(url).status_code)
    assert tuple(found) == expected


def test_a_side_is_its_players_and_the_organizers(client, table):
    blue = side_of(planned(table), "blue")
    url = reverse("battles:army", args=[blue.pk])
    found = []
    for person in PEOPLE:
        client.force_login(getattr(table, person))
        found.append(client.get(url).status_code)
    assert found == [404, 404, 404, 200, 200]


def test_nobody_acts_for_a_guest(client, table):
    client.force_login(table.cora)
    guest = side_of(against_guest(table), "red")
    assert client.get(reverse("battles:army", args=[guest.pk])).status_code == 404
    assert client.get(reverse("battles:army", args=[0])).status_code == 404


@pytest.mark.parametrize("name", ["home", "campaign:new"])
def test_pages_of_ones_own(client, table, name):
    client.force_login(table.eve)
    assert client.get(reverse(name)).status_code == 200


@pytest.mark.parametrize(
    ("name", "expected"), [("detail", (404, 200, 200, 200, 200)), ("edit", (404, 404, 404, 200, 200))]
)
def test_registers_of_a_campaign(client, table, name, expected):
    url = reverse(f"registers:{name}", args=[table.alpha.pk])
    found = []
    for person in PEOPLE:
        client.force_login(getattr(table, person))
        found.append(client.get(url).status_code)
    assert tuple(found) == expected


def test_an_organizer_elsewhere_edits_nothing_here(client, table):
    from campaign.services import campaigns

    campaigns.create_campaign(actor=table.mia, name="Another")
    client.force_login(table.mia)
    assert client.get(reverse("registers:edit", args=[table.alpha.pk])).status_code == 404


def test_the_staff_organize_everywhere(client, table):
    staff = make_player("root", is_staff=True, is_superuser=True)
    assert list(Campaign.objects.filter(access.visible_to(staff))) == [table.campaign]
    assert access.organized_campaign_for(staff, table.campaign.pk) == table.campaign
    assert battle_access.side_for(staff, side_of(planned(table), "blue").pk)[0].name == "Ashen Patrol"


class TestReaders:
    def test_a_player_who_becomes_one_acts_no_more_for_a_side_of_theirs(self, client, table):
        battle = in_play(planned(table))
        table.campaign.memberships.filter(user=table.ada).update(role="viewer")
        client.force_login(table.ada)
        found = {
            name: client.get(reverse(name, args=[battle.pk])).status_code
            for name in ("battles:detail", "battles:report")
        }
        assert found == {"battles:detail": 302, "battles:report": 404}
        blue = side_of(battle, "blue")
        assert client.get(reverse("battles:army", args=[blue.pk])).status_code == 404
