"""The page of the rulings."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse


@pytest.mark.django_db
def test_strangers_read_it_too(client):
    page = client.get(reverse("rules")).content.decode()
    assert 'id="R18"' in page
    assert "test_founding" not in page


def test_a_number_leads_to_its_ruling_beside_the_page():
    link = render_to_string("components/rule.html", {"rule": "R18"}).strip()
    assert link.startswith('<a class="rule-ref" href="/rules/#R18" target="_blank" rel="noopener"')


@pytest.mark.parametrize("rule", ["Core: Ranks", ""])
def test_what_is_no_ruling_leads_nowhere(rule):
    html = render_to_string("components/rule.html", {"rule": rule}).strip()
    assert html == f'<span class="rule-ref">{rule}</span>'
