"""The pages of the star map."""

from datetime import date
from uuid import uuid4

from django.urls import reverse

from campaign.chronicle.services.stories import open_chronicle
from campaign.star_map.queries import star_map_of
from campaign.star_map.services.star_map import fight_for, set_winner_takes, start_map
from registers.models import Register
from tests.campaign.factories import address, planned
from tests.campaign.fights import over
from tests.html import html_of
from tests.registers.views.reading import text_of


def test_from_no_map_to_a_bonus(as_cora, table):
    page = address(table, "star_map:index")
    assert "Create map with 9 systems" in text_of(as_cora.get(page))
    assert as_cora.post(page, {"do": "start", "layout": "9"}).status_code == 302
    first = star_map_of(table.campaign).systems[0].row
    sent = {"do": "save", "system": first.pk, "name": "Talvos", "x": "30", "y": "101", "bonus_supply": "2"}
    refused = as_cora.post(first.get_absolute_url(), sent)
    assert (refused.status_code, 'value="101"' in html_of(refused)) == (422, True)
    assert as_cora.post(first.get_absolute_url(), {**sent, "y": "40"}).status_code == 302
    assert as_cora.post(first.get_absolute_url(), {"do": "hold", "holder": "faction:empire"}).status_code == 302
    text = text_of(as_cora.get(page))
    assert "Talvos Empire 2 SP for each Register Award bonus" in text
    before = Register.objects.get(pk=table.alpha.pk).supply_points
    for _ in range(2):
        assert as_cora.post(first.get_absolute_url(), {"do": "bonus", "turn": "1"}).status_code == 302
    assert Register.objects.get(pk=table.alpha.pk).supply_points == before + 2
    assert "Talvos Empire 2 SP for each Register awarded" in text_of(as_cora.get(page))
    assert as_cora.post(page, {"do": "turn", "turn": "1"}).status_code == 302
    assert "Award bonus" in text_of(as_cora.get(page))


def test_a_new_system_on_the_map_and_on_the_page_of_the_campaign(as_cora, table):
    page = address(table, "star_map:new")
    sent = {"system": uuid4(), "name": "", "x": "12", "y": "34"}
    refused = as_cora.post(page, sent)
    assert (refused.status_code, "Enter a name for the system." in text_of(refused)) == (422, True)
    for _ in range(2):
        assert as_cora.post(page, {**sent, "name": "Verge"}).status_code == 302
    html = html_of(as_cora.get(address(table, "campaign:detail")))
    assert html.count('x="12%" y="34%"') == 1
    assert 'aria-label="Verge, held by nobody"' in html


def test_a_player_chooses_the_system_of_a_battle_and_reads_what_came_of_it(as_ada, table):
    start_map(actor=table.cora, campaign=table.campaign, layout="6")
    system = star_map_of(table.campaign).systems[0].row
    battle = planned(table)
    there = reverse("star_map:fought_for", args=[battle.pk])
    assert "No system" in text_of(as_ada.get(battle.get_absolute_url()))
    assert as_ada.post(there, {"system": system.pk}).status_code == 302
    assert "This battle is for System 1 ." in text_of(as_ada.get(battle.get_absolute_url()))
    type(battle).objects.filter(pk=battle.pk).update(status="closed", winner="blue", date=date(2026, 3, 5))
    page = text_of(as_ada.get(system.get_absolute_url()))
    assert "Battle 1 : taken by Ashen Patrol 5 Mar 2026" in page
    assert "Save system" not in page
    assert as_ada.post(system.get_absolute_url(), {"do": "delete"}).status_code == 404
    assert "The Empire took System 1." in text_of(as_ada.get(address(table, "chronicle:index")))
    link = open_chronicle(actor=table.cora, campaign=table.campaign)
    assert "The Empire took System 1." in text_of(as_ada.get(reverse("chronicle:public_stories", args=[link.token])))


def test_an_organizer_follows_a_result_with_one_tap(as_cora, table):
    start_map(actor=table.cora, campaign=table.campaign, layout="6")
    set_winner_takes(actor=table.cora, campaign=table.campaign, automatic=False)
    system = star_map_of(table.campaign).systems[0].row
    battle = over(table, "blue")
    fight_for(actor=table.cora, battle=battle, system_id=system.pk)
    page = address(table, "star_map:index")
    assert "Give System 1 to Empire" in text_of(as_cora.get(page))
    given = {"do": "hold", "holder": "faction:empire", "battle": battle.pk}
    assert as_cora.post(system.get_absolute_url(), given).status_code == 302
    assert "Give System 1 to Empire" not in text_of(as_cora.get(page))
