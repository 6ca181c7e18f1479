"""Who may see a campaign and its battles, and who may act in them. What a person may not see is a 404.

Access functions return the object with the `CampaignRole` of the user, read by the same query; those whose name states
the role (`organised_campaign_for`, …) return the object alone. Services ask again under their lock. Organizers may act
for every side (an opponent's only after they have said so); `docs/permissions.md` has the rights for each address.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import Http404

from accounts.models import User
from ops.monitoring.request_log import bind_log_context
from uploads.models import Picture

from .models import Battle, Campaign, Event, Kind, Membership, OwnArc, Revision, Side, Writing


@dataclass(frozen=True, slots=True)
class CampaignRole:
    """What a user is in a campaign. `role` is that of their membership, None for somebody who is no member."""

    user: User
    campaign_id: UUID
    role: str | None

    @property
    def is_organizer(self) -> bool:
        """Whether they organize the campaign; the staff do everywhere."""
        return self.user.is_staff or self.role == Membership.Role.ORGANISER

    @property
    def is_player(self) -> bool:
        """Whether they may bring Registers and fight battles: players and organizers may, viewers may not."""
        return self.is_organizer or self.role == Membership.Role.PLAYER

    @property
    def is_member(self) -> bool:
        """Whether they may see the campaign."""
        return self.user.is_staff or bool(self.role)


def campaign_role(user: User, campaign: Campaign) -> CampaignRole:
    """The role of this user in the campaign as it is now: one query."""
    role = Membership.objects.filter(user=user, campaign=campaign).values_list("role", flat=True).first()
    return CampaignRole(user, campaign.pk, role)


def is_organiser(user: User, campaign: Campaign) -> bool:
    """Whether this user organizes the campaign now: one query at most."""
    return user.is_staff or campaign_role(user, campaign).is_organizer


def is_player(user: User, campaign: Campaign) -> bool:
    """Whether this user may bring Registers and fight in the campaign now: one query at most."""
    return user.is_staff or campaign_role(user, campaign).is_player


def role_in(user: User, campaign: str) -> Subquery:
    """The role of a user as a column of a query; `campaign` is the name of the campaign in that query."""
    return Subquery(Membership.objects.filter(user=user, campaign=OuterRef(campaign)).values("role"))


def players_of(campaign: Campaign) -> QuerySet[Membership]:
    """The members of a campaign who play: all but its viewers."""
    return campaign.memberships.exclude(role=Membership.Role.READER)


def organising() -> QuerySet[Membership]:
    """The memberships of organizers who can sign in. The staff, who may do everything everywhere, are not included."""
    return Membership.objects.filter(role=Membership.Role.ORGANISER, user__is_active=True)


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """All campaigns that a user may see."""
    everywhere = Campaign.objects.all()
    return everywhere if user.is_staff else everywhere.filter(memberships__user=user)


def campaign_for(user: User, pk: UUID) -> tuple[Campaign, CampaignRole]:
    """The campaign and this user's role in it: one query. Raises Http404 for those who may not see it."""
    campaign = Campaign.objects.annotate(role=role_in(user, "pk")).filter(pk=pk).first()
    role = CampaignRole(user, pk, campaign.role if campaign else None)
    if campaign is None or not role.is_member:
        raise Http404("No such campaign")
    return campaign, role


def played_campaign_for(user: User, pk: UUID) -> tuple[Campaign, CampaignRole]:
    """The campaign, if this user may bring Registers and fight in it, and their role. Raises Http404 otherwise."""
    campaign, role = campaign_for(user, pk)
    if not role.is_player:
        raise Http404("Only a viewer of this campaign")
    return campaign, role


def organised_campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user organizes it. Raises Http404 otherwise."""
    campaign, role = campaign_for(user, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    return campaign


def left_campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user is in it or has left it: the form for leaving may arrive twice. Raises Http404
    otherwise.
    """
    left = Event.objects.filter(kind=Kind.LEFT, actor=user).values("campaign")
    mine = Q(memberships__user=user) | Q(pk__in=left)
    campaign = Campaign.objects.filter(mine, pk=pk).first()
    if campaign is None:
        raise Http404("Not in this campaign")
    return campaign


def handed_campaign_for(user: User, pk: UUID, to: int) -> Campaign:
    """The campaign, if this user organizes it or has handed it over to `to` (a key): the form may arrive twice. Raises
    Http404 otherwise.
    """
    campaign, role = campaign_for(user, pk)
    if not role.is_organizer and not has_handed_over(user, campaign, to):
        raise Http404("Not an organizer of this campaign")
    return campaign


