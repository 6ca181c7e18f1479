"""Founding a campaign, and the Registers that serve in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from campaign.access import players_of
from campaign.models import Campaign, Enlistment, Kind, Membership
from campaign.services.chronicle import record
from campaign.services.terms import lock, terms_problems
from registers.models import Register
from registers.services import founding, importing, ledger
from registers.services.importing import Joining
from rules.refusal import Problem, refuse, refuse_any
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
        raise refuse("", "Give the campaign a name.", "name")
    if len(name) > LONGEST_NAME:
        raise refuse("", f"A campaign's name has {LONGEST_NAME} letters at most.", "name")
    refuse_any(terms_problems(terms))
    campaign, new = Campaign.objects.get_or_create(
        pk=campaign_id or uuid4(),
        defaults={"name": name, "about": about.strip(), "terms": terms},
    )
    if new:
        Membership.objects.create(campaign=campaign, user=actor, role=Membership.Role.ORGANISER)
        record(actor=actor, campaign=campaign, kind=Kind.FOUNDED, name=name)
    elif not campaign.memberships.filter(user=actor, role=Membership.Role.ORGANISER).exists():
        raise refuse("", "This campaign belongs to somebody else.")
    return campaign


@transaction.atomic
def found_register(
    *, actor: User, campaign: Campaign, faction: str = "", register_id: UUID | None = None
) -> Register:
    """Open a Register of `actor` that serves in the campaign, by its terms (R1, R3, R5).

    `register_id`: as in `founding.open_register`. Refuses who does not play in it, and what that refuses.
    """
    register = founding.open_register(
        actor=actor,
        owner=actor,
        faction=faction,
        terms=campaign.terms,
        register_id=register_id,
    )
    return enlist(actor=actor, campaign=campaign, register_id=register.pk)


@transaction.atomic
def import_register(
    *,
    actor: User,
    campaign: Campaign,
    faction: str,
    units: Sequence[Joining],
    name: str = "",
    register_id: UUID | None = None,
) -> Register:
    """Open a Register of `actor` in the campaign and fill it with the units of a list, or do neither.

    Refuses what `found_register` and `importing.fill` refuse.
    """
    register = found_register(actor=actor, campaign=campaign, faction=faction, register_id=register_id)
    return importing.fill(actor=actor, register_id=register.pk, units=units, name=name)


@transaction.atomic
def enlist(*, actor: User, campaign: Campaign, register_id: UUID) -> Register:
    """Let a Register of `actor` serve in the campaign; doing it twice changes nothing.

    Refuses who does not play in it, a Register of somebody else or of another campaign, and what the terms of the
    campaign do not allow: its Faction (R3), its Story Arc (R49), unreleased cards (R5).
    """
    if not players_of(campaign).filter(user=actor).exists():
        raise refuse("", "Only players of the campaign bring Registers.")
    campaign = lock(campaign)
    [register] = ledger.lock(register_id)
    if register.owner_id != actor.pk:
        raise refuse("", "This Register belongs to somebody else.")
    serves = Enlistment.objects.filter(register=register).first()
    if serves and serves.campaign_id != campaign.pk:
        raise refuse("", f"{register} serves in another campaign.")
    if not serves:
        refuse_any(_foreign_terms(register, campaign.terms))
        Enlistment.objects.create(campaign=campaign, register=register)
        register.terms = campaign.terms
        register.arcs_taken_in = offered_to(campaign)
        register.save(update_fields=["terms", "arcs_taken_in"])
        record(actor=actor, campaign=campaign, kind=Kind.ENLISTED, register=str(register.pk))
    return register


def _foreign_terms(register: Register, terms: Terms) -> Iterator[Problem]:
    """What a Register that comes from elsewhere has, and the campaign does not play with."""
    if register.faction and not allows(terms.factions, register.faction):
        yield Problem("R3", f"This campaign has no Registers of the Faction {register.faction}.")
    if register.story_arc_id and not allows(terms.story_arcs, register.story_arc_id):
        yield Problem("R49", f"{register} is in a Story Arc that this campaign does not play.")
    if register.terms.unreleased and not terms.unreleased:
        yield Problem("R5", f"{register} may hold unreleased cards, and this campaign plays without them.")
