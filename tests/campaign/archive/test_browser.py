"""A campaign taken along and brought again, on a phone; axe finds nothing on the way."""

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from campaign.models import Campaign
from tests.browser.complaints import complaints
from tests.campaign.factories import in_play, make_table, planned

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_taken_along_and_brought_as_a_copy(phone, book, settings, tmp_path: Path):
    settings.ARRIVALS_DIR, settings.EXPORT_DIR = tmp_path / "arrivals", tmp_path / "exports"
    table = make_table()
    in_play(planned(table))
    page: Page = phone(table.cora)

    found = complaints(page, reverse("archive:export", args=[table.campaign.pk]))
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download file").click()
    taken.value.save_as(tmp_path / taken.value.suggested_filename)

    found += complaints(page, reverse("archive:import"))
    page.get_by_label("The file").set_input_files(tmp_path / taken.value.suggested_filename)
    page.get_by_role("button", name="Review").click()
    found += complaints(page, page.url)
    page.get_by_label("Import as a copy").check()
    page.get_by_role("button", name="Import campaign").click()

    page.get_by_text("was imported. Invite the other members.").wait_for()
    assert found == []
    assert Campaign.objects.filter(name__startswith="Outer Rim Winter").count() == 2
