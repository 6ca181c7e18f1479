"""Create, change and delete the phases of a campaign."""

import datetime
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from campaign.models import ActivityKind, Campaign
from campaign.schedule.models import Phase, Round
from campaign.services.activity import log_activity
from campaign.services.locks import lock_organized
from rules.core.violations import Violation, raise_if_any, refuse

#: What was done with a phase, in the activity log.
ADDED, CHANGED, DELETED = "added", "changed", "deleted"
LONGEST_NOTE = 2000
MOST_PHASES = 100


@transaction.atomic
def save_phase(
    *,
    actor: User,
    campaign: Campaign,
    phase_id: UUID,
    version: int,
    name: str,
    first_day: datetime.date,
    last_day: datetime.date,
    size: int | None = None,
    note: str = "",
) -> Phase:
    """Create the phase with this key, or change it; `size` is the suggested game size in points.

    `version` is that of the phase on the page (0 for a new one). Repeating it does nothing. Refuses anyone but an
    organizer, a phase without a name, one that ends before it starts or shares a day with another one, a note that is
    too long, and a phase that has changed since.
    """
    locked = lock_organized(actor, campaign, gettext("Only an organizer can change the phases."))
    words: dict[str, Any] = {
        "name": name.strip(),
        "first_day": first_day,
        "last_day": last_day,
        "size": size,
        "note": note.strip(),
    }
    phase = Phase.objects.filter(pk=phase_id).first()
    if phase and phase.campaign_id != locked.pk:
        raise refuse("", gettext("This phase belongs to another campaign. Reload the page."))
    if phase and all(getattr(phase, key) == value for key, value in words.items()):
        return phase
    if phase and phase.version != version:
        raise refuse("", gettext("This phase changed a moment ago. Check it, then make your changes again."))
    if phase is None and version:
        raise refuse("", gettext("This phase was deleted a moment ago."))
    raise_if_any(_violations(locked, phase_id, words["name"], first_day, last_day, words["note"]))
    done = CHANGED if phase else ADDED
    if phase is None:
        phase = Phase(pk=phase_id, campaign=locked)
    for key, value in words.items():
        setattr(phase, key, value)
    phase.version += 1
    phase.save()
    _assign_rounds(locked)
    _record(actor, locked, phase, done)
    return phase


@transaction.atomic
def delete_phase(*, actor: User, campaign: Campaign, phase_id: UUID) -> None:
    """Delete a phase; its rounds and battles stay. Repeating it does nothing. Refuses anyone but an organizer."""
    locked = lock_organized(actor, campaign, gettext("Only an organizer can change the phases."))
    if phase := locked.phases.filter(pk=phase_id).first():
        _record(actor, locked, phase, DELETED)
        phase.delete()


def _record(actor: User, campaign: Campaign, phase: Phase, done: str) -> None:
    log_activity(
        actor=actor, campaign=campaign, kind=ActivityKind.PHASE, what=done, name=phase.name,
        first_day=phase.first_day.isoformat(), last_day=phase.last_day.isoformat(), size=phase.size,
    )  # fmt: skip


def _assign_rounds(campaign: Campaign) -> None:
    """Put each round into the phase of its due date."""
    phases, moved = list(campaign.phases.all()), []
    for each in campaign.rounds.all():
        phase = next((phase for phase in phases if phase.first_day <= each.due <= phase.last_day), None)
        if each.phase_id != (phase and phase.pk):
            each.phase = phase
            moved.append(each)
    Round.objects.bulk_update(moved, ["phase"])


def _violations(
    campaign: Campaign, phase_id: UUID, name: str, first_day: datetime.date, last_day: datetime.date, note: str
) -> Iterator[Violation]:
    if not name:
        yield Violation("", gettext("Enter a name, such as Season 1."), "name")
    if len(note) > LONGEST_NOTE:
        text = gettext("Use up to %(longest)s characters. You typed %(letters)s.")
        yield Violation("", text % {"longest": LONGEST_NOTE, "letters": len(note)}, "note")
    if last_day < first_day:
        yield Violation("", gettext("The last day is before the first day. Choose a later one."), "last_day")
        return
    others = list(campaign.phases.exclude(pk=phase_id))
    if other := next((each for each in others if each.first_day <= last_day and first_day <= each.last_day), None):
        text = gettext("%(phase)s already covers %(first)s to %(last)s. Choose days outside it.") % {
            "phase": other.name,
            "first": date_format(other.first_day, "DATE_FORMAT"),
            "last": date_format(other.last_day, "DATE_FORMAT"),
        }
        yield Violation("", text, "first_day")
    if len(others) >= MOST_PHASES:
        sentence = gettext("A campaign has at most %(number)s phases. Delete one first.")
        yield Violation("", sentence % {"number": MOST_PHASES})
