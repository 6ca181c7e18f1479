"""Import a campaign from a file, and keep nightly files of all campaigns."""

import logging
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from time import time
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from campaign.archive.models import NightlyFile
from campaign.archive.parts import (
    arcs,
    battles,
    campaign,
    checking,
    chronicle as carried_chronicle,
    dice,
    people,
    pictures,
    registers,
    schedule,
    star_map,
    teams,
)
from campaign.archive.parts.arrival import Arrival, look
from campaign.archive.parts.naming import renamed
from campaign.archive.parts.reading import ENDING
from campaign.archive.parts.template import as_template
from campaign.archive.parts.writing import write
from campaign.battles.models import Battle, Side
from campaign.battles.pages import activity
from campaign.battles.services import sequence
from campaign.chronicle.narrative.battle_story import battle_stories
from campaign.models import ActivityKind, Campaign, Invitation
from campaign.people.services.joining import invitation_to_place
from campaign.services.activity import log_activity
from campaign.services.campaigns import name_violations
from campaign.services.locks import lock_organized
from catalogue.snapshot import as_written, forget
from core.moments import LAST_DAY
from core.retention import UPLOADED_FILE
from registers.ledger.lines import lines
from registers.ledger.session import rulebook_for
from registers.ledger.text import names_of
from registers.models import LedgerEntry, Register
from registers.projection import states_of
from rules.core.values import Value
from rules.core.violations import Violation, raise_if_any, refuse
from rules.register.state import RegisterState
from uploads.services.pictures import delete_files

#: Errors that a forged file can cause. The import is rolled back then.
NONSENSE = (*checking.WRONG, DataError, IntegrityError)

#: The advisory lock for importing a campaign: any number that nothing else uses.
BRINGING = 5_171_978

#: The parts in import order: each refers to rows of earlier ones.
PARTS: Sequence[Callable[[Arrival], None]] = (
    pictures.bring, campaign.bring, people.bring, arcs.bring, registers.bring, battles.bring, teams.bring,
    star_map.bring, schedule.bring, carried_chronicle.bring,
)  # fmt: skip


def import_campaign(
    *, actor: User, data: Mapping[str, Any], file_of: Callable[[str], bytes], who: Mapping[int, User], key: UUID,
    as_copy: bool = False,
) -> Campaign:  # fmt: skip
    """Import a campaign from the contents of a file (`reading.read`); `actor` organizes it.

    `who` maps numbers of people in the file to accounts. Everyone else gets a placeholder account and an invitation to
    take its place. `file_of` returns the file of a picture. `key` is that of the form: the same form imports once.
    Refuses inconsistent contents (`checking.violations`), an account chosen for two people, an account other than
    `actor` (nobody is added to a campaign without asking), and a campaign that this site already has, unless `as_copy`.
    """
    _refuse_strangers(actor, who)
    stems: list[str] = []
    try:
        with transaction.atomic():
            return _brought(actor, data, file_of, who, key, stems, as_copy=as_copy)
    except Exception as error:
        forget()  # the catalogue may have been loaded with Story Arcs that are rolled back now
        for stem in stems:
            delete_files(stem)
        if isinstance(error, NONSENSE):
            sentence = _("This campaign file is invalid (%(why)s). Nothing was changed.")
            raise refuse("", sentence % {"why": str(error).splitlines()[0][:160]}) from error
        raise


def create_from_template(*, actor: User, data: Mapping[str, Any], name: str, first_day: date, key: UUID) -> Campaign:
    """Create a campaign that `actor` organizes from the contents of a campaign file, without its people and what they
    did (`template.as_template`). `key` is that of the form: the same form creates one. Refuses an empty or overlong
    name, phases that would end after 2100, and what `import_campaign` refuses.
    """
    raise_if_any(name_violations(name.strip()))
    try:
        content = as_template(data, name=name.strip(), first_day=first_day)
    except OverflowError:
        raise refuse("", _("Choose an earlier first day."), "first_day") from None
    if any(phase["last_day"] > LAST_DAY.isoformat() for phase in content["phases"]):
        raise refuse("", _("Choose an earlier first day."), "first_day")
    return import_campaign(actor=actor, data=content, file_of=_no_file, who={}, key=key, as_copy=True)


def _no_file(picture: str) -> bytes:
    raise KeyError(picture)


