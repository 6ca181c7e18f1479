"""The workshop of Story Arcs on a phone: an organizer writes one, a player begins it."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from campaign.enlistments.services import enlistments
from campaign.story_arcs.models import ArcVersion
from campaign.story_arcs.services import story_arcs
from registers.models import Register
from tests.campaign.factories import Table, make_table
from tests.campaign.story_arcs.factories import elsewhere, published, written

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


@pytest.mark.nightly
@pytest.mark.parametrize("javascript", [True, False], ids=["with script", "without"])
def test_an_organizer_writes_an_arc_and_a_player_begins_it(phone, table, javascript):
    published(table)
    page = phone(table.cora, java_script_enabled=javascript)
    page.goto(table.campaign.get_absolute_url())
    page.locator("summary", has_text="More").first.click()
    page.get_by_role("link", name="Custom Story Arcs").click()
    page.get_by_role("link", name="New Story Arc").click()
    page.get_by_label("Name").fill("Small Hours")
    page.get_by_label("Start from").select_option(label="Our Arc, version 1")
    page.get_by_role("button", name="Create Story Arc").click()
    page.get_by_role("link", name="Agenda 1").click()
    page.get_by_label("Name").fill("Night Watch")
    page.get_by_role("button", name=re.compile("Change this reward ?: Reward")).click()
    page.get_by_role("link", name="Add a line here").last.click()
    page.get_by_role("link", name="Choose units").click()
    page.get_by_label("Number of units").fill("2")
    page.get_by_role("button", name="Add effect").click()
    last = page.locator(".tree > .tree__clause").last
    expect(last).to_contain_text("Choose 2 units:")
    last.get_by_role("link", name="Add a line here").click()
    page.get_by_role("link", name="Experience", exact=False).first.click()
    page.get_by_label("Number").fill("1")
    page.get_by_role("button", name="Add effect").click()
    expect(last).to_contain_text("It gains 1 XP.")
    page.get_by_role("link", name="Done").click()
    page.get_by_role("link", name="Small Hours").click()
    page.get_by_role("link", name="Test rewards on a sample Register").click()
    expect(page.get_by_role("heading", name="Night Watch")).to_be_visible()
    page.get_by_role("link", name="Roll again").click()
    page.get_by_role("link", name="Small Hours").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Small Hours, version 1 published.")).to_be_visible()

    register = enlistments.create_register(actor=table.ada, campaign=table.campaign, faction="rebel")
    page = phone(table.ada, java_script_enabled=javascript)
    page.goto(reverse("registers:building", args=[register.pk]) + "?stage=arc")
    page.get_by_role("button", name="Choose Small Hours").click()
    expect(page.get_by_role("heading", name="Name", exact=True)).to_be_visible()
    version = ArcVersion.objects.get(story_arc__name="Small Hours")
    assert version.content["agendas"][0]["name"] == "Night Watch"  # typed, and kept by going on
    assert Register.objects.get(pk=register.pk).story_arc_id == version.story_arc_id


@pytest.mark.nightly
def test_the_link_is_copied_and_an_arc_is_taken_in_by_it(phone, table):
    version = published(table)
    olga, other = elsewhere()
    page = phone(table.cora, permissions=["clipboard-read", "clipboard-write"])
    page.goto(version.arc.get_absolute_url())
    page.get_by_role("button", name="Create link").tap()
    page.get_by_role("button", name="Copy link").tap()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page = phone(olga)
    page.goto(link)
    page.get_by_role("button", name="Add to Elsewhere").tap()
    page.wait_for_url(f"**{reverse('story_arcs:list', args=[other.pk])}")
    assert story_arcs.offered_to(other) == [version.story_arc_id]


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_fits_and_is_legible(phone, table, scheme, width):
    version = published(table)
    arc = written(table, "Under way")
    page = phone(table.cora, color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    here = (table.campaign.pk, arc.pk)
    for name, arguments in (
        ("story_arcs:list", here[:1]),
        ("story_arcs:new", here[:1]),
        ("story_arcs:editor", here),
        ("story_arcs:part", (*here, "agenda-1")),
        ("story_arcs:part", (*here, "mission")),
        ("story_arcs:part", (*here, "commendation")),
        ("story_arcs:reward", (*here, "agendas.0.reward")),
        ("story_arcs:condition", (*here, "agendas.0.progress.0")),
        ("story_arcs:preview", here),
        ("story_arcs:version", (table.campaign.pk, version.pk)),
    ):
        page.goto(reverse(name, args=arguments))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert Axe().run(page).response["violations"] == []
    page.goto(reverse("story_arcs:reward", args=(*here, "agendas.0.reward")) + "?into=agendas.0.reward")
    assert Axe().run(page).response["violations"] == []
    page.goto(page.url + "&do=roll")
    assert Axe().run(page).response["violations"] == []
