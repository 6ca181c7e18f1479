"""Mustering with a list that a player already has."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from campaign import access
from campaign.forms.from_list import FromList
from campaign.models.battle import BEFORE_PLAY
from registers.imports.reading import pasted
from registers.imports.said import Said, said
from registers.services import ledger


@sensitive_post_parameters("text")
def muster_from_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Paste a list, say which Dossiers it means, and go on in the muster form, filled in. Nothing is kept here."""
    side, _role = access.side_for(request.user, pk)
    battle = side.battle
    if battle.status not in BEFORE_PLAY:
        return redirect(battle)
    page = {
        "side": side,
        "crumbs": [
            {"label": str(battle.campaign), "href": battle.campaign.get_absolute_url()},
            {"label": str(battle), "href": battle.get_absolute_url()},
        ],
    }
    if request.method != "POST":
        return render(request, "campaign/from_list.html", page)
    read = pasted(request)
    if read.refused:
        page |= {"refused": read.refused, "text": read.text}
        return render(request, "campaign/from_list.html", page, status=422)
    register = side.own_register
    words = said(request.POST) if read.decided else Said()
    form = FromList(ledger.book_for(register), ledger.state_of(register), read, words)
    waits = read.decided and bool(form.undecided)
    return render(
        request, "campaign/from_list.html", page | {"list": form.context()}, status=422 if waits else 200
    )
