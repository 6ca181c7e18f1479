"""Add Registers to a campaign, withdraw, retire and bring them back, and give them to other players."""

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from campaign.access import campaign_role, leads_register, players_of
from campaign.battles.models import Battle
from campaign.battles.queries.battles import open_battles_of
from campaign.battles.services import planning, solo
from campaign.battles.services.locks import lock_battles
from campaign.battles.state_machine import BEFORE_PLAY, OVER
from campaign.models import ActivityKind, Campaign, Enlistment, Membership
from campaign.services.activity import log_activity
from campaign.services.locks import lock_campaign, lock_organized
from campaign.story_arcs.services.story_arcs import offered_to
from catalogue.snapshot import rulebook
from core.db.rows import update
from members.roles import is_organizer
from registers.ledger import session as ledger_session
from registers.ledger.session import lock_registers, on_behalf_of
from registers.models import Register
from registers.projection import outline_of
from registers.services import building, editing, importing
from registers.services.importing import Joining
from rules.adjustments.imported_register import PastRegister, PastUnit
from rules.core.campaign_rules import CampaignRules, allows
from rules.core.violations import Violation, raise_if_any, refuse
from rules.register.state import RegisterState
from rules.register.upgrade_slots import faction_name

#: Reasons with which planned battles are canceled.
_REASONS = {
    Enlistment.Status.WITHDRAWN: lambda register: gettext("%(register)s was withdrawn.") % {"register": register},
    Enlistment.Status.RETIRED: lambda register: gettext("%(register)s was retired.") % {"register": register},
}


@transaction.atomic
def change_status(
    *, actor: User, campaign: Campaign, register_id: UUID, status: str, planned: Collection[UUID] = ()
) -> Enlistment:
    """Withdraw a Register from the campaign (it pauses), retire it (its part ends), or let it play again.

    `status` is one of Enlistment.Status. Withdrawn and retired Registers leave the standings and cannot be planned;
    their history, ledger and stories stay, and they stay in this campaign. `planned` are the primary keys of the
    planned battles that the actor agreed to cancel. The same status again changes nothing. Refuses anyone but the
    Register's player and the organizers, a Register that is not in the campaign or was deleted, a Register in a battle
    that has begun and is not over (R11), and one with a planned battle that is not among `planned`.
    """
    locked = lock_campaign(campaign)
    serving = locked.enlistments.filter(register__discarded=False).select_related("register__owner")
    if (enlistment := serving.filter(register=register_id).first()) is None:
        raise refuse("", gettext("This Register is not in the campaign."))
    register = enlistment.register
    if not leads_register(campaign_role(actor, locked), register):
        raise refuse("", gettext("Only its player and the organizers can withdraw or retire a Register."))
    if enlistment.status == status:
        return enlistment
    if status != Enlistment.Status.PLAYING:
        battles, _session = lock_battles(open_battles_of(register_id))
        raise_if_any(_battle_violations(enlistment, battles, planned))
        for battle in battles:
            planning.cancel(actor=actor, battle_id=battle.pk, reason=_REASONS[Enlistment.Status(status)](register))
    update(enlistment, status=status)
    log_activity(
        actor=actor, campaign=locked, kind=ActivityKind.STATUS, on_behalf_of=on_behalf_of(actor, register),
        register=str(register_id), status=str(status),
    )  # fmt: skip
    return enlistment


def _battle_violations(
    enlistment: Enlistment, battles: Collection[Battle], planned: Collection[UUID]
) -> list[Violation]:
    register = enlistment.register
    begun = [battle for battle in battles if battle.status not in BEFORE_PLAY]
    text = gettext("%(register)s is in %(battle)s. Finish the battle first.")
    found = [Violation("R11", text % {"register": register, "battle": each}) for each in begun]
    if not begun and any(battle.pk not in planned for battle in battles):
        text = gettext("A battle was planned a moment ago. Check the list of battles, then confirm again.")
        found.append(Violation("", text))
    return found


