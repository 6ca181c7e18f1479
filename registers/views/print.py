"""Printing a Register, and forms to fill in by hand."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.adapters import check_limit
from catalogue.snapshot import rulebook
from core.pdf import document_answer
from registers import campaign_side
from registers.access import register_for
from registers.campaign_side import battle_names
from registers.ledger.lines import is_undone
from registers.ledger.session import rulebook_for
from registers.markdown import to_html
from registers.pages.sheet import in_order
from registers.print import dossiers as print_dossiers, preview
from registers.print.dossiers import arc_cards
from registers.print.paper_sizes import card_pages, form_pages
from registers.print.showpiece import showpiece
from registers.projection import state_of
from registers.queries.ledger import entries_about
from rules.register.labels import unit_label
from rules.register.state import everyone

#: Value that selects the Register itself among the ticked Dossiers.
ITSELF = "register"
#: Least lines on a blank card for Setbacks, for upgrades, and for Commendations.
BLANK_LINES = {"small": (2, 2, 4), "large": (3, 3, 5)}


@require_safe
def printed(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Print a Register as sheets or cards: all of it, the Dossiers named (`only`), or the cards of its Story Arc."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    offered = [("forms", _("Sheets"), ""), ("cards", _("Cards"), ""), ("arc", _("Story Arc"), "")]
    what = preview.choice(request.GET, "what", _("What"), offered)
    paper_asked, paper = preview.paper_choice(request.GET)
    stock_asked, card_format = preview.format_choice(request.GET)
    ticked = request.GET.getlist("only")
    things = {ITSELF: _("Register sheet")}
    things |= {each.key: unit_label(book, state, each.key) for each in in_order(state)}
    wished = frozenset(things.keys() & ticked or things)
    name = str(register)
    portraits = preview.portraits_of(register)
    player = register.owner.get_username() if register.owner else ""
    if what.current == "arc":
        arc = book.story_arcs.get(state.story_arc)
        pages = card_pages(arc_cards(book, arc), card_format, paper) if arc else []
    else:
        dossiers = [
            (each, preview.on_paper(register, portraits[each.key]) if each.key in portraits else None)
            for each in in_order(state)
            if each.key in wished
        ]
        if what.current == "cards":
            own = [print_dossiers.register_card(book, state, name, player=player)]
            cards = [print_dossiers.dossier_card(book, state, each, name, picture=shown) for each, shown in dossiers]
            pages = card_pages(own if ITSELF in wished else [], card_format, paper, alike=cards)
        else:
            campaign = campaign_side.campaigns.name(request.user, register)
            banners = [print_dossiers.register_form(book, state, name, player=player, campaign=campaign)]
            forms = [print_dossiers.dossier_form(book, state, each, picture=shown) for each, shown in dossiers]
            is_whole = len(dossiers) == len(state.dossiers) and ITSELF in wished
            spare = print_dossiers.blank_dossier() if is_whole else None
            pages = form_pages(banners if ITSELF in wished else [], forms, paper, blank=spare)
    return preview.answer(
        request,
        preview.Printed(
            name=name,
            paper=paper,
            pages=pages,
            opened=preview.opener({picture.pk: picture for picture in portraits.values()}),
            links=[(things[each.key], reverse("registers:showpiece", args=[pk, each.key])) for each in in_order(state)],
            links_legend=_("One unit (A5)"),
            choices=[what, paper_asked, stock_asked],
            ticks=[
                {"name": "only", "value": key, "label": label, "checked": key in ticked}
                for key, label in things.items()
            ],
            ticks_legend=_("Choose sheets"),
            crumbs=[{"label": name, "href": reverse("registers:detail", args=[pk])}],
            faction=state.faction,
            nothing=_("Nothing to print yet. Add a unit first."),
        ),
    )


@require_safe
def showpiece_page(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """Send the A5 page of one unit as a PDF; if that is impossible, as a page to print that says why (503)."""
    register = register_for(request.user, pk)
    book, state = rulebook_for(register), state_of(register)
    if str(key) not in everyone(state):
        raise Http404("No such Dossier")
    row = register.dossiers.select_related("picture").get(key=str(key))
    entries = [entry for entry in entries_about(register, unit=row.key) if not is_undone(entry)]
    unit = showpiece(
        book,
        state,
        row.key,
        register=str(register),
        campaign=campaign_side.campaigns.name(request.user, register),
        entries=sorted(entries, key=lambda entry: (entry.place, entry.position)),
        names=battle_names({entry.battle for entry in entries}),
        picture=preview.on_paper(register, row.picture, "full") if row.picture else None,
        biography=to_html(row.biography),
    )
    known = {row.picture.pk: row.picture} if row.picture else {}
    check_limit(request, "print")
    return document_answer(
        request, "registers/print/showpiece.html", {"unit": unit}, unit.title, opened=preview.opener(known)
    )


@require_safe
def blank(request: HttpRequest) -> HttpResponse:
    """Print forms to fill in by hand, and the cards of any printed Story Arc. Needs no Register."""
    book = rulebook()
    arcs = {slug: arc for slug, arc in book.story_arcs.items() if not arc.own}
    offered = [("forms", _("Blank sheets"), ""), ("cards", _("Blank cards"), "")]
    offered += [(slug, arc.name, _("cards of this Story Arc")) for slug, arc in arcs.items()]
    what = preview.choice(request.GET, "what", _("What"), offered, segments=False)
    paper_asked, paper = preview.paper_choice(request.GET)
    stock_asked, card_format = preview.format_choice(request.GET)
    name = _("Blank forms")
    if what.current in arcs:
        name = arcs[what.current].name
        pages = card_pages(arc_cards(book, arcs[what.current]), card_format, paper)
    elif what.current == "cards":
        blanks = [print_dossiers.blank_card(*BLANK_LINES[card_format.slug])] * (card_format.room - 1)
        pages = card_pages([print_dossiers.blank_register_card()], card_format, paper, alike=blanks)
    else:
        pages = [
            *form_pages([print_dossiers.blank_register()], [print_dossiers.blank_dossier()] * 4, paper),
            *form_pages([], [print_dossiers.blank_dossier()] * 6, paper),
        ]
    return preview.answer(
        request,
        preview.Printed(
            name=name,
            paper=paper,
            pages=pages,
            choices=[what, paper_asked, stock_asked],
            crumbs=[{"label": _("Home"), "href": reverse("home")}],
        ),
    )
