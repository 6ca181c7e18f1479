"""A Dossier on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.timezone import localdate

from registers.access import editable_register_for, may_edit, register_for
from registers.battles import BattleName, battle_names
from registers.forms import AnsweredAlready, BiographyForm, NameForm, acting, blame
from registers.lines import Line, falls, is_undone, lines
from registers.markdown import to_html
from registers.models import Entry, Register
from registers.odds import thousandths
from registers.pictures.experience import experience_of
from registers.queries import ToldEntry, entries_about
from registers.services import editing
from registers.services.ledger import book_for, state_of
from registers.sheet import keyword_term, unit_card
from registers.words import names_of
from rules.force import Dossier, Force, everyone, placed
from rules.language import gettext
from rules.post_battle.casualties import check_odds, dice_for, is_war_weary, rerolls_for
from rules.refusal import Refusal
from rules.rulebook import Rulebook
from rules.wording import unit_label

LATEST = 12


def dossier(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """A Dossier: its printed form, its odds and its history; who may edit it names it and writes of it here."""
    register = register_for(request.user, pk)
    if request.method == "POST":
        return _write(request, editable_register_for(request.user, pk), str(key))
    return _dossier_page(request, register, str(key))


def _dossier_page(
    request: HttpRequest,
    register: Register,
    key: str,
    name_form: NameForm | None = None,
    biography_form: BiographyForm | None = None,
) -> HttpResponse:
    book, force = book_for(register), state_of(register)
    unit = everyone(force).get(key)
    if unit is None:
        raise Http404("No such Dossier")
    row = register.dossiers.select_related("picture").get(key=key)
    biography = row.biography
    entries = entries_about(register, unit=key)
    counting = sorted(
        (entry for entry in entries if not is_undone(entry)), key=lambda entry: (entry.place, entry.position)
    )
    battles = battle_names({entry.battle for entry in entries})
    shown = _unit(book, force, unit)
    history = lines(entries, names_of(book, force), book, unit=key)
    for line in history:  # the page has said whose history it is
        line.text = capfirst(line.text.removeprefix(f"{shown['label']}: "))
    refused = bool(name_form or biography_form)
    whole = reverse("registers:ledger", args=[register.pk])
    context = shown | {
        "register": register,
        "force": force,
        "card": unit_card(book, force, unit, register, fallen_in=_fallen_in(force, key, counting, battles))
        | {"url": ""},
        "experience": experience_of(book, unit, counting, battles),
        "history": _by_battle(history[:LATEST], battles),
        "more": len(history) > LATEST,
        "biography": to_html(biography),
        "picture": row.picture,
        "editable": may_edit(request.user, register),
        "name_form": name_form or NameForm(initial={"name": unit.name}),
        "biography_form": biography_form or BiographyForm(initial={"biography": biography}),
        "biography_before": editing.mark_of(biography),
        "open_form": refused,
        "whole": whole,
        "ledger": f"{whole}?dossier={key}",
    }
    return render(request, "registers/dossier.html", context, status=422 if refused else 200)


def _unit(book: Rulebook, force: Force, unit: Dossier) -> dict[str, Any]:
    """What the unit is, and how a casualty check of it would go."""
    card, dice = book.units[unit.card], dice_for(unit)
    return {
        "unit": card,
        "dossier": unit,
        "label": unit_label(book, force, unit.key),
        "status": placed(force, unit.key)[0],
        "printed_keywords": [keyword_term(book, keyword) for keyword in card.keywords],
        "odds": thousandths(check_odds(book, unit)) if unit.key in force.dossiers else None,
        "dice": 0 if is_war_weary(book, unit) else dice,  # a War Weary unit may add one
        "rerolls": rerolls_for(book, unit, dice),
        "worst": gettext("Trait") if unit.key == force.paragon else "",
    }


def _write(request: HttpRequest, register: Register, key: str) -> HttpResponse:
    """Name a unit, or write its biography."""
    name_form, biography_form = NameForm(request.POST), BiographyForm(request.POST)
    naming = request.POST.get("do") == "name"
    form: NameForm | BiographyForm = name_form if naming else biography_form
    if form.is_valid():
        try:
            if naming:
                editing.edit(
                    **acting(request, register),
                    change={"name": {"unit": key, "name": form.cleaned_data["name"]}},
                )
            else:
                editing.write_biography(
                    actor=request.user,
                    register_id=register.pk,
                    key=key,
                    text=form.cleaned_data["biography"],
                    before=request.POST.get("before"),
                )
            return redirect("registers:dossier", pk=register.pk, key=key)
        except ObjectDoesNotExist:
            raise Http404("No such Dossier") from None
        except AnsweredAlready as already:
            messages.info(request, str(already))
            return redirect("registers:dossier", pk=register.pk, key=key)
        except Refusal as refusal:
            blame(form, refusal, "name" if naming else "biography")
    if naming:
        return _dossier_page(request, register, key, name_form=name_form)
    return _dossier_page(request, register, key, biography_form=biography_form)


def _by_battle(history: list[Line], names: Mapping[str, BattleName]) -> list[dict[str, Any]]:
    """The lines of each battle, or of a day between battles, together, and in it those of each entry."""
    groups = groupby(history, key=lambda line: (line.entry.battle, localdate(line.entry.created_at)))
    return [
        {"battle": names.get(battle), "day": day, "acts": list(_by_entry(lines, names.get(battle)))}
        for (battle, day), lines in groups
    ]


def _by_entry(lines: Iterable[Line], battle: BattleName | None) -> Iterator[ToldEntry]:
    for _, group in groupby(lines, key=lambda line: line.entry.pk):
        same = list(group)
        yield ToldEntry(entry=same[0].entry, lines=same, battle=battle)


def _fallen_in(force: Force, key: str, counting: Iterable[Entry], names: Mapping[str, BattleName]) -> str:
    if key not in force.fallen:
        return ""
    fell = dict(falls(counting)).get(key)
    return names[fell.battle].label if fell and fell.battle else gettext("a battle")
