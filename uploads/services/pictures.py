"""Saving and deleting pictures. Higher apps decide on permissions and on what the pictures belong to."""

import logging
import time
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from core.plain_text import printable_line
from core.retention import UNUSED_PICTURE
from rules.core.violations import refuse
from uploads.images import SIZES, RedrawnImage
from uploads.models import Picture, shelf
from uploads.storage import refusing_failures

log = logging.getLogger(__name__)

LONGEST_ALT = 200


def described(alt: str) -> str:
    """Return a description in one line. Refuses an empty one, and more than LONGEST_ALT letters."""
    if not (alt := printable_line(alt)):
        raise refuse("", gettext("Describe the picture in a few words, for people who cannot see it."), "alt")
    if len(alt) > LONGEST_ALT:
        sentence = gettext("Use up to %(most)d characters. You typed %(letters)d.")
        raise refuse("", sentence % {"letters": len(alt), "most": LONGEST_ALT}, "alt")
    return alt


@transaction.atomic
def keep(*, actor: User, drawn: RedrawnImage, alt: str, picture_id: UUID | None = None) -> Picture:
    """Save a picture that `actor` sent, and return it. `picture_id` is its primary key; an existing one is kept.

    Refuses what `described`, `same` and `refusing_failures` refuse, and the key of a picture that something refers to.
    """
    alt = described(alt)
    picture, new = Picture.objects.get_or_create(
        pk=picture_id or uuid4(), defaults={"alt": alt, "width": drawn.width, "height": drawn.height, "sent_by": actor}
    )
    if not new:
        if _stands_somewhere(picture):
            raise refuse("", gettext("This picture is already used somewhere else. Choose the file again."), "file")
        return same(picture, actor=actor, drawn=drawn, alt=alt)
    _save_files(picture, drawn)
    return picture


def shelve(*, actor: User, drawn: RedrawnImage, alt: str, picture_id: UUID, sent_at: datetime) -> Picture:
    """Store the files of an imported picture, and return its row for the caller to save.

    `actor` sent it earlier and elsewhere. Refuses what `described` refuses.
    """
    words = {"alt": described(alt), "width": drawn.width, "height": drawn.height}
    picture = Picture(pk=picture_id, sent_by=actor, sent_at=sent_at, **words)
    _save_files(picture, drawn)
    return picture


def same(picture: Picture, *, actor: User, drawn: RedrawnImage, alt: str) -> Picture:
    """Return the existing picture, since its form was sent twice.

    Refuses a picture of another user, and a different picture or description, which must not be lost silently.
    """
    if picture.sent_by_id != actor.pk:
        raise refuse("", gettext("This picture belongs to another person."))
    # The same input is always drawn the same.
    if picture.alt != described(alt) or picture.content("full") != drawn.files["full"]:
        sentence = gettext("This form already sent a picture. To send another one, choose the file again.")
        raise refuse("", sentence, "file")
    return picture


def show(*, actor: User, on: Any, drawn: RedrawnImage, alt: str, picture_id: UUID | None = None) -> Picture:
    """Give a locked row with a `picture` this one in place of its own. The same picture again changes nothing.

    Refuses what `keep` refuses.
    """
    before: Picture | None = on.picture
    if before and before.pk == picture_id:
        return same(before, actor=actor, drawn=drawn, alt=alt)
    picture = keep(actor=actor, drawn=drawn, alt=alt, picture_id=picture_id)
    on.picture = picture
    on.save(update_fields=["picture"])
    if before:
        remove(picture=before)
    return picture


def take_off(*, on: Any) -> None:
    """Remove the picture from a locked row. Doing it again changes nothing."""
    if on.picture:
        remove(picture=on.picture)


def set_focus(*, picture: Picture | None, point: tuple[int, int] | None) -> None:
    """Set the point of a picture that stays in view, in percent; None for either changes nothing."""
    if picture and point:
        picture.focus_x, picture.focus_y = point
        picture.save(update_fields=["focus_x", "focus_y"])


@transaction.atomic
def remove(*, picture: Picture) -> None:
    """Delete a picture, and its files when the transaction commits. Doing it again changes nothing."""
    Picture.objects.filter(pk=picture.pk).delete()
    stem = str(picture.stem)
    transaction.on_commit(lambda: delete_files(stem), robust=True)  # `clean` deletes what could not be


def clean() -> tuple[int, int]:
    """Delete pictures that nothing refers to any more, and files that belong to no picture.

    Return how many of each. Anything younger than UNUSED_PICTURE is kept: a request may be about to refer to it. All
    files are kept if there are no pictures or more unknown than known files: then they belong to another database.
    """
    since = timezone.now() - UNUSED_PICTURE
    unused = Picture.objects.filter(sent_at__lt=since)
    for points_here in Picture._meta.related_objects:
        unused = unused.filter(**{f"{points_here.name}__isnull": True})
    pictures = list(unused)
    for picture in pictures:
        remove(picture=picture)
    known = set(Picture.objects.values_list("stem", flat=True))
    stems = _stems()
    stray = [stem for stem in stems if stem not in known and _is_older(stem, since)]
    if stray and (not known or len(stray) * 2 > len(stems)):
        log.warning(
            "%d of %d stored pictures are unknown to this database. None was deleted.",
            len(stray), len(stems),
        )  # fmt: skip
        return len(pictures), 0
    for stem in stray:
        delete_files(stem)
    return len(pictures), len(stray)


def _save_files(picture: Picture, drawn: RedrawnImage) -> None:
    with refusing_failures(partial(delete_files, str(picture.stem))):
        for size, content in drawn.files.items():
            shelf().save(picture.file(size), ContentFile(content))


def _stands_somewhere(picture: Picture) -> bool:
    here = Picture.objects.filter(pk=picture.pk)
    places = [points_here.name for points_here in Picture._meta.related_objects]
    return any(here.filter(**{f"{place}__isnull": False}).exists() for place in places)


def _stems() -> list[str]:
    """Return the stems of all pictures in the storage; empty if nothing was ever stored."""
    try:
        return shelf().listdir("")[0]
    except FileNotFoundError:
        return []


def _is_older(stem: str, since: datetime) -> bool:
    """Return whether all files of a picture were stored before `since`. An object storage has only files."""
    times = [shelf().get_modified_time(f"{stem}/{name}") for name in shelf().listdir(stem)[1]]
    return bool(times) and max(times) < since


def delete_files(stem: str) -> None:
    """Delete the files of a picture without a row: it was removed, or never saved."""
    for size in SIZES:
        shelf().delete(f"{stem}/{size}.jpg")
    shelf().delete(stem)


def clean_temporary() -> int:
    """Delete partial uploads of workers that were killed. Return how many files; younger ones are kept."""
    if settings.FILE_UPLOAD_TEMP_DIR is None:
        return 0
    since = time.time() - UNUSED_PICTURE.total_seconds()
    received = Path(settings.FILE_UPLOAD_TEMP_DIR).glob("tmp*.upload*")  # as Django calls them
    old = [path for path in received if path.stat().st_mtime < since]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)
