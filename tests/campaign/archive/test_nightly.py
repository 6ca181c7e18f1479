"""Files of campaigns that are written every night."""

import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from campaign.archive import tasks as archive_tasks
from campaign.archive.models import NightlyFile
from campaign.archive.services import archive
from campaign.models import Campaign
from campaign.services import campaigns
from rules.core.violations import RuleViolation
from tests.campaign.archive.files import content_of


@pytest.fixture(autouse=True)
def place(settings, tmp_path) -> Path:
    settings.EXPORT_DIR, settings.ARRIVALS_DIR = tmp_path / "exports", tmp_path / "arrivals"
    return settings.EXPORT_DIR


@pytest.fixture
def wished(table):
    archive.set_nightly(actor=table.cora, campaign=table.campaign, on=True)
    return table


def days_of(campaign: Campaign) -> list[str]:
    return [each.day.isoformat() for each in archive.nightly_files(campaign)]


def ago(days: int) -> str:
    return (timezone.localdate() - timedelta(days=days)).isoformat()


def test_written_by_the_queue_for_those_who_want_it(wished, place):
    other = campaigns.create_campaign(actor=wished.cora, name="Elsewhere")
    for _ in range(2):
        archive_tasks.write_campaigns(timestamp=0)
    assert (days_of(wished.campaign), days_of(other)) == ([ago(0)], [])
    [kept] = archive.nightly_files(wished.campaign)
    assert content_of(kept.path.read_bytes())["campaign"]["name"] == "Outer Rim Winter"
    assert [path.name for path in kept.path.parent.iterdir()] == [kept.path.name]


def test_the_newest_are_kept(wished, settings, place):
    settings.EXPORTS_KEPT = 2
    shelf = place / str(wished.campaign.pk)
    shelf.mkdir(parents=True)
    for days in (1, 2, 3):
        (shelf / f"{ago(days)}.musterbook.zip").write_bytes(b"")
    assert archive.write_all() == (1, 0)
    assert days_of(wished.campaign) == [ago(0), ago(1)]


def test_what_a_killed_writer_has_left_goes_after_a_day(wished, place):
    shelf = place / str(wished.campaign.pk)
    shelf.mkdir(parents=True)
    for name, hours in (("draft-7", 25), ("draft-8", 23)):
        (shelf / name).write_bytes(b"half of it")
        then = time.time() - hours * 60 * 60
        os.utime(shelf / name, (then, then))
    archive.write_all()
    assert sorted(path.name for path in shelf.iterdir()) == [f"{ago(0)}.musterbook.zip", "draft-8"]


def test_one_that_fails_stops_no_other_and_says_so(wished, as_cora, monkeypatch):
    other = campaigns.create_campaign(actor=wished.cora, name="Elsewhere")
    archive.set_nightly(actor=wished.cora, campaign=other, on=True)
    write = archive.write

    def write_but_one(campaign, out):
        write(campaign, out)
        if campaign == wished.campaign:
            raise OSError("No space left on device")

    monkeypatch.setattr(archive, "write", write_but_one)
    assert archive.write_all() == (1, 1)
    assert (days_of(wished.campaign), days_of(other)) == ([], [ago(0)])
    page = reverse("archive:export", args=[wished.campaign.pk])
    assert "failed: OSError: No space left on device" in as_cora.get(page).text
    monkeypatch.setattr(archive, "write", write)
    assert archive.write_all() == (2, 0)
    assert "No space left" not in as_cora.get(page).text


def test_switched_on_and_off_on_the_page(table, as_cora):
    page = reverse("archive:export", args=[table.campaign.pk])
    for value, there in (("on", True), ("on", True), ("off", False), ("off", False)):
        assert as_cora.post(page, {"nightly": value}).status_code == 302
        assert NightlyFile.objects.filter(campaign=table.campaign).exists() == there
    assert as_cora.post(page, {"nightly": "perhaps"}).status_code == 422
    with pytest.raises(RuleViolation, match="Only an organizer can change"):
        archive.set_nightly(actor=table.ada, campaign=table.campaign, on=True)


def test_the_organizer_gets_it(wished, as_cora):
    archive.write_all()
    address = reverse("archive:nightly_file", args=[wished.campaign.pk, ago(0)])
    assert address in as_cora.get(reverse("archive:export", args=[wished.campaign.pk])).text
    answer = as_cora.get(address)
    assert content_of(b"".join(answer.streaming_content))["campaign"]["name"] == "Outer Rim Winter"
    assert as_cora.get(reverse("archive:nightly_file", args=[wished.campaign.pk, ago(1)])).status_code == 404


def test_old_files_go_even_if_none_is_written_any_more(wished, settings, place, monkeypatch):
    """Names of accounts that were deleted stand in them; where writing fails, the newest stays."""
    settings.EXPORTS_KEPT = 2
    other = campaigns.create_campaign(actor=wished.cora, name="Elsewhere")
    for campaign, ages in ((other, (1, 2, 3)), (wished.campaign, (2, 3))):
        (place / str(campaign.pk)).mkdir(parents=True)
        for days in ages:
            (place / str(campaign.pk) / f"{ago(days)}.musterbook.zip").write_bytes(b"")

    def fail(campaign, out):
        raise OSError("No space left on device")

    monkeypatch.setattr(archive, "write", fail)
    assert archive.write_all() == (0, 1)
    assert (days_of(other), days_of(wished.campaign)) == ([ago(1)], [ago(2)])
