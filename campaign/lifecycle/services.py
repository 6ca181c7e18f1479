"""Close, archive, reopen, delete and restore a campaign, and remove deleted ones for good."""

from collections.abc import Collection, Iterable
from functools import partial
from uuid import UUID

import pgtrigger
import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.services.closing import delete_account
from campaign.archive.services.archive import delete_nightly_files
from campaign.battles.models import Amendment, Battle, DiceSeed, Draw
from campaign.battles.services import planning
from campaign.lifecycle.queries import closing_violations, deletion_violations, planned_battles
from campaign.models import Activity, ActivityKind, Campaign
from campaign.services.activity import log_activity
from campaign.story_arcs.models import CustomArc
from core.retention import IN_BIN
from members.roles import is_organizer
from members.services.membership import lock_group
from registers.ledger.session import LedgerSession, lock_registers
from registers.models import EntryType, Register
from rules.core.violations import raise_if_any, refuse
from rules.register.effects import FieldLeft

log = structlog.get_logger(__name__)

#: What is done with a campaign, in `facts` of its activity log.
CLOSE, ARCHIVE, REOPEN, DELETE, RESTORE = "close", "archive", "reopen", "delete", "restore"
#: Triggers that would keep the rows of a campaign.
APPEND_ONLY = ("battles.DiceSeed:kept", "battles.Draw:append_only", "campaign.Activity:append_only")


@transaction.atomic
def close(*, actor: User, campaign: Campaign, planned: Collection[UUID] = (), archive: bool = False) -> Campaign:
    """Close a campaign: nothing that belongs to the game changes until it is reopened. `archive`: nothing at all does,
    and it leaves the lists of its members. `planned` are the primary keys of the planned battles that the actor agreed
    to cancel. A campaign that is closed already can still be archived; doing either again changes nothing. Refuses
    anyone but an organizer, a deleted campaign, one with a battle under way or being corrected, and one with a planned
    battle that is not among `planned`.
    """
    locked = _lock(actor, campaign)
    if locked.state == Campaign.State.ARCHIVED or (locked.state == Campaign.State.CLOSED and not archive):
        return locked
    if locked.is_open:
        # All of them: an undo may be about to open a closed one.
        battles = list(locked.battles.select_for_update(of=("self",)).order_by("pk"))
        raise_if_any(closing_violations(battles))
        to_cancel = planned_battles(battles)
        if any(battle.pk not in planned for battle in to_cancel):
            text = gettext("A battle was planned a moment ago. Check the list of battles, then confirm again.")
            raise refuse("", text)
        for battle in to_cancel:
            planning.cancel(actor=actor, battle_id=battle.pk, reason=gettext("The campaign was closed."))
    locked.state = Campaign.State.ARCHIVED if archive else Campaign.State.CLOSED
    locked.closed_at = locked.closed_at or timezone.now()
    return _saved(actor, locked, ARCHIVE if archive else CLOSE)


@transaction.atomic
def reopen(*, actor: User, campaign: Campaign) -> Campaign:
    """Reopen a closed or archived campaign; battles that were canceled when it was closed stay canceled. Doing it again
    changes nothing. Refuses anyone but an organizer, and a deleted campaign.
    """
    locked = _lock(actor, campaign)
    if locked.state == Campaign.State.OPEN:
        return locked
    locked.state, locked.closed_at = Campaign.State.OPEN, None
    return _saved(actor, locked, REOPEN)


@transaction.atomic
def delete(*, actor: User, campaign: Campaign) -> Campaign:
    """Delete a campaign: nobody sees it any more, and it can be restored until it is removed after IN_BIN. Doing it
    again changes nothing. Refuses anyone but an organizer, and what `deletion_violations` names.
    """
    locked = _lock(actor, campaign, deleted=True)
    if locked.deleted_at:
        return locked
    list(locked.battles.select_for_update(of=("self",)).order_by("pk"))  # waits for a report
    raise_if_any(deletion_violations(locked))
    locked.deleted_at = timezone.now()
    return _saved(actor, locked, DELETE)


