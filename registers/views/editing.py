"""Editing a Register outside battles (R11): units, upgrades, names, marks of paint, and its biography."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from django_htmx.http import push_url

from core.form_errors import by_field, form_page, valid
from core.form_fields import pressed_button
from registers.access import editable_register_for
from registers.forms.building import AnsweredAlready, BiographyForm, acting, posted_edit, typed_in
from registers.ledger.session import rulebook_for
from registers.models import Dossier, Register
from registers.options.context import edit_form, tally
from registers.pages.sheet import warnings
from registers.painting.services import set_painted
from registers.projection import state_of
from registers.services import building, editing
from registers.views.building import check_required_upgrades, leave, searches, shelves
from rules.core.violations import RuleViolation, Violation
from rules.register.building import next_arcs


def edit(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the edit page; all its forms post here."""
    register = editable_register_for(request.user, pk)
    if not register.commissioned:
        return leave(request, reverse("registers:building", args=[pk]))
    if request.method != "POST":
        book, state = rulebook_for(register), state_of(register)
        if searches(request, state):
            return shelves(request, book, state, _hidden(register))
        follows_link = request.htmx and not request.htmx.history_restore_request
        return _page(request, register, typed_in(request), focus=bool(follows_link))
    try:
        _act(request, register)
    except AnsweredAlready as already:
        messages.info(request, str(already))
    except RuleViolation as refusal:
        return _page(request, register, typed_in(request), refusal.violations)
    query = request.GET.copy()
    for name in ("unit", "upgrades", "name"):
        query.pop(name, None)
    address = f"{reverse('registers:edit', args=[pk])}?{query.urlencode()}"
    if not request.htmx:
        return redirect(address)
    return push_url(_page(request, register, query, focus="unit" in request.POST), address)


def _page(
    request: HttpRequest,
    register: Register,
    typed: QueryDict,
    violations: tuple[Violation, ...] = (),
    *,
    focus: bool = False,
) -> HttpResponse:
    """Show the page. `typed` is what was entered; with `focus` the heading of the units or the chosen one has it."""
    if request.method == "POST":  # the act, or somebody else, may have changed the Register since it was read
        register = editable_register_for(request.user, register.pk)
    book, state = rulebook_for(register), state_of(register)
    sorted_violations = by_field(violations, "name", "upgrades", "register_name", "biography", "story_arc")
    context = {
        "register": register,
        "state": state,
        "tally": tally(book, state),
        "warnings": list(warnings(book, state)),
        "edit": None if state.in_field else edit_form(book, state, typed),
        "next_arcs": next_arcs(book, state),
        "hidden": _hidden(register),
        "focus": focus,
        "violations": sorted_violations,
        "register_name": typed.get("register_name", state.name),
        "biography": typed.get("biography", register.biography),
        "biography_before": editing.mark_of(register.biography),
    }
    return form_page(request, "registers/edit.html", context, refused=violations)


def _hidden(register: Register) -> list[dict[str, Any]]:
    return [{"name": "do", "value": "edit"}, {"name": "position", "value": register.position}]


def _act(request: HttpRequest, register: Register) -> None:
    button = pressed_button(request.POST, "edit", "name", "biography", "next_arc")
    if button == "edit":
        change = posted_edit(request.POST)
        if add := change.get("add"):
            check_required_upgrades(register, add)
        editing.edit(**acting(request, register), change=change)
    elif button == "name":
        try:
            building.name_register(**acting(request, register, name="register_name"))
        except RuleViolation as refusal:
            raise RuleViolation(Violation(p.rule, p.text, "register_name") for p in refusal.violations) from None
    elif button == "biography":
        cleaned = valid(BiographyForm(request.POST))
        text, before = cleaned["biography"], cleaned["before"]
        editing.write_biography(actor=request.user, register_id=register.pk, text=text, before=before)
        messages.success(request, gettext("Biography saved."))
    elif button == "next_arc":
        editing.choose_next_arc(**acting(request, register, story_arc="story_arc"))


PAINT, UNPAINT = "paint", "unpaint"


@require_POST
def painted(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """Mark a unit as painted (`paint`), or take the mark away (`unpaint`), and show its Dossier again."""
    register = editable_register_for(request.user, pk, texts=True)
    button = pressed_button(request.POST, PAINT, UNPAINT)
    try:
        if button:
            set_painted(actor=request.user, register_id=register.pk, key=str(key), painted=button == PAINT)
    except Dossier.DoesNotExist:
        raise Http404("No such Dossier") from None
    return redirect("registers:dossier", pk=pk, key=key)
