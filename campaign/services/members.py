"""Who is in a campaign, with which role, and how people are invited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from accounts.models import User
from accounts.names import name_key
from accounts.services.closing import DeletionRefused, merge_accounts
from campaign.access import has_handed_over, organizers
from campaign.chronicle.services.stories import close_all
from campaign.models import Activity, Admission, Campaign, Invitation, Kind, Membership
from campaign.services.activity import record, record_each
from campaign.services.locks import lock_campaign, lock_organized
from campaign.services.merging import battles_under_way, lock_campaigns
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import Violation, raise_if_any, refuse

Role = Membership.Role


@transaction.atomic
def add_member(*, actor: User, campaign: Campaign, username: str) -> User:
    """Add the person who signs in as `username` as a player; returns them. Adding somebody twice changes nothing.
    Refuses an actor who does not organise the campaign, and a name that nobody signs in with.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organiser adds members."), "username")
    username = username.strip()
    if not username:
        raise refuse("", gettext("Whom do you want to add?"), "username")
    user = User.objects.filter(username_key=name_key(username), is_active=True).first()
    if user is None:
        said = gettext("Nobody signs in as “{username}”. Send them an invitation link.", username=username)
        raise refuse("", said, "username")
    if not campaign.memberships.filter(user=user).exists():
        admit(actor=actor, campaign=campaign, user=user, role=Role.PLAYER)
    return user


def admit(*, actor: User, campaign: Campaign, user: User, role: str, **facts: Any) -> None:
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
        admit(actor=user, campaign=followed.campaign, user=user, role=followed.role, **facts)
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
    """Make a person organiser, player or reader. Giving the role they have changes nothing. What a player owns stays
    theirs when they become a reader; organisers act for them in battles under way. Refuses an actor who does not
    organise, who is not in the campaign, and to take the role from its last organiser.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organiser gives roles."))
    membership = _membership(campaign, user)
    if role not in Role.values:
        raise refuse("", gettext("Organiser, player or reader?"), "role")
    if membership.role == Role.ORGANISER != role:
        _check_not_last(campaign, user, actor)
    _change(actor, membership, role)
    return membership


@transaction.atomic
def hand_over(*, actor: User, campaign: Campaign, user: User) -> None:
    """Make a person organizer and oneself a player, both or neither. Doing it twice changes nothing. Refuses an actor
    who is not an organizer (staff give roles instead), oneself, anyone outside the campaign, and a placeholder account,
    because then nobody could organize.
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
    """Remove a person. Their Registers, battles and ledgers stay; who is gone already stays gone. Refuses an actor who
    does not organise, oneself (see `leave`), and the last organiser.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organiser removes people."))
    if user == actor:
        raise refuse("", gettext("You cannot remove yourself. Leave the campaign instead."))
    _leave(actor, campaign, user, Kind.REMOVED)


@transaction.atomic
def leave(*, actor: User, campaign: Campaign) -> None:
    """Leave a campaign. One's Registers, battles and ledgers stay. Refuses its last organiser."""
    lock_campaign(campaign)
    _leave(actor, campaign, actor, Kind.LEFT)


