"""Editing a Register outside battles (R11): units, upgrades, names, and its biography."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from core.form_errors import by_field, valid
from core.form_fields import pressed_button
from registers.access import editable_register_for
from registers.forms.building import AnsweredAlready, BiographyForm, acting, posted_edit, typed_in
from registers.ledger.session import rulebook_for
from registers.models import Register
from registers.options.context import edit_form, next_arcs, tally
from registers.projection import state_of
from registers.queries.sheet import warnings
from registers.services import building, editing
from registers.views.building import leave
from registers.views.search import query_without, searches, shelves
from rules.core.translation import gettext
from rules.core.violations import RuleViolation, Violation


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the edit page; all its forms post here."""
    register = editable_register_for(request.user, pk)
    if not register.commissioned:
        return leave(request, reverse("registers:building", args=[pk]))
    if request.method != "POST":
        book, state = rulebook_for(register), state_of(register)
        if searches(request, state):
            return shelves(request, book, state, _hidden(register))
        return _page(request, register)
    try:
        _act(request, register)
    except AnsweredAlready as already:
        messages.info(request, str(already))
    except RuleViolation as refusal:
        return _page(request, register, refusal.violations)
    query = query_without(request, "unit", "upgrades", "name")
    return redirect(f"{reverse('registers:edit', args=[pk])}?{query}")


def _page(request: HttpRequest, register: Register, violations: tuple[Violation, ...] = ()) -> HttpResponse:
    if request.method == "POST":  # the Register may have changed between loading the form and refusing it
        register = editable_register_for(request.user, register.pk)
    book, state = rulebook_for(register), state_of(register)
    typed = typed_in(request)
    sorted_violations = by_field(violations, "name", "register_name", "biography", "story_arc")
    context = {
        "register": register,
        "state": state,
        "tally": tally(book, state),
        "warnings": list(warnings(book, state)),
        "edit": None if state.in_field else edit_form(book, state, typed),
        "next_arcs": next_arcs(book, state),
        "hidden": _hidden(register),
        "violations": sorted_violations,
        "register_name": typed.get("register_name", state.name),
        "biography": typed.get("biography", register.biography),
        "biography_before": editing.mark_of(register.biography),
    }
    return render(request, "registers/edit.html", context, status=422 if violations else 200)


def _hidden(register: Register) -> list[dict[str, Any]]:
    return [{"name": "do", "value": "edit"}, {"name": "position", "value": register.position}]


def _act(request: HttpRequest, register: Register) -> None:
    button = pressed_button(request.POST, "edit", "name", "biography", "next_arc")
    if button == "edit":
        editing.edit(**acting(request, register), change=posted_edit(request.POST))
    elif button == "name":
        try:
            building.name_register(**acting(request, register, name="register_name"))
        except RuleViolation as refusal:
            raise RuleViolation(Violation(p.rule, p.text, "register_name") for p in refusal.violations) from None
    elif button == "biography":
        cleaned = valid(BiographyForm(request.POST))
        text, before = cleaned["biography"], cleaned["before"]
        editing.write_biography(actor=request.user, register_id=register.pk, text=text, before=before)
        messages.success(request, gettext("The biography is kept."))
    elif button == "next_arc":
        editing.choose_next_arc(**acting(request, register, story_arc="story_arc"))
