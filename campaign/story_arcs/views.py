"""Pages of a campaign's custom Story Arcs: listing, writing, reading, printing and sharing them."""

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from campaign import access
from campaign.models import Campaign
from campaign.story_arcs import access as story_arcs_access, forms as arc_forms, queries
from campaign.story_arcs.models import ArcVersion, CustomArc
from campaign.story_arcs.pages import AGENDAS, MISSION, EditorPage, played
from campaign.story_arcs.queries import arc_list, may_begin_like, organized_by, visible_versions
from campaign.story_arcs.services import story_arcs as services
from catalogue.snapshot import rulebook
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_in, refusals_on, valid
from core.form_fields import entered, posted, pressed_button
from core.ui.crumbs import crumbs_of, home_crumb
from registers.print.dossiers import arc_cards
from registers.print.paper_sizes import card_pages
from registers.print.preview import Printed, answer, format_choice, paper_choice
from rules.arcs.custom_arcs import (
    DRAFT,
    LONGEST_NAME,
    Arc,
    appended,
    book_with,
    conditions_at,
    moved,
    part_at,
    removed,
    reward_at,
    with_part,
)
from rules.core.violations import RuleViolation, Violation, refuse
from uploads.forms import empty_form, sent_form
from uploads.models import picture_answer

_MOVES = {"up": -1, "down": 1}


class TakingForm(forms.Form):
    """The version to adopt, and the `token` of the link that led to it."""

    version = forms.IntegerField(min_value=1)
    token = forms.CharField(required=False)


