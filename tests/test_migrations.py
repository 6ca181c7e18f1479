"""The migrations say what the models say."""

import pytest
from django.core.management import call_command

APPS = [
    "accounts", "catalogue", "lists", "registers", "campaign", "battles", "story_arcs", "chronicle", "archive",
    "schedule", "tournaments", "uploads",
]  # fmt: skip


@pytest.mark.django_db
def test_no_model_has_changed_without_a_migration(capsys):
    call_command("makemigrations", *APPS, "--check", "--dry-run")

    assert capsys.readouterr().out.startswith("No changes detected in apps")
