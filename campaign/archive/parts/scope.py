"""What the parts of a file share while it is written: the campaign, and whom and what they have named so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from campaign.models import Campaign
from uploads.models import Picture, shelf


@dataclass(frozen=True, slots=True)
class Scope:
    """A campaign that is being written. `people` and `pictures` are those that were named in it."""

    campaign: Campaign
    people: set[int] = field(default_factory=set)
    pictures: dict[UUID, Picture] = field(default_factory=dict)

    def person(self, key: int | None) -> int | None:
        """The number of a person in the file, who is named in it from now on."""
        if key is not None:
            self.people.add(key)
        return key

    def picture(self, picture: Picture | None) -> str | None:
        """The id of a picture, which is in the file from now on. One whose own file is lost is none."""
        if picture is None or not shelf().exists(picture.file("full")):
            return None
        self.pictures[picture.pk] = picture
        self.person(picture.sent_by_id)
        return str(picture.pk)

    def answerers(self, answers: Iterable[Any]) -> None:
        """Name everybody who gave one of these answers of a sequence."""
        for answer in answers:
            if isinstance(answer, dict) and isinstance(answer.get("by"), int):
                self.person(answer["by"])


def moment(at: datetime | None) -> str | None:
    """A point in time as the file has it: to the microsecond, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None


def plain(row: Any, *names: str) -> dict[str, Any]:
    """These fields of a row, which are plain values already."""
    return {name: getattr(row, name) for name in names}
