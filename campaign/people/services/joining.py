"""Join a campaign, add players without an account (placeholder accounts, as an imported campaign has them), take the
place of one, and leave all campaigns. `members.services` has what all groups share.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Count
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import name_key, validate_one_script
from accounts.services.closing import DeletionRefused, merge_accounts
from accounts.services.placeholders import LONGEST_NAME, create_placeholders
from campaign.battles.queries.battles import battles_under_way
from campaign.chronicle.services.stories import close_all
from campaign.models import ActivityKind, Campaign, Invitation, Membership
from campaign.people.services.merging import lock_campaigns
from campaign.services.activity import log_activities
from campaign.services.locks import lock_organized
from core.plain_text import printable_line
from members.models import MembershipChange, Role
from members.services import invitations
from members.services.invitations import LONGEST, come_in, invitation_use
from members.services.membership import admit
from rules.core.violations import Violation, raise_if_any, refuse

#: Most players without an account that are added at once.
MOST_ADDED = 100


@transaction.atomic
def join(*, actor: User, invitation: Invitation) -> None:
    """Join a campaign as `members.services.invitations.join` does, and take the invitation's place, if it has one."""
    if (place := invitation.placeholder) is None:
        invitations.join(actor=actor, invitation=invitation)
        return
    lock_campaigns(place, actor, invitation.campaign)
    use = invitation_use(actor, invitation)
    come_in(actor, use)
    take_place(followed=invitation, of=place, user=actor, invited_by=invitation.created_by_id)


@transaction.atomic
def join_after_login(*, actor: User, invitation: Invitation) -> None:
    """Join by an invitation that was followed before the sign-in. Refuses what `join` refuses, and an invitation for a
    placeholder account: its page asks whether the place is theirs.
    """
    if invitation.placeholder_id:
        text = gettext("A place is reserved for you in %(campaign)s. Open the link again to take it.")
        raise refuse("", text % {"campaign": invitation.campaign})
    join(actor=actor, invitation=invitation)


def placeholder_violations(campaign: Campaign, names: Sequence[str]) -> list[list[Violation]]:
    """Return why each of these names cannot be that of a player without an account: empty, overlong, of letters of
    several alphabets, or that of a member with an account. One query.
    """
    members = _members_by_name(campaign)
    return [list(_name_violations(printable_line(name), members)) for name in names]


def _members_by_name(campaign: Campaign) -> dict[str, User]:
    return {name_key(each.user.carried_name): each.user for each in campaign.memberships.select_related("user")}


def _name_violations(name: str, members: Mapping[str, User]) -> Iterator[Violation]:
    namesake = members.get(name_key(name))
    if not name:
        yield Violation("", gettext("Enter the name of the player."), "name")
    if len(name) > LONGEST_NAME:
        text = gettext("This name is too long. Use up to %(longest)s characters.") % {"longest": LONGEST_NAME}
        yield Violation("", text, "name")
    if namesake and not namesake.is_placeholder:
        text = gettext("%(name)s is in this campaign already. Choose another name, such as a nickname.")
        yield Violation("", text % {"name": namesake}, "name")
    try:
        validate_one_script(name)
    except ValidationError as error:
        yield Violation("", " ".join(error.messages), "name")


def add_placeholder(*, actor: User, campaign: Campaign, name: str) -> User:
    """Add one player without an account as `add_placeholders` does, and return their placeholder account."""
    return add_placeholders(actor=actor, campaign=campaign, names=[name])[0]


@transaction.atomic
def add_placeholders(*, actor: User, campaign: Campaign, names: Sequence[str]) -> list[User]:
    """Add players without an account by their names, all or none, and return their placeholder accounts. Organizers
    create and play Registers for them until somebody takes the place by an invitation (`invite_to_place`). A name that
    a player without an account has already is that player. Refuses an actor who does not organize, more than MOST_ADDED
    names, and what `placeholder_violations` says.
    """
    campaign = lock_organized(
        actor, campaign, gettext("Only an organizer can add players."), "name", until=Campaign.State.CLOSED
    )
    if len(names) > MOST_ADDED:
        raise refuse("", gettext("Add up to %(most)s players at once.") % {"most": MOST_ADDED}, "name")
    raise_if_any(chain.from_iterable(placeholder_violations(campaign, names)))
    wanted = {name_key(name): name for name in map(printable_line, names)}
    members = _members_by_name(campaign)
    new = create_placeholders(name for key, name in wanted.items() if key not in members)
    campaign.memberships.bulk_create(Membership(campaign=campaign, user=each, role=Role.PLAYER) for each in new)
    facts = ({"user": each.pk, "role": Role.PLAYER, "placeholder": True} for each in new)
    log_activities(actor=actor, kind=ActivityKind.JOINED, lines=((campaign, each) for each in facts))
    members |= {name_key(each.carried_name): each for each in new}
    return [members[key] for key in wanted]


