"""The chronicle on phones: a piece with a picture is written, read by a stranger, and withdrawn."""

import pytest
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from campaign.battles.models import Battle, Side
from campaign.chronicle.services import stories
from registers.services.editing import set_portrait
from tests.browser.complaints import complaints
from tests.campaign.factories import Table, against_guest, make_table
from tests.uploads.photos import photo, telling_photo

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(book) -> Table:
    return make_table()


@pytest.fixture
def battle(table) -> Battle:
    """A closed battle."""
    battle = against_guest(table)
    Side.objects.filter(battle=battle).update(open=False)
    Battle.objects.filter(pk=battle.pk).update(status="closed", closed_at=now(), winner="blue")
    battle.refresh_from_db()
    return battle


@pytest.mark.nightly
def test_a_piece_with_a_picture_from_a_phone_to_a_stranger_and_back(phone, new_context, table, battle):
    ada, cora = phone(table.ada), phone(table.cora)
    write(ada, battle)
    send_picture(ada, battle)

    cora.goto(reverse("chronicle:share_link", args=[table.campaign.pk]))
    cora.get_by_role("button", name="Create link").tap()
    link = cora.get_by_role("textbox", name="Link").input_value()

    stranger = new_context().new_page()
    stranger.goto(link)
    stranger.get_by_role("link", name="All stories").tap()
    expect(stranger.get_by_role("heading", name="Ashen Patrol defeated Sal")).to_be_visible()
    expect(stranger.get_by_text("Snow had come")).to_be_visible()
    expect(stranger.locator("strong", has_text="nobody")).to_be_visible()
    image = stranger.get_by_role("img", name="The ridge at dusk")
    image.scroll_into_view_if_needed()
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") == 60
    assert "ada" not in stranger.locator("body").inner_text()

    withdraw(ada, battle)
    stranger.reload()
    expect(stranger.get_by_text("Snow had come")).to_have_count(0)

    cora.get_by_text("Remove link").first.tap()
    cora.get_by_role("button", name="Remove link").tap()
    expect(cora.get_by_role("button", name="Create link")).to_be_visible()
    assert stranger.goto(link).status == 404


def write(page: Page, battle: Battle) -> None:
    page.goto(reverse("chronicle:battle_story", args=[battle.pk]))
    page.get_by_role("link", name="Add your story").last.tap()
    page.get_by_label("Title").fill("The ridge")
    page.get_by_label("Story", exact=True).fill("Snow had come, and **nobody** saw it.")
    page.get_by_role("button", name="Preview").tap()
    expect(page.locator("#preview ~ .prose strong")).to_have_text("nobody")
    page.get_by_role("button", name="Add to chronicle").tap()
    expect(page.get_by_role("heading", name="The ridge")).to_be_visible()


def send_picture(page: Page, battle: Battle) -> None:
    page.get_by_role("link", name="Pictures").tap()
    page.get_by_label("Picture", exact=True).set_input_files(
        {"name": "ridge.jpg", "mimeType": "image/jpeg", "buffer": telling_photo()}
    )
    page.get_by_role("button", name="Add picture").tap()
    expect(page.get_by_text("Describe the picture in a few words")).to_be_visible()
    page.get_by_label("Description").fill("The ridge at dusk")
    page.get_by_label("Picture", exact=True).set_input_files(
        {"name": "ridge.jpg", "mimeType": "image/jpeg", "buffer": telling_photo()}
    )
    page.get_by_role("button", name="Add picture").tap()
    expect(page.get_by_role("img", name="The ridge at dusk")).to_be_visible()


def withdraw(page: Page, battle: Battle) -> None:
    page.goto(reverse("chronicle:battle_story", args=[battle.pk]))
    page.get_by_role("link", name="Edit story").tap()
    page.get_by_text("Delete story").first.tap()
    page.get_by_role("button", name="Delete story").tap()
    expect(page.get_by_text("Story deleted.")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_every_page_fits_and_axe_finds_nothing(phone, new_context, table, battle, scheme, width):
    words = {"actor": table.cora, "campaign": table.campaign}
    free = stories.write(**words, title="W" * 120, text="A\n\n> B\n\n- C\n\n`" + "x" * 300 + "`")
    stories.write(**words, battle=battle, title="The ridge", text="| a | b |\n|---|---|\n| 1 | 2 |", byline="C.")
    stories.add_battle_photo(actor=table.cora, battle=battle, sent=photo(size=(900, 1400)), alt="The ridge")
    stories.set_campaign_photo(**words, sent=photo(size=(1600, 900)), alt="The yard")
    set_portrait(actor=table.ada, register=table.alpha, key="1", sent=photo(), alt="Captain Sorne")
    link = stories.open_chronicle(**words)
    campaign, register = table.campaign.pk, table.alpha.pk
    members = [
        reverse("chronicle:index", args=[campaign]), reverse("chronicle:activity", args=[campaign]),
        reverse("chronicle:battle_story", args=[battle.pk]), reverse("chronicle:write_of_battle", args=[battle.pk]),
        reverse("chronicle:edit", args=[free.pk]), reverse("chronicle:share_link", args=[campaign]),
        reverse("chronicle:battle_photos", args=[battle.pk]), reverse("chronicle:campaign_photo", args=[campaign]),
        reverse("registers:dossier", args=[register, 1]), reverse("registers:dossier_photo", args=[register, 1]),
    ]  # fmt: skip
    public = link.get_absolute_url()
    strangers = [public, f"{public}?embed", f"{public}stories/", f"{public}{battle.pk}/"]
    found = []
    for page, addresses in (
        (phone(table.cora, color_scheme=scheme), members),
        (new_context(color_scheme=scheme).new_page(), strangers),
    ):
        page.set_viewport_size({"width": width, "height": 800})
        found += [each for address in addresses for each in complaints(page, address)]
    assert found == []


@pytest.mark.nightly
def test_a_tap_on_a_picture_sets_the_point_that_stays_in_view(phone, table):
    set_portrait(actor=table.ada, register=table.alpha, key="1", sent=photo(size=(900, 1200)), alt="Captain Sorne")
    page = phone(table.ada)
    page.goto(reverse("registers:dossier_photo", args=[table.alpha.pk, 1]))
    picture = page.locator(".crop__picture")
    box = picture.bounding_box()
    picture.tap(position={"x": box["width"] * 0.7, "y": box["height"] * 0.3})
    expect(page.locator("[data-focus='70 30']")).to_have_css("object-position", "70% 30%")
