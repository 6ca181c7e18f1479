"""Handing a picture out, once the room that knows what it shows has asked who may see it."""

from __future__ import annotations

from datetime import timedelta

from django.http import Http404, HttpResponse

from .images import SIZES
from .models import Picture, shelf

#: A picture never changes: another one has another address.
YEAR = timedelta(days=365)


def picture_answer(picture: Picture, size: str, *, keep_for: timedelta = YEAR) -> HttpResponse:
    """The picture in one of SIZES, for the browser of this person to keep for so long.

    Raises Http404 for another size, and where its file is gone.
    """
    if size not in SIZES:
        raise Http404("No such size")
    try:
        with shelf().open(picture.file(size)) as file:
            content = file.read()
    except FileNotFoundError as gone:
        raise Http404("The file is gone") from gone
    return HttpResponse(
        content,
        content_type="image/jpeg",
        headers={
            "Cache-Control": f"private, max-age={int(keep_for.total_seconds())}, immutable",
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
            "X-Content-Type-Options": "nosniff",
        },
    )
