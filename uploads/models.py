"""Uploaded pictures."""

import secrets
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.utils import timezone

from core.db.uuid_key import UUIDModel
from rules.core.violations import RuleViolation

from .images import SIZES, size_in
from .storage import refusing_failures


def new_stem() -> str:
    """Return a random stem for the file names of a picture, which cannot be guessed and reveals nothing."""
    return secrets.token_urlsafe(16)


def shelf() -> Storage:
    """Return the storage of the files, which no web server serves."""
    return storages["uploads"]


class Picture(UUIDModel):
    """A picture, redrawn by us (`uploads.images`). The row that refers to it says what it shows.

    `alt` describes it; `width` and `height` are pixels of the full size. `focus_x` and `focus_y` are the point that
    stays in view where the picture is cropped, in percent from the left and the top; None: not chosen.
    """

    stem = models.CharField(max_length=22, unique=True, default=new_stem, editable=False)
    alt = models.CharField(max_length=200)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    focus_x = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    focus_y = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="pictures")
    sent_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["sent_at", "pk"]
        constraints = [
            models.CheckConstraint(condition=~Q(alt=""), name="picture_is_described"),
            models.CheckConstraint(condition=Q(width__gte=1, height__gte=1), name="picture_has_pixels"),
            models.CheckConstraint(
                condition=Q(focus_x=None, focus_y=None)
                | Q(focus_x__isnull=False, focus_y__isnull=False, focus_x__lte=100, focus_y__lte=100),
                name="picture_focus_is_inside",
            ),
        ]

    def __str__(self) -> str:
        return self.alt

    def file(self, size: str) -> str:
        """Return the name of its file in one of SIZES, in the storage."""
        return f"{self.stem}/{size}.jpg"

    @property
    def focus(self) -> str:
        """Return the point that stays in view as `data-focus` takes it (focus.css); empty if none was chosen."""
        return "" if self.focus_x is None else f"{self.focus_x} {self.focus_y}"

    @property
    def files(self) -> list[str]:
        """Return the names of all its files."""
        return [self.file(size) for size in SIZES]

    def content(self, size: str) -> bytes | None:
        """Return its file in one of SIZES, None if that is gone. Refuses what `refusing_failures` does."""
        with refusing_failures(), suppress(FileNotFoundError), shelf().open(self.file(size)) as file:
            return bytes(file.read())
        return None

    @property
    def sizes(self) -> dict[str, dict[str, int]]:
        """Return width and height in pixels for each of SIZES, so that pages do not shift when a picture loads."""
        return {
            name: dict(zip(("width", "height"), size_in(self.width, self.height, name), strict=True)) for name in SIZES
        }


#: A picture never changes: a new one has a new address.
YEAR = timedelta(days=365)


def picture_answer(picture: Picture, size: str, *, keep_for: timedelta = YEAR) -> HttpResponse:
    """Return the picture in one of SIZES, to be cached for `keep_for` in this user's browser only.

    Raises Http404 for another size, and if its file is gone. While the storage does not answer it is a 503, and the
    page shows the description.
    """
    if size not in SIZES:
        raise Http404("No such size")
    try:
        content = picture.content(size)
    except RuleViolation as away:
        return HttpResponse(str(away), status=503, content_type="text/plain", headers={"Retry-After": "60"})
    if content is None:
        raise Http404("The file is gone")
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
