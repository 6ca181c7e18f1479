"""A campaign is the group whose members and invitations these tests use."""

from tests.campaign.conftest import book, table

__all__ = ["book", "table"]