@transaction.atomic
def create_register(
    *, actor: User, campaign: Campaign, faction: str = "", register_id: UUID | None = None, owner: User | None = None
) -> Register:
    """Create a Register of `owner` (None: of `actor`) in the campaign, by its campaign rules (R1, R3, R5).
    `register_id` is as in `building.open_register`. Refuses anyone who does not play in the campaign, another owner
    than a player without an account for whom an organizer acts, and everything that `building.open_register` refuses.
    """
    campaign = _lock_for_player(actor, campaign, owner)
    register = building.open_register(
        actor=actor,
        owner=owner or actor,
        faction=faction,
        campaign_rules=campaign.campaign_rules,
        register_id=register_id,
    )
    return _enlist(actor, campaign, register)


@transaction.atomic
def import_register(
    *,
    actor: User,
    campaign: Campaign,
    faction: str,
    units: Sequence[Joining | PastUnit],
    past: PastRegister | None = None,
    name: str = "",
    register_id: UUID | None = None,
    owner: User | None = None,
) -> Register:
    """Create a Register of `owner` (None: of `actor`) in the campaign from a list, or change nothing. Refuses
    everything that `importing.create_from_list`, `create_register` and `add_register` refuse.
    """
    campaign = _lock_for_player(actor, campaign, owner)
    register = importing.create_from_list(
        actor=actor, owner=owner or actor, faction=faction, units=units, past=past, name=name,
        campaign_rules=campaign.campaign_rules, register_id=register_id,
    )  # fmt: skip
    return _enlist(actor, campaign, register)


@transaction.atomic
def add_register(*, actor: User, campaign: Campaign, register_id: UUID) -> Register:
    """Add a Register of `actor` to the campaign; repeating it changes nothing. A Register imported with values from
    elsewhere, or with solo battles, awaits the consent of an organizer, unless its player is one. Refuses anyone who
    does not play in the campaign, a Register of another player or another campaign, one in a solo battle (R11), and
    everything that the campaign rules forbid: its Faction (R3), its Story Arc (R49), unreleased cards (R5).
    """
    campaign = _lock_for_player(actor, campaign)
    solo.close_solo(register_id=register_id)
    if not (own := lock_registers(Register.objects.filter(pk=register_id, owner=actor))):
        raise refuse("", gettext("This Register belongs to somebody else."))
    return _enlist(actor, campaign, own[0])


@transaction.atomic
def consent(*, actor: User, campaign: Campaign, register_id: UUID) -> Enlistment:
    """Accept a Register's imported values in the campaign. Repeating it changes nothing. Refuses all but organizers."""
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can approve imported values."))
    enlistment = campaign.enlistments.select_related("register").filter(register_id=register_id).first()
    if enlistment is None:
        raise refuse("", gettext("This Register is not in the campaign."))
    if enlistment.awaits_consent:
        update(enlistment, awaits_consent=False)
        log_activity(
            actor=actor, campaign=campaign, kind=ActivityKind.ENLISTED, register=str(register_id),
            reason=gettext_noop("An organizer approved its imported values."),
        )  # fmt: skip
    return enlistment


