"""Writing a Story Arc: begun, part by part, published in versions, shared by link, or thrown away."""

from __future__ import annotations

import re
from collections.abc import Iterable
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from campaign import access
from campaign.arc_lists import may_begin_like
from campaign.forms.arc_parts import PARTS
from campaign.forms.refusals import blame, said, spoken
from campaign.models import Campaign, OwnArc
from campaign.services import arc_drafts, arcs
from campaign.workshop import Bench
from rules.own_arcs import LONGEST_NAME, part_at, with_part
from rules.refusal import Problem, Refusal

TITLES = {
    "arc": _("Name and briefing"),
    "agenda-1": _("Agenda 1"),
    "agenda-2": _("Agenda 2"),
    "agenda-3": _("Agenda 3"),
    "mission": _("Turning Point Mission"),
    "setback": _("Its own Setback"),
    "trait": _("Its own Defining Trait"),
    "commendation": _("Its own Commendation"),
}


#: Where something stands in a draft.
_PATH = re.compile(r"[a-z0-9_.]+")


class BeginForm(forms.Form):
    """A new arc; `arc` is its primary key, so that a form sent twice begins it once."""

    arc = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, required=False)
    like = forms.ModelChoiceField(None, label=_("Start from"), required=False, empty_label=_("an empty one"))

    def __init__(self, *args: object, campaign: Campaign, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["like"].queryset = may_begin_like(campaign)


class RevisionForm(forms.Form):
    """The revision of the draft that a form was drawn from."""

    revision = forms.IntegerField(required=False)


def revision_of(request: HttpRequest) -> int | None:
    """The revision that a form says; 0 (which none has) if it says none."""
    form = RevisionForm(request.POST)
    return (form.cleaned_data["revision"] or 0) if form.is_valid() else 0


def begin(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Begin to write an arc, or a copy of one."""
    campaign = access.organised_campaign_for(request.user, pk)
    form = BeginForm(
        request.POST if request.method == "POST" else None, campaign=campaign, initial={"arc": uuid4()}
    )
    if form.is_valid():
        words = form.cleaned_data
        try:
            arc = arc_drafts.begin(
                actor=request.user,
                campaign=campaign,
                name=words["name"],
                like=words["like"],
                arc_id=words["arc"],
            )
        except Refusal as refusal:
            blame(form, refusal)
        else:
            return redirect(arc)
    context = {"campaign": campaign, "form": form, "crumbs": crumbs(campaign)}
    return render(request, "campaign/arcs/begin.html", context, status=422 if form.errors else 200)


@require_safe
def arc(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """An arc that is being written: its parts, and what each still lacks."""
    return _page(request, access.own_arc_for(request.user, pk, arc))


def part(request: HttpRequest, pk: UUID, arc: UUID, part: str) -> HttpResponse:
    """One part of it."""
    own = access.own_arc_for(request.user, pk, arc)
    if part not in PARTS:
        raise Http404("No such part")
    path, make = PARTS[part]
    form = make(request.POST if request.method == "POST" else None, part=part_at(own.draft, path))
    if form.is_valid():
        changed = with_part(own.draft, path, form.as_part()) if path else form.as_part()
        try:
            arc_drafts.change(actor=request.user, arc_id=own.pk, revision=revision_of(request), draft=changed)
        except Refusal as refusal:
            blame(form, refusal)
        else:
            messages.success(request, gettext("Kept."))
            return redirect(_after(request, own, part))
    bench = Bench(own.draft)
    context = {
        "arc": own,
        "part": part,
        "path": path,
        "title": TITLES[part],
        "form": form,
        "missing": said(bench.missing(path)),
        "conditions_at": {"mission": f"{path}.end_of_game"}.get(part, f"{path}.progress"),
        "conditions": _conditions(bench, part, path),
        "rewards": list(bench.rewards_of(path)),
        "crumbs": crumbs(own.campaign, own),
    }
    return render(request, "campaign/arcs/part.html", context, status=422 if form.errors else 200)


def _after(request: HttpRequest, own: OwnArc, part: str) -> str:
    """Where a kept part leads: to the condition or reward whose button was pressed, else to the part again."""
    for name in ("condition", "reward"):
        if _PATH.fullmatch(at := request.POST.get(name, "")):
            return reverse(f"campaign:arc_{name}", args=[own.campaign_id, own.pk, at])
    return reverse("campaign:arc_part", args=[own.campaign_id, own.pk, part])


def _conditions(bench: Bench, part: str, path: str) -> list[object]:
    if part == "mission":
        return list(bench.conditions(f"{path}.end_of_game"))
    return list(bench.conditions(f"{path}.progress")) if part.startswith("agenda") else []


@require_POST
def publish(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Make a version of it, which the campaign plays from now on."""
    own = access.own_arc_for(request.user, pk, arc)
    try:
        version = arcs.publish(actor=request.user, arc_id=own.pk, revision=revision_of(request))
    except Refusal as refusal:
        return _page(request, own, refusal.problems)
    text = gettext("{version} is published: Registers of this campaign may begin it.")
    messages.success(request, text.format(version=version))
    return redirect(own)


@require_POST
def share(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Give it a link, or take the link back."""
    own = access.own_arc_for(request.user, pk, arc)
    act = arcs.stop_sharing if "stop" in request.POST else arcs.share
    try:
        act(actor=request.user, arc_id=own.pk)
    except Refusal as refusal:
        return _page(request, own, refusal.problems)
    return redirect(own)


@require_POST
def discard(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Throw it away."""
    campaign = access.organised_campaign_for(request.user, pk)
    try:
        arc_drafts.discard(actor=request.user, campaign=campaign, arc_id=arc)
    except Refusal as refusal:
        messages.error(request, spoken(refusal.problems))
    return redirect("campaign:arcs", pk=pk)


def crumbs(campaign: Campaign | None, own: OwnArc | None = None) -> list[dict[str, str]]:
    """The way back to the list of arcs, or to the one that is being written."""
    listed = {"label": gettext("Story Arcs"), "href": reverse("campaign:arcs", args=[campaign.pk])}
    return [listed, {"label": str(own), "href": own.get_absolute_url()}] if own else [listed]


def _page(request: HttpRequest, own: OwnArc, problems: tuple[Problem, ...] = ()) -> HttpResponse:
    bench = Bench(own.draft)
    newest = own.versions.last()
    link = reverse("campaign:shared_arc", args=[own.token]) if own.token else ""
    context = {
        "arc": own,
        "parts": [_part_row(bench, part) for part in PARTS],
        "newest": newest,
        "changed": newest is None or newest.content != own.draft,
        "link": request.build_absolute_uri(link) if link else "",
        "problems": _with_parts(own, problems),
        "crumbs": crumbs(own.campaign),
    }
    return render(request, "campaign/arcs/workshop.html", context, status=422 if problems else 200)


def _with_parts(own: OwnArc, problems: Iterable[Problem]) -> list[dict[str, str]]:
    """Problems, each with the part that it is about and the way there: many sentences fit several parts."""
    return [{**shown, **_part_of(own, problem.about)} for problem in problems for shown in said([problem])]


def _part_of(own: OwnArc, about: str) -> dict[str, str]:
    for part, (path, _form) in PARTS.items():
        if f"{about}.".startswith(f"{path}.") or (part == "arc" and about in own.draft):
            href = reverse("campaign:arc_part", args=[own.campaign_id, own.pk, part])
            return {"where": str(TITLES[part]), "href": href}
    return {}


def _part_row(bench: Bench, part: str) -> dict[str, object]:
    path, _form = PARTS[part]
    return {
        "slug": part,
        "title": TITLES[part],
        "name": part_at(bench.arc, f"{path}.name" if path else "name"),
        "missing": len(bench.missing(path)),
    }
