"""Who may see a campaign and its battles, and who may act in them. What a person may not see is a 404.

Members see everything of their campaign but an army that is still being mustered. Readers see as much and change
nothing. A side is its player's, for as long as they play in the campaign; an organiser may act for every side (if they
play against it, once they have said so), and the staff are organisers everywhere. `docs/permissions.md` says what
follows from this for each address.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404

from accounts.models import User
from config.together import Together, columns, made
from config.watching.requests import concerning
from uploads.models import Picture

from .models import Battle, Campaign, Event, Kind, Membership, OwnArc, Revision, Side, Writing


def campaigns_of(user: User) -> QuerySet[Campaign]:
    """All campaigns that a user may see."""
    return campaigns_seen(user.pk, staff=user.is_staff)


def campaigns_seen(user: int | None, *, staff: bool) -> QuerySet[Campaign]:
    """The same by the user's key, for `config.together`."""
    everywhere = Campaign.objects.all()
    return everywhere if staff else everywhere.filter(memberships__user=user)


def campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user is in it, with the `role` they have in it. Raises Http404 otherwise."""
    [found] = _ONE.ask(user=user.pk, campaign=pk)
    if not found or not (user.is_staff or found[0]["role"]):
        raise Http404("No such campaign")
    campaign = made(Campaign, found[0])
    campaign.role = found[0]["role"]
    return campaign


def _one(user: int, campaign: UUID) -> QuerySet[Campaign, Any]:
    role = Membership.objects.filter(campaign=OuterRef("pk"), user=user).values("role")
    return (
        Campaign.objects.filter(pk=campaign).annotate(role=Subquery(role)).values(*columns(Campaign), "role")
    )


_ONE = Together({"user": int, "campaign": UUID}, _one)


def organises(user: User, campaign: Campaign) -> bool:
    """Whether this user organised the campaign when `campaign_for` or `battle_for` found it. For pages: services ask
    anew (`is_organiser`)."""
    return user.is_staff or campaign.role == Membership.Role.ORGANISER


def plays_in(user: User, campaign: Campaign) -> bool:
    """Whether they could bring Registers and fight then: as `organises` to `is_organiser`, so this to `is_player`."""
    return user.is_staff or campaign.role in (Membership.Role.PLAYER, Membership.Role.ORGANISER)


def left_campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user is in it, or was and has left: a form may come twice. Raises Http404 otherwise."""
    left = Event.objects.filter(kind=Kind.LEFT, actor=user).values("campaign")
    mine = Q(memberships__user=user) | Q(pk__in=left)
    campaign = Campaign.objects.filter(mine, pk=pk).first()
    if campaign is None:
        raise Http404("Not in this campaign")
    campaign.role = campaign.memberships.filter(user=user).values_list("role", flat=True).first()
    return campaign


