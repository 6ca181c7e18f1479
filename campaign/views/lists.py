"""The army of a side as a list for other programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import access
from campaign.exports import plain_side
from catalogue.snapshot import card_index
from registers.exports import all_written
from registers.views.lists import list_file


@require_safe
def as_list(request: HttpRequest, pk: int) -> HttpResponse:
    """The army in every format, to copy or to take along."""
    side = access.shown_side_for(request.user, pk)
    battle = side.battle
    context = {
        "name": side.name,
        "faction": side.own_register.faction,
        "crumbs": [
            {"label": str(battle.campaign), "href": battle.campaign.get_absolute_url()},
            {"label": str(battle), "href": battle.get_absolute_url()},
        ],
        "lists": all_written(plain_side(side), card_index()),
    }
    return render(request, "registers/list.html", context)


@require_safe
def as_file(request: HttpRequest, pk: int, which: str) -> HttpResponse:
    """The army as a file."""
    return list_file(plain_side(access.shown_side_for(request.user, pk)), which)
