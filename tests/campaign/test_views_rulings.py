"""The page of the rulings."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from campaign.services.terms import change_terms
from rules.house import HouseRules
from rules.terms import Terms
from tests.registers.views.reading import text_of


@pytest.mark.django_db
def test_strangers_read_it_too(client):
    page = client.get(reverse("rules")).content.decode()
    assert 'id="R18"' in page
    assert "test_founding" not in page


def test_whoever_plays_by_another_reading_finds_it_at_the_ruling(client, table):
    """Those of other campaigns are nobody's business, and as many campaigns as one likes cost one query."""
    terms = Terms(length=2, house=HouseRules(draw="neither"))
    change_terms(actor=table.cora, campaign=table.campaign, terms=terms, version=None)
    own = "Outer Rim Winter : The owner resolves neither; the Story Arc has ended all the same."
    found = {}
    for who in (table.mia, table.eve):
        client.force_login(who)
        found[who.username] = text_of(client.get(reverse("rules"))).count("Outer Rim Winter")
    assert found == {"mia": 1, "eve": 0}
    client.force_login(table.mia)
    assert own in text_of(client.get(reverse("rules")))


def test_a_number_leads_to_its_ruling_beside_the_page():
    link = render_to_string("components/rule.html", {"rule": "R18"}).strip()
    assert link.startswith('<a class="rule-ref" href="/rules/#R18" target="_blank" rel="noopener"')


@pytest.mark.parametrize("rule", ["Core: Ranks", ""])
def test_what_is_no_ruling_leads_nowhere(rule):
    html = render_to_string("components/rule.html", {"rule": rule}).strip()
    assert html == f'<span class="rule-ref">{rule}</span>'
