"""The people who are named in a campaign. The file has what other members know of them, and nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db.models import F, FilteredRelation, Q

from accounts.models import User
from accounts.names import name_key
from campaign.archive.parts.arrival import Arrival
from campaign.archive.parts.scope import Scope
from campaign.models import Membership
from core.plain_text import printable_line

#: A name has 150 characters; the name of a placeholder account needs some of them for its suffix.
LONGEST_NAME = 130


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Yield everyone named in the other parts, and all members. This part is written last."""
    here = FilteredRelation("campaign_memberships", condition=Q(campaign_memberships__campaign=scope.campaign))
    known = User.objects.annotate(here=here, role=F("here__role"))
    for person in known.filter(Q(pk__in=scope.people) | Q(here__isnull=False)).order_by("pk"):
        former = person.get_username() == person.former_name
        yield {"id": person.pk, "name": "" if former else person.carried_name, "former": former, "role": person.role}


def add_stand_ins(people: Sequence[Mapping[str, Any]]) -> dict[int, User]:
    """Create placeholder accounts for people of the file, by their numbers in it. Nobody can sign in to them."""
    stand_ins = {row["id"]: User(username=uuid4().hex, is_active=False) for row in people}
    for person in stand_ins.values():
        person.set_unusable_password()
    User.objects.bulk_create(stand_ins.values())
    for row in people:  # names of placeholders contain primary keys
        person = stand_ins[row["id"]]
        name = printable_line(row["name"])[:LONGEST_NAME]
        person.username = person.former_name if row["former"] else person.placeholder_name(name or "?")
        person.username_key = name_key(person.username)
    User.objects.bulk_update(stand_ins.values(), ["username", "username_key"])
    return stand_ins


def bring(arrival: Arrival) -> None:
    """Create the memberships with their roles, in the order of the file, and make the importing user an organizer."""
    roles = {arrival.people[row["id"]]: row["role"] for row in arrival.data["people"] if row["role"]}
    roles[arrival.actor] = Membership.Role.ORGANIZER
    arrival.memberships = [Membership(campaign=arrival.campaign, user=user, role=role) for user, role in roles.items()]
    Membership.objects.bulk_create(arrival.memberships)
