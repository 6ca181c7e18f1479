"""Founding a campaign, and the Registers that serve in it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.db import transaction

from accounts.models import User
from campaign.access import players_of
from campaign.models import Campaign, Enlistment, Kind, Membership
from campaign.services.chronicle import record
from registers.models import Register
from registers.services import founding, importing, ledger
from registers.services.importing import Joining
from rules.refusal import refuse

LONGEST_NAME = 80


@transaction.atomic
def found_campaign(
    *,
    actor: User,
    name: str,
    about: str = "",
    unreleased_allowed: bool = False,
    campaign_id: UUID | None = None,
) -> Campaign:
    """A new campaign that `actor` organises. `unreleased_allowed`: see R5.

    `campaign_id` is the primary key it shall have, so that a form which comes twice founds it once. Refuses
    an empty or overlong name.
    """
    name = name.strip()
    if not name:
        raise refuse("", "Give the campaign a name.", "name")
    if len(name) > LONGEST_NAME:
        raise refuse("", f"A campaign's name has {LONGEST_NAME} letters at most.", "name")
    campaign, new = Campaign.objects.get_or_create(
        pk=campaign_id or uuid4(),
        defaults={"name": name, "about": about.strip(), "unreleased_allowed": unreleased_allowed},
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
    """Open a Register of `actor` that serves in the campaign, by its terms for unreleased cards (R1, R5).

    `register_id`: as in `founding.open_register`. Refuses who does not play in it, and what that refuses.
    """
    register = founding.open_register(
        actor=actor,
        owner=actor,
        faction=faction,
        unreleased_allowed=campaign.unreleased_allowed,
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

    Refuses who does not play in it, a Register of somebody else or of another campaign, and one that may hold
    unreleased cards where the campaign has none (R5).
    """
    if not players_of(campaign).filter(user=actor).exists():
        raise refuse("", "Only players of the campaign bring Registers.")
    [register] = ledger.lock(register_id)
    if register.owner_id != actor.pk:
        raise refuse("", "This Register belongs to somebody else.")
    serves = Enlistment.objects.filter(register=register).first()
    if serves and serves.campaign_id != campaign.pk:
        raise refuse("", f"{register} serves in another campaign.")
    if register.unreleased_allowed and not campaign.unreleased_allowed:
        raise refuse("R5", f"{register} may hold unreleased cards, and this campaign plays without them.")
    if not serves:
        Enlistment.objects.create(campaign=campaign, register=register)
        register.unreleased_allowed = campaign.unreleased_allowed
        register.save(update_fields=["unreleased_allowed"])
        record(actor=actor, campaign=campaign, kind=Kind.ENLISTED, register=str(register.pk))
    return register
