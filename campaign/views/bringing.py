"""A campaign that was played elsewhere comes from a file: sent, looked at, brought."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.limits import too_often
from campaign.carrying import checking, desk, reading
from campaign.carrying.form import MOST_BYTES
from campaign.carrying.looking import is_here
from campaign.forms.carrying import FileForm, PeopleForm
from campaign.forms.refusals import blame, said
from campaign.models import Campaign
from campaign.services import carrying
from rules.refusal import Problem, Refusal

#: What a form has besides its file.
REST = 64 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """Send a file. It lies here until it is looked at, and is not kept in memory."""
    if request.method != "POST":
        return _sending(request, FileForm())
    if limited := too_often(request, "bring"):
        return limited
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return _sending(request, form)
    try:
        key = desk.lay(request.user, form.cleaned_data["file"])
    except Refusal as refusal:
        blame(form, refusal)
        return _sending(request, form)
    return redirect("campaign:look", file=key)


bring.takes_at_most = MOST_BYTES + REST


@require_http_methods(["GET", "HEAD", "POST"])
def look(request: HttpRequest, file: UUID) -> HttpResponse:
    """What is in the file, who its people are here; then all of it is brought, or nothing."""
    path = desk.path(request.user, file)
    if path is None:
        raise Http404("No such file")
    if limited := too_often(request, "look"):
        return limited
    try:
        with reading.one_at_a_time():
            return _look(request, file, path)
    except Refusal as refusal:
        return _sending(request, FileForm(), refusal.problems)


def _look(request: HttpRequest, file: UUID, path: Path) -> HttpResponse:
    content = _read(path)
    form = PeopleForm(
        request.POST if request.method == "POST" else None,
        people=content["people"],
        oneself=request.user,
    )
    if request.method == "POST" and form.is_valid():
        try:
            campaign = _bring(request, file, path, content, form)
        except Refusal as refusal:
            blame(form, refusal)
        else:
            messages.success(
                request, _("%(campaign)s is here. Invite those who are missing.") % {"campaign": campaign}
            )
            return redirect("campaign:people", pk=campaign.pk)
    return _looking(request, content, form)


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        content = reading.read(file)
        reading.look_at_pictures(file, content)
    if found := checking.problems(content):
        raise Refusal(found)
    return content


def _bring(
    request: HttpRequest, key: UUID, path: Path, content: dict[str, Any], form: PeopleForm
) -> Campaign:
    with path.open("rb") as file:
        return carrying.bring(
            actor=request.user,
            data=content,
            file_of=lambda picture: reading.picture(file, picture),
            who=form.who,
            key=key,
            as_copy=form.cleaned_data["copy"],
        )


def _sending(request: HttpRequest, form: FileForm, problems: tuple[Problem, ...] = ()) -> HttpResponse:
    context = {"form": form, "problems": said(problems), "crumbs": [{"label": _("Home"), "href": "/"}]}
    status = 422 if form.errors or problems else 200
    return render(request, "campaign/carrying/bring.html", context, status=status)


def _looking(request: HttpRequest, content: dict[str, Any], form: PeopleForm) -> HttpResponse:
    context = {
        "form": form,
        "campaign": content["campaign"],
        "made_at": checking.sound_moment(content["made_at"]),
        "counts": {
            "registers": len(content["registers"]),
            "entries": sum(len(each["ledger"]) for each in content["registers"]),
            "battles": len(content["battles"]),
            "writings": len(content["writings"]),
            "pictures": len(content["pictures"]),
            "arcs": len(content["story_arcs"]),
        },
        "former": sum(each["former"] for each in content["people"]),
        "is_here": is_here(content),
        "crumbs": [{"label": _("Home"), "href": "/"}],
    }
    return render(request, "campaign/carrying/look.html", context, status=422 if form.errors else 200)
