"""Merging two accounts of one person: what moves, who may, and the locks that it takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet
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
from campaign.services.chronicle import record_each
from config.together import Changes, Row, Together, columns, made, one_of
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


class Both(NamedTuple):
    """Two people as they are now: what is `gone`'s shall be `into`'s. With what they, and whoever asks, are in
    campaigns; and who stands in the battles of `gone` that are not over (keys of users, their own if there is one)."""

    gone: User
    into: User
    memberships: Sequence[Membership]
    fighting: Collection[int]

    def roles(self, campaign: Campaign) -> Mapping[int, str]:
        """What people are in a campaign, by their keys."""
        return {each.user_id: each.role for each in self.memberships if each.campaign_id == campaign.pk}


def both(gone: User, into: User, actor: User | None = None) -> Both:
    """The two as they are now; what it says stays so while `lock_campaigns` holds."""
    [person], members, fighting = _BOTH.ask(gone=gone.pk, into=into.pk, actor=actor.pk if actor else into.pk)
    memberships = [made(Membership, row) for row in members]
    return Both(made(User, person), into, memberships, {row["who"] for row in fighting})


@transaction.atomic
def merge_people(*, actor: User, campaign: Campaign, gone: User, into: User) -> None:
    """Make one account of two of the same person, both of them in the campaign; the chronicle tells.

    Doing it twice changes nothing. Refuses whoever does not organise the campaign, and what `problems` names.
    """
    campaigns = lock_campaigns(gone, into, campaign)
    now = both(gone, into, actor)
    if now.gone.merged_into_id == into.pk:
        return
    if not is_organiser(actor, campaign):
        raise refuse("", gettext("Only an organiser merges accounts."))
    refuse_any(_problems(actor, campaign, now))
    together = Changes()
    facts = {"name": now.gone.get_username(), "user": into.pk}
    concerned = [each for each in campaigns if gone.pk in now.roles(each)]
    record_each(actor=actor, kind=Kind.MERGED, lines=((each, facts) for each in concerned))
    move_everything(now, campaigns, together)
    merge_accounts(actor=actor, gone=gone, into=into, moving=together)


def problems(actor: User, campaign: Campaign, gone: User, into: User) -> Iterator[Problem]:
    """Why these two cannot be merged by this person: whoever looks after the site may more than an organiser.

    An organiser gives away only places that are kept for somebody (`User.is_stand_in`), and to somebody else: nobody's
    own account shall end, or be another's, because an organiser says so. While a battle goes on nobody does: whose
    Command Hand it is may be seen by nobody else (R24), and nobody shall come to play against themselves.
    """
    return _problems(actor, campaign, both(gone, into))


def _problems(actor: User, campaign: Campaign, now: Both) -> Iterator[Problem]:
    gone, into = now.gone, now.into
    if gone == into or not {gone.pk, into.pk} <= set(now.roles(campaign)) or not into.is_active:
        yield Problem("", gettext("Choose another account that is in this campaign."), "into")
        return
    if gone == actor:
        yield Problem(
            "", gettext("This is the account that you are using. Merge the other one into it."), "into"
        )
    if gone.is_staff:
        yield Problem("", gettext("The account of somebody who looks after the site stays."), "into")
    if now.fighting:
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


def lock_campaigns(gone: User, into: User, *more: Campaign) -> list[Campaign]:
    """The campaigns that the two are in or have Registers in, locked in the order of their keys."""
    theirs = Q(memberships__user__in=(gone, into)) | Q(enlistments__register__owner=gone)
    keys = Campaign.objects.filter(theirs | Q(pk__in=[each.pk for each in more])).values("pk")
    return list(Campaign.objects.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True))


def move_unlocked(gone: User, into: User, together: Changes) -> None:
    """Move everything when accounts are merged that nobody has locked the campaigns of (`accounts.services`)."""
    campaigns = lock_campaigns(gone, into)
    move_everything(both(gone, into), campaigns, together)


def move_everything(
    now: Both, campaigns: Sequence[Campaign], together: Changes, followed: Invitation | None = None
) -> None:
    """Let everything that is `gone`'s be `into`'s: battles are locked, and then Registers; these campaigns are already.

    What stands in `together` is written with it, and what is left in it is to be written later. `followed` is the link
    that led there: it is used up, not taken back.
    """
    gone, into = now.gone, now.into
    keys = [str(each.pk) for each in campaigns]
    list(_battles(keys).order_by("pk").select_for_update())
    registers = ledger.lock_all(Register.objects.filter(owner=gone))
    sides, revisions = _ANSWERS.ask(campaigns=keys)
    owning.change_owners(registers=registers, owner=into, together=together)
    _move_answers(Side, sides, ("answers",), now, together)
    _move_answers(Revision, revisions, ("decisions", "kept"), now, together)
    _move_memberships(now, together)
    # A place that somebody has taken is kept for nobody any more.
    kept = Invitation.objects.filter(stands_for=gone, revoked_at=None, admissions=None)
    together.change(kept.exclude(pk=followed.pk) if followed else kept, revoked_at=timezone.now())
    mine = Admission.objects.filter(user=into).values("invitation")
    together.change(Admission.objects.filter(user=gone).exclude(invitation__in=mine), user=into)
    together.write()
    for model, name in FOLLOW:  # of rows that may have changed already
        together.change(model._default_manager.filter(**{name: gone}), **{name: into})


# --- Parts -----------------------------------------------------------------------------------------------------------


def _person(gone: int, into: int, actor: int) -> QuerySet[User, Any]:
    found: QuerySet[User, Any] = User.objects.filter(pk=gone).values(*columns(User))
    return found


def _memberships(gone: int, into: int, actor: int) -> QuerySet[Membership, Any]:
    whose = Q(user=gone) | Q(user=into) | Q(user=actor)
    found: QuerySet[Membership, Any] = Membership.objects.filter(whose).values(*columns(Membership))
    return found


def _fighting(gone: int, into: int, actor: int) -> QuerySet[Side, Any]:
    """Everybody in the battles of `gone` that are not over."""
    theirs = Battle.objects.exclude(status__in=OVER).filter(sides__register__owner=gone)
    return Side.objects.filter(battle__in=theirs).values(who=F("register__owner"))


_BOTH = Together({"gone": int, "into": int, "actor": int}, _person, _memberships, _fighting)


def _battles(campaigns: Any) -> QuerySet[Battle]:
    """Those of these campaigns that are not over, or are being revised: answers wait there."""
    there = Battle.objects.filter(campaign__in=one_of(campaigns, "uuid"))
    return there.filter(~Q(status__in=OVER) | Q(pk__in=Revision.objects.values("battle")))


def _sides(campaigns: Any) -> QuerySet[Side, Any]:
    return Side.objects.filter(battle__in=_battles(campaigns)).values("pk", "answers")


def _revisions(campaigns: Any) -> QuerySet[Revision, Any]:
    revised = Revision.objects.filter(battle__campaign__in=one_of(campaigns, "uuid"))
    return revised.values("pk", "decisions", "kept")


_ANSWERS = Together({"campaigns": list[str]}, _sides, _revisions)


def _move_answers(
    model: type[Side | Revision], rows: Iterable[Row], fields: Sequence[str], now: Both, together: Changes
) -> None:
    """Answers that are not in a ledger yet say who gave them: the step will be told of that person."""
    changed = []
    for row in rows:
        theirs = [item for field in fields for item in row[field] if item.get("by") == now.gone.pk]
        for item in theirs:
            item["by"] = now.into.pk
        if theirs:
            changed.append(model(**row))
    together.update(changed, *fields)


def _move_memberships(now: Both, together: Changes) -> None:
    """In a campaign where both are, the higher role is left."""
    own = {each.campaign_id: each for each in now.memberships if each.user_id == now.into.pk}
    theirs = [each for each in now.memberships if each.user_id == now.gone.pk]
    for each in theirs:
        if there := own.get(each.campaign_id):
            there.role = min(there.role, each.role, key=HIGHEST_FIRST.index)
        each.user = now.into
    together.update(list(own.values()), "role")
    together.update([each for each in theirs if each.campaign_id not in own], "user")
    twice = [each.pk for each in theirs if each.campaign_id in own]
    together.remove(Membership.objects.filter(pk__in=twice))
