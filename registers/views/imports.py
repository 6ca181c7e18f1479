"""Pages that build a Register from a list that its player already has."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext

from catalogue.snapshot import rulebook
from core.form_errors import form_page, refusals_in, valid
from core.form_fields import pressed_button
from registers.imports.form import ImportedList, ListForm, Pasted
from registers.imports.judging import ListDecisions
from registers.imports.page import context
from registers.models import Register
from registers.services import importing
from rules.core.violations import Violation

Create = Callable[..., Register]
Form = Callable[[Pasted, ListDecisions], ImportedList]


def import_register(request: HttpRequest) -> HttpResponse:
    """Paste a list, make its open choices, and build a Register from it."""

    def create(**words: Any) -> Register:
        return importing.create_from_list(actor=request.user, owner=request.user, **words)

    crumbs = [{"label": _("New Register"), "href": reverse("registers:new")}]
    return import_page(request, lambda *read: ImportedList(rulebook(), *read), create, crumbs)


def import_page(request: HttpRequest, form_of: Form, create: Create, crumbs: list[dict[str, str]]) -> HttpResponse:
    """Handle the page of an import. `form_of` returns its form; `create` creates the Register of a valid form."""
    sent = ListForm(request.POST, request.FILES)
    page = {"crumbs": crumbs, "register_id": sent["register"].value() or uuid4()}
    if request.method != "POST":
        return render(request, "registers/import.html", page)
    read = sent.pasted()
    if read.refused:
        page |= {"refused": read.refused, "text": read.text}
        return form_page(request, "registers/import.html", page, refused=True)
    form = form_of(read, sent.decisions() if read.decided else ListDecisions())
    violations: list[Violation] = []
    if pressed_button(request.POST, "create") and read.decided:
        with refusals_in(violations):
            register = create(
                faction=form.faction,
                units=form.units(),
                past=form.taken_over,
                name=form.register_name,
                register_id=valid(sent)["register"],
            )
            units = len(form.joining)
            joined = ngettext("%(units)d unit imported.", "%(units)d units imported.", units)
            messages.success(request, joined % {"units": units})
            return redirect("registers:building", pk=register.pk)
    page |= {"lines": context(form, tuple(violations))}
    return form_page(request, "registers/import.html", page, refused=violations)
