"""Who is in a campaign and as what: coming, going, roles. Each act locks the campaign and is written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction

from accounts.models import User
from accounts.names import name_key
from accounts.services.closing import DeletionRefused, merge_accounts
from campaign.access import has_handed_over, organising
from campaign.models import Campaign, Invitation, Kind, Membership
from campaign.services.chronicle import record, record_each
from campaign.services.locks import check_organizer, lock_campaign
from campaign.services.merging import battles_under_way
from campaign.services.public_link import close_all
from rules.language import gettext
from rules.refusal import refuse

Role = Membership.Role


@transaction.atomic
def add_member(*, actor: User, campaign: Campaign, username: str) -> User:
    """Add the person who signs in as `username` as a player; returns them. Adding somebody twice changes nothing.

    Refuses an actor who does not organise the campaign, and a name that nobody signs in with.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser adds members."), "username")
    username = username.strip()
    if not username:
        raise refuse("", gettext("Whom do you want to add?"), "username")
    user = User.objects.filter(username_key=name_key(username), is_active=True).first()
    if user is None:
        raise refuse(
            "",
            gettext("Nobody signs in as “{username}”. Send them an invitation link.", username=username),
            "username",
        )
    if not campaign.memberships.filter(user=user).exists():
        let_in(actor=actor, campaign=campaign, user=user, role=Role.PLAYER)
    return user


def let_in(*, actor: User, campaign: Campaign, user: User, role: str, **facts: Any) -> None:
    """Add a person who is no member yet to a locked campaign. `facts` say how they came."""
    Membership.objects.create(campaign=campaign, user=user, role=role)
    facts |= {"user": user.pk, "role": role}
    record(actor=actor, campaign=campaign, kind=Kind.JOINED, **facts)


def take_place(*, followed: Invitation, of: User, user: User, **facts: Any) -> None:
    """Merge the account `of`, which keeps a place, into `user`, who followed the link `followed` to it.

    The campaigns of both are locked, and the use of the link is recorded already. `facts` say how they came. The role
    of the link is for a place that has none. Taking the place again changes nothing. Refuses a place that is
    somebody's own, and a player against it in a battle that is not over: they would see the Command Hand of their
    opponent (R24), and play against themselves.
    """
    of = User.objects.get(pk=of.pk)
    members = followed.campaign.memberships.filter(user__in=(of, user))
    roles = {each.user_id: each.role for each in members}
    if not roles:
        let_in(actor=user, campaign=followed.campaign, user=user, role=followed.role, **facts)
    elif user.pk not in roles:
        facts |= {"user": user.pk, "role": roles[of.pk]}
        record(actor=user, campaign=followed.campaign, kind=Kind.JOINED, **facts)
    if of.merged_into_id == user.pk:
        return
    if not of.is_stand_in:
        raise refuse("", gettext("This place is somebody’s own."))
    if battles_under_way(of).filter(sides__register__owner=user).exists():
        raise refuse(
            "R24", gettext("You play against this place in a battle that is not over. Finish it first.")
        )
    merge_accounts(actor=user, gone=of, into=user)


@transaction.atomic
def give_role(*, actor: User, campaign: Campaign, user: User, role: str) -> Membership:
    """Make a person organiser, player or reader. Giving the role they have changes nothing.

    What a player owns stays theirs when they become a reader; organisers act for them in battles under way.
    Refuses an actor who does not organise, who is not in the campaign, and to take the role from its last organiser.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser gives roles."))
    membership = _membership(campaign, user)
    if role not in Role.values:
        raise refuse("", gettext("Organiser, player or reader?"), "role")
    if membership.role == Role.ORGANISER != role:
        _check_not_last(campaign, user, actor)
    _change(actor, membership, role)
    return membership


@transaction.atomic
def hand_over(*, actor: User, campaign: Campaign, user: User) -> None:
    """Make a person organiser and oneself a player, both or neither. Doing it twice changes nothing.

    Refuses an actor who is not among its organisers (the staff may give roles instead), oneself, whoever is not in the
    campaign, and a place that is kept for somebody: nobody could organise then.
    """
    lock_campaign(campaign)
    own = campaign.memberships.filter(user=actor, role=Role.ORGANISER).first()
    if own is None and has_handed_over(actor, campaign, user.pk):
        return
    if own is None:
        raise refuse("", gettext("Only an organiser hands the campaign over."))
    if user == actor:
        raise refuse("", gettext("You organise it already."))
    if not user.is_active:
        raise refuse("", gettext("Nobody signs in as {user}.", user=user))
    _change(actor, _membership(campaign, user), Role.ORGANISER)
    _change(actor, own, Role.PLAYER)


@transaction.atomic
def remove(*, actor: User, campaign: Campaign, user: User) -> None:
    """Remove a person. Their Registers, battles and ledgers stay; who is gone already stays gone.

    Refuses an actor who does not organise, oneself (see `leave`), and the last organiser.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser removes people."))
    if user == actor:
        raise refuse("", gettext("You cannot remove yourself. Leave the campaign instead."))
    _go(actor, campaign, user, Kind.REMOVED)


