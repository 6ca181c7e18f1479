"""Build an army by the core rules: my lists, a new one, its units, upgrades and cards (E8, E13)."""

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from catalogue.snapshot import rulebook
from core.form_errors import as_context, form_page, refusals_on
from core.form_fields import pressed_button
from lists.access import list_for
from lists.forms.builder import CardsForm, ChangeForm, ListForm, NewListForm, UnitForm
from lists.models import ArmyList
from lists.queries.builder import by_unit, counterparts, deck_groups, hand_groups, shelves, upgrade_groups
from lists.queries.sheets import CardNames, army_sheet
from lists.services.army_lists import change_army_list, check_army_list, delete_army_list, save_army_list
from rules.battle.plain_army import LOADOUT, PlainArmy, faction_of, notes as army_notes
from rules.core.rulebook import Rulebook
from rules.core.violations import RuleViolation

LIST_CHANGED = gettext_lazy("This list was changed since you opened it. Check it and try again.")


@require_safe
def lists(request: HttpRequest) -> HttpResponse:
    """Show the reader's army lists, the last changed first."""
    found = ArmyList.objects.filter(owner=request.user.pk)
    return render(request, "lists/lists.html", {"lists": list(found)})


def new(request: HttpRequest) -> HttpResponse:
    """Begin a list: its Faction, name, battle force and size."""
    book = rulebook()
    form = NewListForm(book, request.POST if request.method == "POST" else None)
    if form.is_valid():
        army, key = form.changed(PlainArmy()), form.cleaned_data["list"]
        with refusals_on(form):
            return redirect("lists:army", pk=save_new(request, key, army).pk)
    elif not form.is_bound:
        form.initial["list"] = uuid4()
    context = {"form": form, "crumbs": [lists_crumb()]}
    return form_page(request, "lists/new.html", context)


def save_new(request: HttpRequest, key: UUID, army: PlainArmy) -> ArmyList:
    """Save a new list. A form that is sent twice, perhaps after the first changes, finds the list as it is."""
    found = ArmyList.objects.filter(pk=key, owner=request.user.pk).first()
    return found or save_army_list(actor=request.user, list_id=key, army=army)


