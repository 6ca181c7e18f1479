"""What the tests of the bench share."""

from tests.registers.conftest import book, django_db_setup

__all__ = ["book", "django_db_setup"]
