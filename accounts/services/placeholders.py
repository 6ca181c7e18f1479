"""Placeholder accounts: they hold the place of a player who has no account, and nobody can sign in to them."""

from uuid import uuid4

from accounts.models import User

#: Maximum length of a name, in characters: it has to fit into a list of players, and get a suffix.
LONGEST_NAME = 60


def printable_name(name: str) -> str:
    """Return a name without control characters, with single blanks."""
    printable = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(printable.split())


def create_placeholder(name: str) -> User:
    """Create a placeholder account that is shown under this name (`printable_name`); several may have the same one."""
    person = User(username=uuid4().hex, is_active=False, known_as=name)
    person.set_unusable_password()
    person.save()
    person.username = person.placeholder_name(name)  # it contains the primary key
    person.save(update_fields=["username", "username_key"])
    return person
