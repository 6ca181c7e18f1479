"""Which campaigns and battles a user may see, and which sides they may act for. Anything else is a 404.

`members.roles` decides what a role may do. Access functions return the object with the `CampaignRole` of the user,
read by the same query. Functions whose name states the role (`organized_campaign_for`, …) return only the object.
Functions that lead to an act refuse a campaign that is closed or archived (`Campaign.refusal`) with its sentence, and
nobody sees a deleted one. Services check again under their lock. Organizers may act for every side (for an opponent's
side only once they confirm it); `docs/permissions.md` lists the rights for each address.
"""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from accounts.models import User, has_right
from campaign.models import Activity, ActivityKind, Campaign, Enlistment, Membership
from core.db.prepared import Prepared
from members.models import Role
from members.roles import ORGANIZE, MemberRole, has_handed_over
from registers.models import Register
from rules.core.violations import refuse


class CampaignRole(MemberRole):
    """The role of a user in a campaign."""

    campaign: Campaign

    def may_organize(self, until: str = Campaign.State.OPEN) -> bool:
        """Return whether they organize the campaign, and it is in a state `until` which an act is possible."""
        return self.is_organizer and not self.campaign.refusal(until)

    def may_play(self, until: str = Campaign.State.OPEN) -> bool:
        """Return whether they play in the campaign, and it is in a state `until` which an act is possible."""
        return self.is_player and not self.campaign.refusal(until)


def campaign_role(user: User, campaign: Campaign) -> CampaignRole:
    """Return the user's current role in the campaign, in one query."""
    role = Membership.objects.filter(user=user, campaign=campaign).values_list("role", flat=True).first()
    return CampaignRole(user, role, campaign)


def role_in(user: User | int, campaign: str) -> Subquery:
    """Return a subquery for the user's role in a campaign that is not deleted; `campaign` is the name of the campaign's
    column in the outer query.
    """
    own = Membership.objects.filter(user=user, campaign=OuterRef(campaign), campaign__deleted_at=None)
    return Subquery(own.values("role"))


def players_of(campaign: Campaign) -> QuerySet[Membership]:
    """Return the members of a campaign who play: everyone except viewers."""
    return campaign.memberships.exclude(role=Role.VIEWER)


def organizers() -> QuerySet[Membership]:
    """Return the memberships of organizers who can sign in."""
    return Membership.objects.filter(role=Role.ORGANIZER, user__is_active=True)


def visible_to(user: User, campaign: str = "") -> Q:
    """Return the condition that the user may see a campaign; `campaign` is the lookup that leads to it from the model
    that is filtered ("battle__campaign"), empty for campaigns themselves.
    """
    prefix = f"{campaign}__" if campaign else ""
    here = Q(**{f"{prefix}deleted_at": None})
    return here if has_right(user, ORGANIZE) else here & Q(**{f"{prefix}memberships__user": user})


def campaign_for(
    user: User, pk: UUID, *, solo: bool = False, also: Callable[[], Mapping[str, Any]] = dict
) -> tuple[Campaign, CampaignRole]:
    """Return the campaign and the user's role in it, in one query. `also` gives annotations that the caller reads in
    the same query. Raises Http404 if the user may not see it, and for a Register's solo battles unless `solo`.
    """
    campaign = next(iter(_campaigns(user.pk, pk, solo, also)), None)
    if campaign is None or not (role := CampaignRole(user, campaign.role, campaign)).is_member:
        raise Http404("No such campaign")
    return campaign, role


@Prepared
def _campaigns(user: int, pk: UUID, solo: bool, also: Callable[[], Mapping[str, Any]]) -> QuerySet[Any]:
    rows = Campaign.everything.filter(deleted_at=None) if solo else Campaign.objects.all()
    return rows.annotate(role=role_in(user, "pk"), **also()).filter(pk=pk)


