"""State shared by the parts of a file while it is written: the campaign, and the people and pictures named so far."""

from collections.abc import Iterable
from dataclasses import field
from datetime import UTC, date, datetime, time
from typing import Any
from uuid import UUID

from django.db.models import Model

from accounts.models import User
from campaign.models import Campaign
from rules.core.campaign_rules import CampaignRules
from rules.core.values import Value
from uploads.models import Picture, shelf
from uploads.storage import refusing_failures


class Scope(Value):
    """A campaign that is being written. `people` and `pictures` are those named in it so far."""

    campaign: Campaign
    people: set[int] = field(default_factory=set)
    pictures: dict[UUID, Picture] = field(default_factory=dict)

    def values(self, row: Model, *names: str) -> dict[str, Any]:
        """Return these fields of a row as the file has them, for `Arrival.values` to read: moments in UTC, other rows
        by their ids, people by their numbers. People and pictures are added to the file.
        """
        return {name: self._value(row, row._meta.get_field(name)) for name in names}

    def _value(self, row: Model, field: Any) -> Any:
        if field.related_model is Picture:
            return self.picture(getattr(row, field.name))
        value = field.value_from_object(row)
        if field.related_model is User:
            return self.person(value)
        match value:
            case datetime():
                return moment(value)
            case date():
                return value.isoformat()
            case time():
                return value.isoformat("seconds")
            case UUID():
                return str(value)
            case CampaignRules():
                return value.as_data()
        return value

    def person(self, key: int | None) -> int | None:
        """Return the number of a person in the file, and add the person to it."""
        if key is not None:
            self.people.add(key)
        return key

    def picture(self, picture: Picture | None) -> str | None:
        """Return the id of a picture, and add the picture to the file; None for a picture whose file is lost. Refuses
        what `refusing_failures` does.
        """
        with refusing_failures():
            if picture is None or not shelf().exists(picture.file("full")):
                return None
        self.pictures[picture.pk] = picture
        self.person(picture.sent_by_id)
        return str(picture.pk)

    def answerers(self, answers: Iterable[Any]) -> None:
        """Add everyone who gave one of these answers of a sequence to the file."""
        for answer in answers:
            if isinstance(answer, dict) and isinstance(answer.get("by"), int):
                self.person(answer["by"])


def moment(at: datetime | None) -> str | None:
    """Format a point in time for the file: to the microsecond, in UTC."""
    return at.astimezone(UTC).isoformat(timespec="microseconds") if at else None
