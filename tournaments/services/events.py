"""Create an event, and lead it from its draft to its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from members.models import Role
from rules.core.translation import gettext
from rules.core.violations import raise_if_any, refuse
from rules.tournaments.bracket import cut_violation
from rules.tournaments.rule_sets import ARMY_SIZE, RuleSet
from tournaments.models import Entry, Event, LogKind, Membership, StructureChoice
from tournaments.models.event import State, Tier
from tournaments.queries.army_lists import list_gaps
from tournaments.queries.structures import check_players, structure_violations
from tournaments.services.locks import lock_organized
from tournaments.services.log import record

LONGEST_NAME = 80
#: Players whom a refusal names.
SHOWN = 5


@transaction.atomic
def create_event(
    *,
    actor: User,
    name: str,
    rule_set: RuleSet,
    starts_at: datetime | None = None,
    time_zone: str = "UTC",
    place: str = "",
    tier: str = Tier.CASUAL,
    army_size: int | None = None,
    structure: str = "",
    rounds: int = 0,
    cut: int = 0,
    event_id: UUID | None = None,
) -> Event:
    """Create an event that `actor` organizes. `army_size` is in army points, by default that of the rule set (E7).

    `structure` is a `StructureChoice`, by default as printed, or custom with `rounds` or a `cut`, which count for a
    custom one alone; there 0 rounds are as printed (E14, E15). `event_id` is its primary key, so that a form sent twice
    creates one. Refuses an empty or overlong name, a cut that is no power of two (E38), and a structure that the rule
    set does not know (E14, E15, E42).
    """
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise refuse("", gettext("Give the event a name of up to {number} characters.", number=LONGEST_NAME), "name")
    if cut and (wrong := cut_violation(cut, cut)):
        raise refuse("E38", wrong, "cut")
    structure = structure or (StructureChoice.CUSTOM if rounds or cut else StructureChoice.STANDARD)
    raise_if_any(structure_violations(rule_set, structure))
    event, new = Event.objects.get_or_create(
        pk=event_id or uuid4(),
        defaults={
            "name": name, "rule_set": rule_set, "starts_at": starts_at, "time_zone": time_zone, "place": place,
            "tier": tier, "army_size": army_size or ARMY_SIZE[rule_set], "structure": structure, "rounds": rounds,
            "cut": cut,
        },
    )  # fmt: skip
    if new:
        Membership.objects.create(event=event, user=actor, role=Role.ORGANIZER)
        record(actor=actor, event=event, kind=LogKind.CREATED)
    return event


@transaction.atomic
def start(*, actor: User, event: Event, reason: str = "") -> Event:
    """Start an event: everyone who has checked in plays and gets a ticket (E34); nobody else does. Starting it again
    changes nothing.

    Refuses too few players (E14, E15), and an event that is over. If lists are missing (E9) or have problems on which
    nobody has decided (E8), it needs a `reason`, which the public log shows as an override.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.RUNNING:
        return locked
    if locked.state in (Event.State.FINISHED, Event.State.CANCELLED):
        raise refuse("", gettext("This event is over."))
    players = list(locked.entries.filter(state=Entry.State.CHECKED_IN))
    check_players(locked, len(players))
    _check_lists(actor, locked, players, reason.strip())
    for entry in players:
        entry.state = Entry.State.PLAYING
        entry.ticket = locked.draw.ticket(entry.key)
    Entry.objects.bulk_update(players, ["state", "ticket"])
    return _set_state(actor, locked, Event.State.RUNNING)


@transaction.atomic
def finish(*, actor: User, event: Event) -> Event:
    """End an event; its seed may be published from now on (E23). Ending it again changes nothing. Refuses an event
    that is not running or has an open round.
    """
    locked = lock_organized(actor, event)
    if locked.state == Event.State.FINISHED:
        return locked
    if locked.state != Event.State.RUNNING:
        raise refuse("", gettext("This event has not started."))
    if locked.round_set.exclude(state="closed").exists():
        raise refuse("", gettext("Close the round first."))
    return _set_state(actor, locked, Event.State.FINISHED)


def _check_lists(actor: User, event: Event, players: Sequence[Entry], reason: str) -> None:
    """Refuse to start without the lists of these players, or record why the organizer does (E8, E9)."""
    gaps = list_gaps(event, players)
    if gaps and not reason:
        names = ", ".join(gap.entry.name for gap in gaps[:SHOWN])
        if len(gaps) > SHOWN:
            names = gettext("{players} and {number} more", players=names, number=len(gaps) - SHOWN)
        rule = "E9" if any(gap.is_missing for gap in gaps) else "E8"
        text = gettext(
            "No accepted army list: {players}. Accept the lists, wait for them, or give a reason.", players=names
        )
        raise refuse(rule, text, "reason")
    for rule, missing in (("E9", True), ("E8", False)):
        numbers = [gap.entry.number for gap in gaps if gap.is_missing == missing]
        if numbers:
            record(
                actor=actor, event=event, kind=LogKind.OVERRIDE, reason=reason, rule=rule, entries=numbers
            )  # fmt: skip


def _set_state(actor: User, event: Event, state: State) -> Event:
    before, event.state = event.state, state
    event.save(update_fields=["state"])
    record(actor=actor, event=event, kind=LogKind.STATE, before=before, after=state)
    return event
