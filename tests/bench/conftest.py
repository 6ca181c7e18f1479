"""What the tests of the bench share."""

from tests.registers.conftest import book

__all__ = ["book"]
