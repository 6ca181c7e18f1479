"""Placeholder accounts: they hold the place of a player who has no account, and nobody can sign in to them."""

from uuid import uuid4

from accounts.models import User

#: Maximum length of a name, in characters: it has to fit into a list of players, and get a suffix.
LONGEST_NAME = 60


def create_placeholder(name: str) -> User:
    """Create a placeholder account that is shown under this name (`printable_line`); several may have the same one."""
    person = User(username=uuid4().hex, is_active=False, known_as=name)
    person.set_unusable_password()
    person.save()
    person.username = person.placeholder_name(name)  # it contains the primary key
    person.save(update_fields=["username", "username_key"])
    return person