@transaction.atomic
def leave(*, actor: User, campaign: Campaign) -> None:
    """Leave a campaign. One's Registers, battles and ledgers stay. Refuses its last organiser."""
    lock_campaign(campaign)
    _go(actor, campaign, actor, Kind.LEFT)


def leave_all(user: User) -> None:
    """Leave every campaign, because the account is being deleted; what others share stays.

    Where nobody is left, the public chronicle is closed, too. Raises DeletionRefused while somebody else is in a
    campaign that only this person organises.
    """
    theirs = Campaign.objects.filter(pk__in=user.memberships.values("campaign"))
    campaigns = list(theirs.order_by("pk").select_for_update(no_key=True))
    everybody = Membership.objects.filter(campaign__in=campaigns).select_related(
        "campaign__public_link", "user"
    )
    own = [each for each in everybody if each.user_id == user.pk]
    others = [each for each in everybody if each.user_id != user.pk]
    left = _roles_by_campaign(each for each in others if each.user.is_active)
    orphaned = [each.name for each in campaigns if Role.ORGANISER not in left.get(each.pk, {Role.ORGANISER})]
    if orphaned:
        names = ", ".join(orphaned)
        raise DeletionRefused(
            gettext("Only you organise {names}, and others play there. Hand over first.", names=names)
        )
    Membership.objects.filter(pk__in=[each.pk for each in own]).delete()
    lines = ((each.campaign, {"user": user.pk, "role": each.role}) for each in own)
    record_each(actor=user, kind=Kind.LEFT, lines=lines)
    roles = _roles_by_campaign(others)
    abandoned = [each.campaign for each in own if Role.ORGANISER not in roles.get(each.campaign_id, ())]
    links = [each.public_link for each in abandoned if hasattr(each, "public_link")]
    close_all(actor=user, links=links)


# --- Parts -------------------------------------------------------------------------------------------------------


def _go(actor: User, campaign: Campaign, user: User, kind: Kind) -> None:
    """Once the campaign is locked."""
    membership = campaign.memberships.filter(user=user).first()
    if membership is None:
        return
    if membership.role == Role.ORGANISER:
        _check_not_last(campaign, user, actor)
    _leave(actor, membership, kind)


def _leave(actor: User, membership: Membership, kind: Kind) -> None:
    membership.delete()
    record(
        actor=actor,
        campaign=membership.campaign,
        kind=kind,
        user=membership.user_id,
        role=membership.role,
    )


def _roles_by_campaign(memberships: Iterable[Membership]) -> Mapping[UUID, set[str]]:
    found: dict[UUID, set[str]] = {}
    for each in memberships:
        found.setdefault(each.campaign_id, set()).add(each.role)
    return found


def _change(actor: User, membership: Membership, role: str) -> None:
    before = membership.role
    if before == role:
        return
    membership.role = role
    membership.save(update_fields=["role"])
    record(
        actor=actor,
        campaign=membership.campaign,
        kind=Kind.ROLE,
        user=membership.user_id,
        role=role,
        before=before,
    )


def _membership(campaign: Campaign, user: User) -> Membership:
    membership = campaign.memberships.filter(user=user).first()
    if membership is None:
        raise refuse("", gettext("{user} is not in this campaign.", user=user))
    return membership


def _check_not_last(campaign: Campaign, user: User, actor: User) -> None:
    if not organising().filter(campaign=campaign).exclude(user=user).exists():
        if user == actor:
            raise refuse("", gettext("You are the only organiser. Hand the campaign over first."))
        raise refuse("", gettext("{user} is the only organiser. Hand the campaign over first.", user=user))
