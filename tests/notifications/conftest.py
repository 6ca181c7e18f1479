"""Notifications are tested with those of a campaign's battles."""

from tests.campaign.conftest import book, fought, table

__all__ = ["book", "fought", "table"]