def leave_all(user: User) -> None:
    """Leave every campaign, because the account is being deleted; what others share stays. Where nobody is left, the
    public chronicle is closed, too. Raises DeletionRefused while somebody else is in a campaign that only this person
    organises.
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


def _leave(actor: User, campaign: Campaign, user: User, kind: Kind) -> None:
    membership = campaign.memberships.filter(user=user).first()
    if membership is None:
        return
    if membership.role == Role.ORGANISER:
        _check_not_last(campaign, user, actor)
    membership.delete()
    record(actor=actor, campaign=campaign, kind=kind, user=user.pk, role=membership.role)


def _roles_by_campaign(memberships: Iterable[Membership]) -> Mapping[UUID, set[str]]:
    found = defaultdict[UUID, set[str]](set)
    for each in memberships:
        found[each.campaign_id].add(each.role)
    return found


def _change(actor: User, membership: Membership, role: str) -> None:
    before, membership.role = membership.role, role
    if before != role:
        membership.save(update_fields=["role"])
        facts: dict[str, Any] = {"user": membership.user_id, "role": role, "before": before}
        record(actor=actor, campaign=membership.campaign, kind=Kind.ROLE, **facts)


def _membership(campaign: Campaign, user: User) -> Membership:
    membership = campaign.memberships.filter(user=user).first()
    if membership is None:
        raise refuse("", gettext("{user} is not in this campaign.", user=user))
    return membership


def _check_not_last(campaign: Campaign, user: User, actor: User) -> None:
    if not organizers().filter(campaign=campaign).exclude(user=user).exists():
        if user == actor:
            raise refuse("", gettext("You are the only organiser. Hand the campaign over first."))
        raise refuse("", gettext("{user} is the only organiser. Hand the campaign over first.", user=user))


DAYS = 14
LONGEST = 90  # days
#: Open links a campaign may have at a time; nobody needs more, and each is a door.
MOST_OPEN = 20

WORDS = {
    Invitation.End.REVOKED: gettext_noop("This invitation was taken back. Ask an organiser for a new one."),
    Invitation.End.EXPIRED: gettext_noop("This invitation has expired. Ask an organiser for a new one."),
    Invitation.End.USED_UP: gettext_noop("This invitation is used up. Ask an organiser for one of your own."),
}
#: What is done with somebody, which a link that was made before does not undo.
SINCE = {
    Kind.REMOVED: gettext_noop("You were removed from this campaign. Only a newer invitation lets you in."),
    Kind.ROLE: gettext_noop("Your role has changed since this invitation. Only a newer one lets you in."),
}


@transaction.atomic
def invite(
    *,
    actor: User,
    campaign: Campaign,
    role: str = Membership.Role.PLAYER,
    max_uses: int | None = None,
    days: int = DAYS,
    invitation_id: UUID | None = None,
) -> Invitation:
    """A new link into the campaign, for `max_uses` people (None: for as many as come), for so many days.
    `invitation_id` is the primary key it shall have, so that a form which comes twice makes one. Refuses an actor
    who does not organise, an unknown role, organisers by the dozen, days outside 1 to LONGEST, and more than
    MOST_OPEN open links: all at once.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organiser invites."))
    if invitation_id and (there := Invitation.objects.filter(pk=invitation_id).first()):
        if there.campaign_id != campaign.pk:
            raise refuse("", gettext("This link leads somewhere else. Load the page again."))
        return there
    raise_if_any(_problems(campaign, role, max_uses, days))
    return Invitation.objects.create(
        pk=invitation_id or uuid4(),
        campaign=campaign,
        role=role,
        max_uses=max_uses,
        created_by=actor,
        expires_at=timezone.now() + timedelta(days=days),
    )


