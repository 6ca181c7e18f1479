"""The admin panel: its content security policy, its brand, and its sidebar."""

import re

import pytest
from django.contrib import admin
from django.contrib.admin.utils import label_for_field
from django.urls import reverse
from django.utils.text import capfirst
from lxml import html

from accounts.models import User
from campaign.story_arcs.models import ArcVersion
from tests.html import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


def policy(answer) -> dict[str, set[str]]:
    """The content security policy of an answer."""
    parts = (part.split() for part in answer["Content-Security-Policy"].split(";"))
    return {name: set(sources) for name, *sources in parts}


def test_only_the_admin_has_the_wider_policy(staff):
    site, panel = policy(staff.get("/")), policy(staff.get(reverse("admin:index")))
    wider = {name: sources - site.get(name, set()) for name, sources in panel.items()}
    assert {name: sources for name, sources in wider.items() if sources} == {
        "script-src": {"'unsafe-eval'"},
        "style-src": {"'unsafe-inline'"},
        "img-src": {"data:"},
    }
    assert site.keys() == panel.keys()


def test_the_panel_loads_nothing_from_elsewhere(staff):
    said = html_of(staff.get(reverse("admin:index")))
    assert "Musterbook" in said
    assert 'src="http' not in said
    assert 'href="http' not in said


def test_every_link_of_the_sidebar_leads_to_a_list(staff):
    groups = staff.get(reverse("admin:index")).context["sidebar_navigation"]
    links = [str(item["link"]) for group in groups for item in group["items"]]
    answers = {link: staff.get(link) for link in links}
    assert {link: answer.status_code for link, answer in answers.items()} == dict.fromkeys(links, 200)
    trees = {link: html.fromstring(answer.content) for link, answer in answers.items()}
    titles = {link: [each.text_content().strip() for each in tree.xpath("//h3")] for link, tree in trees.items()}
    for model, panel in admin.site._registry.items():  # an empty list draws no titles
        titles[model] = [capfirst(str(label_for_field(name, model, panel))) for name in panel.list_display]
    assert "Published by" in titles[ArcVersion]
    code = re.compile(r"By |At$|.*(?i:\b(slug|json|id|uuid|commissioned)\b)")
    assert {
        link: found for link, names in titles.items() if (found := [name for name in names if code.match(name)])
    } == {}


def test_every_list_of_the_admin_is_in_the_sidebar(staff):
    index = staff.get(reverse("admin:index")).context
    lists = {model["admin_url"] for app in index["available_apps"] for model in app["models"]}
    linked = {str(item["link"]) for group in index["sidebar_navigation"] for item in group["items"]}
    assert lists - linked == set()