def _refuse_strangers(actor: User, who: Mapping[int, User]) -> None:
    chosen = [person.pk for person in who.values()]
    if len(chosen) != len(set(chosen)):
        raise refuse("", _("Choose only one person as yourself."), "people")
    if not set(chosen) <= {actor.pk}:
        raise refuse("", _("Choose only yourself. Everyone else joins by invitation."), "people")


def _brought(
    actor: User, data: Mapping[str, Any], file_of: Callable[[str], bytes], who: Mapping[int, User], key: UUID,
    stems: list[str], *, as_copy: bool,
) -> Campaign:  # fmt: skip
    """Import in the current transaction. `stems` receives the stems of all picture files that were written."""
    # One import at a time: a Register that fought in two campaigns has the same id in both files.
    with connection.cursor() as cursor:  # there may be no row to lock yet
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [BRINGING])
    here = look(data, key)
    if here.brought:
        return here.brought
    if here.campaign and not as_copy:
        raise refuse("", _("This campaign already exists here. Import it as a copy, or cancel."), "copy")
    raise_if_any(checking.violations(data, here.shipped))
    free = renamed(data, key, shipped=here.shipped, taken=None if as_copy else here.taken)
    if as_copy and data["people"]:  # a template has none, and its own name
        free["campaign"]["name"] = _copy_name(data)
    old = {new["id"]: row["id"] for new, row in zip(free["pictures"], data["pictures"], strict=True)}
    others = [each for each in data["people"] if each["id"] not in who]
    arrival = Arrival(
        data=free,
        actor=actor,
        people={**who, **people.add_stand_ins(others)},
        file_of=lambda picture: file_of(old[picture]),
        draws={battle["id"]: dice.come(battle) for battle in free["battles"]},
        shipped=here.shipped,
    )
    try:
        for part in PARTS:
            part(arrival)
    finally:
        stems += [picture.stem for picture in arrival.pictures.values()]
    brought = arrival.campaign
    facts = {"file": str(key), "made_at": data["made_at"]}
    log_activity(actor=actor, campaign=brought, kind=ActivityKind.CARRIED, **facts)
    # An invitation for each member who has no account on this site.
    Invitation.objects.bulk_create(
        invitation_to_place(each, actor=actor) for each in arrival.memberships if each.user.is_placeholder
    )
    states = registers.bring_happenings(arrival)
    star_map.bring_bonuses(arrival)
    battles.bring_painted_bonuses(arrival)
    with as_written():  # with the imported Story Arcs
        _read_all(brought, states)
    return brought


def _copy_name(data: Mapping[str, Any]) -> str:
    """Return the name of a copy, which says when its file was made: "Outer Rim Winter (copy of 2026-11-28)"."""
    sentence, day, name = _("%(name)s (copy of %(day)s)"), str(data["made_at"])[:10], data["campaign"]["name"]
    room = (Campaign._meta.get_field("name").max_length or 0) - len(sentence % {"name": "", "day": day})
    return sentence % {"name": name[:room], "day": day}


def _read_all(brought: Campaign, states: Mapping[Register, RegisterState]) -> None:
    """Read everything as pages do, so that unreadable data is refused now instead of breaking a page later."""
    read = states_of(Register.objects.filter(pk__in=[register.pk for register in states]))
    raise_if_any(
        Violation("", _("%(register)s does not match its ledger.") % {"register": register})
        for register, state in states.items()
        if read[register.pk] != state
    )
    _read_ledgers(states)
    both = Prefetch("sides", Side.objects.order_by("colour").select_related("register"))
    battles = list(brought.battles.prefetch_related(both))
    battle_stories(battles, states=read)
    activity.activity_lines(activity.of_campaign(brought))
    for battle in (each for each in battles if each.status == Battle.Status.SEQUENCE):
        sides = list(battle.sides.all())
        for side, other in zip(sides, sides[::-1], strict=True):
            if side.register and not side.done:
                sequence.running_step(side, other, read[side.register.pk])


def _read_ledgers(states: Mapping[Register, RegisterState]) -> None:
    entries = LedgerEntry.objects.filter(register__in=states).select_related(
        "undoes", "undone_by", "actor", "on_behalf_of"
    )
    ledgers = defaultdict(list)
    for entry in entries.order_by("position"):
        ledgers[entry.register_id].append(entry)
    for register, state in states.items():
        book = rulebook_for(register)
        lines(ledgers[register.pk], names_of(book, state), book)


