"""Founding a Register of a campaign with a list that its player already has."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from campaign import access
from campaign.services import campaigns
from catalogue.snapshot import rulebook
from registers.imports.form import FoundingForm
from registers.models import Register
from registers.views.imports import import_page
from rules.building import factions_open


def import_register(request: HttpRequest, pk: UUID) -> HttpResponse:
    """As `registers.views.imports.import_register`, for a Register that serves in the campaign by its terms."""
    campaign, _role = access.played_campaign_for(request.user, pk)
    book = rulebook().under(campaign.terms)
    limits = {"combat_potential": campaign.terms.combat_potential, "factions": tuple(factions_open(book))}

    def found(**words: Any) -> Register:
        return campaigns.import_register(actor=request.user, campaign=campaign, **words)

    crumbs = [{"label": str(campaign), "href": campaign.get_absolute_url()}]
    return import_page(request, lambda *read: FoundingForm(book, *read, **limits), found, crumbs)
