"""The Discord channel of a campaign: its organisers set it, try it, and remove it."""

from __future__ import annotations

from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from campaign import access
from campaign.forms.campaigns import WebhookForm
from campaign.models import Campaign, Webhook
from campaign.services import webhooks
from core.form_errors import add_violations
from rules.core.violations import RuleViolation

from .common import crumbs_of, refusals_as_messages

SHOWN = 5


class TrialForm(forms.Form):
    """`dispatch` is the primary key of a test, so that a form which comes twice sends one."""

    dispatch = forms.UUIDField()


@never_cache
@sensitive_post_parameters("address")
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Where the campaign's battles are told, and what of them."""
    campaign = access.organized_campaign_for(request.user, pk)
    if request.method != "POST":
        return _page(request, campaign)
    form = WebhookForm(request.POST, campaign=campaign)
    if form.is_valid():
        try:
            webhooks.set_webhook(
                actor=request.user,
                campaign=campaign,
                address=form.cleaned_data["address"],
                told=form.cleaned_data["told"],
                site=request.build_absolute_uri("/").rstrip("/"),
            )
        except RuleViolation as refusal:
            add_violations(form, refusal)
            form.keep_address()
        else:
            messages.success(request, gettext("Kept. Send a test to see whether it arrives."))
            return redirect("campaign:webhook", pk=pk)
    return _page(request, campaign, form)


@require_POST
def send_trial(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Put a test message into the queue."""
    campaign = access.organized_campaign_for(request.user, pk)
    form = TrialForm(request.POST)
    dispatch = form.cleaned_data["dispatch"] if form.is_valid() else uuid4()
    with refusals_as_messages(request):
        webhooks.send_trial(actor=request.user, campaign=campaign, dispatch_id=dispatch)
        messages.success(request, gettext("A test is on its way."))
    return redirect("campaign:webhook", pk=pk)


@require_POST
def remove(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Forget the webhook."""
    campaign = access.organized_campaign_for(request.user, pk)
    webhooks.remove_webhook(actor=request.user, campaign=campaign)
    messages.success(request, gettext("Discord is told nothing any more."))
    return redirect("campaign:webhook", pk=pk)


def _page(request: HttpRequest, campaign: Campaign, form: WebhookForm | None = None) -> HttpResponse:
    found = Webhook.objects.select_related("set_by").filter(campaign=campaign).first()
    told = found.told if found else Webhook.KINDS
    context = {
        "campaign": campaign,
        "webhook": found,
        "form": form or WebhookForm(campaign=campaign, initial={"told": list(told)}),
        "dispatches": [
            {"dispatch": dispatch, "why": _why(dispatch.trouble)}
            for dispatch in campaign.dispatches.select_related("battle")[:SHOWN]
        ],
        "trial": uuid4(),
        "example": webhooks.EXAMPLE,
        "crumbs": crumbs_of(campaign),
    }
    refused = form is not None and form.errors
    return render(request, "campaign/webhook.html", context, status=422 if refused else 200)


def _why(trouble: str) -> str:
    """Why a message has not arrived, in words."""
    words = {
        "": "",
        "unreachable": gettext("Discord could not be reached"),
        "silent": gettext("Discord did not answer in time"),
        "no-webhook": gettext("there was no webhook any more"),
        "sealed": gettext("the site’s secret key has changed: enter the address again"),
        "address": gettext("the address is not Discord’s"),
        "429": gettext("Discord had too much to do"),
        **dict.fromkeys(("401", "403", "404"), gettext("Discord knows no such webhook")),
    }
    return words.get(trouble) or (gettext("Discord answered {n}").format(n=trouble) if trouble else "")
