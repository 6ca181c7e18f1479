"""Pages that build a Register: Faction, units, Aid Requests, Story Arc, name (R10)."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext, gettext_lazy as _
from django_htmx.http import HttpResponseClientRedirect, push_url

from catalogue.snapshot import rulebook
from core.form_errors import as_context, by_field, form_page, refusals_in, valid
from core.form_fields import pressed_button
from registers import campaign_side
from registers.access import editable_register_for
from registers.forms import building as forms
from registers.ledger.session import rulebook_for
from registers.models import EntryType, Register
from registers.options.context import aid_form, faction_choices, missing_parts, roster, starter, tally, unit_form
from registers.options.offers import changed_unit_choice
from registers.pages.hero import hero_of
from registers.pages.sheet import arc_card
from registers.painting.services import painted_keys
from registers.projection import state_of
from registers.queries.ledger import ledger_lines
from registers.queries.readiness import last_touched
from registers.services import building, editing
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation, Violation, raise_if_any
from rules.register import building as rules
from rules.register.labels import unit_label
from rules.register.state import RegisterState

STAGES = {"units": _("Units"), "aid": _("Aid"), "arc": _("Story Arc"), "name": _("Name")}

#: Buttons after which the page shows something else, whose heading gets the focus. After others it stays as it is.
LEADS_ON = {"starter": "roster", "change": "roster", "remove": "roster", "arc": "stage"}


#: Id of the element that HTMX replaces with the answer.
TARGET = "shelves"


def new(request: HttpRequest) -> HttpResponse:
    """Choose the Faction of a new Register, and open it."""
    form = forms.OpenForm(request.POST if request.method == "POST" else None)
    violations: list[Violation] = []
    if form.is_valid():
        with refusals_in(violations):
            register = building.open_register(
                actor=request.user,
                owner=request.user,
                faction=form.cleaned_data["faction"],
                register_id=form.cleaned_data["register"],
            )
            return redirect("registers:building", pk=register.pk)
    elif form.is_bound:
        violations = [rules.NO_FACTION()]
    context = {"register_id": uuid4(), "factions": faction_choices(rulebook()), "violations": as_context(violations)}
    return form_page(request, "registers/new.html", context, refused=violations)


def building_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show one stage of building a Register. Every act posts to this page and returns to it."""
    try:
        register = editable_register_for(request.user, pk)
    except RuleViolation:
        if request.method == "POST":
            raise
        return redirect("registers:detail", pk=pk)
    if register.commissioned or register.discarded:
        return _finished(request, register)
    if request.method != "POST":
        state = state_of(register)
        if searches(request, state):
            return shelves(request, rulebook_for(register), state, _hidden("edit", register))
        follows_link = request.htmx and not request.htmx.history_restore_request
        return _page(request, register, forms.typed_in(request), focus="stage" if follows_link else "")
    button = pressed_button(
        request.POST, "edit", "starter", "change", "remove", "aid", "arc", "name", "commission", "undo"
    )
    try:
        register = _act(request, register, button)
    except forms.AnsweredAlready as already:
        messages.info(request, str(already))
        register = Register.objects.select_related("owner").get(pk=pk)
    except RuleViolation as refusal:
        return _page(request, register, forms.typed_in(request), refusal.violations)
    if register.commissioned:
        return leave(request, reverse("registers:building", args=[pk]) + "?stage=done")
    return _after(request, register, button)


def searches(request: HttpRequest, state: RegisterState) -> bool:
    """Return whether HTMX asks for the offers only, of a Register to which units may be added."""
    return request.method == "GET" and request.htmx.target == TARGET and not state.in_field


def shelves(request: HttpRequest, book: Rulebook, state: RegisterState, hidden: list[dict[str, Any]]) -> HttpResponse:
    """Return the offers that the search finds. `hidden` are the fields that each of their forms includes."""
    words = request.GET.copy()
    words.pop("unit", None)  # a search leads back to the offers
    context = {"edit": unit_form(book, state, words), "hidden": hidden, "violations": by_field((), "name", "upgrades")}
    answer = render(request, "registers/_unit_form.html#shelves", context)
    patch_vary_headers(answer, ["HX-Target"])
    return answer