def played_campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user may bring Registers and fight in it. Raises Http404 otherwise."""
    campaign = campaign_for(user, pk)
    if not plays_in(user, campaign):
        raise Http404("Only a reader of this campaign")
    return campaign


def organised_campaign_for(user: User, pk: UUID) -> Campaign:
    """The campaign, if this user organises it. Raises Http404 otherwise."""
    campaign = campaign_for(user, pk)
    if not organises(user, campaign):
        raise Http404("Not an organiser of this campaign")
    return campaign


def handed_campaign_for(user: User, pk: UUID, to: int) -> Campaign:
    """The campaign, if this user organises it, or has handed it over to `to`: a form may come twice.

    Raises Http404 otherwise.
    """
    campaign = campaign_for(user, pk)
    if not organises(user, campaign) and not has_handed_over(user, campaign, to):
        raise Http404("Not an organiser of this campaign")
    return campaign


def own_arc_for(user: User, pk: UUID, arc: UUID) -> OwnArc:
    """A Story Arc that is written in a campaign which this user organises. Raises Http404 otherwise."""
    found = OwnArc.objects.select_related("campaign").filter(pk=arc, campaign=pk)
    own = found.annotate(role=role_in(user, "campaign")).first()
    if own is None or not (user.is_staff or own.role == Membership.Role.ORGANISER):
        raise Http404("No such Story Arc")
    own.campaign.role = own.role
    return own


def has_handed_over(user: User, campaign: Campaign, to: int) -> bool:
    """Whether this user stepped down as an organiser and is a player, and `to` (a key) organises the campaign."""
    roles = dict(campaign.memberships.filter(user__in=(user.pk, to)).values_list("user", "role"))
    if roles != {user.pk: Membership.Role.PLAYER, to: Membership.Role.ORGANISER}:
        return False
    own = campaign.events.filter(kind=Kind.ROLE, actor=user, facts__user=user.pk)
    return own.filter(facts__before=Membership.Role.ORGANISER).exists()


def writing_for(user: User, pk: UUID) -> Writing:
    """A piece that this user may change: its author, while they play, and the organisers. Raises Http404 otherwise.

    One that was withdrawn is there for nobody.
    """
    pieces = Writing.objects.select_related("campaign", "battle", "author").filter(pk=pk, withdrawn_at=None)
    piece = pieces.annotate(role=role_in(user, "campaign")).first()
    if piece is not None:
        know_role(user, piece.campaign, piece.role)
    if piece is None or not may_change_writing(user, piece):
        raise Http404("No such piece")
    return piece


def may_change_writing(user: User, piece: Writing) -> bool:
    """Whether this user may change and withdraw a piece: its author while they play, and the organisers."""
    if is_organiser(user, piece.campaign):
        return True
    return piece.author_id == user.pk and is_player(user, piece.campaign)


def may_remove_picture(user: User, campaign: Campaign, picture: Picture) -> bool:
    """Whether this user may remove a picture of a battle: who sent it while they play, and the organisers."""
    if is_organiser(user, campaign):
        return True
    return picture.sent_by_id == user.pk and is_player(user, campaign)


def pictures_of(campaign: Campaign | UUID) -> QuerySet[Picture]:
    """The pictures that the members of a campaign see: its own and those of its battles."""
    return Picture.objects.filter(Q(campaign=campaign) | Q(of_battle__battle__campaign=campaign))


def public_pictures_of(campaign: Campaign | UUID) -> QuerySet[Picture]:
    """Those that whoever has the link of the chronicle sees: of its battles only the ones that are told."""
    told = Q(of_battle__battle__campaign=campaign, of_battle__battle__status=Battle.Status.CLOSED)
    return Picture.objects.filter(Q(campaign=campaign) | told)


def is_organiser(user: User, campaign: Campaign) -> bool:
    """Whether this user organises the campaign."""
    return user.is_staff or _is_one(user, campaign, Membership.Role.ORGANISER)


def is_player(user: User, campaign: Campaign) -> bool:
    """Whether this user may bring Registers and fight in the campaign: players and organisers may, readers not."""
    return user.is_staff or _is_one(user, campaign, Membership.Role.ORGANISER, Membership.Role.PLAYER)


def _is_one(user: User, campaign: Campaign, *roles: str) -> bool:
    if campaign.known_role and campaign.known_role[0] == user.pk:
        return campaign.known_role[1] in roles
    return campaign.memberships.filter(user=user, role__in=roles).exists()


def role_in(user: User, campaign: str) -> Subquery:
    """The role of a user as a column of a query; `campaign` is what the query calls the campaign."""
    return Subquery(Membership.objects.filter(user=user, campaign=OuterRef(campaign)).values("role"))


def know_role(user: User, campaign: Campaign, role: str | None) -> None:
    """Let `is_organiser` and `is_player` answer for this campaign, as it was read, without asking again."""
    campaign.known_role = user.pk, role or ""


def players_of(campaign: Campaign) -> QuerySet[Membership]:
    """Those who play in a campaign: its members without its readers."""
    return campaign.memberships.exclude(role=Membership.Role.READER)


def organising() -> QuerySet[Membership]:
    """Those who organise campaigns and can sign in. The staff, who may everywhere, are not among them."""
    return Membership.objects.filter(role=Membership.Role.ORGANISER, user__is_active=True)


def battles_of(user: User) -> QuerySet[Battle]:
    """All battles that a user may see."""
    return Battle.objects.filter(campaign__in=campaigns_of(user))


def shown_battle_for(user: User, pk: UUID) -> Battle:
    """`battle_for`, and `is_organiser` and `is_player` know what the user is in the campaign. For what is read at one
    moment.

    Not for who asks again under a lock: that would be told what was.
    """
    battle = battle_for(user, pk)
    know_role(user, battle.campaign, battle.campaign.role)
    return battle


def battle_for(user: User, pk: UUID) -> Battle:
    """The battle with both sides and its campaign, with the `role` of this user in that, if they have one: one query.
    Raises Http404 otherwise."""
    return _battle_of(user, Side.objects.filter(battle=pk))


def _battle_of(user: User, sides: QuerySet[Side]) -> Battle:
    """The one battle that has these sides, as `battle_for` gives it."""
    seen = sides.filter(battle__campaign__in=campaigns_of(user)).order_by("colour")
    of_both = seen.select_related("battle__campaign", "battle__reported_by", "register__owner")
    found = of_both.annotate(role=role_in(user, "battle__campaign"))
    if not found:
        raise Http404("No such battle")
    battle = found[0].battle
    battle.carry(found)
    battle.campaign.role = found[0].role
    concerning(battle_id=battle.pk, campaign_id=battle.campaign_id)
    return battle


def fought_battle_for(user: User, pk: UUID) -> Battle:
    """The battle, if this user plays a side of it or organises the campaign. Raises Http404 otherwise."""
    battle = battle_for(user, pk)
    fights = user.pk in fighters_of(battle) and plays_in(user, battle.campaign)
    if not fights and not organises(user, battle.campaign):
        raise Http404("Not a battle of this player")
    return battle


def organised_battle_for(user: User, pk: UUID) -> Battle:
    """The battle, if this user organises its campaign. Raises Http404 otherwise."""
    battle = battle_for(user, pk)
    if not organises(user, battle.campaign):
        raise Http404("Not an organiser of this campaign")
    return battle


def revision_for(user: User, pk: UUID) -> Revision:
    """The revision with its battle, if this user organises the campaign: one query. Raises Http404 otherwise."""
    found = Revision.objects.filter(pk=pk).select_related("battle__campaign")
    revision = found.annotate(role=role_in(user, "battle__campaign")).first()
    if revision is None:
        raise Http404("No such revision")
    revision.battle.campaign.role = revision.role
    check_revises(user, revision)
    return revision


def check_revises(user: User, revision: Revision) -> None:
    """Raise Http404 for who did not organise the campaign when the revision was read."""
    if not organises(user, revision.battle.campaign):
        raise Http404("No such revision")
    concerning(battle_id=revision.battle_id, campaign_id=revision.battle.campaign_id)


def side_for(user: User, pk: int) -> Side:
    """The side of a Register, if this user plays it or organises the campaign. Raises Http404 otherwise.

    It carries its battle, and the battle both sides.
    """
    side = _side_for(user, pk)
    if not may_act(user, side, organises=is_organiser(user, side.battle.campaign)):
        raise Http404("No such side")
    return side


def own_side_for(user: User, pk: int) -> Side:
    """The side of a Register that is this user's own, while they play in the campaign. Raises Http404 otherwise."""
    side = _side_for(user, pk)
    if not plays_side(user, side):
        raise Http404("Not a side of this player")
    return side