log = logging.getLogger(__name__)

#: The prefix of a file's name while it is being written.
DRAFT = "draft-"


class NightlyFileOnDisk(Value):
    """A nightly file: its day, and its size in bytes."""

    day: date
    path: Path
    size: int


@transaction.atomic
def set_nightly(*, actor: User, campaign: Campaign, on: bool) -> None:
    """Switch a campaign's nightly files on or off; existing files are deleted when they are old. Repeating it changes
    nothing. Refuses anyone but an organizer of the campaign.
    """
    text = _("Only an organizer can change the nightly export.")
    campaign = lock_organized(actor, campaign, text, until=Campaign.State.CLOSED)
    if on:
        NightlyFile.objects.get_or_create(campaign=campaign, defaults={"set_by": actor})
    else:
        NightlyFile.objects.filter(campaign=campaign).delete()


def nightly_files(campaign: Campaign) -> Sequence[NightlyFileOnDisk]:
    """Return the nightly files of a campaign, newest first."""
    files = [NightlyFileOnDisk(_day(path), path, path.stat().st_size) for path in _shelf(campaign).glob(f"*{ENDING}")]
    return sorted(files, key=lambda each: each.day, reverse=True)


def delete_nightly_files(campaign_id: UUID) -> None:
    """Delete the nightly files of a campaign that is removed."""
    shutil.rmtree(Path(settings.EXPORT_DIR) / str(campaign_id), ignore_errors=True)


def note_export(campaign: Campaign, at: datetime) -> None:
    """Remember that somebody has downloaded the file of a campaign as it was `at` this moment. It can be deleted once
    that was done.
    """
    Campaign.objects.filter(pk=campaign.pk).update(exported_at=at)


def write_all() -> tuple[int, int]:
    """Write the nightly files of all campaigns that have them switched on and are not archived, and delete old ones.
    Return how many were written, and how many failed. A failure does not stop the others: the organizers see why, and
    the log has the traceback.
    """
    written = failed = 0
    wanted = NightlyFile.objects.filter(campaign__deleted_at=None).exclude(campaign__state=Campaign.State.ARCHIVED)
    for wish in wanted.select_related("campaign").order_by("pk").iterator():
        trouble = ""
        try:
            _write(wish.campaign)
        except Exception as error:
            log.exception("the file of campaign %s was not written", wish.pk)
            trouble = f"{type(error).__name__}: {error}"[:200]
        written, failed = written + (not trouble), failed + bool(trouble)
        NightlyFile.objects.filter(pk=wish.pk).update(tried_at=timezone.now(), trouble=trouble)
    _delete_old_files()
    return written, failed


def _write(campaign: Campaign) -> None:
    shelf = _shelf(campaign)
    shelf.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = shelf / f"{DRAFT}{os.getpid()}"
    try:
        with draft.open("wb") as out:
            write(campaign, out)
        draft.rename(shelf / f"{timezone.localdate().isoformat()}{ENDING}")
    finally:
        draft.unlink(missing_ok=True)


def _delete_old_files() -> None:
    """Delete old files of all campaigns, which name deleted accounts, except the newest while nightly files are on."""
    wanted = {str(pk) for pk in NightlyFile.objects.values_list("pk", flat=True)}
    first = timezone.localdate() - timedelta(days=settings.EXPORTS_KEPT - 1)
    for shelf in Path(settings.EXPORT_DIR).glob("*/"):
        files = sorted(shelf.glob(f"*{ENDING}"), key=_day, reverse=True)
        for path in files[shelf.name in wanted :]:
            if _day(path) < first:
                path.unlink(missing_ok=True)
        for draft in shelf.glob(f"{DRAFT}*"):
            if time() - draft.stat().st_mtime > UPLOADED_FILE.total_seconds():  # the process that wrote it was killed
                draft.unlink(missing_ok=True)


def _shelf(campaign: Campaign) -> Path:
    return Path(settings.EXPORT_DIR) / str(campaign.pk)


def _day(path: Path) -> date:
    return date.fromisoformat(path.name.removesuffix(ENDING))
