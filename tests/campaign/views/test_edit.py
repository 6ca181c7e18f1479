"""Organizers change the name, the description and the own house rules of a campaign."""

import re

import pytest

from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.models import ActivityKind
from campaign.services.campaigns import change_details
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows, address
from tests.html import html_of
from tests.registers.views.reading import text_of

TEXTS = {
    "name": "Core Summer", "about": "Thursdays", "time_zone": "America/New_York",
    "house_rules": "No mines.\nTables of 3 by 3.",
}  # fmt: skip


def version_on(page) -> str:
    [version] = re.findall(r'name="version" value="(\w+)"', html_of(page))
    return version


def test_saved_logged_and_shown(as_cora, table):
    edit = address(table, "campaign:edit")
    form = {**TEXTS, "version": version_on(as_cora.get(edit))}
    for _ in range(2):
        text = text_of(as_cora.post(edit, form, follow=True))
        assert "Campaign saved." in text
    assert "Own house rules No mines. Tables of 3 by 3." in text
    table.campaign.refresh_from_db()
    assert {name: getattr(table.campaign, name) for name in TEXTS} == TEXTS
    assert [facts for _kind, _who, facts in activity_rows(table.campaign, ActivityKind.DETAILS)] == [
        {"name": "name", "before": "Outer Rim Winter", "after": "Core Summer"},
        {"name": "about"},
        {"name": "house_rules"},
        {"name": "time_zone", "before": "UTC", "after": "America/New_York"},
    ]
    assert [line.text for line in activity_lines(of_campaign(table.campaign))[:4]] == [
        "Time zone changed: UTC → America/New_York.",
        "Own house rules changed.",
        "Description of the campaign changed.",
        "Campaign renamed: Outer Rim Winter → Core Summer.",
    ]


def test_players_read_the_house_rules(as_ada, table):
    change_details(actor=table.cora, campaign=table.campaign, **TEXTS)
    rules = text_of(as_ada.get(address(table, "campaign:campaign_rules")))
    assert "Own house rules No mines. Tables of 3 by 3." in rules
    assert "Edit own house rules" not in rules


def test_a_stale_form_loses_nothing_and_shows_what_was_saved(as_cora, table):
    edit = address(table, "campaign:edit")
    version = version_on(as_cora.get(edit))
    change_details(actor=table.cora, campaign=table.campaign, **TEXTS)
    refused = as_cora.post(edit, {**TEXTS, "name": "Mine", "version": version})
    assert refused.status_code == 422
    text = text_of(refused)
    assert "Somebody else changed the campaign a moment ago." in text
    assert "Saved by somebody else Name Core Summer Own" not in text
    assert "Saved by somebody else Name Core Summer" in text
    assert 'value="Mine"' in html_of(refused)
    again = {**TEXTS, "name": "Mine", "version": version_on(refused)}
    assert as_cora.post(edit, again).status_code == 302
    table.campaign.refresh_from_db()
    assert table.campaign.name == "Mine"


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("name", " ", "Give the campaign a name."),
        ("house_rules", "x" * 4001, "Use up to 4000 characters. You typed 4001."),
    ],
)
def test_a_refusal_loses_nothing(as_cora, table, field, value, words):
    answer = as_cora.post(address(table, "campaign:edit"), {**TEXTS, field: value})
    assert answer.status_code == 422
    assert words in text_of(answer)
    assert "Thursdays" in html_of(answer)


def test_only_organizers(table):
    with pytest.raises(RuleViolation, match="Only an organizer can change the campaign"):
        change_details(actor=table.ada, campaign=table.campaign, **TEXTS)
