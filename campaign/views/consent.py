"""An organiser's consent to what a Register took over from a list, or their refusal of it."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import access
from campaign.forms.refusals import spoken
from campaign.models import Campaign
from campaign.services import campaigns
from registers.models import Act, Register
from registers.queries import ledger_lines
from registers.services.ledger import book_for, state_of
from registers.sheet import warnings
from rules.force import Force
from rules.refusal import Refusal
from rules.rulebook import Rulebook
from rules.taking_over import WHY
from rules.wording import unit_label


def consent(request: HttpRequest, pk: UUID, register: UUID) -> HttpResponse:
    """Everything that was taken over, line by line, and the consent that lets it count; `decline` sends it away."""
    campaign = access.organised_campaign_for(request.user, pk)
    enlistment = campaign.enlistments.select_related("register__owner").filter(register=register).first()
    if enlistment is None:
        raise Http404("No such Register")
    serving = enlistment.register
    if request.method == "POST" and "decline" in request.POST:
        return _decline(request, campaign, serving)
    if request.method == "POST":
        campaigns.consent(actor=request.user, campaign=campaign, register_id=serving.pk)
        messages.success(request, _("What %(register)s took over counts.") % {"register": serving})
        return redirect(campaign)
    book, force = book_for(serving), state_of(serving)
    found = ledger_lines(serving, book, force)
    taken = [line for line in reversed(found) if line.entry.act == Act.TAKE_OVER and not line.undone]
    for line in taken:
        line.text = line.text.removesuffix(f" ({WHY})")  # the heading says so for all of them
    context = {
        "register": serving,
        "awaits": enlistment.awaits_consent,
        "lines": taken,
        "owed": [*_owed(book, force), *warnings(book, force)],
        "crumbs": [{"label": str(campaign), "href": campaign.get_absolute_url()}],
    }
    return render(request, "campaign/consent.html", context)


def _decline(request: HttpRequest, campaign: Campaign, register: Register) -> HttpResponse:
    try:
        campaigns.decline(actor=request.user, campaign=campaign, register_id=register.pk)
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
    else:
        messages.success(request, _("%(register)s is not taken in.") % {"register": register})
    return redirect(campaign)


def _owed(book: Rulebook, force: Force) -> Iterator[dict[str, str]]:
    """What is still to be awarded, and will be once the Register fights."""
    for key, dossier in force.dossiers.items():
        if dossier.owed:
            text = ngettext(
                "%(unit)s is owed %(number)s Commendation.",
                "%(unit)s is owed %(number)s Commendations.",
                dossier.owed,
            )
            yield {
                "rule": "R15",
                "sentence": text % {"unit": unit_label(book, force, key), "number": dossier.owed},
            }
    if number := force.command_cards_owed:
        text = ngettext(
            "The Paragon is owed %(number)s Command Card.",
            "The Paragon is owed %(number)s Command Cards.",
            number,
        )
        yield {"rule": "R16", "sentence": text % {"number": number}}
