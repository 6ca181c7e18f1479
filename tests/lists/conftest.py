"""What the tests of army lists share: the catalogue in the database, and two players."""

from tests.registers.conftest import book, other, player

__all__ = ["book", "other", "player"]
