"""A Register on one page, and its ledger."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from registers.access import may_edit, register_for
from registers.battles import BattleName, battle_names
from registers.context import next_arcs, tally
from registers.lines import OF
from registers.markdown import to_html
from registers.models import Register
from registers.pictures.ranks import by_rank
from registers.queries import battles_of_the_fallen, ledger_lines
from registers.services.ledger import book_for, force_of
from registers.sheet import arc_of, assets_of, command_cards_of, in_order, unit_card, warnings
from registers.whereabouts import whereabouts_of
from registers.words import names_of
from rules.force import Force
from rules.language import gettext
from rules.rulebook import Rulebook

LINES_A_PAGE = 80


@require_safe
def detail(request: HttpRequest, pk: UUID) -> HttpResponse:
    """A Register: everything that its printed form has."""
    register = register_for(request.user, pk)
    book, force = book_for(register), force_of(register)
    context = {
        "register": register,
        "force": force,
        "editable": may_edit(request.user, register),
        "tally": tally(book, force),
        "ranks": by_rank(book, force),
        "arc": arc_of(book, force),
        "assets": assets_of(book, force),
        "command_cards": command_cards_of(book, force),
        "warnings": list(warnings(book, force)),
        "goes_on": bool(next_arcs(book, force)),
        "units": [unit_card(book, force, dossier, register) for dossier in in_order(force)],
        "fallen": _fallen(book, force, register),
        "reassigned": [unit_card(book, force, dossier, register) for dossier in force.reassigned.values()],
        "biography": to_html(register.biography),
        "ledger": reverse("registers:ledger", args=[pk]),
        "whereabouts": whereabouts_of(request.user, register),
    }
    return render(request, "registers/detail.html", context)


def _fallen(book: Rulebook, force: Force, register: Register) -> list[dict[str, Any]]:
    battles = battles_of_the_fallen(register) if force.fallen else {}
    unknown = BattleName(gettext("a battle"))
    return [
        unit_card(book, force, dossier, register, fallen_in=battles.get(dossier.key, unknown).label)
        for dossier in force.fallen.values()
    ]


@require_safe
def ledger(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The ledger in words: all of it, or what changed one number, one unit or one Agenda."""
    register = register_for(request.user, pk)
    book, force = book_for(register), force_of(register)
    of, unit, agenda = (request.GET.get(name, "") for name in ("of", "dossier", "agenda"))
    of = of if of in OF else ""
    names = names_of(book, force)
    found = ledger_lines(register, book, force, of=of, unit=unit, agenda=agenda)
    page = Paginator(found, LINES_A_PAGE).get_page(request.GET.get("page"))
    battles = battle_names({line.entry.battle for line in page.object_list})
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "register": register,
        "force": force,
        "lines": [(line, battles.get(line.entry.battle)) for line in page.object_list],
        "page": page,
        "query": query.urlencode(),
        "of": of,
        "heading": gettext(OF[of][0]) if of else "",
        "numbers": [(slug, gettext(heading)) for slug, (heading, _) in OF.items()],
        "unit": unit,
        "units": list(names.items()),
        "agenda": book.agendas.get(agenda),
        "balance": found[0].balance if of and found else None,
    }
    return render(request, "registers/ledger.html", context)
