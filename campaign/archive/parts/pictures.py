"""Pictures: their descriptions and their files."""

import shutil
from collections.abc import Iterator
from typing import Any
from uuid import UUID
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from campaign.archive.parts.arrival import Arrival, when
from campaign.archive.parts.reading import PICTURE
from campaign.archive.parts.scope import Scope
from uploads.images import drawn
from uploads.models import Picture, shelf
from uploads.services import pictures
from uploads.storage import refusing_failures


def written(scope: Scope) -> Iterator[dict[str, Any]]:
    """Yield all pictures that the other parts have named."""
    for picture in sorted(scope.pictures.values(), key=lambda each: (each.sent_at, str(each.pk))):
        yield {
            **scope.values(picture, "id", "alt", "width", "height", "sent_by", "sent_at"),
            "focus": None if picture.focus_x is None else [picture.focus_x, picture.focus_y],
        }


def put_files(scope: Scope, archive: ZipFile) -> None:
    """Add each picture in its full size. Pictures are stored uncompressed, because they are compressed already."""
    for picture in scope.pictures.values():
        info = ZipInfo(PICTURE.format(picture.pk))
        info.compress_type = ZIP_STORED
        with refusing_failures(), shelf().open(picture.file("full")) as file, archive.open(info, "w") as out:
            shutil.copyfileobj(file, out)


def bring(arrival: Arrival) -> None:
    """Process each picture again as if its owner had uploaded it. Refuses files that an upload would refuse."""
    for row in arrival.data["pictures"]:
        sent = drawn(arrival.file_of(row["id"]))
        picture = arrival.pictures[row["id"]] = pictures.shelve(
            actor=arrival.people[row["sent_by"]],
            drawn=sent,
            alt=row["alt"],
            picture_id=UUID(row["id"]),
            sent_at=when(row["sent_at"]),
        )
        picture.focus_x, picture.focus_y = row.get("focus") or (None, None)
    Picture.objects.bulk_create(arrival.pictures.values())