def plays_side(user: User, side: Side) -> bool:
    """Whether the side is this user's own, and they still play in the campaign."""
    owner = side.register.owner_id if side.register else None
    return owner == user.pk and is_player(user, side.battle.campaign)


def opposed_side_for(user: User, pk: int) -> Side:
    """The side of a Register against which this user plays and for which they may act as an organiser.

    Raises Http404 otherwise.
    """
    side = _side_for(user, pk)
    if not opposes(user, side) or not is_organiser(user, side.battle.campaign):
        raise Http404("No side to act for")
    return side


def _side_for(user: User, pk: int) -> Side:
    """The side of a Register in a battle that this user may see. Raises Http404 otherwise.

    What the user is in the campaign is known, as by `shown_battle_for`: services are given its key and ask anew.
    """
    battle = _battle_of(user, Side.objects.filter(battle__sides=pk))
    know_role(user, battle.campaign, battle.campaign.role)
    side = next(side for side in battle.sides.all() if side.pk == pk)
    if side.register is None:
        raise Http404("No such side")
    return side


def shown_side_for(user: User, pk: int) -> Side:
    """The side of a Register with an army that this user may see. Raises Http404 otherwise.

    Opponents and readers see an army once the battle begins, and never if it was called off before that.
    """
    side = _side_for(user, pk)
    hidden = side.battle.armies_hidden and not may_act(
        user, side, organises=is_organiser(user, side.battle.campaign)
    )
    if hidden or not side.mustered:
        raise Http404("No army to see")
    return side


