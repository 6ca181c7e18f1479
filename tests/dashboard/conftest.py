"""The tests of the dashboard share the world of the campaign's."""

from tests.campaign.conftest import as_ada, as_ben, as_cora, book, fought, phone, table

__all__ = ["as_ada", "as_ben", "as_cora", "book", "fought", "phone", "table"]
