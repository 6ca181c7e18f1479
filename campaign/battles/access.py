"""Check who may see a battle, act for a side, and read a Command Hand. Battles that a user may not see give a 404."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404

from accounts.models import User
from campaign.access import CampaignRole, check_state, role_in
from campaign.battles.models import Amendment, Battle, Side
from core.db.prepared import Prepared, prefetch
from ops.monitoring.request_log import bind_log_context

#: Both sides, blue first, with their Registers and players.
SIDES = Prefetch("sides", Side.objects.select_related("register__owner").order_by("colour"))


@Prepared
def sides_of(battles: Collection[UUID]) -> QuerySet[Side]:
    """Return the sides of these battles, as in SIDES."""
    return SIDES.queryset.filter(battle__pk__in=battles)


def battle_for(user: User, key: UUID | int) -> tuple[Battle, CampaignRole]:
    """Return the battle of this key, or the one with the side of this key, with its campaign and both sides, and the
    user's role: two queries. Raises Http404 for users who may not see it.
    """
    battle = next(iter(_battles(user.pk, key, isinstance(key, UUID))), None)
    if battle is None or not (role := CampaignRole(user, battle.role, battle.campaign)).is_member:
        raise Http404("No such battle")
    prefetch([battle], "sides", sides_of, "battle")
    bind_log_context(battle_id=battle.pk, campaign_id=battle.campaign_id)
    return battle, role


@Prepared
def _battles(user: int, key: UUID | int, is_battle: bool) -> QuerySet[Any]:
    """Return the battle with this key, or the one with the side of this key, with the user's `role` in its campaign."""
    battles = Battle.objects.filter(Q(pk=key) if is_battle else Q(sides__pk=key), campaign__deleted_at=None)
    return battles.select_related("campaign", "reported_by", "pairing__round").annotate(role=role_in(user, "campaign"))


def fought_battle_for(user: User, pk: UUID) -> tuple[Battle, CampaignRole]:
    """Return the battle and the user's role, if they play in it or organize it. Raises Http404 otherwise. This and the
    functions below, all for pages that change a battle, refuse a campaign that is not open.
    """
    battle, role = battle_for(user, pk)
    if not role.is_organizer and not plays(role, battle):
        raise Http404("Not a battle of this player")
    check_state(battle.campaign)
    return battle, role


def organized_battle_for(user: User, pk: UUID) -> Battle:
    """Return the battle, if this user organizes its campaign. Raises Http404 otherwise."""
    battle, role = battle_for(user, pk)
    if not role.is_organizer:
        raise Http404("Not an organizer of this campaign")
    check_state(battle.campaign)
    return battle


def amendment_for(user: User, pk: UUID) -> Amendment:
    """Return the amendment with its battle, in one query, to organizers of the campaign. Raises Http404 for others."""
    found = Amendment.objects.filter(pk=pk, battle__campaign__deleted_at=None).select_related("battle__campaign")
    amendment = found.annotate(role=role_in(user, "battle__campaign")).first()
    if amendment is None or not CampaignRole(user, amendment.role, amendment.battle.campaign).is_organizer:
        raise Http404("No such revision")
    check_state(amendment.battle.campaign)
    bind_log_context(battle_id=amendment.battle_id, campaign_id=amendment.battle.campaign_id)
    return amendment


def side_for(user: User, pk: int) -> tuple[Side, CampaignRole]:
    """Return a Register's side, its battle and the user's role, if they play or organize. Raises Http404 otherwise."""
    side, role = _side(user, pk)
    if not may_act(role, side):
        raise Http404("No such side")
    check_state(role.campaign)
    return side, role


def own_side_for(user: User, pk: int) -> Side:
    """Return the side of this user's own Register, while they play in the campaign. Raises Http404 otherwise."""
    side, role = _side(user, pk)
    if not plays_side(role, side):
        raise Http404("Not a side of this player")
    check_state(role.campaign)
    return side


def opposed_side_for(user: User, pk: int) -> Side:
    """Return the side of this user's opponent, if the user may act for it as an organizer. Raises Http404 otherwise."""
    side, role = _side(user, pk)
    if not opposes(user, side) or not role.is_organizer:
        raise Http404("No side to act for")
    check_state(role.campaign)
    return side


def shown_side_for(user: User, pk: int) -> Side:
    """Return the side of a Register, if this user may see its army: opponents and viewers once the battle begins, and
    never if it was canceled before that. Raises Http404 otherwise.
    """
    side, role = _side(user, pk)
    hidden = side.battle.armies_hidden and not may_act(role, side)
    if hidden or not side.army_chosen:
        raise Http404("No army to see")
    return side


def _side(user: User, pk: int) -> tuple[Side, CampaignRole]:
    battle, role = battle_for(user, pk)
    side = next(side for side in battle.sides.all() if side.pk == pk)
    if side.register is None:
        raise Http404("No such side")
    return side, role


def plays_side(role: CampaignRole, side: Side) -> bool:
    """Return whether the side is this user's own, and they still play in the campaign."""
    return role.is_player and side.register is not None and side.register.owner_id == role.user.pk


def may_act(role: CampaignRole, side: Side) -> bool:
    """Return whether this user may act for a side. An organizer who plays against it must confirm that first: this
    prevents mistakes, and the activity log records it.
    """
    if side.register is None:
        return False
    if role.is_organizer:
        return not opposes(role.user, side) or side.acting_user_id == role.user.pk
    return plays_side(role, side)


def may_act_for_opponent(role: CampaignRole, side: Side) -> bool:
    """Return whether this user is an organizer who plays against a side and has not yet confirmed acting for it."""
    return role.is_organizer and opposes(role.user, side) and side.acting_user_id != role.user.pk


def opposes(user: User, side: Side) -> bool:
    """Return whether the side has another user's Register and this user plays the other side of its battle."""
    register = side.register
    return register is not None and register.owner_id != user.pk and user.pk in fighters_of(side.battle)


def plays(role: CampaignRole, battle: Battle) -> bool:
    """Return whether one of this user's Registers fights in the battle, and they still play in the campaign."""
    return role.is_player and role.user.pk in fighters_of(battle)


def may_see_hand(user: User, side: Side) -> bool:
    """Return whether this user may see the cards of a side's Command Hand (R24).

    Its player always may. Once the battle is closed, everyone who sees the battle may. Until then nobody else may,
    not even organizers and staff, because any of them may be the opponent tomorrow.
    """
    if side.battle.status == Battle.Status.CLOSED:
        return True
    return side.register is not None and side.register.owner_id == user.pk


def may_enter_hand(role: CampaignRole, side: Side) -> bool:
    """Return whether this user may record a side's Command Hand: anyone who acts for it, but never its opponent
    (R24).
    """
    return may_see_hand(role.user, side) or (may_act(role, side) and not opposes(role.user, side))


def fighters_of(battle: Battle) -> set[int | None]:
    """Return the primary keys of the owners of the Registers in the battle, with None for a guest."""
    return {side.register.owner_id for side in battle.sides.all() if side.register}