@transaction.atomic
def decline(*, actor: User, campaign: Campaign, register_id: UUID) -> None:
    """Remove a Register with imported values from the campaign. The Register stays unchanged, and its player may add it
    again. Repeating it changes nothing. Refuses anyone but an organizer, and a Register that was accepted already.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can decline imported values."))
    lock_registers(Register.objects.filter(pk=register_id))
    enlistment = campaign.enlistments.select_related("register").filter(register_id=register_id).first()
    if enlistment is None:
        return
    if not enlistment.awaits_consent:
        raise refuse("", gettext("%(register)s is already approved.") % {"register": enlistment.register})
    enlistment.delete()
    Register.objects.filter(pk=register_id).update(adopted_arcs=[])
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.DECLINED, register=str(register_id))


def _lock_for_player(actor: User, campaign: Campaign, owner: User | None = None) -> Campaign:
    """Lock the campaign and return it as it is now, so that its campaign rules apply to a Register added to it."""
    locked = lock_campaign(campaign)
    if owner is not None and owner != actor:
        if not is_organizer(actor, locked):
            raise refuse("", gettext("Only an organizer can add Registers for other players."))
        if not owner.is_placeholder or not players_of(locked).filter(user=owner).exists():
            text = gettext("%(user)s has an account and adds their own Registers.") % {"user": owner}
            raise refuse("", text)
    elif campaign_role(actor, locked).role in (None, Membership.Role.VIEWER):
        raise refuse("", gettext("Only players of the campaign can add Registers."))
    return locked


def _enlist(actor: User, campaign: Campaign, register: Register) -> Register:
    serves = Enlistment.objects.filter(register=register).first()
    if serves and serves.campaign_id != campaign.pk:
        raise refuse("", gettext("%(register)s is in another campaign.") % {"register": register})
    if serves:
        return register
    offered = offered_to(campaign)
    raise_if_any(_joining_violations(register, outline_of(register), campaign.campaign_rules, offered))
    brings = importing.has_imports(register) or register.sides.filter(battle__status=Battle.Status.CLOSED).exists()
    waits = brings and not is_organizer(actor, campaign)
    Enlistment.objects.create(campaign=campaign, register=register, awaits_consent=waits)
    update(register, campaign_rules=campaign.campaign_rules, adopted_arcs=offered)
    log_activity(actor=actor, campaign=campaign, kind=ActivityKind.ENLISTED, register=str(register.pk))
    return register


def _joining_violations(
    register: Register, state: RegisterState, campaign_rules: CampaignRules, offered: Collection[str]
) -> Iterator[Violation]:
    """Yield what a Register from elsewhere has and the campaign does not allow. The campaign rules limit printed arcs;
    `offered` are the custom arcs that the campaign has adopted.
    """
    if state.faction and not allows(campaign_rules.factions, state.faction):
        sentence = gettext("The campaign rules do not allow the Faction %(faction)s.")
        yield Violation("R3", sentence % {"faction": faction_name(state.faction)})
    arcs = rulebook().under(campaign_rules, frozenset(offered)).arcs_offered
    if state.story_arc and state.story_arc not in arcs:
        sentence = gettext("%(register)s plays a Story Arc that the campaign rules do not allow.")
        yield Violation("R49", sentence % {"register": register})
    if register.campaign_rules.unreleased and not campaign_rules.unreleased:
        sentence = gettext("%(register)s allows unreleased cards, but this campaign does not.") % {"register": register}
        yield Violation("R5", sentence)


def may_own(user: User) -> bool:
    """Return whether a Register can be given to this account: somebody signs in with it, or organizers play for it."""
    return user.is_active or user.is_placeholder


@transaction.atomic
def transfer_register(*, actor: User, campaign: Campaign, register_id: UUID, to: User) -> Register:
    """Transfer a Register to another player of the campaign. Transferring it to its player changes nothing. The former
    player loses all rights to it. The ledger stays unchanged; the activity log has the transfer. Refuses anyone but an
    organizer, a Register that is not in the campaign, a person who does not play in it, and a Register in a battle that
    is not over for both sides: its army, hand and answers are its player's.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can give a Register to another player."))
    if not (serving := ledger_session.lock_registers(campaign.registers.filter(pk=register_id))):
        raise refuse("", gettext("This Register is not in the campaign."))
    [register] = serving
    if register.owner_id == to.pk:
        return register
    if not may_own(to) or not players_of(campaign).filter(user=to).exists():
        raise refuse("", gettext("%(user)s is not a player of this campaign.") % {"user": to}, "to")
    if register.sides.exclude(battle__status__in=OVER).exists():
        text = gettext("%(register)s is in a battle. Finish the battle first.") % {"register": register}
        raise refuse("R11", text)
    before = register.owner_id
    editing.change_owner(registers=[register], owner=to)
    log_activity(
        actor=actor, campaign=campaign, kind=ActivityKind.GIVEN, register=str(register_id), user=to.pk, before=before
    )
    return register
