"""Reading a Story Arc: on the workbench with its rewards played, as a version, and by its link."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign import access
from campaign.arc_lists import organised_by, versions_seen
from campaign.models import ArcVersion, OwnArc
from campaign.rehearsals import played
from campaign.workshop import AGENDAS, MISSION, Bench

from .workshop import crumbs


class SeedForm(forms.Form):
    """Which chance the rewards are played with."""

    seed = forms.IntegerField(min_value=0, max_value=10**6, required=False)


@require_safe
def preview(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Every reward of an arc that is being written, played on a sample Register."""
    own = access.own_arc_for(request.user, pk, arc)
    form = SeedForm(request.GET)
    seed = (form.cleaned_data["seed"] or 0) if form.is_valid() else 0
    context = {
        "arc": own,
        "groups": played(Bench(own.draft), seed),
        "again": f"?seed={seed + 1}",
        "crumbs": crumbs(own.campaign, own),
    }
    return render(request, "campaign/arcs/preview.html", context)


@require_safe
def version(request: HttpRequest, pk: UUID, version: int) -> HttpResponse:
    """A version that the campaign has taken in or may take in, to read."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = get_object_or_404(versions_seen(campaign), pk=version)
    context = {
        **_written(found),
        "crumbs": crumbs(campaign),
        "print": reverse("campaign:arc_print", args=[pk, found.pk]),
    }
    return render(request, "campaign/arcs/version.html", context)


@never_cache
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The newest version of an arc, for who has its link; organisers may take it into their campaigns."""
    arc = OwnArc.objects.filter(token=token).first()
    if arc is None:
        raise Http404("No such link")
    found = arc.versions.last()
    context = {
        **_written(found),
        "token": token,
        "campaigns": organised_by(request.user),
        "crumbs": [{"label": gettext("Home"), "href": "/"}],
    }
    # No stricter Referrer-Policy than the site's: with "no-referrer" a browser names no origin, and the forms on the
    # page are refused as forged.
    return render(request, "campaign/arcs/version.html", context)


def _written(found: ArcVersion) -> dict[str, Any]:
    """Everything that stands in a version."""
    bench, content = Bench(found.content), found.content
    return {
        "version": found,
        "agendas": [
            {
                "agenda": agenda,
                "conditions": bench.conditions(f"{path}.progress"),
                "rewards": list(bench.rewards_of(path)),
            }
            for path, agenda in zip(AGENDAS, content["agendas"], strict=True)
        ],
        "mission": content[MISSION],
        "ends": bench.conditions(f"{MISSION}.end_of_game"),
        "mission_rewards": list(bench.rewards_of(MISSION)),
        "cards": [
            (gettext("Setback"), content["setback"]),
            (gettext("Defining Trait"), content["defining_trait"]),
            (gettext("Commendation"), content["commendation"]),
        ],
    }
