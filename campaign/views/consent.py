"""An organiser's consent to what a Register took over from a list."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from campaign import access
from campaign.services import campaigns
from registers.models import Act
from registers.queries import ledger_lines
from registers.services.ledger import book_for, force_of


def consent(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Everything that was taken over, line by line, and the consent that lets it count."""
    campaign = access.organised_campaign_for(request.user, pk)
    enlistment = campaign.enlistments.select_related("register__owner").filter(register=register).first()
    if enlistment is None:
        raise Http404("No such Register")
    serving = enlistment.register
    if request.method == "POST":
        campaigns.consent(actor=request.user, campaign=campaign, register_id=serving.pk)
        messages.success(request, _("What %(register)s took over counts.") % {"register": serving})
        return redirect(campaign)
    found = ledger_lines(serving, book_for(serving), force_of(serving))
    context = {
        "register": serving,
        "awaits": enlistment.awaits_consent,
        "lines": [line for line in reversed(found) if line.entry.act == Act.TAKE_OVER and not line.undone],
        "crumbs": [{"label": str(campaign), "href": campaign.get_absolute_url()}],
    }
    return render(request, "campaign/consent.html", context)
