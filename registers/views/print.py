"""Printing a Register, and forms to fill in by hand."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalogue.snapshot import rulebook
from registers.access import register_for
from registers.ledger.session import rulebook_for
from registers.print import dossiers as print_dossiers
from registers.print.dossiers import arc_cards
from registers.print.paper_sizes import CardPage, Paper, CardFormat, card_pages, form_pages
from registers.print.preview import Printed, answer, choice, paper_choice, format_choice
from registers.projection import state_of
from registers.queries.sheet import in_order
from rules.core.rulebook import Rulebook
from rules.register.labels import unit_label
from rules.register.state import RegisterState

#: Value that selects the Register itself among the ticked Dossiers.
ITSELF = "register"
#: Lines on a blank card for Setbacks, and for upgrades and for Commendations.
BLANK_LINES = {"small": (2, 2), "large": (3, 4)}


@require_safe
def printed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Print a Register as sheets or cards: all of it, the Dossiers named (`only`), or the cards of its Story Arc."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    offered = [("forms", _("Sheets"), ""), ("cards", _("Cards"), ""), ("arc", _("Story Arc"), "")]
    what = choice(request.GET, "what", _("What"), offered)
    paper_asked, paper = paper_choice(request.GET)
    stock_asked, card_format = format_choice(request.GET)
    ticked = request.GET.getlist("only")
    things = {ITSELF: _("The Register itself")}
    things |= {each.key: unit_label(book, state, each.key) for each in in_order(state)}
    wished = frozenset(things.keys() & ticked or things)
    name = str(register)
    return answer(
        request,
        Printed(
            name=name,
            paper=paper,
            pages=_pages_of(book, state, name, what.current, wished, card_format, paper),
            choices=[what, paper_asked, stock_asked],
            ticks=[
                {"name": "only", "value": key, "label": label, "checked": key in ticked}
                for key, label in things.items()
            ],
            ticks_legend=_("Only some Dossiers"),
            crumbs=[{"label": name, "href": reverse("registers:detail", args=[pk])}],
            faction=state.faction,
            nothing=_("There is nothing to print yet."),
        ),
    )


@require_safe
def blank(request: HttpRequest) -> HttpResponse:
    """Print forms to fill in by hand, and the cards of any printed Story Arc. Needs no Register."""
    book = rulebook()
    arcs = {slug: arc for slug, arc in book.story_arcs.items() if not arc.own}
    offered = [("forms", _("Blank sheets"), ""), ("cards", _("Blank cards"), "")]
    offered += [(slug, arc.name, _("the cards of this Story Arc")) for slug, arc in arcs.items()]
    what = choice(request.GET, "what", _("What"), offered, segments=False)
    paper_asked, paper = paper_choice(request.GET)
    stock_asked, card_format = format_choice(request.GET)
    name = _("Blank forms")
    if what.current in arcs:
        name = arcs[what.current].name
        pages = card_pages(arc_cards(book, arcs[what.current]), card_format, paper)
    elif what.current == "cards":
        pages = card_pages([print_dossiers.blank_card(*BLANK_LINES[card_format.slug])] * card_format.room, card_format, paper)
    else:
        pages = [
            *form_pages([print_dossiers.blank_register()], [print_dossiers.blank_dossier()] * 4, paper),
            *form_pages([], [print_dossiers.blank_dossier()] * 6, paper),
        ]
    return answer(
        request,
        Printed(
            name=name,
            paper=paper,
            pages=pages,
            choices=[what, paper_asked, stock_asked],
            crumbs=[{"label": _("Home"), "href": reverse("home")}],
        ),
    )


def _pages_of(
    book: Rulebook,
    state: RegisterState,
    name: str,
    what: str,
    wished: frozenset[str],
    card_format: CardFormat,
    paper: Paper,
) -> list[CardPage]:
    dossiers = [dossier for dossier in in_order(state) if dossier.key in wished]
    itself = ITSELF in wished
    if what == "arc":
        arc = book.story_arcs.get(state.story_arc)
        return card_pages(arc_cards(book, arc), card_format, paper) if arc else []
    if what == "cards":
        own = [print_dossiers.register_card(book, state, name)] if itself else []
        cards = [print_dossiers.dossier_card(book, state, dossier, name) for dossier in dossiers]
        return card_pages([*own, *cards], card_format, paper)
    banners = [print_dossiers.register_form(book, state, name)] if itself else []
    return form_pages(
        banners, [print_dossiers.dossier_form(book, state, dossier) for dossier in dossiers], paper
    )
