"""Whether the books of a campaign balance, for its organisers."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import access
from campaign.models import Campaign
from registers.audit import Difference
from registers.models import Finding, Proof

from .battle import crumbs_of


@require_safe
def proof(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The last proof of all books, and how each Register of this campaign stood in it."""
    campaign = access.organised_campaign_for(request.user, pk)
    last = Proof.objects.filter(finished_at__isnull=False).first()
    lines = _lines(campaign, last) if last else []
    context = {
        "campaign": campaign,
        "proof": last,
        "seconds": round((last.finished_at - last.started_at).total_seconds()) if last else 0,
        "lines": lines,
        "differing": sum(bool(line["found"]) for line in lines),
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "campaign/proof.html", context)


def _lines(campaign: Campaign, last: Proof) -> list[dict[str, Any]]:
    """Each Register with what was found, and up to where it was proved: two queries. Those that differ come first."""
    registers = list(
        campaign.registers.filter(discarded=False).select_related("owner", "anchor__proof").order_by("name")
    )
    found: dict[UUID, list[Difference]] = {register.pk: [] for register in registers}
    for finding in Finding.objects.filter(proof=last, register__in=registers).order_by("pk"):
        found[finding.register_id].append(Difference(finding.kind, finding.facts))
    lines = [
        {
            "register": register,
            "found": found[register.pk],
            "anchor": getattr(register, "anchor", None),
        }
        for register in registers
    ]
    return sorted(lines, key=lambda line: not line["found"])
