"""Uploaded pictures on printed pages: their addresses, and their files for the PDF."""

import re
from collections.abc import Mapping
from uuid import UUID

from django.urls import reverse

from core.pdf import Opened
from registers.models import Register
from registers.print.typesetting import Picture
from uploads import models as uploads

#: The end of a picture's path on this site.
PATH = re.compile(r"/photos/(?P<key>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?P<size>full|medium|small)/$")


def portraits_of(register: Register) -> dict[str, uploads.Picture]:
    """Return the pictures of a Register's Dossiers by the keys of their units. One query."""
    rows = register.dossiers.filter(picture__isnull=False).select_related("picture")
    return {row.key: row.picture for row in rows if row.picture}


def on_paper(register: Register, picture: uploads.Picture, size: str = "medium") -> Picture:
    """Return a Dossier's picture as printed pages take it."""
    return Picture(reverse("registers:photo", args=[register.pk, picture.pk, size]), picture.alt)


def opener(known: Mapping[UUID, uploads.Picture]) -> Opened:
    """Return the function with which `core.pdf.to_pdf` opens pictures: only those in `known`."""

    def opened(path: str) -> bytes | None:
        asked = PATH.search(path)
        picture = known.get(UUID(asked["key"])) if asked else None
        if asked is None or picture is None or not uploads.shelf().exists(picture.file(asked["size"])):
            return None
        with uploads.shelf().open(picture.file(asked["size"])) as file:
            return bytes(file.read())

    return opened
