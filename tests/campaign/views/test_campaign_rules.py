"""The page of the campaign rules: read by members, changed by organizers."""

import pytest
from django.urls import reverse

from campaign.battles.services import planning
from campaign.forms import GROUPS, NAMED, CampaignRulesForm
from campaign.services.campaigns import change_campaign_rules
from rules.core.campaign_rules import SWITCHES, CampaignRules, HouseRules
from tests.campaign.factories import enlisted, in_play, planned
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of

FORM = {"version": 0, "combat_potential": 600, "supply_points": 5, "length": ""}


@pytest.fixture
def page(client, table):
    """Who opens or sends the page."""

    def ask(who, form=None, **more):
        client.force_login(who)
        address = reverse("campaign:campaign_rules", args=[table.campaign.pk])
        return client.get(address) if form is None else client.post(address, form, **more)

    return ask


def test_every_switch_stands_in_one_group():
    named = [name for names in GROUPS.values() for name in names]
    assert sorted(named) == sorted(switch.name for switch in SWITCHES)


def test_a_member_reads_what_is_played_by(page, table):
    campaign_rules = CampaignRules(length=3, factions=("rebel",), house=HouseRules(draw="neither"))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=None)
    answer = page(table.mia)
    text = text_of(answer)
    assert "Factions Rebel · 3 Story Arcs · 1 house rule" in text
    assert "A drawn Turning Point Mission R29 house rule The owner resolves neither" in text
    assert "Musterbook default: The owner resolves the Loss Reward." in text
    assert text.count(" house rule ") == 2  # in short, and at the switch
    assert text.count("Musterbook default:") == 1
    assert all(switch.title in text for switch in SWITCHES)
    assert "<form id=" not in html_of(answer)


def test_an_organizer_sees_what_is_printed_and_every_reading(page, table):
    answer = page(table.cora)
    text = text_of(answer)
    assert "The rulebook, without house rules." in text
    for switch in SWITCHES:
        assert f"{switch.title} {switch.printed} {switch.rule}" in text
        assert all(reading.words in text for reading in switch.readings)
    assert html_of(answer).count(" checked") == len(["rank_table", *SWITCHES])


def test_changed_by_a_form_that_comes_twice(page, table):
    form = {**FORM, "length": 3, "unreleased": "on", "draw": "neither", "factions": ["rebel", "empire"]}
    for _ in range(2):
        answer = page(table.cora, form, follow=True)
        assert "Campaign rules saved. They apply from the next battle." in text_of(answer)
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules == CampaignRules(
        length=3, unreleased=True, factions=("rebel", "empire"), house=HouseRules(draw="neither")
    )
    assert table.campaign.campaign_rules_version == 1


def test_a_switch_that_was_not_sent_stays(page, table):
    own = CampaignRules(house=HouseRules(draw="neither"))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=own, version=None)
    page(table.cora, {**FORM, "version": 1, "shield": "always"})
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules == CampaignRules(house=HouseRules(draw="neither", shield="always"))


def test_bad_numbers_lose_nothing_that_was_entered(page, table):
    form = {**FORM, "combat_potential": 99999, "length": "many", "draw": "neither", "story_arcs": ["a-pirates-life"]}
    answer = page(table.cora, form)
    html = html_of(answer)
    assert answer.status_code == 422
    assert 'value="99999"' in html
    assert 'value="many"' in html
    assert 'name="draw" value="neither" checked' in html
    assert 'name="story_arcs" value="a-pirates-life" checked' in html
    assert "Ensure this value is less than or equal to 5000." in text_of(answer)
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules == CampaignRules()


@pytest.mark.parametrize("name", [*NAMED, "draw"])
def test_what_is_not_listed_is_refused(page, table, name):
    assert page(table.cora, {**FORM, name: "hutts"}).status_code == 422
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules == CampaignRules()


def test_a_stale_form_says_what_sending_it_again_would_change(page, table):
    change_campaign_rules(
        actor=table.cora, campaign=table.campaign, campaign_rules=CampaignRules(length=4), version=None
    )
    answer = page(table.cora, {**FORM, "draw": "neither"})
    text = text_of(answer)
    assert answer.status_code == 422
    assert "The campaign rules have changed since you opened this page." in text
    assert "Length : 4 Story Arcs → open-ended" in text
    assert "A drawn Turning Point Mission :" in text
    assert 'name="version" value="1"' in html_of(answer)
    page(table.cora, {**FORM, "version": 1, "draw": "neither"})
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules == CampaignRules(house=HouseRules(draw="neither"))


@pytest.mark.parametrize(("who", "status"), [("ada", 404), ("mia", 404), ("eve", 404)])
def test_changed_by_organizers_alone(page, table, who, status):
    assert page(getattr(table, who), FORM).status_code == status
    table.campaign.refresh_from_db()
    assert table.campaign.campaign_rules_version == 0


def test_the_form_keeps_terms_that_were_not_touched(book):
    campaign_rules = CampaignRules(length=2, battle_forces=("tempest-force",), house=HouseRules(dedicated="three_dice"))
    drawn = CampaignRulesForm(book=book, campaign_rules=campaign_rules)
    assert drawn.number("length")["value"] == 2
    assert [tick["value"] for tick in drawn.ticks("battle_forces") if tick["checked"]] == ["tempest-force"]
    chosen = {
        switch["name"]: option["value"]
        for group in drawn.groups()
        for switch in group["switches"]
        for option in switch["options"]
        if option["checked"]
    }
    assert HouseRules(**chosen) == campaign_rules.house


def test_constant_queries(client, table):
    client.force_login(table.cora)
    address = reverse("campaign:campaign_rules", args=[table.campaign.pk])
    one = queries_of(client, address)
    enlisted(table.campaign, table.mia, "Grey Ghosts")
    assert queries_of(client, address) == one


def test_the_campaign_page_says_what_differs(client, table):
    client.force_login(table.mia)
    address = reverse("campaign:detail", args=[table.campaign.pk])
    assert "Campaign rules : rulebook, no house rules" in text_of(client.get(address))
    campaign_rules = CampaignRules(combat_potential=800, factions=("rebel",))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=None)
    answer = client.get(address)
    assert "Campaign rules : Combat Potential 800 · Factions Rebel" in text_of(answer)
    assert html_of(answer).count('name="faction"') == 1


def test_a_battle_says_by_which_older_terms_it_is_played(client, table):
    battle = in_play(planned(table))
    client.force_login(table.mia)
    older = "The campaign rules changed after this battle began. It still follows these:"
    assert older not in text_of(client.get(f"{battle.get_absolute_url()}?details"))
    campaign_rules = CampaignRules(combat_potential=800, length=3, house=HouseRules(draw="neither"))
    change_campaign_rules(actor=table.cora, campaign=table.campaign, campaign_rules=campaign_rules, version=None)
    text = text_of(client.get(f"{battle.get_absolute_url()}?details"))
    assert (
        f"{older} Length : open-ended A drawn Turning Point Mission : "
        "The owner resolves the Loss Reward. Campaign rules for new battles" in text
    )
    planning.cancel(actor=table.ada, battle_id=battle.pk)
    assert older not in text_of(client.get(f"{battle.get_absolute_url()}?details"))