@require_safe
def arcs(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the custom Story Arcs that Registers of the campaign may begin, and those it may adopt."""
    campaign, role = access.campaign_for(request.user, pk)
    return _list_page(request, campaign, organizes=role.may_organize())


@require_POST
def adopt(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Let the campaign's Registers begin an arc."""
    campaign = access.organized_campaign_for(request.user, pk)
    form = TakingForm(request.POST)
    try:
        if not form.is_valid():
            raise refuse("", gettext("Choose a Story Arc from the list."))
        key, token = form.cleaned_data["version"], form.cleaned_data["token"]
        version = services.adopt(actor=request.user, campaign=campaign, version_id=key, token=token)
    except RuleViolation as refusal:
        return _list_page(request, campaign, violations=refusal.violations)
    text = gettext("%(version)s was added. Registers of this campaign can choose it.")
    messages.success(request, text % {"version": version})
    return redirect("story_arcs:list", pk=pk)


@require_POST
def drop(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Stop offering an arc."""
    campaign = access.organized_campaign_for(request.user, pk)
    services.drop(actor=request.user, campaign=campaign, arc_id=arc)
    messages.success(request, gettext("Story Arc withdrawn. Registers that play it can finish it."))
    return redirect("story_arcs:list", pk=pk)


def _list_page(
    request: HttpRequest, campaign: Campaign, *, organizes: bool = True, violations: tuple[Violation, ...] = ()
) -> HttpResponse:
    context = {
        "campaign": campaign,
        "organizes": organizes,
        "arcs": arc_list(campaign),
        "violations": as_context(violations),
        "crumbs": crumbs_of(campaign),
    }
    return form_page(request, "story_arcs/list.html", context, refused=violations)


class BeginForm(forms.Form):
    """A new arc; `arc` is its primary key, so that a form sent twice begins one."""

    arc = forms.UUIDField(widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, required=False)
    like = forms.ModelChoiceField(None, label=_("Start from"), required=False, empty_label=_("empty Story Arc"))

    def __init__(self, *args: object, campaign: Campaign, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["like"].queryset = may_begin_like(campaign)


def new(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Begin a new arc, or a copy of one."""
    campaign = access.organized_campaign_for(request.user, pk)
    form = BeginForm(posted(request), campaign=campaign, initial={"arc": uuid4()})
    if form.is_valid():
        words = dict(form.cleaned_data)
        key = words.pop("arc")
        with refusals_on(form):
            return redirect(services.begin(actor=request.user, campaign=campaign, arc_id=key, **words))
    context = {"campaign": campaign, "form": form, "crumbs": _crumbs(campaign)}
    return form_page(request, "story_arcs/new.html", context)


@require_safe
def editor(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Show a custom arc in the editor: its parts, and what each still lacks."""
    return _arc_page(request, story_arcs_access.custom_arc_for(request.user, pk, arc))


def part(request: HttpRequest, pk: UUID, arc: UUID, part: str) -> HttpResponse:
    """Edit one part of an arc."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    if part not in arc_forms.PARTS:
        raise Http404("No such part")
    path, make = arc_forms.PARTS[part]
    form = make(posted(request), part=part_at(own.draft, path))
    if form.is_valid():
        changed = with_part(own.draft, path, form.as_part()) if path else form.as_part()
        with refusals_on(form):
            _change(request, own, changed)
            messages.success(request, gettext("Saved."))
            return redirect(_after(request, own, part))
    bench = EditorPage(own.draft)
    conditions_at = f"{path}.end_of_game" if part == "mission" else f"{path}.progress"
    context = {
        "arc": own,
        "part": part,
        "path": path,
        "title": arc_forms.TITLES[part],
        "form": form,
        "missing": as_context(bench.missing(path)),
        "conditions_at": conditions_at,
        "conditions": list(bench.conditions(conditions_at)) if part.startswith(("mission", "agenda")) else [],
        "rewards": list(bench.rewards_of(path)),
        "crumbs": _crumbs(own.campaign, own),
    }
    return form_page(request, "story_arcs/part.html", context)


def _after(request: HttpRequest, own: CustomArc, part: str) -> str:
    """Return the address after saving a part: the condition or reward whose button was pressed, or the part again."""
    for name, at in entered(arc_forms.NextPageForm(request.POST)).items():
        if at:
            return reverse(f"story_arcs:{name}", args=[own.campaign_id, own.pk, at])
    return reverse("story_arcs:part", args=[own.campaign_id, own.pk, part])


def _change(request: HttpRequest, own: CustomArc, draft: Arc) -> None:
    """Save the draft. Refuses if it has been changed since the form was drawn."""
    services.change(actor=request.user, arc_id=own.pk, **valid(arc_forms.RevisionForm(request.POST)), draft=draft)


@require_POST
def publish(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Publish a version, which the campaign plays from now on."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    try:
        version = services.publish(actor=request.user, arc_id=own.pk, **valid(arc_forms.RevisionForm(request.POST)))
    except RuleViolation as refusal:
        return _arc_page(request, own, refusal.violations)
    text = gettext("%(version)s published. Registers of this campaign can choose it.")
    messages.success(request, text % {"version": version})
    return redirect(own)


@require_POST
def share(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Give the arc a link, or remove it."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    act = services.stop_sharing if pressed_button(request.POST, "stop") else services.share
    try:
        act(actor=request.user, arc_id=own.pk)
    except RuleViolation as refusal:
        return _arc_page(request, own, refusal.violations)
    return redirect(own)


@require_POST
def discard(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Delete the draft."""
    campaign = access.organized_campaign_for(request.user, pk)
    with refusals_as_messages(request):
        services.discard(actor=request.user, campaign=campaign, arc_id=arc)
    return redirect("story_arcs:list", pk=pk)


def _crumbs(campaign: Campaign, *arcs: CustomArc) -> list[dict[str, str]]:
    """Return breadcrumbs to the list of arcs, and to the arc being written."""
    href = reverse("story_arcs:list", args=[campaign.pk])
    return [{"label": gettext("Story Arcs"), "href": href}, *crumbs_of(*arcs)]


def _arc_page(request: HttpRequest, own: CustomArc, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    bench = EditorPage(own.draft)
    newest = own.versions.last()
    link = reverse("story_arcs:shared", args=[own.token]) if own.token else ""
    context = {
        "arc": own,
        "parts": [_part_row(bench, part) for part in arc_forms.PARTS],
        "newest": newest,
        "changed": newest is None or newest.content != own.draft,
        "link": request.build_absolute_uri(link) if link else "",
        # Each violation names its part and links to it, because many sentences fit several parts.
        "violations": [{**as_context([item])[0], **_part_of(own, item.about)} for item in violations],
        "crumbs": _crumbs(own.campaign),
    }
    return form_page(request, "story_arcs/editor.html", context, refused=violations)


def _part_of(own: CustomArc, about: str) -> dict[str, str]:
    for part, (path, _form) in arc_forms.PARTS.items():
        if f"{about}.".startswith(f"{path}.") or (part == "arc" and about in own.draft):
            href = reverse("story_arcs:part", args=[own.campaign_id, own.pk, part])
            return {"where": str(arc_forms.TITLES[part]), "href": href}
    return {}


def _part_row(bench: EditorPage, part: str) -> dict[str, object]:
    path, _form = arc_forms.PARTS[part]
    return {
        "slug": part,
        "title": arc_forms.TITLES[part],
        "name": part_at(bench.arc, f"{path}.name" if path else "name"),
        "missing": len(bench.missing(path)),
    }


def reward(request: HttpRequest, pk: UUID, arc: UUID, at: str) -> HttpResponse:
    """Edit a reward effect by effect; `?into=` adds an effect to that reward, `?change=` changes an effect."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    try:
        reward_at(own.draft, at)
        if request.method == "POST":
            return _posted(request, own, at)
        return _asked_for(request, own, at)
    except LookupError as error:
        raise Http404("No such place") from error


def _asked_for(request: HttpRequest, own: CustomArc, at: str) -> HttpResponse:
    into, change, word = entered(arc_forms.EffectPlaceForm(request.GET)).values()
    if change:
        clause = _clause_at(own.draft, change)
        return _fields(request, own, at, _form(own, clause["do"], clause), change=change)
    if into:
        reward_at(own.draft, into)
        if word in arc_forms.NAMES:
            return _fields(request, own, at, _form(own, word), into=into)
        return _words(request, own, at, into)
    return _tree(request, own, at)


def _posted(request: HttpRequest, own: CustomArc, at: str) -> HttpResponse:
    into, change, word = entered(arc_forms.EffectPlaceForm(request.POST)).values()
    if into or (change and not word):
        clause = _clause_at(own.draft, change) if change else None
        reward_at(own.draft, into or at)
        if not clause and word not in arc_forms.NAMES:
            return _words(request, own, at, into)
        form = _form(own, clause["do"] if clause else word, clause, request.POST)
        if not form.is_valid():
            return _fields(request, own, at, form, into=into, change=change)
        part = form.as_clause()
        draft = with_part(own.draft, change, part) if change else appended(own.draft, into, part)
        return _kept(request, own, at, draft, form, into=into, change=change)
    if word not in (*_MOVES, "remove"):
        return _tree(request, own, at, (Violation("", gettext("Choose a line and an action.")),))
    _clause_at(own.draft, change)
    changed = removed(own.draft, change) if word == "remove" else moved(own.draft, change, _MOVES[word])
    return _kept(request, own, at, changed)


def _kept(
    request: HttpRequest, own: CustomArc, at: str, draft: Arc, form: arc_forms.ClauseForm | None = None, **places: str
) -> HttpResponse:
    try:
        _change(request, own, draft)
    except RuleViolation as refusal:
        if form is None:
            own.refresh_from_db()
            return _tree(request, own, at, refusal.violations)
        form.add_error(None, refusal.violations[0].text)
        return _fields(request, own, at, form, **places)
    return redirect("story_arcs:reward", pk=own.campaign_id, arc=own.pk, at=at)


def _clause_at(draft: Arc, path: str) -> dict[str, Any]:
    reward_at(draft, path.rpartition(".")[0])
    return part_at(draft, path)


def _form(own: CustomArc, word: str, clause: dict[str, Any] | None = None, data: Any = None) -> arc_forms.ClauseForm:
    asks = own.draft["turning_point"]["asks"]
    return arc_forms.ClauseForm(data, word=word, book=rulebook(), asks=asks, clause=clause)


def _tree(request: HttpRequest, own: CustomArc, at: str, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    shown = EditorPage(own.draft).reward(at)
    context = {"reward": shown, "violations": as_context(violations), **_common(own, at)}
    return form_page(request, "story_arcs/reward.html", context, refused=violations)


def _words(request: HttpRequest, own: CustomArc, at: str, into: str) -> HttpResponse:
    offers = [
        (heading, [
            {"title": name, "note": note, "href": f"{_here(own, at)}?{urlencode({'into': into, 'do': word})}"}
            for word, name, note in words
        ])
        for heading, words in arc_forms.VOCABULARY
    ]  # fmt: skip
    context = {"offers": offers, "into": into, **_common(own, at)}
    return form_page(request, "story_arcs/vocabulary.html", context, refused=request.method == "POST")


def _fields(
    request: HttpRequest, own: CustomArc, at: str, form: arc_forms.ClauseForm, into: str = "", change: str = ""
) -> HttpResponse:
    context = {"form": form, "title": arc_forms.NAMES[form.word], "into": into, "change": change, **_common(own, at)}
    return form_page(request, "story_arcs/clause.html", context)


def _common(own: CustomArc, at: str) -> dict[str, Any]:
    return {"arc": own, "at": at, "here": _here(own, at), "crumbs": _way_back(own, at)}


def _here(own: CustomArc, at: str) -> str:
    return reverse("story_arcs:reward", args=[own.campaign_id, own.pk, at])


def _way_back(own: CustomArc, at: str) -> list[dict[str, str]]:
    agenda = at.startswith("agendas.")
    part = f"agenda-{int(at.split('.')[1]) + 1}" if agenda else "mission"
    path = ".".join(at.split(".")[:2]) if agenda else "turning_point"
    label = part_at(own.draft, f"{path}.name") or arc_forms.TITLES[part]
    href = reverse("story_arcs:part", args=[own.campaign_id, own.pk, part])
    return [*_crumbs(own.campaign, own), {"label": label, "href": href}]


def condition(request: HttpRequest, pk: UUID, arc: UUID, at: str) -> HttpResponse:
    """Edit a condition of progress, or an entry of `end_of_game`; `at` ends with its number, or with "new"."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    path, _dot, which = at.rpartition(".")
    try:
        entries = conditions_at(own.draft, path)
        entry = None if which == "new" else part_at(own.draft, at)
    except LookupError as error:
        raise Http404("No such place") from error
    ends_game = path.startswith("turning_point")
    before = entry["when"] if entry and ends_game else entry
    posted = request.method == "POST"
    button = pressed_button(request.POST, *_MOVES, "remove")
    form = arc_forms.ConditionForm(request.POST if posted and not button else None, condition=before)
    violations: list[Violation] = []
    if posted and (draft := _changed(own.draft, at, button, form)) is not None:
        with refusals_in(violations):
            _change(request, own, draft)
            messages.success(request, gettext("Saved."))
            return redirect(_way_back(own, at)[-1]["href"])
    context = {
        "arc": own,
        "at": at,
        "form": form,
        "new": entry is None,
        "ends_game": ends_game,
        "several": len(entries) > 1,
        "violations": as_context(violations),
        "crumbs": _way_back(own, at),
    }
    return form_page(request, "story_arcs/condition.html", context, refused=posted)


def _changed(draft: Arc, at: str, button: str, form: arc_forms.ConditionForm) -> Arc | None:
    """Return the draft with the condition of the form; None if the form is invalid."""
    path, _dot, which = at.rpartition(".")
    if which != "new" and button in _MOVES:
        return moved(draft, at, _MOVES[button])
    if which != "new" and button == "remove":
        return removed(draft, at)
    if button or not form.is_valid():
        return None
    condition, ends_game = form.as_condition(), path.startswith("turning_point")
    if which != "new":
        return with_part(draft, f"{at}.when" if ends_game else at, condition)
    entry = {"who": "each player", "when": condition, "reward": []} if ends_game else condition
    return appended(draft, path, entry)


def mission_map(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Change or remove the map of an arc's Turning Point Mission."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    here = reverse("story_arcs:map", args=[pk, arc])
    if pressed_button(request.POST, "remove"):
        services.remove_mission_map(actor=request.user, arc_id=own.pk)
        return redirect(here)
    form = empty_form()
    if request.method == "POST":
        check_limit(request, "upload")
        form = sent_form(request, partial(services.set_mission_map, actor=request.user, arc_id=own.pk))
        if form.is_valid():
            messages.success(request, gettext("Map saved. It is shown in battles that play this mission."))
            return redirect(own)
    shown = queries.mission_map(own, own.campaign)
    context = {
        "title": gettext("Mission map"),
        "picture": own.picture,
        "address": {"medium": shown["address"]} if shown else {},
        "form": form,
        "crumbs": _crumbs(own.campaign, own),
    }
    return form_page(request, "uploads/picture.html", context)


@require_safe
def map_picture(request: HttpRequest, pk: UUID, picture: UUID, size: str) -> HttpResponse:
    """Return the map of a mission that the campaign plays or may play."""
    campaign, _role = access.campaign_for(request.user, pk)
    return picture_answer(get_object_or_404(queries.map_pictures(campaign), pk=picture), size)


class SeedForm(forms.Form):
    """The seed of the dice in the preview."""

    seed = forms.IntegerField(min_value=0, max_value=10**6, required=False)


@require_safe
def preview(request: HttpRequest, pk: UUID, arc: UUID) -> HttpResponse:
    """Show every reward of a custom arc, played on a sample Register."""
    own = story_arcs_access.custom_arc_for(request.user, pk, arc)
    form = SeedForm(request.GET)
    seed = (form.cleaned_data["seed"] or 0) if form.is_valid() else 0
    context = {
        "arc": own,
        "groups": played(EditorPage(own.draft), seed),
        "again": f"?seed={seed + 1}",
        "crumbs": _crumbs(own.campaign, own),
    }
    return render(request, "story_arcs/preview.html", context)


@require_safe
def version(request: HttpRequest, pk: UUID, version: int) -> HttpResponse:
    """Show a version that the campaign has adopted or may adopt."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = get_object_or_404(visible_versions(campaign), pk=version)
    context = {
        **_written(found),
        "map": queries.mission_map(found.arc, campaign),
        "crumbs": _crumbs(campaign),
        "print": reverse("story_arcs:print", args=[pk, found.pk]),
    }
    return render(request, "story_arcs/version.html", context)


@require_safe
def print_arc(request: HttpRequest, pk: UUID, version: int) -> HttpResponse:
    """Print the cards of a Story Arc that the campaign has adopted or may adopt."""
    campaign, _role = access.campaign_for(request.user, pk)
    found = get_object_or_404(visible_versions(campaign), pk=version)
    book, name = book_with(rulebook(), found.content), found.story_arc.name
    paper_asked, paper = paper_choice(request.GET)
    stock_asked, card_format = format_choice(request.GET)
    here = {"label": name, "href": reverse("story_arcs:version", args=[campaign.pk, found.pk])}
    printed = Printed(
        name=name,
        paper=paper,
        pages=card_pages(arc_cards(book, book.story_arcs[DRAFT]), card_format, paper),
        choices=[stock_asked, paper_asked],
        crumbs=[*crumbs_of(campaign), here],
    )
    return answer(request, printed)


@never_cache
@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show the newest version of an arc to anyone who has its link; organizers may adopt it for their campaigns."""
    arc = get_object_or_404(CustomArc.objects.filter(campaign__deleted_at=None), token=token)
    context = {
        **_written(arc.versions.last()),
        "token": token,
        "campaigns": organized_by(request.user),
        "crumbs": [home_crumb()],
    }
    # The Referrer-Policy must not be stricter than the site's: with "no-referrer" a browser sends no origin, and the
    # forms on the page are refused as forged.
    return render(request, "story_arcs/version.html", context)


def _written(found: ArcVersion) -> dict[str, Any]:
    bench, content = EditorPage(found.content), found.content
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
