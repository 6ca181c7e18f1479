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
from registers.print.paper_sizes import Leaf, Paper, Stock, card_leaves, form_leaves
from registers.print.preview import Printed, answer, choice, paper_choice, stock_choice
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
    stock_asked, stock = stock_choice(request.GET)
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
            leaves=_leaves(book, state, name, what.current, wished, stock, paper),
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
    stock_asked, stock = stock_choice(request.GET)
    name = _("Blank forms")
    if what.current in arcs:
        name = arcs[what.current].name
        leaves = card_leaves(arc_cards(book, arcs[what.current]), stock, paper)
    elif what.current == "cards":
        leaves = card_leaves([print_dossiers.blank_card(*BLANK_LINES[stock.slug])] * stock.room, stock, paper)
    else:
        leaves = [
            *form_leaves([print_dossiers.blank_register()], [print_dossiers.blank_dossier()] * 4, paper),
            *form_leaves([], [print_dossiers.blank_dossier()] * 6, paper),
        ]
    return answer(
        request,
        Printed(
            name=name,
            paper=paper,
            leaves=leaves,
            choices=[what, paper_asked, stock_asked],
            crumbs=[{"label": _("Home"), "href": reverse("home")}],
        ),
    )


def _leaves(
    book: Rulebook, state: RegisterState, name: str, what: str, wished: frozenset[str], stock: Stock, paper: Paper
) -> list[Leaf]:
    dossiers = [dossier for dossier in in_order(state) if dossier.key in wished]
    itself = ITSELF in wished
    if what == "arc":
        arc = book.story_arcs.get(state.story_arc)
        return card_leaves(arc_cards(book, arc), stock, paper) if arc else []
    if what == "cards":
        own = [print_dossiers.register_card(book, state, name)] if itself else []
        cards = [print_dossiers.dossier_card(book, state, dossier, name) for dossier in dossiers]
        return card_leaves([*own, *cards], stock, paper)
    banners = [print_dossiers.register_form(book, state, name)] if itself else []
    return form_leaves(banners, [print_dossiers.dossier_form(book, state, dossier) for dossier in dossiers], paper)
