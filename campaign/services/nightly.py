"""Writing the files of campaigns every night, for those who want it, and keeping the newest."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from time import time

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from campaign.carrying.form import ENDING
from campaign.carrying.writing import write
from campaign.models import Campaign, NightlyFile
from campaign.services.locks import check_organizer, lock_campaign

log = logging.getLogger(__name__)

#: What the name of a file begins with while it is written.
DRAFT = "draft-"
A_DAY = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that was written on a day; its size in bytes."""

    day: date
    path: Path
    size: int


@transaction.atomic
def switch(*, actor: User, campaign: Campaign, on: bool) -> None:
    """Write the campaign's file every night, or no longer; files that there are go when they are old. Twice changes
    nothing.

    Refuses who does not organise it.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser decides what is written every night."))
    if on:
        NightlyFile.objects.get_or_create(campaign=campaign, defaults={"set_by": actor})
    else:
        NightlyFile.objects.filter(campaign=campaign).delete()


def kept(campaign: Campaign) -> Sequence[Kept]:
    """The files that are kept of a campaign, newest first."""
    files = [Kept(_day(path), path, path.stat().st_size) for path in _shelf(campaign).glob(f"*{ENDING}")]
    return sorted(files, key=lambda each: each.day, reverse=True)


def write_all() -> tuple[int, int]:
    """Write the file of every campaign that wants it, and throw old ones away; returns how many were written, and how
    many failed.

    One that fails stops no other: its organisers read why, and the log has all of it.
    """
    written = failed = 0
    for wish in NightlyFile.objects.select_related("campaign").order_by("pk").iterator():
        trouble = ""
        try:
            _write(wish.campaign)
        except Exception as error:
            log.exception("the file of campaign %s was not written", wish.pk)
            trouble = f"{type(error).__name__}: {error}"[:200]
        written, failed = written + (not trouble), failed + bool(trouble)
        NightlyFile.objects.filter(pk=wish.pk).update(tried_at=timezone.now(), trouble=trouble)
    _throw_away_old()
    return written, failed


def _write(campaign: Campaign) -> None:
    """Write today's file, in place of one of today."""
    shelf = _shelf(campaign)
    shelf.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = shelf / f"{DRAFT}{os.getpid()}"
    try:
        with draft.open("wb") as out:
            write(campaign, out)
        draft.rename(shelf / f"{timezone.localdate().isoformat()}{ENDING}")
    finally:
        draft.unlink(missing_ok=True)


def _throw_away_old() -> None:
    """Of every campaign, for names of deleted accounts stand in old files; the newest stays as long as it is wanted."""
    wanted = {str(pk) for pk in NightlyFile.objects.values_list("pk", flat=True)}
    first = timezone.localdate() - timedelta(days=settings.EXPORTS_KEPT - 1)
    for shelf in Path(settings.EXPORT_DIR).glob("*/"):
        files = sorted(shelf.glob(f"*{ENDING}"), key=_day, reverse=True)
        for path in files[shelf.name in wanted :]:
            if _day(path) < first:
                path.unlink(missing_ok=True)
        for draft in shelf.glob(f"{DRAFT}*"):
            if time() - draft.stat().st_mtime > A_DAY:  # whoever wrote it was killed
                draft.unlink(missing_ok=True)


def _shelf(campaign: Campaign) -> Path:
    return Path(settings.EXPORT_DIR) / str(campaign.pk)


def _day(path: Path) -> date:
    return date.fromisoformat(path.name.removesuffix(ENDING))
