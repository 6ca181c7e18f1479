"""Army lists in and out: import a list from another program, export it, print it (E13)."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.adapters import check_limit
from catalogue.snapshot import rulebook
from core.form_errors import add_violations, form_page
from core.form_fields import INCOMPLETE, error_messages, pressed_button
from lists.access import list_for
from lists.exporting import all_written, list_file
from lists.forms.reading import ReadingForm, ignored, notes
from lists.models import ArmyList
from lists.pages import checks
from lists.printing import PrintedArmy, print_answer, whole_pages
from lists.queries.sheets import army_sheet
from lists.services.army_lists import import_army_list
from lists.views.builder import lists_crumb
from rules.battle.plain_army import PlainArmy, faction_of
from rules.core.violations import RuleViolation


class ImportForm(ReadingForm):
    """A list to import. `list` is its primary key, so that a form sent twice imports it once."""

    list = forms.UUIDField(widget=forms.HiddenInput, error_messages=error_messages(INCOMPLETE))


def import_list(request: HttpRequest) -> HttpResponse:
    """Paste a list, decide its open lines, and save it as an army list."""
    form = ImportForm(request.POST or None, request.FILES or None, initial={"list": uuid4()}, label_suffix="")
    context: dict[str, Any] = {"form": form, "crumbs": [lists_crumb()]}
    if request.method != "POST" or not form.is_valid():
        return form_page(request, "lists/import.html", context)
    key = form.cleaned_data["list"]
    if ArmyList.objects.filter(pk=key, owner=request.user.pk).exists():
        return redirect("lists:army", pk=key)
    try:
        read = form.reading()
        text = read.source.text
        if not read.open and (pressed_button(request.POST, "save") or not (notes(read) or ignored(read))):
            saved = import_army_list(actor=request.user, list_id=key, text=text, choices=form.choices(text))
            messages.success(request, _("%(name)s was imported.") % {"name": saved})
            return redirect("lists:army", pk=saved.pk)
    except RuleViolation as refusal:
        add_violations(form, refusal)
        return form_page(request, "lists/import.html", context)
    sheet = army_sheet(rulebook(), read.checked.army)
    return render(request, "lists/import.html", context | form.page_context(read) | {"key": key, "sheet": sheet})


@login_not_required
def read_list(request: HttpRequest) -> HttpResponse:
    """Read a list of anyone, check it, and show it in every format. Nothing is saved and no account is needed."""
    if request.method != "POST":
        return render(request, "lists/read.html", {"form": ReadingForm(label_suffix="")})
    form = ReadingForm(request.POST, request.FILES, label_suffix="")
    context: dict[str, Any] = {"form": form}
    check_limit(request, "read_list")
    try:
        read = form.reading()
    except RuleViolation as refusal:
        form.is_valid()
        add_violations(form, refusal)
        return form_page(request, "lists/read.html", context)
    book, army = rulebook(), read.checked.army
    context |= form.page_context(read) | {
        "sheet": army_sheet(book, army),
        "checks": [] if read.open else list(checks(book, read.checked)),
        "lists": [] if read.open else all_written(replace(army, faction=faction_of(book, army))),
    }
    return render(request, "lists/read.html", context)


@require_safe
def export(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a list as a link, as text and as JSON, to copy or to download."""
    row = list_for(request, pk)
    context = {
        "list": row,
        "lists": all_written(_exported(row)),
        "crumbs": [lists_crumb(), {"label": str(row), "href": row.get_absolute_url()}],
    }
    return render(request, "lists/export.html", context)


@require_safe
def export_file(request: HttpRequest, pk: UUID, which: str) -> HttpResponse:
    """Download a list in one format."""
    return list_file(_exported(list_for(request, pk)), which)


@require_safe
def print_list(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a list as a page to print."""
    row = list_for(request, pk)
    pages = whole_pages([PrintedArmy(army_sheet(rulebook(), row.army), player=request.user.get_username())])
    crumbs = [lists_crumb(), {"label": str(row), "href": row.get_absolute_url()}]
    return print_answer(request, str(row), pages, crumbs)


def _exported(row: ArmyList) -> PlainArmy:
    """Return the army with its Faction, which every format needs, even if the list names none."""
    return replace(row.army, faction=faction_of(rulebook(), row.army))
