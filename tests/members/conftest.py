"""A campaign is the group whose members and invitations these tests use."""

from __future__ import annotations

from tests.campaign.conftest import book, table

__all__ = ["book", "table"]