def has_handed_over(user: User, campaign: Campaign, to: int) -> bool:
    """Whether this user stepped down as an organizer and is a player, and `to` (a key) organizes the campaign."""
    roles = dict(campaign.memberships.filter(user__in=(user.pk, to)).values_list("user", "role"))
    if roles != {user.pk: Membership.Role.PLAYER, to: Membership.Role.ORGANISER}:
        return False
    own = campaign.events.filter(kind=Kind.ROLE, actor=user, facts__user=user.pk)
    return own.filter(facts__before=Membership.Role.ORGANISER).exists()


def own_arc_for(user: User, pk: UUID, arc: UUID) -> OwnArc:
    """A Story Arc that is written in a campaign which this user organizes. Raises Http404 otherwise."""
    found = OwnArc.objects.select_related("campaign").filter(pk=arc, campaign=pk)
    own = found.annotate(role=role_in(user, "campaign")).first()
    if own is None or not CampaignRole(user, pk, own.role).is_organizer:
        raise Http404("No such Story Arc")
    return own


def writing_for(user: User, pk: UUID) -> Writing:
    """A story that this user may change: its author, while they play, and the organizers. Raises Http404 otherwise.
    Nobody gets one that was withdrawn.
    """
    pieces = Writing.objects.select_related("campaign", "battle", "author").filter(pk=pk, withdrawn_at=None)
    piece = pieces.annotate(role=role_in(user, "campaign")).first()
    if piece is None or not may_change_writing(CampaignRole(user, piece.campaign_id, piece.role), piece):
        raise Http404("No such piece")
    return piece


def may_change_writing(role: CampaignRole, piece: Writing) -> bool:
    """Whether this user may change and withdraw a story: its author while they play, and the organizers."""
    return role.is_organizer or (role.is_player and piece.author_id == role.user.pk)


def may_remove_picture(role: CampaignRole, picture: Picture) -> bool:
    """Whether this user may remove a picture of a battle: who uploaded it, while they play, and the organizers."""
    return role.is_organizer or (role.is_player and picture.sent_by_id == role.user.pk)


def pictures_of(campaign: Campaign) -> QuerySet[Picture]:
    """The pictures that the members of a campaign see: its own and those of its battles."""
    return Picture.objects.filter(Q(campaign=campaign) | Q(of_battle__battle__campaign=campaign))


def public_pictures_of(campaign: Campaign) -> QuerySet[Picture]:
    """The pictures that anyone with the link of the chronicle sees: of its battles only those that are closed."""
    told = Q(of_battle__battle__campaign=campaign, of_battle__battle__status=Battle.Status.CLOSED)
    return Picture.objects.filter(Q(campaign=campaign) | told)


#: Both sides, blue first, with their Registers and players.
SIDES = Prefetch("sides", Side.objects.select_related("register__owner").order_by("colour"))


def battle_for(user: User, pk: UUID) -> tuple[Battle, CampaignRole]:
    """The battle with its campaign and both sides, and this user's role: two queries. Raises Http404 for those who may
    not see it.
    """
    return _battle(user, pk=pk)


def _battle(user: User, **which: object) -> tuple[Battle, CampaignRole]:
    found = Battle.objects.filter(**which).select_related("campaign", "reported_by").prefetch_related(SIDES)
    battle = found.annotate(role=role_in(user, "campaign")).first()
    if battle is None or not (role := CampaignRole(user, battle.campaign_id, battle.role)).is_member:
        raise Http404("No such battle")
    bind_log_context(battle_id=battle.pk, campaign_id=battle.campaign_id)
    return battle, role


def fought_battle_for(user: User, pk: UUID) -> tuple[Battle, CampaignRole]:
    """The battle, if this user plays a side of it or organizes the campaign, and their role. Raises Http404
    otherwise.
    """
    battle, role = battle_for(user, pk)
    if not role.is_organizer and not plays(role, battle):
        raise Http404("Not a battle of this player")
    return battle, role


