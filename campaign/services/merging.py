"""Merging two accounts of one person: what moves, who may, and the locks that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.services.merging import merge_accounts
from campaign.access import is_organiser
from campaign.life import OVER
from campaign.models import (
    Admission,
    Battle,
    Campaign,
    Invitation,
    Kind,
    Membership,
    NightlyFile,
    PublicLink,
    Revision,
    Side,
    Webhook,
    Writing,
)
from campaign.services.chronicle import record
from config.together import Changes
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

    An organiser gives away only places that are kept for somebody (`User.is_stand_in`), and to somebody else: nobody's
    own account shall end, or be another's, because an organiser says so. While a battle goes on nobody does: whose
    Command Hand it is may be seen by nobody else (R24), and nobody shall come to play against themselves.
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
    if Battle.objects.exclude(status__in=OVER).filter(sides__register__owner=gone).exists():
        text = gettext("{user} stands in a battle that is not over. Finish it first.", user=gone)
        yield Problem("R24", text, "into")
    if actor.is_staff:
        return
    if not gone.is_stand_in:
        text = gettext(
            "{user} is somebody’s own account: whoever looks after the site can merge it.", user=gone
        )
        yield Problem("", text, "into")
    elif into == actor:
        text = gettext("Nobody gives a place to themselves. Follow the invitation that is made for it.")
        yield Problem("", text, "into")


def face_each_other(one: User, other: User) -> bool:
    """Whether these two play against each other in a battle that is not over."""
    theirs = Battle.objects.exclude(status__in=OVER).filter(sides__register__owner=one)
    return theirs.filter(sides__register__owner=other).exists()


def lock_campaigns(gone: User, into: User, *more: Campaign) -> list[Campaign]:
    """The campaigns that the two are in or have Registers in, locked in the order of their keys."""
    theirs = Q(memberships__user__in=(gone, into)) | Q(enlistments__register__owner=gone)
    keys = Campaign.objects.filter(theirs | Q(pk__in=[each.pk for each in more])).values("pk")
    return list(Campaign.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True))


def move_everything(gone: User, into: User) -> None:
    """Let everything that is `gone`'s be `into`'s: campaigns are locked first, then battles, then Registers."""
    campaigns = lock_campaigns(gone, into)
    revised = Revision.objects.filter(battle__campaign__in=campaigns)
    battles = Battle.objects.filter(campaign__in=campaigns)
    battles = battles.filter(~Q(status__in=OVER) | Q(pk__in=revised.values("battle")))
    locked = list(battles.order_by("pk").select_for_update())
    together = Changes()
    owning.change_owners(
        registers=ledger.lock_all(Register.objects.filter(owner=gone)), owner=into, together=together
    )
    _move_answers(Side.objects.filter(battle__in=locked), ("answers",), gone, into, together)
    _move_answers(revised, ("decisions", "kept"), gone, into, together)
    _move_memberships(gone, into, together)
    # A place that somebody has taken is kept for nobody any more; the link by which they came is used up.
    kept = Invitation.objects.filter(stands_for=gone, revoked_at=None, admissions=None)
    together.change(kept, revoked_at=timezone.now())
    mine = Admission.objects.filter(user=into).values("invitation")
    together.change(Admission.objects.filter(user=gone).exclude(invitation__in=mine), user=into)
    together.write()
    for model, name in FOLLOW:  # of rows that may have changed already
        together.change(model._default_manager.filter(**{name: gone}), **{name: into})
    together.write()


def _move_answers(
    rows: QuerySet[Any], fields: Sequence[str], gone: User, into: User, together: Changes
) -> None:
    """Answers that are not in a ledger yet say who gave them: the step will be told of that person."""
    changed = []
    for row in rows:
        theirs = [item for field in fields for item in getattr(row, field) if item.get("by") == gone.pk]
        for item in theirs:
            item["by"] = into.pk
        if theirs:
            changed.append(row)
    together.update(changed, *fields)


def _move_memberships(gone: User, into: User, together: Changes) -> None:
    """In a campaign where both are, the higher role is left."""
    both = Membership.objects.filter(user__in=(gone, into))
    own = {each.campaign_id: each for each in both if each.user_id == into.pk}
    theirs = [each for each in both if each.user_id == gone.pk]
    for each in theirs:
        if there := own.get(each.campaign_id):
            there.role = min(there.role, each.role, key=HIGHEST_FIRST.index)
        each.user = into
    together.update(list(own.values()), "role")
    together.update([each for each in theirs if each.campaign_id not in own], "user")
    together.remove(both.filter(user=gone, campaign__in=list(own)))
