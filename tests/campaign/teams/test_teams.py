"""Teams: who may change what, and where they are shown."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.models import ActivityKind
from campaign.star_map.services.star_map import give_system, save_system
from campaign.teams.models import Team, TeamPlace
from campaign.teams.services.teams import assign_registers, delete_team, let_players_choose, save_team
from rules.core.violations import RuleViolation
from tests.campaign.battles.stepping import client_of
from tests.campaign.factories import Table, address
from tests.campaign.fights import over
from tests.html import html_of
from tests.registers.views.reading import text_of


def team(table: Table, name: str = "Dawn League", **words: object) -> Team:
    values = {"team_id": uuid4(), "colour": "azure", "emblem": "star", "actor": table.cora, **words}
    return save_team(campaign=table.campaign, name=name, **values)


def places() -> dict[str, str]:
    return {str(each.register): each.team.name for each in TeamPlace.objects.select_related("register", "team")}


def test_a_form_sent_twice_creates_one_team_and_a_change_is_logged(table):
    key = uuid4()
    for name in ("Dawn  League", "Dawn League", "Rim Pact"):
        team(table, name, team_id=key)
    lines = activity_lines(of_campaign(table.campaign).filter(kind=ActivityKind.TEAM))
    assert [line.text for line in lines] == ["Team Rim Pact was changed.", "Team Dawn League was created."]
    assert [each.name for each in table.campaign.teams.all()] == ["Rim Pact"]


def test_everything_that_is_wrong_at_once(table):
    team(table)
    with pytest.raises(RuleViolation) as caught:
        team(table, "dawn league", colour="plaid", emblem="")
    assert [(each.about, each.text) for each in caught.value.violations] == [
        ("name", "Another team has this name. Enter a different one."),
        ("colour", "Choose a color."),
        ("emblem", "Choose an emblem."),
    ]


def test_players_choose_for_their_own_registers_once_they_may(table):
    dawn = team(table)
    own, other = {table.alpha.pk: dawn.pk}, {table.bravo.pk: dawn.pk}
    with pytest.raises(RuleViolation):
        assign_registers(actor=table.ada, campaign=table.campaign, teams=own)
    let_players_choose(actor=table.cora, campaign=table.campaign, allowed=True)
    for teams, actor in ((other, table.ada), (own, table.eve)):
        with pytest.raises(RuleViolation):
            assign_registers(actor=actor, campaign=table.campaign, teams=teams)
    assign_registers(actor=table.ada, campaign=table.campaign, teams=own)
    assert places() == {"Ashen Patrol": "Dawn League"}


def test_deleting_a_team_frees_its_registers_unless_the_map_names_it(table):
    dawn = team(table)
    assign_registers(actor=table.cora, campaign=table.campaign, teams={table.alpha.pk: dawn.pk})
    system = save_system(actor=table.cora, campaign=table.campaign, system_id=uuid4(), name="Talvos", x=1, y=2)
    give_system(actor=table.cora, campaign=table.campaign, system_id=system.pk, holder=f"team:{dawn.pk}")
    with pytest.raises(RuleViolation) as caught:
        delete_team(actor=table.cora, campaign=table.campaign, team_id=dawn.pk)
    assert str(caught.value) == "The history of the star map names Dawn League. Rename the team instead."
    system.delete()
    delete_team(actor=table.cora, campaign=table.campaign, team_id=dawn.pk)
    assert (places(), list(table.campaign.teams.all())) == ({}, [])


def test_the_pages_of_an_organizer(as_cora, table):
    page = address(table, "teams:index")
    sent = {"do": "create", "team": uuid4(), "name": "Dawn League", "colour": "azure", "emblem": "star"}
    refused = as_cora.post(page, {**sent, "name": ""})
    assert (refused.status_code, "Enter a name for the team." in text_of(refused)) == (422, True)
    assert as_cora.post(page, sent).status_code == 302
    dawn, there = table.campaign.teams.get(), address(table, "campaign:detail")
    assert "No team yet: Ashen Patrol" in text_of(as_cora.get(there))
    assert "Assign teams" in text_of(as_cora.get(address(table, "schedule:new_round")))
    assigned = {"do": "assign", str(table.alpha.pk): dawn.pk, str(table.bravo.pk): ""}
    assert as_cora.post(page, assigned).status_code == 302
    assert places() == {"Ashen Patrol": "Dawn League"}
    over(table, "blue")
    for name in ("teams:index", "campaign:detail", "campaign:standings"):
        text = text_of(as_cora.get(address(table, name)))
        assert "Dawn League 1 Register 0 1–0–0" in text
    assert "No team yet: Dune Wardens" in text_of(as_cora.get(there))
    assert "No team yet" not in text_of(client_of(table.ada).get(there))
    assert 'data-team="azure"' in html_of(as_cora.get(address(table, "campaign:detail"))).split('id="standings"')[1]


def test_a_player_sees_the_form_for_their_own_register_only_while_players_choose(as_ada, table):
    team(table)
    page = address(table, "teams:index")
    assert as_ada.post(page, {"do": "assign"}).status_code == 404
    let_players_choose(actor=table.cora, campaign=table.campaign, allowed=True)
    form = as_ada.get(page).context["assign"]
    assert list(form.fields) == [str(table.alpha.pk)]
    assert as_ada.post(page, {"do": "create", "name": "Own"}).status_code == 404
    assert as_ada.get(reverse("teams:team", args=[table.campaign.pk, table.campaign.teams.get().pk])).status_code == 404