@transaction.atomic
def invite_to_place(*, actor: User, campaign: Campaign, of: User) -> Invitation:
    """A link for the one person whose place `of` keeps: the one that leads there, or a new one, for LONGEST days.
    Refuses an actor who does not organise, and a place that is somebody's own or in no campaign.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organiser invites."))
    place = campaign.memberships.filter(user=of).first()
    if place is None or not of.is_stand_in:
        raise refuse("", gettext("This place is somebody’s own."))
    now = timezone.now()
    for there in campaign.invitations.filter(stands_for=of).annotate(uses=Count("admissions")):
        if not there.end(now=now, uses=there.uses):
            return there
    way = way_to(place, actor=actor)
    way.save(force_insert=True)
    return way


def way_to(place: Membership, *, actor: User) -> Invitation:
    """A link, not kept yet, for the one person whose place somebody keeps."""
    now = timezone.now()
    return Invitation(
        campaign_id=place.campaign_id,
        role=place.role,
        max_uses=1,
        stands_for=place.user,
        created_by=actor,
        created_at=now,
        expires_at=now + timedelta(days=LONGEST),
    )


@transaction.atomic
def revoke(*, actor: User, invitation: Invitation) -> None:
    """Take a link back: nobody comes in by it any more; who is in stays. Doing it twice changes nothing. Refuses an
    actor who does not organise the campaign.
    """
    lock_organized(actor, invitation.campaign, gettext("Only an organiser takes an invitation back."))
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def join(*, actor: User, invitation: Invitation) -> None:
    """Join by a link. Members who are in already change nothing and use up nothing; returning members do not use it up
    again. A link for a placeholder (`Invitation.stands_for`) gives them that place, too. Refuses a link that has ended,
    and one older than the removal or the last role change of this person: a former organizer could otherwise leave and
    return as organizer.
    """
    # The campaign's lock, as for all who come and go, also lets the last place be given once.
    if place := invitation.stands_for:
        lock_campaigns(place, actor, invitation.campaign)
        _come_in(actor, _now(actor, invitation.pk), invitation)
    else:
        lock_campaign(invitation.campaign)
        now = _now(actor, invitation.pk)
        if not now.is_member:
            _come_in(actor, now, invitation)


@transaction.atomic
def follow(*, actor: User, key: UUID) -> Campaign | None:
    """Come in by the link of this key, as `join`; returns the campaign, or None where no such link is. Refuses as
    `join` does, and a link to a place that is kept for somebody: that it is theirs they say on its page.
    """
    try:
        campaign = lock_campaign(Q(invitations=key))
    except Campaign.DoesNotExist:
        return None
    now = _now(actor, key)
    if now.invitation.stands_for_id:
        said = gettext(
            "A place is kept for you in {campaign}. Open the link once more to take it.", campaign=campaign
        )
        raise refuse("", said)
    if not now.is_member:
        way = now.invitation
        way.campaign = campaign
        _come_in(actor, now, way)
    return campaign


def why_not(user: User | None, invitation: Invitation) -> list[Violation]:
    """Why this user (None: somebody who has not signed in) cannot come in by a link, as it is now; nothing if they
    can.
    """
    return _why_not(_now(user, invitation.pk))


class _Now(NamedTuple):
    """An invitation as it is now, and for somebody: how many others came by it, whether they did, whether they are in,
    and what was done with them since it was made.
    """

    invitation: Invitation
    others: int
    came_by_it: bool
    is_member: bool
    since: Collection[str]


def _come_in(actor: User, now: _Now, way: Invitation) -> None:
    """Let `actor` in once the campaign is locked; where a place is taken, the campaigns of both."""
    raise_if_any(_why_not(now))
    if not now.came_by_it:
        Admission.objects.create(invitation=way, user=actor, at=timezone.now())
    if place := way.stands_for:
        take_place(followed=way, of=place, user=actor, invited_by=way.created_by_id)
    else:
        admit(actor=actor, campaign=way.campaign, user=actor, role=way.role, invited_by=way.created_by_id)


def _now(user: User | None, invitation: UUID) -> _Now:
    who = user.pk if user else 0
    own = Q(admissions__user=who)
    counts = {"own": Count("admissions", filter=own), "others": Count("admissions", filter=~own)}
    [way] = Invitation.objects.filter(pk=invitation).select_related("stands_for").annotate(**counts)
    done = Activity.objects.filter(
        campaign=way.campaign_id, at__gt=way.created_at, kind__in=SINCE, facts__user=who
    )
    is_member = Membership.objects.filter(campaign=way.campaign_id, user=who).exists()
    since = set(done.values_list("kind", flat=True))
    others, own_uses = way.others, way.own  # type: ignore[attr-defined]
    return _Now(way, others, bool(own_uses), is_member, since)


def _why_not(now: _Now) -> list[Violation]:
    if end := now.invitation.end(now=timezone.now(), uses=now.others):
        return [Violation("", gettext(WORDS[end]))]
    return [Violation("", gettext(words)) for kind, words in SINCE.items() if kind in now.since][:1]


def _problems(campaign: Campaign, role: str, max_uses: int | None, days: int) -> list[Violation]:
    found = []
    if role not in Membership.Role.values:
        found.append(Violation("", gettext("Organiser, player or reader?"), "role"))
    if role == Membership.Role.ORGANISER and max_uses != 1:
        found.append(Violation("", gettext("An invitation to organise is for one person."), "max_uses"))
    if max_uses is not None and max_uses < 1:
        found.append(Violation("", gettext("For how many people?"), "max_uses"))
    if not 1 <= days <= LONGEST:
        said = gettext("An invitation is good for 1 to {longest} days.", longest=LONGEST)
        found.append(Violation("", said, "days"))
    good = campaign.invitations.filter(revoked_at=None, expires_at__gt=timezone.now())
    if good.annotate(uses=Count("admissions")).exclude(max_uses__lte=F("uses")).count() >= MOST_OPEN:
        said = gettext("There are {most_open} open invitations. Take one back first.", most_open=MOST_OPEN)
        found.append(Violation("", said))
    return found
