"""Pictures of battles, and the one of a campaign: sending, showing, removing them."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.limits import too_often
from campaign import access
from campaign.models import Battle, BattlePicture, PublicLink
from campaign.services import pictures
from rules.refusal import Refusal
from uploads.forms import empty_form, sent_form
from uploads.models import picture_answer

from .battle import crumb, crumbs_of


@require_safe
def picture(request: HttpRequest, pk: UUID, picture: UUID, size: str) -> HttpResponse:
    """A picture of the campaign or of one of its battles, for its members."""
    campaign, _role = access.campaign_for(request.user, pk)
    return picture_answer(get_object_or_404(access.pictures_of(campaign), pk=picture), size)


@require_http_methods(["GET", "HEAD", "POST"])
def battle_pictures(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The pictures of a battle, and the form for another one; none for a battle that was called off."""
    battle, role = access.battle_for(request.user, pk)
    called_off = battle.status == Battle.Status.CANCELLED
    if not role.is_player or (called_off and request.method == "POST"):
        raise Http404("No pictures to add")
    form = None if called_off else empty_form()
    if request.method == "POST":
        if limited := too_often(request, "upload"):
            return limited
        form = sent_form(request, partial(pictures.add_to_battle, actor=request.user, battle=battle))
        if form.is_valid():
            return redirect("campaign:battle_pictures", pk=pk)
    found = BattlePicture.objects.filter(battle=battle).select_related("picture")
    context = {
        "battle": battle,
        "pictures": [
            {"picture": each.picture, "own": role.is_organizer or each.picture.sent_by_id == request.user.pk}
            for each in found
        ],
        "form": form,
        "public": PublicLink.objects.filter(campaign=battle.campaign).exists(),
        "crumbs": [*crumbs_of(battle.campaign), crumb(battle)],
    }
    status = 422 if form and form.errors else 200
    return render(request, "campaign/saga/pictures.html", context, status=status)


@require_POST
def remove(request: HttpRequest, pk: UUID, picture: UUID) -> HttpResponse:
    """Remove a picture of a battle."""
    battle, role = access.battle_for(request.user, pk)
    if not role.is_player:
        raise Http404("No pictures to remove")
    try:
        pictures.remove_from_battle(actor=request.user, battle=battle, picture_id=picture)
    except Refusal as refusal:
        raise Http404("Not this person's picture") from refusal
    messages.success(request, _("The picture is removed."))
    return redirect("campaign:battle_pictures", pk=pk)


@require_http_methods(["GET", "HEAD", "POST"])
def campaign_picture(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The picture of a campaign: its organisers change or remove it."""
    campaign = access.organised_campaign_for(request.user, pk)
    if request.method == "POST" and request.POST.get("do") == "remove":
        pictures.remove_of_campaign(actor=request.user, campaign=campaign)
        return redirect("campaign:campaign_picture", pk=pk)
    form = empty_form()
    if request.method == "POST":
        if limited := too_often(request, "upload"):
            return limited
        form = sent_form(request, partial(pictures.show_of_campaign, actor=request.user, campaign=campaign))
        if form.is_valid():
            return redirect("campaign:campaign_picture", pk=pk)
    shown = campaign.picture
    context = {
        "title": _("Picture of the campaign"),
        "picture": shown,
        "address": reverse("campaign:picture", args=[pk, shown.pk, "medium"]) if shown else "",
        "form": form,
        "crumbs": crumbs_of(campaign),
    }
    return render(request, "uploads/picture.html", context, status=422 if form.errors else 200)
