"""The version of Musterbook has one source, and everything that leaves a site carries it."""

import re

import pytest
from django.test import Client

from ops.paths import BASE_DIR, VERSION
from tests.campaign.archive.files import content_of, file_of
from tests.campaign.factories import make_table
from tests.tournaments.factories import make_event
from tournaments.queries import exchange

MADE_BY = f"Musterbook {VERSION}"


@pytest.mark.django_db
def test_pages_and_files_name_the_version():
    campaign = make_table().campaign
    assert content_of(file_of(campaign))["made_by"] == MADE_BY
    assert exchange.content_of(make_event())["made_by"] == MADE_BY
    assert f"· {MADE_BY}\n" in Client().get("/accounts/login/").text


def test_the_newest_version_in_the_changelog_is_that_of_the_program():
    first = re.search(r"^## (\S+)", (BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert first is not None
    assert first[1] == VERSION
