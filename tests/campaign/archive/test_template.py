"""Campaigns from a template."""

from datetime import date
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.archive.parts.template import SHIPPED, content_of
from campaign.archive.services.archive import create_from_template
from campaign.models import Campaign
from campaign.schedule.services.phases import save_phase
from campaign.services.campaigns import change_campaign_rules
from campaign.star_map.services.star_map import fight_for, start_map
from campaign.teams.services.teams import assign_registers, save_team
from rules.core.campaign_rules import CampaignRules
from rules.core.violations import RuleViolation
from tests.campaign.factories import planned
from tests.registers.views.reading import text_of

DAY = date(2027, 3, 1)


@pytest.fixture
def season(table):
    """The campaign with rules, phases, a team, and a map that a battle is fought for."""
    about = {"actor": table.cora, "campaign": table.campaign}
    change_campaign_rules(**about, campaign_rules=CampaignRules(length=3), version=None)
    for name, first, last in (
        ("One", date(2026, 1, 5), date(2026, 1, 31)),
        ("Two", date(2026, 2, 1), date(2026, 3, 1)),
    ):
        save_phase(**about, phase_id=uuid4(), version=0, name=name, first_day=first, last_day=last, size=600)
    team = save_team(**about, team_id=uuid4(), name="Rim Alliance", colour="teal", emblem="star")
    assign_registers(**about, teams={table.alpha.pk: team.pk})
    start_map(**about, layout="6")
    fight_for(actor=table.cora, battle=planned(table), system_id=table.campaign.systems.first().pk)
    table.campaign.refresh_from_db()
    return table


def create(table, key, **words):
    values = {"data": content_of(table.campaign), "name": "Again", "first_day": DAY, **words}
    return create_from_template(actor=table.mia, key=key, **values)


def test_like_a_campaign_without_its_people(season):
    key = uuid4()
    made = create(season, key)
    assert create(season, key) == made
    assert (made.name, made.campaign_rules, made.picture) == ("Again", CampaignRules(length=3), None)
    assert [(each.user, each.role) for each in made.memberships.all()] == [(season.mia, "organizer")]
    assert (made.registers.count(), made.battles.count(), made.activity.filter(kind="planned").count()) == (0, 0, 0)
    assert [(each.name, each.first_day, each.last_day) for each in made.phases.all()] == [
        ("One", DAY, date(2027, 3, 27)), ("Two", date(2027, 3, 28), date(2027, 4, 25)),
    ]  # fmt: skip
    assert [(team.name, team.places.count()) for team in made.teams.all()] == [("Rim Alliance", 0)]
    first = made.systems.first()
    assert (made.systems.count(), first.battles.count(), first.lanes.count()) == (6, 0, 2)
    assert Campaign.objects.count() == 2


def test_refused(season):
    for words, text in (({"name": " "}, "Give the campaign a name"), ({"first_day": date(2100, 12, 30)}, "an earlier")):
        with pytest.raises(RuleViolation, match=text):
            create(season, uuid4(), **words)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize("slug", SHIPPED)
def test_those_that_ship(client, table, slug):
    client.force_login(table.mia)
    page = reverse("archive:template")
    assert "Outer Rim Winter" not in text_of(client.get(page))
    form = {"key": str(uuid4()), "template": slug, "name": "New", "first_day": "2027-03-01"}
    answer = client.post(page, form)
    made = Campaign.objects.get(name="New")
    assert (answer.status_code, answer.url) == (302, made.get_absolute_url())
    assert (made.phases.count(), made.teams.count(), made.systems.count()) == {
        "winter": (3, 0, 0), "escalation": (4, 0, 0), "map": (1, 2, 12),
    }[slug]  # fmt: skip
    assert made.phases.first().first_day == DAY
    assert "New" in text_of(client.get(answer.url))


def test_the_phase_is_on_the_page_of_the_new_campaign(as_cora):
    form = {"key": str(uuid4()), "template": "escalation", "name": "New", "first_day": str(timezone.localdate())}
    page = as_cora.post(reverse("archive:template"), form, follow=True)
    assert "Schedule Rounds and phases" in text_of(page)
    assert "500 points" in text_of(page)


def test_own_campaigns_are_offered(as_cora, table):
    assert "Outer Rim Winter without its people" in text_of(as_cora.get(reverse("archive:template")))
