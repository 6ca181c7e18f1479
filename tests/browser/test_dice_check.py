"""The check of a battle's dice in the browser: it reckons every face again, and names what is not right."""

import pgtrigger
import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaign.battles.models import DiceSeed, Draw
from tests.campaign.battles.rolling import revealed
from tests.campaign.first_blood import begin

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.nightly
def test_it_says_that_all_is_right_and_finds_what_was_changed(book, phone):
    fought = revealed(begin())
    page = phone(fought.ada)
    page.goto(reverse("battles:dice", args=[fought.battle.pk]))
    count = fought.battle.draws.count()
    status = page.get_by_role("status").filter(has_text="raw")
    expect(status).to_have_text(f"Checked in your browser: all {count} draws are correct.")
    with pgtrigger.ignore("battles.Draw:append_only"):
        draw = fought.battle.draws.get(number=3)
        other = "blank" if draw.faces[0] != "blank" else "hit"
        Draw.objects.filter(pk=draw.pk).update(faces=[other, *draw.faces[1:]])
    page.reload()
    expect(status).to_have_text("Draw 3 is wrong: its faces do not follow from the seed.")
    with pgtrigger.ignore("battles.DiceSeed:promised"):
        DiceSeed.objects.update(secret=bytes(32))
    page.reload()
    expect(page.get_by_text("Seed 1 does not match its SHA-256.")).to_be_visible()


@pytest.mark.nightly
def test_without_scripts_it_says_how_to_check(book, phone):
    fought = revealed(begin())
    page = phone(fought.ada, java_script_enabled=False)
    page.goto(reverse("battles:dice", args=[fought.battle.pk]))
    expect(page.get_by_text("You can check every face with the script below.")).to_be_visible()
    page.get_by_text("Script that checks the file").first.click()
    expect(page.get_by_text("Check the dice of a battle of Musterbook")).to_be_visible()
