"""Text that people type, as it is stored."""

import unicodedata


def plain_text(text: str) -> str:
    """Return a text with uniform line ends, and without unprintable characters and space around it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(letter for letter in lines if letter in "\n\t" or unicodedata.category(letter) != "Cc").strip()


def one_line(text: str) -> str:
    """Return a text as one line with single blanks."""
    return " ".join(plain_text(text).split())


def printable_line(text: str) -> str:
    """Return a text as one line with single blanks, in place of all characters that nobody can see as well."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def xml_text(text: object) -> str:
    """Return a text without the characters that XML does not allow: pasted names may contain invisible ones."""

    def holds(letter: str) -> bool:
        return letter not in "\ufffe\uffff" and unicodedata.category(letter) not in ("Cc", "Cs")

    return "".join(letter for letter in str(text) if letter in "\n\t" or holds(letter))