def army(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a list with its points and violations, and change its units, its cards, and its name, Faction and size."""
    row = list_for(request, pk)
    if request.method != "POST":
        return _army_page(request, row)
    book = rulebook()
    form = ListForm(book, request.POST, army=row.army)
    try:
        match pressed_button(request.POST, "settings", "cards", "change"):
            case "settings":
                if not form.is_valid():
                    return _army_page(request, row, form=form)
                _change(request, row, form.changed(row.army))
            case "cards":
                _change(request, row, CardsForm(request.POST).changed(row.army))
            case "change":
                changed = ChangeForm(request.POST)
                version = changed["version"].value() or ""
                # A tap that arrives twice, or on an old page, changes nothing: adding a unit again adds another one.
                if version == row.version:
                    _change(request, row, changed.changed(book, row.army))
                else:
                    messages.info(request, LIST_CHANGED)
    except RuleViolation as refusal:
        return _army_page(request, row, refusal=refusal)
    return redirect(_back(request, pk))


def unit(request: HttpRequest, pk: UUID, place: int) -> HttpResponse:
    """Choose the upgrades, the counterpart and the loadout of a unit."""
    row, book = list_for(request, pk), rulebook()
    army = row.army
    if request.method == "POST":
        chosen = UnitForm(request.POST).unit()
        if place >= len(army.units) or army.units[place].card != chosen.card:
            messages.info(request, LIST_CHANGED)
            return redirect("lists:army", pk=pk)
        units = (*army.units[:place], chosen, *army.units[place + 1 :])
        try:
            _change(request, row, replace(army, units=units))
        except RuleViolation as refusal:
            return _unit_page(request, book, row, place, refusal)
        if pressed_button(request.POST, "done"):
            return redirect(f"{reverse('lists:army', args=[pk])}#unit-{place}")
        return redirect("lists:unit", pk=pk, place=place)
    if place >= len(army.units) or army.units[place].card not in book.units:
        raise Http404("No such unit")
    return _unit_page(request, book, row, place)


@require_POST
def delete(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Delete a list. Deleting it again changes nothing."""
    if (row := ArmyList.objects.filter(pk=pk).first()) is not None:
        if row.owner_id != request.user.pk:
            raise Http404("No such army list")
        delete_army_list(actor=request.user, list_id=pk)
        messages.success(request, _("%(name)s was deleted.") % {"name": row})
    return redirect("lists:lists")


def lists_crumb() -> dict[str, str]:
    """Return the breadcrumb to the reader's army lists."""
    return {"label": _("Army lists"), "href": reverse("lists:lists")}


def _change(request: HttpRequest, row: ArmyList, army: PlainArmy) -> None:
    change_army_list(actor=request.user, list_id=row.pk, version=row.version, army=army)


def _back(request: HttpRequest, pk: UUID) -> str:
    """Return the address of the list, with the rank that is open and the words that were searched for."""
    kept = {name: request.GET[name] for name in ("rank", "q") if request.GET.get(name)}
    address = reverse("lists:army", args=[pk])
    return f"{address}?{urlencode(kept)}" if kept else address


def _army_page(
    request: HttpRequest, row: ArmyList, *, form: ListForm | None = None, refusal: RuleViolation | None = None
) -> HttpResponse:
    book, army, names = rulebook(), row.army, CardNames(rulebook())
    checked, sheet = check_army_list(army), army_sheet(book, army, names)
    general, of_units = by_unit(checked.violations, len(army.units))
    rank, query = request.GET.get("rank", ""), request.GET.get("q", "")[:80]
    context: dict[str, Any] = {
        "list": row,
        "army": army,
        "faction": faction_of(book, army),
        "sheet": sheet,
        "units": [
            {"sheet": each, "violations": as_context(found)} for each, found in zip(sheet.units, of_units, strict=True)
        ],
        "violations": as_context(general),
        "problems": len(checked.violations),
        "notes": army_notes(book, army),
        "shelves": shelves(book, army, names, query=query, rank=rank),
        "rank": rank,
        "query": query,
        "hand": hand_groups(book, army),
        "hand_number": len(army.command_cards) + 1 if army.command_cards else 0,
        "deck": deck_groups(book, army),
        "form": form or ListForm(book, army=army),
        "refusal": as_context(refusal.violations) if refusal else (),
        "crumbs": [lists_crumb()],
    }
    return form_page(request, "lists/army.html", context, refused=refusal)


def _unit_page(
    request: HttpRequest, book: Rulebook, row: ArmyList, place: int, refusal: RuleViolation | None = None
) -> HttpResponse:
    army, names = row.army, CardNames(book)
    unit, card = army.units[place], book.units[army.units[place].card]
    sheet, checked = army_sheet(book, army, names), check_army_list(army)
    partner = book.counterparts.get(unit.counterpart)
    context = {
        "list": row,
        "faction": faction_of(book, army),
        "sheet": sheet,
        "problems": len(checked.violations),
        "unit": sheet.units[place],
        "violations": as_context(by_unit(checked.violations, len(army.units))[1][place]),
        "groups": upgrade_groups(book, army, card, unit.upgrades, names),
        "counterparts": counterparts(book, unit),
        "counterpart_groups": upgrade_groups(book, army, partner.card, unit.counterpart_upgrades, names)
        if partner
        else [],
        "loadout": upgrade_groups(book, army, card, unit.loadout, names)
        if LOADOUT in card.keyword_names or unit.loadout
        else [],
        "refusal": as_context(refusal.violations) if refusal else (),
        "crumbs": [lists_crumb(), {"label": str(row), "href": row.get_absolute_url()}],
    }
    return form_page(request, "lists/unit.html", context, refused=refusal)
