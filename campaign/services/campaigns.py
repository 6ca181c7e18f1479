"""Create a campaign, set its rules, add Registers, award and transfer them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from campaign.access import campaign_role, players_of
from campaign.battles.state_machine import OVER
from campaign.models import ActivityKind, Campaign, Enlistment, Membership
from campaign.services import activity
from campaign.services.activity import record
from campaign.services.locks import lock_campaign, lock_organized
from campaign.story_arcs.services.story_arcs import offered_to
from catalogue.snapshot import rulebook
from members.roles import is_organizer
from registers.ledger import session as ledger_session
from registers.ledger.session import lock_registers
from registers.models import LedgerEntry, Register
from registers.projection import outline_of
from registers.services import awards as awarding
from registers.services import building, importing, ownership
from registers.services.importing import Joining
from rules.adjustments.imported_register import PastRegister, PastUnit
from rules.core.campaign_rules import (
    COMBAT_POTENTIAL,
    LENGTH,
    STANDARD_RULES,
    SUPPLY_POINTS,
    CampaignRules,
    allows,
    differences,
)
from rules.core.card_types import FACTIONS
from rules.core.translation import gettext, gettext_noop
from rules.core.violations import Violation, raise_if_any, refuse
from rules.register.state import RegisterState
from rules.register.upgrade_slots import faction_name

LONGEST_NAME = 80
#: Maximum length of a campaign's description and of its own house rules, in characters.
LONGEST_ABOUT, LONGEST_HOUSE_RULES, LONGEST_ZONE = 2000, 4000, 64


@transaction.atomic
def create_campaign(
    *,
    actor: User,
    name: str,
    about: str = "",
    campaign_rules: CampaignRules = STANDARD_RULES,
    campaign_id: UUID | None = None,
) -> Campaign:
    """Create a campaign that `actor` organizes, with these campaign rules. `campaign_id` is its primary key, so that a
    form sent twice creates one. Refuses an empty or overlong name, and invalid campaign rules.
    """
    name = name.strip()
    raise_if_any(_name_violations(name))
    raise_if_any(campaign_rules_violations(campaign_rules))
    campaign, new = Campaign.objects.get_or_create(
        pk=campaign_id or uuid4(), defaults={"name": name, "about": about.strip(), "campaign_rules": campaign_rules}
    )
    if new:
        Membership.objects.create(campaign=campaign, user=actor, role=Membership.Role.ORGANIZER)
        record(actor=actor, campaign=campaign, kind=ActivityKind.FOUNDED, name=name)
    elif not campaign.memberships.filter(user=actor, role=Membership.Role.ORGANIZER).exists():
        raise refuse("", gettext("You are not an organizer of this campaign."))
    return campaign


def _name_violations(name: str) -> Iterator[Violation]:
    if not name:
        yield Violation("", gettext("Give the campaign a name."), "name")
    if len(name) > LONGEST_NAME:
        sentence = gettext("This name is too long. Use up to {longest_name} characters.", longest_name=LONGEST_NAME)
        yield Violation("", sentence, "name")


#: The texts that an organizer can change after the campaign was created, with their longest length.
DETAILS = {"name": LONGEST_NAME, "about": LONGEST_ABOUT, "time_zone": LONGEST_ZONE, "house_rules": LONGEST_HOUSE_RULES}


def details_version(campaign: Campaign) -> str:
    """Return a mark of the campaign's DETAILS, for a form to send back."""
    return sha256("\0".join(getattr(campaign, name) for name in DETAILS).encode()).hexdigest()[:16]


