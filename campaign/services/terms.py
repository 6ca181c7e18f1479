"""Changing the terms of a campaign."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction

from accounts.models import User
from campaign.models import Campaign, Kind
from campaign.services import chronicle
from campaign.services.locks import check_organizer, lock_campaign
from catalogue.snapshot import rulebook
from registers.models import Register
from registers.services import ledger
from rules.cards import FACTIONS
from rules.language import gettext
from rules.refusal import Problem, refuse, refuse_any
from rules.terms import COMBAT_POTENTIAL, LENGTH, SUPPLY_POINTS, Terms, differences


@transaction.atomic
def change_terms(*, actor: User, campaign: Campaign, terms: Terms, version: int | None) -> Campaign:
    """Play by other terms from the next battle on; what a Register has already, it keeps.

    `version` is the one the form was drawn from (None: the present one). The same terms again change nothing.
    Each limit and each switch that changes becomes a line of the chronicle. Refuses who does not organise the
    campaign, an older version, and terms that cannot be (`terms_problems`).
    """
    locked = lock_campaign(campaign)
    check_organizer(actor, locked, gettext("Only an organiser changes the terms."))
    refuse_any(terms_problems(terms))
    changes = differences(locked.terms, terms)
    if not changes:
        return locked
    if version not in (None, locked.terms_version):
        raise refuse(
            "", gettext("The terms have been changed meanwhile. Look at them, then make your changes again.")
        )
    locked.terms, locked.terms_version = terms, locked.terms_version + 1
    serving = ledger.lock_registers(locked.registers.all())
    locked.save(update_fields=["terms", "terms_version"])
    Register.objects.filter(pk__in=[register.pk for register in serving]).update(terms=terms)
    lines = ((locked, {"name": name, "before": before, "after": after}) for name, before, after in changes)
    chronicle.record_each(actor=actor, kind=Kind.TERMS, lines=lines)
    return locked


def terms_problems(terms: Terms) -> Iterator[Problem]:
    """Everything that terms cannot be: numbers out of bounds, and names that nothing has. `about` is the field."""
    for name, words, value, (least, most) in (
        ("combat_potential", gettext("Combat Potential"), terms.combat_potential, COMBAT_POTENTIAL),
        ("supply_points", "SP", terms.supply_points, SUPPLY_POINTS),
        ("length", gettext("Story Arcs"), terms.length, LENGTH),
    ):
        if value is not None and not least <= value <= most:
            yield Problem(
                "",
                gettext("From {least} to {most} {words}, please.", least=least, most=most, words=words),
                name,
            )
    book = rulebook()
    for name, named, there in (
        ("factions", terms.factions, FACTIONS),
        ("story_arcs", terms.story_arcs, book.story_arcs),
        ("battle_forces", terms.battle_forces, book.battle_forces),
    ):
        if not set(named) <= set(there):
            yield Problem("", gettext("Choose among those that are listed."), name)