@transaction.atomic
def restore(*, actor: User, campaign: Campaign) -> Campaign:
    """Restore a deleted campaign as it was. Doing it again changes nothing. Refuses anyone but an organizer."""
    locked = _lock(actor, campaign, deleted=True)
    if locked.deleted_at is None:
        return locked
    locked.deleted_at = None
    return _saved(actor, locked, RESTORE)


def _lock(actor: User, campaign: Campaign, *, deleted: bool = False) -> Campaign:
    locked = lock_group(campaign)
    if not is_organizer(actor, locked):
        raise refuse("", gettext("Only an organizer can close, archive, delete or restore the campaign."))
    if locked.deleted_at and not deleted:
        raise refuse("", locked.refusal())
    return locked


def _saved(actor: User, campaign: Campaign, act: str) -> Campaign:
    campaign.save(update_fields=["state", "closed_at", "deleted_at"])
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.LIFECYCLE, act=act)
    return campaign


def remove_expired() -> int:
    """Remove all campaigns that were deleted longer ago than IN_BIN, each in a transaction of its own, and return how
    many.
    """
    expired = Campaign.everything.filter(deleted_at__lte=timezone.now() - IN_BIN)
    return sum(remove(campaign_id=pk) for pk in expired.values_list("pk", flat=True))


@transaction.atomic
def remove(*, campaign_id: UUID) -> bool:
    """Remove a campaign that was deleted longer ago than IN_BIN, with everything but its Registers, which leave it, and
    its published Story Arcs, which Registers may have begun. Return whether it was there; one that was restored or
    removed in the meantime is left alone.

    A Register leaves a battle under way with what it has gained so far. Placeholder accounts that are in no other
    campaign become former players.
    """
    expired = Campaign.everything.filter(deleted_at__lte=timezone.now() - IN_BIN)
    if (campaign := expired.select_for_update(of=("self",)).filter(pk=campaign_id).first()) is None:
        return False
    battles = list(campaign.battles.select_for_update(of=("self",)).order_by("pk"))
    _leave_battles(campaign, battles)
    campaign.custom_arcs.filter(versions=None).delete()
    CustomArc.objects.filter(campaign=campaign).update(campaign=None, token=None)
    people = list(User.objects.filter(campaign_memberships__campaign=campaign, is_active=False))
    delete_rows([campaign], battles)
    for person in people:
        if person.is_placeholder and not person.campaign_memberships.exists():
            delete_account(actor=person, user=person)
    transaction.on_commit(partial(delete_nightly_files, campaign_id))
    log.info("campaign removed", campaign=campaign_id)
    return True


def _leave_battles(campaign: Campaign, battles: Iterable[Battle]) -> None:
    keys = [str(battle.pk) for battle in battles]
    fighting = lock_registers(Register.objects.filter(Q(enlistment__campaign=campaign), in_field_battle__in=keys))
    session = LedgerSession(fighting)
    left = FieldLeft(rule="R11", why=gettext_noop("the campaign was deleted"))
    for register in fighting:
        session.stage(register, actor=None, act=EntryType.CANCEL, effects=[left], battle=register.in_field_battle)
    session.commit()


def delete_rows(campaigns: Collection[Campaign], battles: Collection[Battle]) -> None:
    """Delete locked campaigns with these battles of theirs, also rows whose triggers refuse that. Their Registers and
    ledgers stay.
    """
    with pgtrigger.ignore(*APPEND_ONLY):
        for rows in (
            Draw.objects.filter(battle__in=battles),
            DiceSeed.objects.filter(battle__in=battles),
            Amendment.objects.filter(battle__in=battles),
            Activity.objects.filter(campaign__in=campaigns),
        ):
            rows.delete()
        Campaign.everything.filter(pk__in=[each.pk for each in campaigns]).delete()