def found_for(user: User, rows: QuerySet[Any], *, until: str = Campaign.State.ARCHIVED) -> tuple[Any, CampaignRole]:
    """Return the first of these rows with the user's role in its `campaign`, in one query. Raises Http404 if there is
    none, or the user may not see its campaign. Refuses a campaign past the state `until`.
    """
    found = rows.filter(campaign__deleted_at=None).annotate(role=role_in(user, "campaign")).first()
    if found is None or not (role := CampaignRole(user, found.role, found.campaign)).is_member:
        raise Http404(f"No such {rows.model._meta.verbose_name}")
    check_state(role.campaign, until)
    return found, role


def played_campaign_for(user: User, pk: UUID, *, until: str = Campaign.State.OPEN) -> tuple[Campaign, CampaignRole]:
    """Return the campaign and the user's role, if the user may play in it. Raises Http404 otherwise. Refuses a campaign
    past the state `until`.
    """
    campaign, role = campaign_for(user, pk)
    if not role.is_player:
        raise Http404("Only a viewer of this campaign")
    check_state(campaign, until)
    return campaign, role


def organized_campaign_for(user: User, pk: UUID, *, until: str = Campaign.State.OPEN) -> Campaign:
    """Return the campaign, if the user organizes it. Raises Http404 otherwise. Refuses a campaign past the state
    `until`.
    """
    campaign, role = campaign_for(user, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    check_state(campaign, until)
    return campaign


def check_state(campaign: Campaign, until: str = Campaign.State.OPEN) -> None:
    """Refuse a campaign that was deleted or is past the state `until`, with `Campaign.refusal`."""
    if why := campaign.refusal(until):
        raise refuse("", why)


def leads_register(role: CampaignRole, register: Register) -> bool:
    """Return whether a member plays this Register of the campaign, or organizes the campaign."""
    return role.is_organizer or (role.is_player and register.owner_id == role.user.pk)


def led_enlistment_for(user: User, pk: UUID, register: UUID) -> Enlistment:
    """Return a Register in its campaign (with both), if the user plays it there or organizes the campaign. Raises
    Http404 otherwise, and for a deleted draft. Refuses a campaign that is not open.
    """
    campaign, role = campaign_for(user, pk)
    serving = campaign.enlistments.filter(register__discarded=False).select_related("register__owner")
    enlistment = serving.filter(register=register).first()
    if enlistment is None or not leads_register(role, enlistment.register):
        raise Http404("No such Register of this player")
    check_state(campaign)
    enlistment.campaign = campaign
    return enlistment


def left_campaign_for(user: User, pk: UUID) -> Campaign:
    """Return the campaign, if the user is in it or has left it: the form for leaving may be posted twice. Raises
    Http404 otherwise.
    """
    left = Activity.objects.filter(kind=ActivityKind.LEFT, actor=user).values("campaign")
    mine = Q(memberships__user=user) | Q(pk__in=left)
    if (campaign := Campaign.objects.filter(mine, pk=pk).first()) is None:
        raise Http404("Not in this campaign")
    return campaign


def handed_campaign_for(user: User, pk: UUID, to: int) -> Campaign:
    """Return the campaign, if the user organizes it or has handed it over to `to` (a primary key): the form may be
    posted twice. Raises Http404 otherwise.
    """
    campaign, role = campaign_for(user, pk)
    if not role.is_organizer and not has_handed_over(user, campaign, to):
        raise Http404("Not an organizer of this campaign")
    check_state(campaign, Campaign.State.CLOSED)
    return campaign


def members_see(user: User | int) -> Q:
    """Return the condition for Registers that the user sees as a member: all Registers of their campaigns."""
    if _organizes_all(user):
        return _IN_CAMPAIGNS
    return Q(enlistment__campaign__memberships__user=user, enlistment__campaign__deleted_at=None)


def organizers_edit(user: User | int) -> Q:
    """Return the condition for Registers that the user may change as an organizer of their campaign."""
    if _organizes_all(user):
        return _IN_CAMPAIGNS
    organizes = Q(enlistment__campaign__memberships__user=user, enlistment__campaign__memberships__role=Role.ORGANIZER)
    return organizes & Q(enlistment__campaign__deleted_at=None)


_IN_CAMPAIGNS = Q(enlistment__isnull=False, enlistment__campaign__deleted_at=None)


def _organizes_all(user: User | int) -> bool:
    return isinstance(user, User) and has_right(user, ORGANIZE)
