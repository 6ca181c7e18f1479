"""Pages that build a Register: Faction, units, Aid Requests, Story Arc, name (R10)."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django_htmx.http import HttpResponseClientRedirect

from core.form_errors import as_context, by_field
from core.form_fields import pressed_button
from registers.access import editable_register_for
from registers.forms.building import AnsweredAlready, OpenForm, acting, posted_answer, posted_edit, typed_in
from registers.ledger.session import rulebook_for
from registers.models import EntryType, Register
from registers.options.context import aid_form, tally, unit_form
from registers.projection import state_of
from registers.queries.ledger import ledger_lines
from registers.services import building, editing
from registers.views.search import query_without, searches, shelves
from rules.core.card_types import FACTIONS
from rules.core.translation import gettext
from rules.core.violations import RuleViolation, Violation
from rules.register.building import commission_violations
from rules.register.upgrade_slots import faction_name

STAGES = {"units": _("Units"), "aid": _("Aid"), "arc": _("Story Arc"), "name": _("Name")}


def new(request: HttpRequest) -> HttpResponse:
    """Choose the Faction of a new Register, and open it."""
    form = OpenForm(request.POST if request.method == "POST" else None)
    violations: tuple[Violation, ...] = ()
    if form.is_valid():
        try:
            register = building.open_register(
                actor=request.user,
                owner=request.user,
                faction=form.cleaned_data["faction"],
                register_id=form.cleaned_data["register"],
            )
            return redirect("registers:building", pk=register.pk)
        except RuleViolation as refusal:
            violations = refusal.violations
    elif form.is_bound:
        violations = (Violation("R3", gettext("Choose a Faction.")),)
    context = {
        "register_id": uuid4(),
        "factions": [{"value": faction, "label": faction_name(faction), "faction": faction} for faction in FACTIONS],
        "violations": as_context(violations),
    }
    return render(request, "registers/new.html", context, status=422 if violations else 200)


def building_page(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show one stage of building a Register. Every act posts to this page and returns to it."""
    register = editable_register_for(request.user, pk)
    if register.commissioned or register.discarded:
        return leave(request, reverse("registers:detail", args=[pk]))
    if request.method != "POST":
        state = state_of(register)
        if searches(request, state):
            return shelves(request, rulebook_for(register), state, _hidden("edit", register))
        return _page(request, register)
    try:
        register = _act(request, register)
    except AnsweredAlready as already:
        messages.info(request, str(already))
    except RuleViolation as refusal:
        return _page(request, register, refusal.violations)
    if register.discarded:
        messages.success(request, gettext("{register} is discarded.", register=register))
        return leave(request, reverse("home"))
    if register.commissioned:
        messages.success(request, gettext("{register} is commissioned.", register=register.name))
        return leave(request, reverse("registers:detail", args=[pk]))
    query = query_without(request, "unit", "upgrades", "name", "request")
    return redirect(f"{reverse('registers:building', args=[pk])}?{query}")


def leave(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect to another page as a whole: HTMX would look for a part of the current page in it."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _page(request: HttpRequest, register: Register, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    if request.method == "POST":  # the Register may have changed between loading the form and refusing it
        register = Register.objects.select_related("owner").get(pk=register.pk)
    book, state = rulebook_for(register), state_of(register)
    missing = tuple(commission_violations(book, state))
    stage = request.GET.get("stage") or ("aid" if "request" in request.GET else "units")
    stage = stage if stage in STAGES else "units"
    typed = typed_in(request)
    context = {
        "register": register,
        "state": state,
        "stage": stage,
        "tabs": [
            {"label": label, "href": f"?stage={slug}", "current": slug == stage} for slug, label in STAGES.items()
        ],
        "tally": tally(book, state),
        "violations": by_field(violations, "name", "story_arc", "request"),
        "missing": by_field(missing, "name", "story_arc"),
        "hidden": _hidden("edit", register),
        "aid_hidden": _hidden("aid", register),
        "typed_name": typed.get("register_name", state.name),
    }
    if stage == "units":
        context |= {"edit": unit_form(book, state, typed)}
        context |= {"taken": _taken(register, book, state, EntryType.UNIT, EntryType.TAKE_OVER)}
    elif stage == "aid":
        context |= {"aid": aid_form(book, state, typed), "taken": _taken(register, book, state, EntryType.AID)}
    elif stage == "arc":
        arcs = book.arcs_offered.values()
        context["arcs"] = [{"arc": arc, "chosen": arc.slug == state.story_arc} for arc in arcs]
    return render(request, "registers/building.html", context, status=422 if violations else 200)


def _hidden(do: str, register: Register) -> list[dict[str, Any]]:
    return [{"name": "do", "value": do}, {"name": "position", "value": register.position}]


def _taken(register: Register, book: Any, state: Any, *acted: str) -> list[dict[str, Any]]:
    acts: dict[int, list[str]] = {}
    for line in reversed(ledger_lines(register, book, state)):
        if line.entry.act in acted and not line.undone:
            acts.setdefault(line.entry.position, []).append(line.text)
    return [{"position": position, "texts": texts} for position, texts in acts.items()]


def _edit(request: HttpRequest, register: Register) -> Register:
    change = posted_edit(request.POST)
    if add := change.get("add"):
        return building.add_unit(
            **acting(request, register),
            card=add.get("unit", ""),
            upgrades=add.get("upgrades", ()),
            name=add.get("name", ""),
        )
    return editing.edit(**acting(request, register), change=change)


def _act(request: HttpRequest, register: Register) -> Register:
    button = pressed_button(request.POST, "edit", "aid", "arc", "name", "commission", "discard", "undo")
    if button == "edit":
        return _edit(request, register)
    if button == "aid":
        return building.request_aid(**acting(request, register), answers=[posted_answer(request.POST)])
    if button == "arc":
        return building.choose_story_arc(**acting(request, register, story_arc="story_arc"))
    if button == "name":
        return building.name_register(**acting(request, register, name="register_name"))
    if button == "commission":
        return building.commission(**acting(request, register, name="register_name"))
    if button == "discard":
        return building.discard(**acting(request, register))
    if button == "undo":
        return building.undo(**acting(request, register, entry="entry"))
    return register
