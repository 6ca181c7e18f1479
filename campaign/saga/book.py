"""A whole campaign as a book: its battles in order, what was written and shown of them, and both rolls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from campaign.models import Campaign
from config.pdf import Opened
from config.together import Row, Together, columns, made, made_if_any
from registers.models import Register
from uploads.models import Picture, shelf

from .entries import Entry, entries, entries_of
from .rolls import Fallen, Honour, fallen, honours, told_of, words_of

#: What gives the pictures of the campaign of a key that its readers see.
Seen = Callable[[UUID], QuerySet[Picture]]
#: What a book says of a player.
NAMES = ("id", "username", "known_as")
#: How the path of a picture ends, as the template has it (`campaign:picture`, `campaign:saga_picture`).
PICTURE = re.compile(
    r"/pictures/(?P<key>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<size>full|medium|small)/$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What stands in it. `entries` are oldest first, `pictures` all by their keys; `first` and `last` the days of the
    first battle and the last."""

    campaign: Campaign
    words: str
    picture: Picture | None
    pictures: Mapping[UUID, Picture]
    registers: Sequence[Register]
    entries: Sequence[Entry]
    honours: Sequence[Honour]
    fallen: Sequence[Fallen]
    first: date | None
    last: date | None


def book_of(campaign: Campaign, seen: Seen) -> Book:
    """The book of a campaign as it is now, with the pictures that are seen of it: a constant number of queries."""
    registers, pictures = _SHOWN.ask(seen, campaign=campaign.pk)
    shown = {picture.pk: picture for picture in (made(Picture, row) for row in pictures)}
    told = entries(entries_of(campaign))[::-1]
    tales = [entry.tale for entry in told if entry.tale]
    days = [tale.date for tale in tales]
    return Book(
        campaign=campaign,
        words=words_of(sum(entry.battle is not None for entry in told)),
        picture=shown.get(campaign.picture_id),
        pictures=shown,
        registers=[_with_owner(row) for row in registers],
        entries=told,
        honours=honours(tales),
        fallen=fallen(tales),
        first=min(days, default=None),
        last=max(days, default=None),
    )


def _with_owner(row: Row) -> Register:
    register = made(Register, row)
    register.owner = made_if_any(User, row, "owner__")
    return register


def _registers(_seen: Seen, campaign: UUID) -> QuerySet[Register, Any]:
    return told_of(campaign).values(*columns(Register), *(f"owner__{name}" for name in NAMES))


def _pictures(seen: Seen, campaign: UUID) -> QuerySet[Picture, Any]:
    return seen(campaign).values(*columns(Picture))


_SHOWN = Together({"campaign": UUID}, _registers, _pictures)


def opens(known: Mapping[UUID, Picture]) -> Opened:
    """What `config.pdf.to_pdf` opens pictures with: these by their keys, and nothing else."""

    def opened(path: str) -> bytes | None:
        asked = PICTURE.search(path)
        picture = known.get(UUID(asked["key"])) if asked else None
        if asked is None or picture is None or not shelf().exists(picture.file(asked["size"])):
            return None
        with shelf().open(picture.file(asked["size"])) as file:
            return bytes(file.read())

    return opened
