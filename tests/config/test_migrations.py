"""The migrations say what the models say, and can be run while the code before them still serves."""

import pytest
from django.core.management import call_command
from django_migration_linter import MigrationLinter

from config.paths import BASE_DIR

APPS = ["accounts", "catalogue", "registers", "campaign", "uploads"]


@pytest.mark.django_db
def test_no_model_has_changed_without_a_migration(capsys):
    call_command("makemigrations", *APPS, "--check", "--dry-run")

    assert capsys.readouterr().out.startswith("No changes detected in apps")


@pytest.mark.django_db
def test_no_migration_breaks_the_code_before_it(capsys):
    linter = MigrationLinter(
        str(BASE_DIR), include_apps=APPS, no_cache=True, ignore_name=["0004_username_key"]
    )

    linter.lint_all_migrations()

    assert not linter.has_errors, capsys.readouterr().out