def organised_battle_for(user: User, pk: UUID) -> Battle:
    """The battle, if this user organizes its campaign. Raises Http404 otherwise."""
    battle, role = battle_for(user, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    return battle


def revision_for(user: User, pk: UUID) -> Revision:
    """The revision with its battle, if this user organizes the campaign: one query. Raises Http404 otherwise."""
    found = Revision.objects.filter(pk=pk).select_related("battle__campaign")
    revision = found.annotate(role=role_in(user, "battle__campaign")).first()
    if revision is None or not CampaignRole(user, revision.battle.campaign_id, revision.role).is_organizer:
        raise Http404("No such revision")
    bind_log_context(battle_id=revision.battle_id, campaign_id=revision.battle.campaign_id)
    return revision


def side_for(user: User, pk: int) -> tuple[Side, CampaignRole]:
    """The side of a Register with its battle, if this user plays it or organizes the campaign, and their role. Raises
    Http404 otherwise.
    """
    side, role = _side(user, pk)
    if not may_act(role, side):
        raise Http404("No such side")
    return side, role


def own_side_for(user: User, pk: int) -> Side:
    """The side of this user's own Register, while they play in the campaign. Raises Http404 otherwise."""
    side, role = _side(user, pk)
    if not plays_side(role, side):
        raise Http404("Not a side of this player")
    return side


def opposed_side_for(user: User, pk: int) -> Side:
    """The side of an opponent of this user for whom they may act as an organizer. Raises Http404 otherwise."""
    side, role = _side(user, pk)
    if not opposes(user, side) or not role.is_organizer:
        raise Http404("No side to act for")
    return side


def shown_side_for(user: User, pk: int) -> Side:
    """The side of a Register, if this user may see its army. Raises Http404 otherwise. Opponents and viewers see an
    army once the battle begins, and never if the battle was canceled before that.
    """
    side, role = _side(user, pk)
    hidden = side.battle.armies_hidden and not may_act(role, side)
    if hidden or not side.mustered:
        raise Http404("No army to see")
    return side


def _side(user: User, pk: int) -> tuple[Side, CampaignRole]:
    battle, role = _battle(user, sides=pk)
    side = next(side for side in battle.sides.all() if side.pk == pk)
    if side.register is None:
        raise Http404("No such side")
    return side, role


def plays_side(role: CampaignRole, side: Side) -> bool:
    """Whether the side is this user's own, and they still play in the campaign."""
    return role.is_player and side.register is not None and side.register.owner_id == role.user.pk


def may_act(role: CampaignRole, side: Side) -> bool:
    """Whether this user may act for a side. An organizer who plays against it has to say so first. That rules out a
    slip, and the activity log records it.
    """
    if side.register is None:
        return False
    if role.is_organizer:
        return not opposes(role.user, side) or side.stand_in_id == role.user.pk
    return plays_side(role, side)


def may_stand_in(role: CampaignRole, side: Side) -> bool:
    """Whether this user is an organizer who plays against a side and has not said yet that they act for it."""
    return role.is_organizer and opposes(role.user, side) and side.stand_in_id != role.user.pk


def opposes(user: User, side: Side) -> bool:
    """Whether the side has a Register of somebody else, and this user plays the other side of its battle."""
    register = side.register
    return register is not None and register.owner_id != user.pk and user.pk in fighters_of(side.battle)


def plays(role: CampaignRole, battle: Battle) -> bool:
    """Whether this user fights in the battle: a Register of theirs does, and they still play in the campaign."""
    return role.is_player and role.user.pk in fighters_of(battle)


def may_see_hand(user: User, side: Side) -> bool:
    """Whether this user may see the cards of a side's Command Hand (R24). Its player always may; everybody who sees the
    battle may once it is closed. Until then nobody else may, not even organizers and staff, because any of them may be
    the opponent tomorrow.
    """
    if side.battle.status == Battle.Status.CLOSED:
        return True
    return side.register is not None and side.register.owner_id == user.pk


def may_enter_hand(role: CampaignRole, side: Side) -> bool:
    """Whether this user may record a side's Command Hand: anyone who acts for it, but never its opponent (R24)."""
    return may_see_hand(role.user, side) or (may_act(role, side) and not opposes(role.user, side))


def fighters_of(battle: Battle) -> set[int | None]:
    """The keys of the owners of the Registers that fight; a guest has none."""
    return {side.register.owner_id for side in battle.sides.all() if side.register}


def members_see(user: User | int) -> Q:
    """Members see all Registers of their campaign."""
    return Q(enlistment__campaign__memberships__user=user)


def organisers_edit(user: User | int) -> Q:
    """Organizers may change the Registers of their campaign."""
    return Q(
        enlistment__campaign__memberships__user=user,
        enlistment__campaign__memberships__role=Membership.Role.ORGANISER,
    )
