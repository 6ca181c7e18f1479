"""What the parts of a file share while it is brought: who is who here, and which rows it comes to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from accounts.models import User
from campaign.models import Battle, Campaign, Membership
from registers.models import Register
from uploads.models import Picture

from .looking import Shipped


@dataclass(slots=True, kw_only=True)
class Arrival:
    """A file whose names are free here. `people` are those who stand here for its people, by their numbers there, and
    `actor` is who brings it; `draws` are the numbers of the draws that are kept, by the id of their battle; `shipped`
    are the versions of Story Arcs that are here already (`looking.shipped`)."""

    data: Mapping[str, Any]
    actor: User
    people: Mapping[int, User]
    file_of: Callable[[str], bytes]
    draws: Mapping[str, Collection[int]]
    shipped: Shipped
    pictures: dict[str, Picture] = field(default_factory=dict)
    registers: dict[str, Register] = field(default_factory=dict)
    battles: dict[str, Battle] = field(default_factory=dict)
    memberships: Sequence[Membership] = ()
    _campaign: Campaign | None = None

    @property
    def campaign(self) -> Campaign:
        """The campaign, once it is there. Raises ValueError before."""
        if self._campaign is None:
            raise ValueError("the campaign comes first")
        return self._campaign

    @campaign.setter
    def campaign(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def person(self, number: int | None) -> User | None:
        """Who stands here for a person of the file."""
        return None if number is None else self.people[number]

    def answers(self, answers: list[Any], battle: str) -> list[Any]:
        """Answers of the sequence of a battle, given by those who stand here for who gave them.

        They name no draw that is not kept: another one will have its number.
        """
        return [self._answer(each, battle) if isinstance(each, dict) else each for each in answers]

    def _answer(self, said: Mapping[str, Any], battle: str) -> dict[str, Any]:
        answer = dict(said)
        if type(answer.get("by")) is int:
            answer["by"] = self.people[answer["by"]].pk
        if not set(answer.get("draws", ())) <= set(self.draws.get(battle, ())):
            del answer["draws"]
        return answer


def when(text: str | None) -> datetime | None:
    """A point in time of the file."""
    return parse_datetime(text) if text else None
