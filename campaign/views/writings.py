"""Writing a piece, changing it, withdrawing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from campaign import access
from campaign.forms.refusals import blame
from campaign.forms.writing import WritingForm
from campaign.models import Battle, Campaign, PublicLink, Writing
from campaign.services import writings
from registers.markdown import to_html
from rules.refusal import Refusal

from .battle import crumb, crumbs_of


@require_http_methods(["GET", "HEAD", "POST"])
def write(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write a piece of the campaign."""
    campaign, _role = access.played_campaign_for(request.user, pk)
    return _new(request, campaign, None)


@require_http_methods(["GET", "HEAD", "POST"])
def write_of_battle(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Write a piece of a battle."""
    battle, role = access.battle_for(request.user, pk)
    if battle.status == Battle.Status.CANCELLED or not role.is_player:
        raise Http404("Nothing to write of")
    return _new(request, battle.campaign, battle)


@require_http_methods(["GET", "HEAD", "POST"])
def writing(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A piece in its form, to be changed or withdrawn."""
    piece = access.writing_for(request.user, pk)
    words = {name: getattr(piece, name) for name in ("title", "text", "byline", "version")}
    form = WritingForm(request.POST if request.method == "POST" else None, initial=words)

    def keep(form: WritingForm) -> Writing:
        version = form.cleaned_data["version"]
        return writings.change(
            actor=request.user, writing_id=piece.pk, version=version or 0, **_words(form)
        )  # fmt: skip

    return _page(request, form, keep, piece.campaign, piece.battle, piece)


@require_POST
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Withdraw a piece."""
    piece = access.writing_for(request.user, pk)
    writings.withdraw(actor=request.user, writing_id=piece.pk)
    messages.success(request, _("The piece is withdrawn."))
    return redirect(_home_of(piece.campaign, piece.battle))


def _new(request: HttpRequest, campaign: Campaign, battle: Battle | None) -> HttpResponse:
    form = WritingForm(request.POST if request.method == "POST" else None, initial={"writing": uuid4()})

    def keep(form: WritingForm) -> Writing:
        return writings.write(
            actor=request.user, campaign=campaign, battle=battle,
            writing_id=form.cleaned_data["writing"], version=form.cleaned_data["version"] or 1, **_words(form),
        )  # fmt: skip

    return _page(request, form, keep, campaign, battle)


def _page(
    request: HttpRequest,
    form: WritingForm,
    keep: Callable[[WritingForm], Writing],
    campaign: Campaign,
    battle: Battle | None,
    piece: Writing | None = None,
) -> HttpResponse:
    """The form, what was sent with it kept; or, with "preview", what the words will look like."""
    preview = present = None
    if request.method == "POST" and form.is_valid():
        if request.POST.get("do") == "preview":
            preview = to_html(form.cleaned_data["text"])
        else:
            try:
                keep(form)
            except Refusal as refusal:
                blame(form, refusal)
                present = _compared(request, form, piece)
            else:
                return redirect(_home_of(campaign, battle))
    context: dict[str, Any] = {
        "campaign": campaign,
        "battle": battle,
        "piece": piece,
        "form": form,
        "preview": preview,
        "present": present,
        "public": PublicLink.objects.filter(campaign=campaign).exists(),
        "title": form.cleaned_data["title"] if preview is not None else "",
        "crumbs": [*crumbs_of(campaign), *([crumb(battle)] if battle else [])],
    }
    return render(request, "campaign/saga/write.html", context, status=422 if form.errors else 200)


def _compared(request: HttpRequest, form: WritingForm, piece: Writing | None) -> Writing | None:
    """The piece as it is now, where it was changed since the form was drawn: what is sent next is written over that."""
    key = piece.pk if piece else form.cleaned_data["writing"]
    own = Writing.objects.filter(pk=key, withdrawn_at=None)
    present = (own if piece else own.filter(author=request.user)).first()
    if present is None or present.version == (form.cleaned_data["version"] or 1):
        return None
    form.data = form.data.copy()
    form.data["version"] = present.version
    return present


def _words(form: WritingForm) -> dict[str, str]:
    return {name: form.cleaned_data[name] for name in ("title", "text", "byline")}


def _home_of(campaign: Campaign, battle: Battle | None) -> str:
    """Where a piece is read."""
    if battle:
        return reverse("campaign:tale", args=[battle.pk])
    return reverse("campaign:chronicle", args=[campaign.pk])
