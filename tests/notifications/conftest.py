"""Notifications are tested with those of a campaign's battles."""

from __future__ import annotations

from tests.campaign.conftest import book, django_db_setup, fought, table

__all__ = ["book", "django_db_setup", "fought", "table"]