@transaction.atomic
def readmit_placeholder(*, actor: User, campaign: Campaign, user: User) -> None:
    """Add a player without an account who was removed from the campaign again, as a player. Adding a member again
    changes nothing. Refuses an actor who does not organize, an account that somebody signs in with (they come back by
    an invitation), and one that was never in this campaign.
    """
    campaign = lock_organized(
        actor, campaign, gettext("Only an organizer can add players."), until=Campaign.State.CLOSED
    )
    if campaign.memberships.filter(user=user).exists():
        return
    was_here = campaign.activity.filter(kind=MembershipChange.REMOVED, facts__user=user.pk)
    if not user.is_placeholder or not was_here.exists():
        raise refuse("", gettext("Invite %(user)s by a link instead.") % {"user": user})
    admit(actor=actor, group=campaign, user=user, role=Role.PLAYER, placeholder=True)


@transaction.atomic
def invite_to_place(*, actor: User, campaign: Campaign, of: User) -> Invitation:
    """Return an invitation for one person to take the place of `of`: the open one, or a new one for LONGEST days.
    Refuses an actor who does not organize, and an account that is no placeholder or in no campaign.
    """
    campaign = lock_organized(
        actor, campaign, gettext("Only an organizer can create invitations."), until=Campaign.State.CLOSED
    )
    place = campaign.memberships.filter(user=of).first()
    if place is None or not of.is_placeholder:
        raise refuse("", gettext("This place is already taken."))
    now = timezone.now()
    for invitation in campaign.invitations.filter(placeholder=of).annotate(uses=Count("admissions")):
        if not invitation.end(now=now, uses=invitation.uses):
            return invitation
    created = invitation_to_place(place, actor=actor)
    created.save(force_insert=True)
    return created


def invitation_to_place(place: Membership, *, actor: User) -> Invitation:
    """Return an unsaved invitation for the one person whose place a placeholder account holds."""
    now = timezone.now()
    return Invitation(
        campaign_id=place.campaign_id,
        role=place.role,
        max_uses=1,
        placeholder=place.user,
        created_by=actor,
        created_at=now,
        expires_at=now + timedelta(days=LONGEST),
    )


def take_place(*, followed: Invitation, of: User, user: User, **facts: Any) -> None:
    """Merge the placeholder account `of` into `user`, who followed the invitation `followed` to its place.

    The campaigns of both are locked, and the use of the invitation is recorded already. The activity log keeps the
    `facts`. The role of the invitation is used if the place has none. Taking the place again changes nothing. Refuses
    an account that is no placeholder, and a user who plays against it in a battle that is not over: they would see the
    Command Hand of their opponent (R24), and play against themselves.
    """
    of = User.objects.get(pk=of.pk)
    members = followed.campaign.memberships.filter(user__in=(of, user))
    roles = {each.user_id: each.role for each in members}
    if not roles:
        admit(actor=user, group=followed.campaign, user=user, role=followed.role, **facts)
    elif user.pk not in roles:
        followed.campaign.record_membership(MembershipChange.JOINED, actor=user, user=user, role=roles[of.pk], **facts)
    if of.merged_into_id == user.pk:
        return
    if not of.is_placeholder:
        raise refuse("", gettext("This place is already taken."))
    if battles_under_way(of).filter(sides__register__owner=user).exists():
        raise refuse("R24", gettext("You are playing a battle against this player. Finish the battle first."))
    merge_accounts(actor=user, gone=of, into=user)


def leave_all(user: User) -> None:
    """Leave every campaign, because the account is being deleted; shared data stays. The public chronicle of a campaign
    without members is closed. Raises DeletionRefused if other people are in a campaign that only this person organizes.
    """
    theirs = Campaign.everything.filter(pk__in=user.campaign_memberships.values("campaign"))
    campaigns = list(theirs.order_by("pk").select_for_update(no_key=True))
    everybody = Membership.objects.filter(campaign__in=campaigns).select_related("campaign__public_link", "user")
    own = [each for each in everybody if each.user_id == user.pk]
    others = [each for each in everybody if each.user_id != user.pk]
    left = _roles_by_campaign(each for each in others if each.user.is_active)
    orphaned = [
        each.name
        for each in campaigns
        if not each.deleted_at and Role.ORGANIZER not in left.get(each.pk, {Role.ORGANIZER})
    ]
    if orphaned:
        names = ", ".join(orphaned)
        raise DeletionRefused(
            gettext("You are the only organizer of %(names)s. Hand it over first.") % {"names": names}
        )
    Membership.objects.filter(pk__in=[each.pk for each in own]).delete()
    lines = ((each.campaign, {"user": user.pk, "role": each.role}) for each in own)
    log_activities(actor=user, kind=ActivityKind.LEFT, lines=lines)
    roles = _roles_by_campaign(others)
    abandoned = [each.campaign for each in own if Role.ORGANIZER not in roles.get(each.campaign_id, ())]
    links = [each.public_link for each in abandoned if hasattr(each, "public_link")]
    close_all(actor=user, links=links)


def _roles_by_campaign(memberships: Iterable[Membership]) -> Mapping[UUID, set[str]]:
    found = defaultdict[UUID, set[str]](set)
    for each in memberships:
        found[each.campaign_id].add(each.role)
    return found