def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Delete a draft after a page that lists the losses, or restore it."""
    register = editable_register_for(request.user, pk)
    button = pressed_button(request.POST, "delete", "restore")
    if button == "restore":
        building.restore(actor=request.user, register_id=pk)
        messages.success(request, gettext("Draft restored."))
        return redirect("registers:building", pk=pk)
    if register.commissioned or (register.discarded and not button):
        return redirect("registers:detail", pk=pk)
    if button == "delete":
        building.discard(actor=request.user, register_id=pk, position=None)
        messages.success(request, gettext("Draft deleted."))
        return redirect("registers:detail", pk=pk)  # has the button that restores it
    context = {"register": register, "touched_at": last_touched(register), "units": register.dossiers.count()}
    return render(request, "registers/delete.html", context)


def _after(request: HttpRequest, register: Register, button: str) -> HttpResponse:
    """Lead to the page after an act; HTMX gets it at once, so that it can keep the place where the reader is."""
    query = request.GET.copy() if button != "arc" else QueryDict("stage=name", mutable=True)
    for name in ("unit", "upgrades", "name", "request", "change"):
        query.pop(name, None)
    address = reverse("registers:building", args=[register.pk]) + f"?{query.urlencode()}"
    if not request.htmx:
        return redirect(address)
    focus = LEADS_ON.get(button, "stage" if "unit" in request.POST else "")
    return push_url(_page(request, register, query, focus=focus), address)


def leave(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect to another page as a whole: HTMX would look for a part of the current page in it."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _finished(request: HttpRequest, register: Register) -> HttpResponse:
    """Show what to do with a Register that was just created; lead to the page of any other."""
    if request.method != "GET" or request.GET.get("stage") != "done" or register.discarded:
        return leave(request, reverse("registers:detail", args=[register.pk]))
    book, state = rulebook_for(register), state_of(register)
    if state.paragon not in state.dossiers or state.story_arc not in book.story_arcs:  # an old page of this address
        return leave(request, reverse("registers:detail", args=[register.pk]))
    row = register.dossiers.select_related("picture").get(key=state.paragon)
    paragon = state.dossiers[state.paragon]
    context = {
        "register": register,
        "state": state,
        "hero": hero_of(book, state, paragon, register, picture=row.picture, deed=None),
        "arc": arc_card(book, book.story_arcs[state.story_arc]),
        "biography": row.biography,
        "biography_before": editing.mark_of(row.biography),
        "tally": tally(book, state),
        "steps": campaign_side.campaigns.next_steps(request.user, register),
    }
    return render(request, "registers/built.html", context)


def _page(
    request: HttpRequest,
    register: Register,
    typed: QueryDict,
    violations: tuple[Violation, ...] = (),
    *,
    focus: str = "",
) -> HttpResponse:
    """Show a stage. `typed` says which, and what is entered; `focus` which heading gets the focus: stage or roster."""
    if violations:  # the Register may have changed between loading the form and refusing it
        register = Register.objects.select_related("owner").get(pk=register.pk)
    book, state = rulebook_for(register), state_of(register)
    missing = tuple(rules.commission_violations(book, state))
    stage = typed.get("stage") or ("aid" if "request" in typed else "units")
    stage, parts = stage if stage in STAGES else "units", missing_parts(book, state)
    context = {
        "register": register,
        "state": state,
        "stage": stage,
        "focus_stage": focus == "stage",
        "focus_roster": focus == "roster",
        "tabs": [
            {"label": label, "href": f"?stage={slug}", "current": slug == stage} for slug, label in STAGES.items()
        ],
        "tally": tally(book, state),
        "missing_parts": parts,
        "next": _next(stage, parts),
        "violations": by_field(violations, "name", "upgrades", "story_arc", "request"),
        "missing": by_field(missing, "name", "story_arc"),
        "hidden": _hidden("edit", register),
        "aid_hidden": _hidden("aid", register),
        "typed_name": typed.get("register_name", state.name),
    }
    if stage == "units":
        edit = unit_form(book, state, typed)
        if change := typed.get("change") or typed.get("changed_unit"):
            edit |= _change(register, book, state, change, typed)
        units = roster(book, state, painted_keys(register))
        context |= {"edit": edit, "roster": units, "starter": starter(book, state)}
        context["taken"] = _taken(register, book, state, EntryType.TAKE_OVER)
    elif stage == "aid":
        context |= {"aid": aid_form(book, state, typed), "taken": _taken(register, book, state, EntryType.AID)}
    elif stage == "arc":
        arcs = book.arcs_offered.values()
        context["arcs"] = [
            {"arc": arc, "card": arc_card(book, arc), "chosen": arc.slug == state.story_arc} for arc in arcs
        ]
    return form_page(request, "registers/building.html", context, refused=violations)


def _next(stage: str, missing: list[dict[str, str]]) -> dict[str, str]:
    """Return the main button: what the stage still lacks, else the next stage."""
    if stage == "units" and missing and not missing[0]["href"].startswith("?stage"):
        return {"label": gettext("Next: %(part)s") % {"part": missing[0]["label"]}, "href": missing[0]["href"]}
    if stage == "units":
        return {"label": gettext("Next: Aid Requests"), "href": "?stage=aid"}
    return {"label": gettext("Next: Story Arc"), "href": "?stage=arc"}


def _change(register: Register, book: Rulebook, state: RegisterState, key: str, typed: QueryDict) -> dict[str, Any]:
    """Return what the form that changes a unit adds to `edit`."""
    joined_with = building.upgrades_joined_with(register, key)
    ticked = typed.getlist("upgrades") if "changed_unit" in typed else joined_with or []
    choice = changed_unit_choice(book, state, key, joined_with, ticked)
    name = typed.get("name", state.dossiers[key].name) if choice else ""
    return {"choice": choice, "name": name}


def _hidden(do: str, register: Register) -> list[dict[str, Any]]:
    return [{"name": "do", "value": do}, {"name": "position", "value": register.position}]


def _taken(register: Register, book: Any, state: Any, act: str) -> list[dict[str, Any]]:
    """Return acts that can be undone: Aid Requests, or imported values of the Register (units are in the roster)."""
    acts: dict[int, list[str]] = {}
    for line in reversed(ledger_lines(register, book, state)):
        of_unit = act == EntryType.TAKE_OVER and any(effect.get("unit") for effect in line.entry.effects)
        if line.entry.act == act and not line.undone and not of_unit:
            acts.setdefault(line.entry.position, []).append(line.text)
    return [{"position": position, "texts": texts} for position, texts in acts.items()]


def _edit(request: HttpRequest, register: Register) -> Register:
    change = forms.posted_edit(request.POST)
    if add := change.get("add"):
        check_required_upgrades(register, add)
        return building.add_unit(
            **forms.acting(request, register),
            card=add.get("unit", ""),
            upgrades=add.get("upgrades", ()),
            name=add.get("name", ""),
        )
    return editing.edit(**forms.acting(request, register), change=change)


def check_required_upgrades(register: Register, add: dict[str, Any]) -> None:
    """Refuse a unit without a compulsory upgrade that it could have: R7 lets it wait, but the form asks at once."""
    book, state = rulebook_for(register), state_of(register)
    raise_if_any(rules.missing_choice_violations(book, state, add.get("unit") or "", add.get("upgrades") or ()))


def _change_unit(request: HttpRequest, register: Register) -> Register:
    book, state = rulebook_for(register), state_of(register)
    cleaned, key = valid(forms.UnitForm(request.POST)), valid(forms.ActForm(request.POST))["changed_unit"]
    card, without = rules.the_dossier(state, key).card, rules.without_unit(state, key)
    raise_if_any(rules.missing_choice_violations(book, without, card, cleaned["upgrades"]))
    asked = {"upgrades": cleaned["upgrades"], "name": cleaned["name"]}
    return building.change_unit(**forms.acting(request, register, unit="changed_unit"), **asked)


def _act(request: HttpRequest, register: Register, button: str) -> Register:
    if button in _UNIT_ACTS:
        return _UNIT_ACTS[button](request, register)
    if button == "starter":
        return building.add_starter(**forms.acting(request, register))
    if button == "aid":
        return building.request_aid(**forms.acting(request, register), answers=[forms.posted_answer(request.POST)])
    if button == "arc":
        return building.choose_story_arc(**forms.acting(request, register, story_arc="story_arc"))
    if button == "name":
        return building.name_register(**forms.acting(request, register, name="register_name"))
    if button == "commission":
        return building.commission(**forms.acting(request, register, name="register_name"))
    if button == "undo":
        return building.undo_edit(**forms.acting(request, register, entry="entry"))
    return register


def _remove(request: HttpRequest, register: Register) -> Register:
    state, asked = state_of(register), forms.acting(request, register, unit="changed_unit")
    changed = building.remove_unit(**asked)
    label = unit_label(rulebook_for(register), state, asked["unit"])
    messages.success(request, gettext("%(unit)s was removed.") % {"unit": label})
    return changed


_UNIT_ACTS = {"edit": _edit, "change": _change_unit, "remove": _remove}
