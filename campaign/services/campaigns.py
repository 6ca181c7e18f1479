"""Founding a campaign, and the Registers that serve in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from campaign.access import campaign_role, is_organiser
from campaign.models import Campaign, Enlistment, Kind, Membership
from campaign.services.chronicle import record
from campaign.services.locks import check_organizer, lock_campaign
from campaign.services.terms import terms_problems
from catalogue.snapshot import rulebook
from registers.models import Register
from registers.services import founding, importing
from registers.services.importing import Joining
from registers.services.ledger import lock_registers, outline_of
from rules.equipment import faction_name
from rules.force import Force
from rules.language import gettext, gettext_noop
from rules.refusal import Problem, refuse, refuse_any
from rules.taking_over import PastRegister, PastUnit
from rules.terms import USUAL, Terms, allows

from .arcs import offered_to

LONGEST_NAME = 80


@transaction.atomic
def found_campaign(
    *,
    actor: User,
    name: str,
    about: str = "",
    terms: Terms = USUAL,
    campaign_id: UUID | None = None,
) -> Campaign:
    """A new campaign that `actor` organises, by these terms.

    `campaign_id` is the primary key it shall have, so that a form which comes twice founds it once. Refuses
    an empty or overlong name, and terms that cannot be.
    """
    name = name.strip()
    if not name:
        raise refuse("", gettext("Give the campaign a name."), "name")
    if len(name) > LONGEST_NAME:
        raise refuse(
            "",
            gettext("A campaign's name has {longest_name} letters at most.", longest_name=LONGEST_NAME),
            "name",
        )
    refuse_any(terms_problems(terms))
    campaign, new = Campaign.objects.get_or_create(
        pk=campaign_id or uuid4(),
        defaults={"name": name, "about": about.strip(), "terms": terms},
    )
    if new:
        Membership.objects.create(campaign=campaign, user=actor, role=Membership.Role.ORGANISER)
        record(actor=actor, campaign=campaign, kind=Kind.FOUNDED, name=name)
    elif not campaign.memberships.filter(user=actor, role=Membership.Role.ORGANISER).exists():
        raise refuse("", gettext("This campaign belongs to somebody else."))
    return campaign


@transaction.atomic
def found_register(
    *, actor: User, campaign: Campaign, faction: str = "", register_id: UUID | None = None
) -> Register:
    """Open a Register of `actor` that serves in the campaign, by its terms (R1, R3, R5).

    `register_id`: as in `founding.open_register`. Refuses who does not play in it, and what that refuses.
    """
    campaign = _lock_for_player(actor, campaign)
    register = founding.open_register(
        actor=actor, owner=actor, faction=faction, terms=campaign.terms, register_id=register_id
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
) -> Register:
    """Open a Register of `actor` in the campaign and fill it with a list, or do neither.

    Refuses what `importing.found` and `enlist` refuse.
    """
    campaign = _lock_for_player(actor, campaign)
    register = importing.found(
        actor=actor, owner=actor, faction=faction, units=units, past=past, name=name,
        terms=campaign.terms, register_id=register_id,
    )  # fmt: skip
    return _enlist(actor, campaign, register)


@transaction.atomic
def enlist(*, actor: User, campaign: Campaign, register_id: UUID) -> Register:
    """Let a Register of `actor` serve in the campaign; doing it twice changes nothing.

    One that took over values from a list awaits the consent of an organiser, unless its player is one.

    Refuses who does not play in it, a Register of somebody else or of another campaign, and what the terms of the
    campaign do not allow: its Faction (R3), its Story Arc (R49), unreleased cards (R5).
    """
    campaign = _lock_for_player(actor, campaign)
    own = lock_registers(Register.objects.filter(pk=register_id, owner=actor))
    if not own:
        raise refuse("", gettext("This Register belongs to somebody else."))
    return _enlist(actor, campaign, own[0])


@transaction.atomic
def consent(*, actor: User, campaign: Campaign, register_id: UUID) -> Enlistment:
    """Let what a Register took over from a list count in the campaign. Twice changes nothing.

    Refuses anybody but an organiser, and a Register that does not serve in it.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser consents to what was taken over."))
    enlistment = campaign.enlistments.select_related("register").filter(register_id=register_id).first()
    if enlistment is None:
        raise refuse("", gettext("This Register does not serve in the campaign."))
    if enlistment.awaits_consent:
        enlistment.awaits_consent = False
        enlistment.save(update_fields=["awaits_consent"])
        record(
            actor=actor, campaign=campaign, kind=Kind.ENLISTED, register=str(register_id),
            reason=gettext_noop("What it took over from a list counts."),
        )  # fmt: skip
    return enlistment


