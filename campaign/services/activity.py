"""Write the activity log of a campaign."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from accounts.models import User
from campaign.models import Activity, ActivityKind, Campaign, Enlistment
from campaign.models.activity import AWARD, CORRECTION, DONE, REDONE, UNDONE
from registers.models import EntryType, LedgerEntry

if TYPE_CHECKING:
    from campaign.battles.models import Battle


def log_activity(
    *,
    actor: User | None,
    campaign: Campaign,
    kind: ActivityKind,
    battle: Battle | None = None,
    on_behalf_of: User | None = None,
    **facts: Any,
) -> None:
    """Add a line to the activity log, in the transaction of the action itself. `facts` are plain JSON values."""
    Activity.objects.create(
        campaign=campaign, battle=battle, kind=kind, actor=actor, on_behalf_of=on_behalf_of, facts=facts
    )


def log_activities(
    *, actor: User | None, kind: ActivityKind, lines: Iterable[tuple[Campaign, Mapping[str, Any]]]
) -> None:
    """Add a line for each of these `facts` to the activity log of its campaign, in their order."""
    Activity.objects.bulk_create(
        Activity(campaign=campaign, kind=kind, actor=actor, facts=dict(facts)) for campaign, facts in lines
    )


def record_corrections(sender: object, entries: Collection[LedgerEntry], **_signal: Any) -> None:
    """Add a line to the activity log for each of these corrections, awards and undos of Registers in a campaign."""
    keys = {entry.register_id for entry in entries}
    enlistments = Enlistment.objects.filter(register__in=keys).values_list("register", "campaign")
    campaigns = dict(enlistments)
    Activity.objects.bulk_create(
        Activity(
            campaign_id=campaigns[entry.register_id],
            kind=ActivityKind.CORRECTED,
            actor=entry.actor,
            on_behalf_of=entry.on_behalf_of,
            facts=_facts(entry),
        )
        for entry in entries
        if entry.register_id in campaigns
    )


def _facts(entry: LedgerEntry) -> dict[str, Any]:
    about, done = entry, DONE
    if entry.undoes:
        about, done = (entry.undoes, UNDONE) if entry.act == EntryType.UNDO else (entry, REDONE)
    return {
        "register": str(entry.register_id),
        "entry": entry.position,
        "what": AWARD if about.answers else CORRECTION,
        "done": done,
        "own": entry.register.owner_id == entry.actor_id,
        "reason": entry.reason,
    }
