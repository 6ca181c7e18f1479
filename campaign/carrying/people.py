"""Those who are named in a campaign: what others there know of them, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import uuid4

from accounts.models import User
from campaign.models import Membership

from .arrival import Arrival
from .scope import Scope

#: A name has 150 letters, and some of them say whose place it keeps.
LONGEST_NAME = 130


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Everybody whom the parts before have named, and all members. It is written last."""
    roles = dict(scope.campaign.memberships.values_list("user", "role"))
    for person in User.objects.filter(pk__in=scope.people | roles.keys()).order_by("pk"):
        former = person.get_username() == person.former_name
        yield {
            "id": person.pk,
            "name": "" if former else person.carried_name,
            "former": former,
            "role": roles.get(person.pk),
        }


def stand_in(said: Mapping[str, Any]) -> User:
    """Somebody who stands for a person of the file until they claim their place. Nobody can sign in as them."""
    person = User(username=uuid4().hex, is_active=False)
    person.set_unusable_password()
    person.save()
    name = " ".join("".join(letter if letter.isprintable() else " " for letter in said["name"]).split())
    person.username = (
        person.former_name if said["former"] else person.stand_in_name(name[:LONGEST_NAME] or "?")
    )
    person.save(update_fields=["username"])
    return person


def bring(arrival: Arrival) -> None:
    """Let those who were members be members with their roles, in the same order."""
    for said in arrival.data["people"]:
        if said["role"]:
            Membership.objects.create(
                campaign=arrival.campaign, user=arrival.people[said["id"]], role=said["role"]
            )
