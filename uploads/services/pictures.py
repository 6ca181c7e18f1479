"""Keeping pictures and removing them. Who may, and what they are pictures of, the rooms above say."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from rules.refusal import refuse
from uploads.images import SIZES, Drawn
from uploads.models import Picture, shelf

LONGEST_ALT = 200
#: What nothing points at is left alone for so long: somebody may be about to.
IN_HAND = timedelta(hours=1)


def described(alt: str) -> str:
    """What is to be seen on a picture, in one line. Refuses nothing at all, and more than LONGEST_ALT letters."""
    alt = "".join(letter if letter.isprintable() else " " for letter in alt)
    alt = " ".join(alt.split())
    if not alt:
        raise refuse(
            "", gettext("Say in a few words what is to be seen, for those who cannot see it."), "alt"
        )
    if len(alt) > LONGEST_ALT:
        said = gettext("This has %(letters)d letters, %(most)d at most.")
        raise refuse("", said % {"letters": len(alt), "most": LONGEST_ALT}, "alt")
    return alt


@transaction.atomic
def keep(*, actor: User, drawn: Drawn, alt: str, picture_id: UUID | None = None) -> Picture:
    """A picture that `actor` has sent. `picture_id` is the primary key it shall have: one that is there stays.

    Refuses what `described` refuses, and the key of somebody else's picture.
    """
    alt = described(alt)
    picture, new = Picture.objects.get_or_create(
        pk=picture_id or uuid4(),
        defaults={"alt": alt, "width": drawn.width, "height": drawn.height, "sent_by": actor},
    )
    if picture.sent_by_id != actor.pk:
        raise refuse("", gettext("This picture is somebody else’s."))
    if new:
        for size, content in drawn.files.items():
            shelf().save(picture.file(size), ContentFile(content))
    return picture


def show(*, actor: User, on: Any, drawn: Drawn, alt: str, picture_id: UUID | None = None) -> Picture:
    """Let a locked row with a `picture` have this one, in place of the one it has. The same one twice changes nothing.

    Refuses what `keep` refuses.
    """
    before: Picture | None = on.picture
    if before and before.pk == picture_id:
        return before
    picture = keep(actor=actor, drawn=drawn, alt=alt, picture_id=picture_id)
    on.picture = picture
    on.save(update_fields=["picture"])
    if before:
        remove(picture=before)
    return picture


def take_off(*, on: Any) -> None:
    """Let a locked row with a `picture` have none. Doing it again changes nothing."""
    if on.picture:
        remove(picture=on.picture)


@transaction.atomic
def remove(*, picture: Picture) -> None:
    """Forget a picture; its files go once that is certain. Doing it again changes nothing."""
    Picture.objects.filter(pk=picture.pk).delete()
    transaction.on_commit(partial(_throw_away, picture.stem))


def clean() -> tuple[int, int]:
    """Forget pictures that nothing points at any more, and throw away files that no picture has.

    Returns how many of each. What is younger than IN_HAND is left alone.
    """
    since = timezone.now() - IN_HAND
    unused = Picture.objects.filter(sent_at__lt=since)
    for points_here in Picture._meta.related_objects:
        unused = unused.filter(**{f"{points_here.name}__isnull": True})
    pictures = list(unused)
    for picture in pictures:
        remove(picture=picture)
    known = set(Picture.objects.values_list("stem", flat=True))
    stems, _ = shelf().listdir("") if shelf().exists("") else ([], [])
    stray = [stem for stem in stems if stem not in known and _is_older(stem, since)]
    for stem in stray:
        _throw_away(stem)
    return len(pictures), len(stray)


def _is_older(stem: str, since: datetime) -> bool:
    return bool(shelf().get_modified_time(stem) < since)


def _throw_away(stem: str) -> None:
    for size in SIZES:
        shelf().delete(f"{stem}/{size}.jpg")
    shelf().delete(stem)
