"""Those who are named in a campaign: what others there know of them, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accounts.models import User

from .scope import Scope


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Everybody whom the parts before have named, and all members. It is written last."""
    roles = dict(scope.campaign.memberships.values_list("user", "role"))
    for person in User.objects.filter(pk__in=scope.people | roles.keys()).order_by("pk"):
        former = person.username == person.former_name
        yield {
            "id": person.pk,
            "name": "" if former else person.carried_name,
            "former": former,
            "role": roles.get(person.pk),
        }
