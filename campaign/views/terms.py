"""What a campaign plays by: its members read it, its organisers change it on the same page."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from campaign import access
from campaign.forms.refusals import blame
from campaign.forms.terms import TermsForm
from campaign.models import Campaign
from campaign.services.terms import change_terms
from campaign.terms import in_short, name_words, value_words
from catalogue.snapshot import rulebook
from rules.refusal import Refusal
from rules.terms import TRILOGY, differences


def terms(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The page of the terms."""
    if request.method != "POST":
        campaign, role = access.campaign_for(request.user, pk)
        form = TermsForm(book=rulebook(), terms=campaign.terms)
        return _page(request, campaign, form, organises=role.is_organizer)
    campaign = access.organised_campaign_for(request.user, pk)
    form = TermsForm(request.POST, book=rulebook(), terms=campaign.terms)
    if form.is_valid():
        try:
            change_terms(
                actor=request.user,
                campaign=campaign,
                terms=form.as_terms(),
                version=form.cleaned_data["version"],
            )
        except Refusal as refusal:
            blame(form, refusal)
        else:
            messages.success(request, _("The terms are kept. They count from the next battle on."))
            return redirect("campaign:terms", pk=campaign.pk)
    return _page(request, campaign, form)


def _page(
    request: HttpRequest, campaign: Campaign, form: TermsForm, *, organises: bool = True
) -> HttpResponse:
    book = rulebook()
    context = {
        "campaign": campaign,
        "organises": organises,
        "form": form,
        "groups": list(form.groups()),
        "numbers": {name: form.number(name) for name in ("combat_potential", "supply_points", "length")},
        "named": [
            {
                "name": name,
                "title": name_words(name),
                "words": value_words(book, name, list(getattr(campaign.terms, name))),
                "ticks": form.ticks(name),
            }
            for name in ("factions", "story_arcs", "battle_forces")
        ],
        "limits": [
            {"name": name_words(name), "words": value_words(book, name, getattr(campaign.terms, name))}
            for name in ("combat_potential", "supply_points", "length", "unreleased")
        ],
        "in_short": in_short(book, campaign.terms),
        "would_change": _would_change(form, campaign),
        "trilogy": TRILOGY,
        "crumbs": [
            {"label": _("Home"), "href": "/"},
            {"label": campaign.name, "href": campaign.get_absolute_url()},
        ],
    }
    return render(request, "campaign/terms.html", context, status=422 if form.errors else 200)


def _would_change(form: TermsForm, campaign: Campaign) -> list[dict[str, str]]:
    """After a refusal: what sending the form again would change in the terms as they are by now."""
    if not form.is_bound or not set(form.errors) <= {"__all__"}:
        return []
    book = rulebook()
    return [
        {"name": name_words(name), "now": value_words(book, name, now), "then": value_words(book, name, then)}
        for name, now, then in differences(campaign.terms, form.as_terms())
    ]
