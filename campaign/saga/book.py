"""A whole campaign as a book: its battles in order, what was written and shown of them, and both rolls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.db.models import QuerySet

from campaign.models import Campaign
from config.pdf import Opened
from registers.models import Register
from uploads.models import Picture, shelf

from .entries import Entry, entries, entries_of
from .rolls import Fallen, Honour, battles_words, fallen, honours, told_of

#: How the path of a picture ends, as the template has it (`campaign:picture`, `campaign:saga_picture`).
PICTURE = re.compile(
    r"/pictures/(?P<key>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<size>full|medium|small)/$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What stands in it. `entries` are oldest first; `first` and `last` the days of the first battle and the last."""

    campaign: Campaign
    words: str
    picture: Picture | None
    registers: Sequence[Register]
    entries: Sequence[Entry]
    honours: Sequence[Honour]
    fallen: Sequence[Fallen]
    first: date | None
    last: date | None


def book_of(campaign: Campaign) -> Book:
    """The book of a campaign as it is now: a constant number of queries."""
    told = entries(entries_of(campaign))[::-1]
    tales = [entry.tale for entry in told if entry.tale]
    days = [tale.date for tale in tales]
    return Book(
        campaign=campaign,
        words=battles_words(campaign),
        picture=campaign.picture,
        registers=list(told_of(campaign).select_related("owner")),
        entries=told,
        honours=honours(tales),
        fallen=fallen(tales),
        first=min(days, default=None),
        last=max(days, default=None),
    )


def opens(pictures: QuerySet[Picture]) -> Opened:
    """What `config.pdf.to_pdf` opens pictures with: these, and nothing else."""
    known = {picture.pk: picture for picture in pictures}

    def opened(path: str) -> bytes | None:
        asked = PICTURE.search(path)
        picture = known.get(UUID(asked["key"])) if asked else None
        if asked is None or picture is None or not shelf().exists(picture.file(asked["size"])):
            return None
        with shelf().open(picture.file(asked["size"])) as file:
            return bytes(file.read())

    return opened
