"""Primary keys that somebody sent."""

from uuid import uuid4

from registers.keys import key_in


def test_a_key():
    key = uuid4()
    assert key_in(str(key)) == key


def test_none():
    assert [key_in(text) for text in ("", "7", "the first one", "7" * 33)] == [None] * 4
