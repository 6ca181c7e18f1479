"""The reward editor: clauses of a reward, one inside the other, as plain forms; and conditions of progress."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from campaign import access
from campaign.forms.clauses import NAMES, VOCABULARY, ClauseForm
from campaign.forms.conditions import ConditionForm
from campaign.forms.refusals import said
from campaign.models import OwnArc
from campaign.services import arc_drafts
from campaign.workshop import Bench
from catalogue.snapshot import rulebook
from rules.own_arcs import Arc, appended, conditions_at, moved, part_at, removed, reward_at, with_part
from rules.refusal import Problem, Refusal

from .workshop import TITLES, crumbs, revision_of

_MOVES = {"up": -1, "down": 1}


def reward(request: HttpRequest, pk: UUID, arc: UUID, at: str) -> HttpResponse:
    """A reward line by line; `?into=` a reward adds a clause there, `?change=` a clause changes it."""
    own = access.own_arc_for(request.user, pk, arc)
    try:
        reward_at(own.draft, at)
        if request.method == "POST":
            return _posted(request, own, at)
        return _asked_for(request, own, at)
    except LookupError as error:
        raise Http404("No such place") from error


def _asked_for(request: HttpRequest, own: OwnArc, at: str) -> HttpResponse:
    into, change, word = (request.GET.get(key, "") for key in ("into", "change", "do"))
    if change:
        clause = _clause_at(own.draft, change)
        return _fields(request, own, at, _form(own, clause["do"], clause), change=change)
    if into:
        reward_at(own.draft, into)
        if word in NAMES:
            return _fields(request, own, at, _form(own, word), into=into)
        return _words(request, own, at, into)
    return _tree(request, own, at)


def _posted(request: HttpRequest, own: OwnArc, at: str) -> HttpResponse:
    into, change, word = (request.POST.get(key, "") for key in ("into", "change", "do"))
    if into or (change and not word):
        clause = _clause_at(own.draft, change) if change else None
        reward_at(own.draft, into or at)
        if not clause and word not in NAMES:
            return _words(request, own, at, into)
        form = _form(own, clause["do"] if clause else word, clause, request.POST)
        if not form.is_valid():
            return _fields(request, own, at, form, into=into, change=change)
        said = form.as_clause()
        draft = with_part(own.draft, change, said) if change else appended(own.draft, into, said)
        return _kept(request, own, at, draft, form, into=into, change=change)
    if word not in (*_MOVES, "remove"):
        return _tree(request, own, at, (Problem("", gettext("Choose a line, and what to do with it.")),))
    _clause_at(own.draft, change)
    changed = removed(own.draft, change) if word == "remove" else moved(own.draft, change, _MOVES[word])
    return _kept(request, own, at, changed)


def _kept(
    request: HttpRequest, own: OwnArc, at: str, draft: Arc, form: ClauseForm | None = None, **places: str
) -> HttpResponse:
    try:
        arc_drafts.change(actor=request.user, arc_id=own.pk, revision=revision_of(request), draft=draft)
    except Refusal as refusal:
        if form is None:
            own.refresh_from_db()
            return _tree(request, own, at, refusal.problems)
        form.add_error(None, refusal.problems[0].text)
        return _fields(request, own, at, form, **places)
    return redirect("campaign:arc_reward", pk=own.campaign_id, arc=own.pk, at=at)


def _clause_at(draft: Arc, path: str) -> dict[str, Any]:
    reward_at(draft, path.rpartition(".")[0])
    clause: dict[str, Any] = part_at(draft, path)
    return clause


def _form(own: OwnArc, word: str, clause: dict[str, Any] | None = None, data: Any = None) -> ClauseForm:
    asks = own.draft["turning_point"]["asks"]
    return ClauseForm(data, word=word, book=rulebook(), asks=asks, clause=clause)


def _tree(request: HttpRequest, own: OwnArc, at: str, problems: tuple[Problem, ...] = ()) -> HttpResponse:
    shown = Bench(own.draft).reward(at)
    context = {"reward": shown, "problems": said(problems), **_common(own, at)}
    return render(request, "campaign/arcs/reward.html", context, status=422 if problems else 200)


def _words(request: HttpRequest, own: OwnArc, at: str, into: str) -> HttpResponse:
    offers = [
        (heading, [
            {"title": name, "note": note, "href": f"{_here(own, at)}?{urlencode({'into': into, 'do': word})}"}
            for word, name, note in words
        ])
        for heading, words in VOCABULARY
    ]  # fmt: skip
    context = {"offers": offers, "into": into, **_common(own, at)}
    return render(
        request, "campaign/arcs/vocabulary.html", context, status=422 if request.method == "POST" else 200
    )


def _fields(
    request: HttpRequest, own: OwnArc, at: str, form: ClauseForm, into: str = "", change: str = ""
) -> HttpResponse:
    context = {"form": form, "title": NAMES[form.word], "into": into, "change": change, **_common(own, at)}
    return render(request, "campaign/arcs/clause.html", context, status=422 if form.errors else 200)


def _common(own: OwnArc, at: str) -> dict[str, Any]:
    return {"arc": own, "at": at, "here": _here(own, at), "crumbs": _way_back(own, at)}


def _here(own: OwnArc, at: str) -> str:
    return reverse("campaign:arc_reward", args=[own.campaign_id, own.pk, at])


def _way_back(own: OwnArc, at: str) -> list[dict[str, str]]:
    agenda = at.startswith("agendas.")
    part = f"agenda-{int(at.split('.')[1]) + 1}" if agenda else "mission"
    path = ".".join(at.split(".")[:2]) if agenda else "turning_point"
    label = part_at(own.draft, f"{path}.name") or TITLES[part]
    href = reverse("campaign:arc_part", args=[own.campaign_id, own.pk, part])
    return [*crumbs(own.campaign, own), {"label": label, "href": href}]


# --- Conditions ------------------------------------------------------------------------------------------------


def condition(request: HttpRequest, pk: UUID, arc: UUID, at: str) -> HttpResponse:
    """A condition of progress, or an entry of `end_of_game`; `at` ends with its number, or with "new"."""
    own = access.own_arc_for(request.user, pk, arc)
    path, _dot, which = at.rpartition(".")
    try:
        entries = conditions_at(own.draft, path)
        entry = None if which == "new" else part_at(own.draft, at)
    except LookupError as error:
        raise Http404("No such place") from error
    ends_game = path.startswith("turning_point")
    before = entry["when"] if entry and ends_game else entry
    posted = request.method == "POST"
    word = request.POST.get("do", "")
    form = ConditionForm(request.POST if posted and not word else None, condition=before)
    problems: tuple[Problem, ...] = ()
    if posted and (draft := _changed(own.draft, at, word, form)) is not None:
        try:
            arc_drafts.change(actor=request.user, arc_id=own.pk, revision=revision_of(request), draft=draft)
        except Refusal as refusal:
            problems = refusal.problems
        else:
            messages.success(request, gettext("Kept."))
            return redirect(_way_back(own, at)[-1]["href"])
    context = {
        "arc": own,
        "at": at,
        "form": form,
        "new": entry is None,
        "ends_game": ends_game,
        "several": len(entries) > 1,
        "problems": said(problems),
        "crumbs": _way_back(own, at),
    }
    return render(request, "campaign/arcs/condition.html", context, status=422 if posted else 200)


def _changed(draft: Arc, at: str, word: str, form: ConditionForm) -> Arc | None:
    """The draft as a form of a condition says; None if the form is wrong."""
    path, _dot, which = at.rpartition(".")
    if which != "new" and word in _MOVES:
        return moved(draft, at, _MOVES[word])
    if which != "new" and word == "remove":
        return removed(draft, at)
    if word or not form.is_valid():
        return None
    said, ends_game = form.as_condition(), path.startswith("turning_point")
    if which != "new":
        return with_part(draft, f"{at}.when" if ends_game else at, said)
    entry = {"who": "each player", "when": said, "reward": []} if ends_game else said
    return appended(draft, path, entry)
