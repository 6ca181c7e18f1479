"""A whole campaign as a book: its battles in order, what was written and shown of them, and both rolls."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import QuerySet

from campaign.models import Campaign
from config.pdf import Opened
from registers.models import Register
from uploads.models import Picture, shelf

from .entries import Entry, entries, entries_of
from .rolls import Fallen, Honour, fallen, honours, told_of, words_of

#: A function that returns the pictures of a campaign that its readers see.
Seen = Callable[[Campaign], QuerySet[Picture]]
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
    shown = {picture.pk: picture for picture in seen(campaign)}
    told = entries(entries_of(campaign))[::-1]
    tales = [entry.tale for entry in told if entry.tale]
    days = [tale.date for tale in tales]
    return Book(
        campaign=campaign,
        words=words_of(sum(entry.battle is not None for entry in told)),
        picture=shown.get(campaign.picture_id),
        pictures=shown,
        registers=list(told_of(campaign).select_related("owner")),
        entries=told,
        honours=honours(tales),
        fallen=fallen(tales),
        first=min(days, default=None),
        last=max(days, default=None),
    )


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
