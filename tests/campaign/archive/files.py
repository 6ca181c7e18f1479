"""Files of campaigns to look at, and to bring."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from uuid import uuid4
from zipfile import ZIP_DEFLATED, ZipFile

from django.db import transaction

from accounts.models import User
from bench.speed import counted
from campaign.archive.parts import reading, writing
from campaign.archive.parts.reading import CONTENT, PICTURE
from campaign.archive.services import archive as archive_service
from campaign.models import Campaign
from catalogue.snapshot import forget
from tests.campaign.factories import Table, make_table
from tests.registers.factories import make_player
from tests.statements import without_catalogue

#: Fields that name a person by their number.
PEOPLE = (
    "owner", "actor", "on_behalf_of", "by", "author", "sent_by", "reported_by", "acting_user", "user", "invited_by",
)  # fmt: skip


def file_of(campaign: Campaign) -> bytes:
    """The file of a campaign."""
    out = BytesIO()
    writing.write(campaign, out)
    return out.getvalue()


def content_of(file: bytes) -> dict[str, Any]:
    """What stands in a file."""
    with ZipFile(BytesIO(file)) as archive:
        content: dict[str, Any] = json.loads(archive.read(CONTENT))
    return content


def names_in(file: bytes) -> list[str]:
    """The members of a file."""
    with ZipFile(BytesIO(file)) as archive:
        return archive.namelist()


def zipped(content: Any, **files: bytes) -> bytes:
    """A file in which this stands, with these pictures by their ids."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr(CONTENT, content if isinstance(content, (bytes, str)) else json.dumps(content))
        for key, picture in files.items():
            archive.writestr(PICTURE.format(key), picture)
    return out.getvalue()


def pictures_of(file: bytes) -> dict[str, bytes]:
    """The pictures in a file by their ids."""
    with ZipFile(BytesIO(file)) as archive:
        names = [name for name in archive.namelist() if name != CONTENT]
        return {name.removeprefix("pictures/").removesuffix(".jpg"): archive.read(name) for name in names}


def brought(actor: User, file: bytes, who: Mapping[str, User] | None = None, **words: Any) -> Campaign:
    """The campaign that was brought from a file; `who` are people of it by their names."""
    content = reading.read(BytesIO(file))
    reading.look_at_pictures(BytesIO(file), content)
    numbers = {person["name"]: person["id"] for person in content["people"]}
    return archive_service.import_campaign(
        actor=actor,
        data=content,
        file_of=lambda key: reading.picture(BytesIO(file), key),
        who={numbers[name]: user for name, user in (who or {}).items()},
        key=words.pop("key", None) or uuid4(),
        **words,
    )


@contextmanager
def elsewhere() -> Iterator[None]:
    """Another installation: nothing that happens there is here afterwards."""
    point = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(point)
        forget()


def alike(content: dict[str, Any]) -> dict[str, Any]:
    """What must be the same after a journey: people are called by their names, digests and the day are left out."""
    names = {args["id"]: args["name"] or "a former player" for args in content["people"]}

    def plain(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: plain(each, key) for key, each in value.items() if key not in ("digest", "made_at")}
        if isinstance(value, list):
            return [plain(each, name) for each in value]
        return names[value] if name in PEOPLE and type(value) is int else value

    people = sorted(({**args, "id": names[args["id"]]} for args in content["people"]), key=lambda each: each["id"])
    rest = {part: plain(value) for part, value in content.items() if part not in ("people", "made_at")}
    return {**rest, "people": people}


def statements_taken(
    add: Callable[[Table, int], None], arrived: Callable[[Campaign], int]
) -> tuple[list[int], list[int]]:
    """How many statements it takes to write the files of a campaign with one, two and three of what `add` adds, and to
    bring the first and the last of these files. `arrived` counts what came.
    """
    files, writing, bringing = [], [], []
    with elsewhere():
        table = make_table()
        for number in range(3):
            add(table, number)
            with counted() as statements:
                files.append(file_of(table.campaign))
            writing.append(len(statements))
    for number in (0, 2):
        with elsewhere():
            olga = make_player("olga")
            with counted() as statements:
                there = brought(olga, files[number])
            assert arrived(there) == number + 1
        bringing.append(len(without_catalogue(statements)))
    return writing, bringing
