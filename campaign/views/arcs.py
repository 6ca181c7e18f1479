"""The Story Arcs of a campaign that are not printed: which there are, taking one in, putting one away."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.arc_lists import arc_list
from campaign.forms.refusals import said
from campaign.models import Campaign
from campaign.services import arcs as services
from rules.refusal import Problem, Refusal


class TakingForm(forms.Form):
    """The version to take in, and the `token` of the link that led to it."""

    version = forms.IntegerField(min_value=1)
    token = forms.CharField(required=False)


@require_safe
def arcs(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The Story Arcs that Registers of the campaign may begin besides the printed ones, and those at hand."""
    campaign, role = access.campaign_for(request.user, pk)
    return _page(request, campaign, organises=role.is_organizer)


@require_POST
def take_in(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let the campaign's Registers begin an arc."""
    campaign = access.organised_campaign_for(request.user, pk)
    form = TakingForm(request.POST)
    if not form.is_valid():
        return _page(request, campaign, problems=(Problem("", gettext("Choose one of the Story Arcs.")),))
    try:
        version = services.take_in(
            actor=request.user,
            campaign=campaign,
            version_id=form.cleaned_data["version"],
            token=form.cleaned_data["token"],
        )
    except Refusal as refusal:
        return _page(request, campaign, problems=refusal.problems)
    text = gettext("Registers of this campaign may begin {version} now.").format(version=version)
    messages.success(request, text)
    return redirect("campaign:arcs", pk=pk)


@require_POST
def put_away(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Offer an arc no more."""
    campaign = access.organised_campaign_for(request.user, pk)
    services.put_away(actor=request.user, campaign=campaign, arc_id=arc)
    messages.success(request, gettext("Put away. Registers that are on it play it to its end."))
    return redirect("campaign:arcs", pk=pk)


def _page(
    request: HttpRequest, campaign: Campaign, *, organises: bool = True, problems: tuple[Problem, ...] = ()
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "organises": organises,
        "arcs": arc_list(campaign),
        "problems": said(problems),
        "crumbs": [{"label": str(campaign), "href": campaign.get_absolute_url()}],
    }
    return render(request, "campaign/arcs/list.html", context, status=422 if problems else 200)