@transaction.atomic
def change_details(
    *,
    actor: User,
    campaign: Campaign,
    name: str,
    about: str,
    house_rules: str,
    time_zone: str = "",
    version: str | None = None,
) -> Campaign:
    """Change the name, the description, the own house rules and the time zone (an IANA name; empty: as it is) of a
    campaign. `version` is the `details_version` that
    the form was drawn from (None: the current one). The same texts again change nothing. Each changed text becomes a
    line of the activity log. Refuses anyone but an organizer, an empty name, texts that are too long, and a version
    that somebody has changed since (about "version").
    """
    locked = lock_organized(actor, campaign, gettext("Only an organizer can change the campaign."))
    zone = time_zone or locked.time_zone
    texts = {"name": name.strip(), "about": about.strip(), "house_rules": house_rules.strip(), "time_zone": zone}
    raise_if_any(_name_violations(texts["name"]))
    raise_if_any(
        Violation("", gettext("Use up to {longest} characters.", longest=longest), field)
        for field, longest in DETAILS.items()
        if len(texts[field]) > longest
    )
    changed = {field: text for field, text in texts.items() if getattr(locked, field) != text}
    if not changed:
        return locked
    if version not in (None, details_version(locked)):
        text = gettext("Somebody else changed the campaign a moment ago. Check your texts, then save again.")
        raise refuse("", text, "version")
    # A line of the log has the old and the new name or zone; longer texts are only named.
    lines = [
        {"name": field, **({"before": getattr(locked, field), "after": text} if field in ("name", "time_zone") else {})}
        for field, text in changed.items()
    ]
    for field, text in changed.items():
        setattr(locked, field, text)
    locked.save(update_fields=list(changed))
    activity.record_each(actor=actor, kind=ActivityKind.DETAILS, lines=((locked, facts) for facts in lines))
    return locked


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
    elsewhere awaits the consent of an organizer, unless its player is one. Refuses anyone who does not play in the
    campaign, a Register of another player or another campaign, and everything that the campaign rules forbid: its
    Faction (R3), its Story Arc (R49), unreleased cards (R5).
    """
    campaign = _lock_for_player(actor, campaign)
    own = lock_registers(Register.objects.filter(pk=register_id, owner=actor))
    if not own:
        raise refuse("", gettext("This Register belongs to somebody else."))
    return _enlist(actor, campaign, own[0])


@transaction.atomic
def consent(*, actor: User, campaign: Campaign, register_id: UUID) -> Enlistment:
    """Accept the imported values of a Register in the campaign. Repeating it changes nothing. Refuses anyone but an
    organizer, and a Register that is not in the campaign.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can approve imported values."))
    enlistment = campaign.enlistments.select_related("register").filter(register_id=register_id).first()
    if enlistment is None:
        raise refuse("", gettext("This Register is not in the campaign."))
    if enlistment.awaits_consent:
        enlistment.awaits_consent = False
        enlistment.save(update_fields=["awaits_consent"])
        record(
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
        raise refuse("", gettext("{register} is already approved.", register=enlistment.register))
    enlistment.delete()
    Register.objects.filter(pk=register_id).update(adopted_arcs=[])
    record(actor=actor, campaign=campaign, kind=ActivityKind.DECLINED, register=str(register_id))


def _lock_for_player(actor: User, campaign: Campaign, owner: User | None = None) -> Campaign:
    """Lock the campaign and return it as it is now, so that its campaign rules apply to a Register added to it."""
    locked = lock_campaign(campaign)
    if owner is not None and owner != actor:
        if not is_organizer(actor, locked):
            raise refuse("", gettext("Only an organizer can add Registers for other players."))
        if not owner.is_placeholder or not players_of(locked).filter(user=owner).exists():
            text = gettext("{user} has an account and adds their own Registers.", user=owner)
            raise refuse("", text)
    elif campaign_role(actor, locked).role in (None, Membership.Role.VIEWER):
        raise refuse("", gettext("Only players of the campaign can add Registers."))
    return locked


def _enlist(actor: User, campaign: Campaign, register: Register) -> Register:
    serves = Enlistment.objects.filter(register=register).first()
    if serves and serves.campaign_id != campaign.pk:
        raise refuse("", gettext("{register} is in another campaign.", register=register))
    if serves:
        return register
    offered = offered_to(campaign)
    raise_if_any(_joining_violations(register, outline_of(register), campaign.campaign_rules, offered))
    waits = importing.took_over(register) and not is_organizer(actor, campaign)
    Enlistment.objects.create(campaign=campaign, register=register, awaits_consent=waits)
    register.campaign_rules = campaign.campaign_rules
    register.adopted_arcs = offered
    register.save(update_fields=["campaign_rules", "adopted_arcs"])
    record(actor=actor, campaign=campaign, kind=ActivityKind.ENLISTED, register=str(register.pk))
    return register


def _joining_violations(
    register: Register, state: RegisterState, campaign_rules: CampaignRules, offered: Collection[str]
) -> Iterator[Violation]:
    """Yield what a Register from elsewhere has and the campaign does not allow. The campaign rules limit printed arcs;
    `offered` are the custom arcs that the campaign has adopted.
    """
    if state.faction and not allows(campaign_rules.factions, state.faction):
        sentence = gettext(
            "The campaign rules do not allow the Faction {faction}.", faction=faction_name(state.faction)
        )
        yield Violation("R3", sentence)
    arcs = rulebook().under(campaign_rules, frozenset(offered)).arcs_offered
    if state.story_arc and state.story_arc not in arcs:
        sentence = gettext("{register} plays a Story Arc that the campaign rules do not allow.", register=register)
        yield Violation("R49", sentence)
    if register.campaign_rules.unreleased and not campaign_rules.unreleased:
        sentence = gettext("{register} allows unreleased cards, but this campaign does not.", register=register)
        yield Violation("R5", sentence)


@transaction.atomic
def change_campaign_rules(
    *, actor: User, campaign: Campaign, campaign_rules: CampaignRules, version: int | None
) -> Campaign:
    """Change the campaign rules from the next battle on; Registers keep what they have. `version` is the one that
    the form was drawn from (None: the current one). Identical rules change nothing. Each changed limit and switch
    becomes a line of the activity log. Refuses anyone but an organizer, an older version, and invalid rules
    (`campaign_rules_violations`).
    """
    locked = lock_organized(actor, campaign, gettext("Only an organizer can change the campaign rules."))
    raise_if_any(campaign_rules_violations(campaign_rules))
    changes = differences(locked.campaign_rules, campaign_rules)
    if not changes:
        return locked
    if version not in (None, locked.campaign_rules_version):
        raise refuse(
            "",
            gettext(
                "The campaign rules have changed since you opened this page. Check them, then make your changes again."
            ),
        )
    locked.campaign_rules, locked.campaign_rules_version = campaign_rules, locked.campaign_rules_version + 1
    serving = ledger_session.lock_registers(locked.registers.all())
    locked.save(update_fields=["campaign_rules", "campaign_rules_version"])
    Register.objects.filter(pk__in=[register.pk for register in serving]).update(campaign_rules=campaign_rules)
    lines = ((locked, {"name": name, "before": before, "after": after}) for name, before, after in changes)
    activity.record_each(actor=actor, kind=ActivityKind.CAMPAIGN_RULES, lines=lines)
    return locked


def campaign_rules_violations(campaign_rules: CampaignRules) -> Iterator[Violation]:
    """Yield all violations of campaign rules: numbers out of bounds, and unknown names. `about` is the field."""
    for name, words, value, (least, most) in (
        ("combat_potential", gettext("Combat Potential"), campaign_rules.combat_potential, COMBAT_POTENTIAL),
        ("supply_points", "SP", campaign_rules.supply_points, SUPPLY_POINTS),
        ("length", gettext("Story Arcs"), campaign_rules.length, LENGTH),
    ):
        if value is not None and not least <= value <= most:
            sentence = gettext("{words}: enter a number from {least} to {most}.", least=least, most=most, words=words)
            yield Violation("", sentence, name)
    book = rulebook()
    for name, named, there in (
        ("factions", campaign_rules.factions, FACTIONS),
        ("story_arcs", campaign_rules.story_arcs, book.story_arcs),
        ("battle_forces", campaign_rules.battle_forces, book.battle_forces),
    ):
        if not set(named) <= set(there):
            yield Violation("", gettext("Choose only listed values."), name)


@transaction.atomic
def award(
    *, actor: User, campaign: Campaign, awards: Mapping[UUID, awarding.RegisterAward], reason: str
) -> Sequence[Register]:
    """Give Registers of the campaign their awards, all or none. Refuses anyone but an organizer, a Register that is not
    in the campaign, and everything that `registers.services.awards.give` refuses.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can give awards."))
    serving = ledger_session.lock_registers(campaign.registers.filter(pk__in=awards))
    if len(serving) != len(awards):
        raise refuse("", gettext("This Register is not in the campaign."))
    return awarding.give(actor=actor, registers=sorted(serving, key=str), awards=awards, reason=reason)


@transaction.atomic
def undo_awards(*, actor: User, campaign: Campaign, entries: Collection[int], reason: str) -> int:
    """Undo awards, all or none: `entries` are their primary keys in the ledgers. Return how many. Awards that are
    undone already stay undone. Refuses anyone but an organizer, an entry of a Register outside the campaign, and
    everything that `awards.undo_awards` refuses.
    """
    campaign = lock_organized(actor, campaign, gettext("Only an organizer can give awards."))
    theirs = LedgerEntry.objects.filter(pk__in=entries).values("register")
    serving = ledger_session.lock_registers(campaign.registers.filter(pk__in=theirs))
    session = ledger_session.LedgerSession(sorted(serving, key=str))
    awards = {
        pk: [entry for entry in session.entries(register) if entry.pk in entries]
        for pk, register in session.registers.items()
    }
    taken = sum(map(len, awards.values()))
    if not taken or taken != len(set(entries)):
        raise refuse("", gettext("This Register is not in the campaign."))
    awarding.undo_awards(actor=actor, session=session, awards=awards, reason=reason)
    return taken


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
    serving = ledger_session.lock_registers(campaign.registers.filter(pk=register_id))
    if not serving:
        raise refuse("", gettext("This Register is not in the campaign."))
    [register] = serving
    if register.owner_id == to.pk:
        return register
    if not may_own(to) or not players_of(campaign).filter(user=to).exists():
        raise refuse("", gettext("{user} is not a player of this campaign.", user=to), "to")
    if register.sides.exclude(battle__status__in=OVER).exists():
        text = gettext("{register} is in a battle. Finish the battle first.", register=register)
        raise refuse("R11", text)
    before = register.owner_id
    ownership.change_owner(register=register, owner=to)
    record(
        actor=actor, campaign=campaign, kind=ActivityKind.GIVEN, register=str(register_id), user=to.pk, before=before
    )
    return register
