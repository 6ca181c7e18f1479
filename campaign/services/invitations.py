"""Inviting people into a campaign by a link."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from accounts.models import User
from campaign.models import Admission, Campaign, Event, Invitation, Kind, Membership
from campaign.services import people
from campaign.services.locks import check_organizer, lock_campaign
from campaign.services.merging import lock_campaigns
from rules.language import gettext, gettext_noop
from rules.refusal import Problem, refuse, refuse_any

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
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser invites."))
    if invitation_id and (there := Invitation.objects.filter(pk=invitation_id).first()):
        if there.campaign_id != campaign.pk:
            raise refuse("", gettext("This link leads somewhere else. Load the page again."))
        return there
    refuse_any(_problems(campaign, role, max_uses, days))
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
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser invites."))
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
    """Take a link back: nobody comes in by it any more; who is in stays. Doing it twice changes nothing.

    Refuses an actor who does not organise the campaign.
    """
    campaign = lock_campaign(invitation.campaign)
    check_organizer(actor, campaign, gettext("Only an organiser takes an invitation back."))
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def join(*, actor: User, invitation: Invitation) -> None:
    """Come in by a link. Who is in already changes nothing and uses nothing; who comes back uses it no second time.
    By one that is meant for somebody whose place is kept (`Invitation.stands_for`) they take that place, too.

    Refuses a link that has ended, and one that is older than the removal of this very person, or than the last role
    that they were given: else whoever organised once could do so again by leaving and coming back.
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
    """Come in by the link of this key, as `join`; returns the campaign, or None where no such link is.

    Refuses as `join` does, and a link to a place that is kept for somebody: that it is theirs they say on its page.
    """
    try:
        campaign = lock_campaign(Q(invitations=key))
    except Campaign.DoesNotExist:
        return None
    now = _now(actor, key)
    if now.invitation.stands_for_id:
        raise refuse(
            "",
            gettext(
                "A place is kept for you in {campaign}. Open the link once more to take it.",
                campaign=campaign,
            ),
        )
    if not now.is_member:
        way = now.invitation
        way.campaign = campaign
        _come_in(actor, now, way)
    return campaign


def why_not(user: User | None, invitation: Invitation) -> list[Problem]:
    """Why this user (None: somebody who has not signed in) cannot come in by a link, as it is now; nothing if they
    can.
    """
    return _why_not(_now(user, invitation.pk))


class _Now(NamedTuple):
    """An invitation as it is now, and for somebody: how many others came by it, whether they did, whether they are in,
    and what was done with them since it was made."""

    invitation: Invitation
    others: int
    came_by_it: bool
    is_member: bool
    since: Collection[str]


def _come_in(actor: User, now: _Now, way: Invitation) -> None:
    """Let `actor` in once the campaign is locked; where a place is taken, the campaigns of both."""
    refuse_any(_why_not(now))
    if not now.came_by_it:
        Admission.objects.create(invitation=way, user=actor, at=timezone.now())
    if place := way.stands_for:
        people.take_place(followed=way, of=place, user=actor, invited_by=way.created_by_id)
    else:
        people.let_in(
            actor=actor, campaign=way.campaign, user=actor, role=way.role, invited_by=way.created_by_id
        )


def _now(user: User | None, invitation: UUID) -> _Now:
    who = user.pk if user else 0
    own = Q(admissions__user=who)
    counts = {"own": Count("admissions", filter=own), "others": Count("admissions", filter=~own)}
    [way] = Invitation.objects.filter(pk=invitation).select_related("stands_for").annotate(**counts)
    done = Event.objects.filter(
        campaign=way.campaign_id, at__gt=way.created_at, kind__in=SINCE, facts__user=who
    )
    is_member = Membership.objects.filter(campaign=way.campaign_id, user=who).exists()
    since = set(done.values_list("kind", flat=True))
    others, own_uses = way.others, way.own  # type: ignore[attr-defined]
    return _Now(way, others, bool(own_uses), is_member, since)


def _why_not(now: _Now) -> list[Problem]:
    if end := now.invitation.end(now=timezone.now(), uses=now.others):
        return [Problem("", gettext(WORDS[end]))]
    return [Problem("", gettext(words)) for kind, words in SINCE.items() if kind in now.since][:1]


def _problems(campaign: Campaign, role: str, max_uses: int | None, days: int) -> list[Problem]:
    found = []
    if role not in Membership.Role.values:
        found.append(Problem("", gettext("Organiser, player or reader?"), "role"))
    if role == Membership.Role.ORGANISER and max_uses != 1:
        found.append(Problem("", gettext("An invitation to organise is for one person."), "max_uses"))
    if max_uses is not None and max_uses < 1:
        found.append(Problem("", gettext("For how many people?"), "max_uses"))
    if not 1 <= days <= LONGEST:
        found.append(
            Problem("", gettext("An invitation is good for 1 to {longest} days.", longest=LONGEST), "days")
        )
    if _open(campaign) >= MOST_OPEN:
        found.append(
            Problem(
                "",
                gettext("There are {most_open} open invitations. Take one back first.", most_open=MOST_OPEN),
            )
        )
    return found


def _open(campaign: Campaign) -> int:
    """How many links lead into a campaign now."""
    good = campaign.invitations.filter(revoked_at=None, expires_at__gt=timezone.now())
    return good.annotate(uses=Count("admissions")).exclude(max_uses__lte=F("uses")).count()
