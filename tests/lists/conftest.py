"""What the tests of army lists share: the catalogue in the database, and two players."""

from tests.registers.conftest import book, django_db_setup, other, player

__all__ = ["book", "django_db_setup", "other", "player"]
