"""Merging two accounts of one person: what moves, who may, and the locks that it takes."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.services.merging import merge_accounts
from campaign.access import is_organiser
from campaign.models import (
    Admission,
    Battle,
    Campaign,
    Invitation,
    Kind,
    Membership,
    NightlyFile,
    PublicLink,
    Side,
    Webhook,
    Writing,
)
from campaign.services.chronicle import record
from registers.models import Register
from registers.services import ledger, owning
from rules.language import gettext
from rules.refusal import Problem, refuse, refuse_any
from uploads.models import Picture

#: Rows that give rights to whom they name, and so follow the person. Ledgers, chronicle and draws keep whom they name.
FOLLOW = (
    (Side, "stand_in"),
    (Battle, "reported_by"),
    (Invitation, "created_by"),
    (Writing, "author"),
    (PublicLink, "made_by"),
    (Webhook, "set_by"),
    (NightlyFile, "set_by"),
    (Picture, "sent_by"),
)
OVER = (Battle.Status.CLOSED, Battle.Status.CANCELLED)
HIGHEST_FIRST = (Membership.Role.ORGANISER, Membership.Role.PLAYER, Membership.Role.READER)


@transaction.atomic
def merge_people(*, actor: User, campaign: Campaign, gone: User, into: User) -> None:
    """Make one account of two of the same person, both of them in the campaign; the chronicle tells.

    Doing it twice changes nothing. Refuses whoever does not organise the campaign, and what `problems` names.
    """
    campaigns = lock_campaigns(gone, into, campaign)
    gone.refresh_from_db()
    if gone.merged_into_id == into.pk:
        return
    if not is_organiser(actor, campaign):
        raise refuse("", gettext("Only an organiser merges accounts."))
    refuse_any(problems(actor, campaign, gone, into))
    name = gone.get_username()
    concerned = [each for each in campaigns if each.memberships.filter(user=gone).exists()]
    merge_accounts(actor=actor, gone=gone, into=into)
    for each in concerned:
        record(actor=actor, campaign=each, kind=Kind.MERGED, name=name, user=into.pk)


def problems(actor: User, campaign: Campaign, gone: User, into: User) -> Iterator[Problem]:
    """Why these two cannot be merged by this person: whoever looks after the site may more than an organiser.

    An organiser merges only who came to the campaign of their own accord and is nowhere else: nobody's account shall
    end because somebody typed its name.
    """
    members = set(campaign.memberships.filter(user__in=(gone, into)).values_list("user_id", flat=True))
    if gone == into or members != {gone.pk, into.pk} or not into.is_active:
        yield Problem("", gettext("Choose another account that is in this campaign."), "into")
        return
    if gone == actor:
        yield Problem(
            "", gettext("This is the account that you are using. Merge the other one into it."), "into"
        )
    if gone.is_staff:
        yield Problem("", gettext("The account of somebody who looks after the site stays."), "into")
    if actor.is_superuser:
        return
    if gone.memberships.exclude(campaign=campaign).exists() or _has_registers_elsewhere(gone, campaign):
        text = gettext(
            "{user} is in other campaigns, too: whoever looks after the site can merge them.", user=gone
        )
        yield Problem("", text, "into")
    if gone.memberships.filter(campaign=campaign, role=Membership.Role.ORGANISER).exists():
        yield Problem(
            "", gettext("{user} organises this campaign. Give them another role first.", user=gone), "into"
        )
    came = Admission.objects.filter(user=gone, invitation__campaign=campaign).exists()
    if not came and not gone.registers.filter(enlistment__campaign=campaign).exists():
        text = gettext("{user} has done nothing here yet: remove them from the campaign instead.", user=gone)
        yield Problem("", text, "into")


def _has_registers_elsewhere(user: User, campaign: Campaign) -> bool:
    return user.registers.exclude(enlistment__campaign=campaign).exists()


def lock_campaigns(gone: User, into: User, *more: Campaign) -> list[Campaign]:
    """The campaigns that the two are in or have Registers in, locked in the order of their keys."""
    theirs = Q(memberships__user__in=(gone, into)) | Q(enlistments__register__owner=gone)
    keys = Campaign.objects.filter(theirs | Q(pk__in=[each.pk for each in more])).values("pk")
    return list(Campaign.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True))


def move_everything(gone: User, into: User) -> None:
    """Let everything that is `gone`'s be `into`'s: campaigns are locked first, then battles, then Registers."""
    campaigns = lock_campaigns(gone, into)
    battles = Battle.objects.filter(campaign__in=campaigns).exclude(status__in=OVER)
    running = list(battles.order_by("pk").select_for_update())
    for register in ledger.lock(*Register.objects.filter(owner=gone).values_list("pk", flat=True)):
        owning.change_owner(register=register, owner=into)
    for side in Side.objects.filter(battle__in=running):
        _move_answers(side, gone, into)
    for model, name in FOLLOW:
        model._default_manager.filter(**{name: gone}).update(**{name: into})
    _move_memberships(gone, into)
    # A place that somebody has taken is kept for nobody any more; the link by which they came is used up.
    kept = Invitation.objects.filter(stands_for=gone, revoked_at=None, admissions=None)
    kept.update(revoked_at=timezone.now())
    mine = Admission.objects.filter(user=into).values("invitation")
    Admission.objects.filter(user=gone).exclude(invitation__in=mine).update(user=into)


def _move_answers(side: Side, gone: User, into: User) -> None:
    """The answers of a step that is under way say who gave them: the step will be told of that person."""
    theirs = [item for item in side.answers if item.get("by") == gone.pk]
    for item in theirs:
        item["by"] = into.pk
    if theirs:
        side.save(update_fields=["answers"])


def _move_memberships(gone: User, into: User) -> None:
    """In a campaign where both are, the higher role is left."""
    for membership in gone.memberships.all():
        own = into.memberships.filter(campaign=membership.campaign_id).first()
        if own is None:
            membership.user = into
            membership.save(update_fields=["user"])
            continue
        own.role = min(own.role, membership.role, key=HIGHEST_FIRST.index)
        own.save(update_fields=["role"])
        membership.delete()