@transaction.atomic
def decline(*, actor: User, campaign: Campaign, register_id: UUID) -> None:
    """Do not take in a Register whose player took it over from a list: it serves in the campaign no more.

    Nothing on it changes, and its player may bring it again. Twice changes nothing. Refuses anybody but an organiser,
    and a Register that counts already.
    """
    campaign = lock_campaign(campaign)
    check_organizer(actor, campaign, gettext("Only an organiser declines what was taken over."))
    lock_registers(Register.objects.filter(pk=register_id))
    enlistment = campaign.enlistments.select_related("register").filter(register_id=register_id).first()
    if enlistment is None:
        return
    if not enlistment.awaits_consent:
        raise refuse("", gettext("{register} counts already.", register=enlistment.register))
    enlistment.delete()
    Register.objects.filter(pk=register_id).update(arcs_taken_in=[])
    record(actor=actor, campaign=campaign, kind=Kind.DECLINED, register=str(register_id))


# --- Parts -------------------------------------------------------------------------------------------------------


def _lock_for_player(actor: User, campaign: Campaign) -> Campaign:
    """The campaign as it is now, locked, so that its terms are those by which a Register begins."""
    locked = lock_campaign(campaign)
    if campaign_role(actor, locked).role in (None, Membership.Role.READER):
        raise refuse("", gettext("Only players of the campaign bring Registers."))
    return locked


def _enlist(actor: User, campaign: Campaign, register: Register) -> Register:
    """`enlist`, once the campaign and the Register are locked."""
    serves = Enlistment.objects.filter(register=register).first()
    if serves and serves.campaign_id != campaign.pk:
        raise refuse("", gettext("{register} serves in another campaign.", register=register))
    if not serves:
        _serve(actor, campaign, register)
    return register


def _serve(actor: User, campaign: Campaign, register: Register) -> None:
    """Let a locked Register serve in the campaign from now on."""
    offered = offered_to(campaign)
    refuse_any(_foreign_terms(register, outline_of(register), campaign.terms, offered))
    waits = importing.took_over(register) and not is_organiser(actor, campaign)
    Enlistment.objects.create(campaign=campaign, register=register, awaits_consent=waits)
    register.terms = campaign.terms
    register.arcs_taken_in = offered
    register.save(update_fields=["terms", "arcs_taken_in"])
    record(actor=actor, campaign=campaign, kind=Kind.ENLISTED, register=str(register.pk))


def _foreign_terms(
    register: Register, force: Force, terms: Terms, offered: Collection[str]
) -> Iterator[Problem]:
    """What a Register that comes from elsewhere has, and the campaign does not play with.

    The terms limit printed arcs; `offered` are those that are not printed, played where somebody took them in.
    """
    if force.faction and not allows(terms.factions, force.faction):
        yield Problem(
            "R3",
            gettext(
                "This campaign has no Registers of the Faction {faction}.",
                faction=faction_name(force.faction),
            ),
        )
    arcs = rulebook().under(terms, frozenset(offered)).arcs_offered
    if force.story_arc and force.story_arc not in arcs:
        yield Problem(
            "R49",
            gettext("{register} is in a Story Arc that this campaign does not play.", register=register),
        )
    if register.terms.unreleased and not terms.unreleased:
        yield Problem(
            "R5",
            gettext(
                "{register} may hold unreleased cards, and this campaign plays without them.",
                register=register,
            ),
        )
