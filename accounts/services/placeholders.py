"""Placeholder accounts: they hold the place of a player who has no account, and nobody can sign in to them."""

from collections.abc import Iterable
from uuid import uuid4

from accounts.models import User
from accounts.names import name_key

#: Maximum length of a name, in characters: it has to fit into a list of players, and get a suffix.
LONGEST_NAME = 60


def create_placeholders(names: Iterable[str]) -> list[User]:
    """Create placeholder accounts that are shown under these names (`printable_line`); several may have the same one.
    Two statements.
    """
    people = [User(username=uuid4().hex, is_active=False, known_as=name) for name in names]
    for person in people:
        person.set_unusable_password()
    User.objects.bulk_create(people)
    for person in people:
        person.username = person.placeholder_name(person.known_as)  # it contains the primary key
        person.username_key = name_key(person.username)
    User.objects.bulk_update(people, ["username", "username_key"])
    return people