def may_act(user: User, side: Side, *, organises: bool) -> bool:
    """Whether this user may act for a side, `organises` being whether the campaign is theirs to organise.

    An organiser who plays against it has to say so first: it is then no slip, and the chronicle has it.
    """
    if side.register is None:
        return False
    if organises:
        return not opposes(user, side) or side.stand_in_id == user.pk
    return side.register.owner_id == user.pk and is_player(user, side.battle.campaign)


def may_stand_in(user: User, side: Side, *, organises: bool) -> bool:
    """Whether this user is to say that they act for a side before they may: an organiser who plays against it."""
    return organises and opposes(user, side) and side.stand_in_id != user.pk


def opposes(user: User, side: Side) -> bool:
    """Whether the side is a Register's, and only the other side of its battle is this user's."""
    register = side.register
    return register is not None and register.owner_id != user.pk and user.pk in fighters_of(side.battle)


def plays(user: User, battle: Battle) -> bool:
    """Whether this user fights in the battle: a Register of theirs, and they still play in the campaign."""
    return user.pk in fighters_of(battle) and is_player(user, battle.campaign)


def may_see_hand(user: User, side: Side) -> bool:
    """Whether this user may see the cards of a side's Command Hand (R24).

    Its player always; once the battle is closed everybody who sees the battle; until then nobody else, organisers
    and staff included, for any of them may be the opponent tomorrow.
    """
    if side.battle.status == Battle.Status.CLOSED:
        return True
    return side.register is not None and side.register.owner_id == user.pk


def may_enter_hand(user: User, side: Side, *, organises: bool) -> bool:
    """Whether this user may record a side's Command Hand: who acts for it, but never its opponent (R24)."""
    acts = may_act(user, side, organises=organises)
    return may_see_hand(user, side) or (acts and not opposes(user, side))


def fighters_of(battle: Battle) -> set[int | None]:
    """The keys of the people whose Registers fight; a guest has none."""
    return {side.register.owner_id for side in battle.sides.all() if side.register}


# --- What the room of the Registers asks -------------------------------------------------------------------------


def members_see(user: User | int) -> Q:
    """Members see all Registers of their campaign."""
    return Q(enlistment__campaign__memberships__user=user)


def organisers_edit(user: User | int) -> Q:
    """Organisers may change the Registers of their campaign."""
    return Q(
        enlistment__campaign__memberships__user=user,
        enlistment__campaign__memberships__role=Membership.Role.ORGANISER,
    )
