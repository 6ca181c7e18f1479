"""Printing armies: those of one battle, and all that is needed for the battles of a day."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from campaign import access
from campaign.battles import access as battle_access
from campaign.battles.models import Battle
from campaign.battles.pages.armies import FIELDED, SideView, side_views, side_views_before_sequence
from campaign.battles.pages.army_sheet import army_pages, is_printable
from campaign.battles.report_data import book_of
from campaign.models import Campaign
from core.ui.crumbs import crumbs_of
from registers.print.dossiers import agenda_card, mission_card, register_card
from registers.print.paper_sizes import CardPage, ColumnPage, Paper, card_pages
from registers.print.preview import Choice, Printed, answer, choice, format_choice, paper_choice
from registers.print.typesetting import Card

NO_ARMY = gettext_lazy(
    "No army to print yet. Your army appears here once you choose it, all armies once the battle starts."
)
NO_BATTLE = gettext_lazy("No battle to print for. Plan one first.")
CANCELED = gettext_lazy("No army to print. This battle was canceled before it began.")


@require_safe
def print_armies(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the army sheets of a battle, for each army that this user may see."""
    battle, role = battle_access.battle_for(request.user, pk)
    shown = [view for view in side_views(role, battle) if is_printable(view)]
    sides = {view.side.colour: view for view in sorted(shown, key=lambda view: not view.mine)}
    options = [*((colour, view.side.name, "") for colour, view in sides.items()), ("both", _("Both"), "")]
    asked = choice(request.GET, "side", _("Which army"), options)
    paper_asked, paper = paper_choice(request.GET)
    wished = [sides[asked.current]] if asked.current in sides else list(sides.values())
    printed = Printed(
        name=str(battle),
        paper=paper,
        pages=[page for view in wished for page in _sheets(battle, view, paper)],
        choices=[*([asked] if len(sides) > 1 else []), paper_asked],
        crumbs=crumbs_of(battle.campaign, battle),
        nothing=CANCELED if battle.status == Battle.Status.CANCELLED else NO_ARMY,
    )
    return answer(request, printed)


@require_safe
def print_day(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Print all that the battles of a day need: army sheets, Register cards, Agenda and Turning Point cards. It says
    which armies are missing, because they are not chosen or not yet shown, and never shows a Command Hand (R24).
    """
    campaign, role = access.campaign_for(request.user, pk)
    asked = _day_choice(request, campaign)
    paper_asked, paper = paper_choice(request.GET)
    format_asked, card_format = format_choice(request.GET)
    day = date.fromisoformat(asked.current) if asked else None
    found = Battle.objects.filter(campaign=campaign, date=day, status__in=FIELDED).order_by("number")
    battles = list(found.select_related("campaign").prefetch_related(battle_access.SIDES)) if day else []
    views = [
        (battle, view)
        for battle, both in side_views_before_sequence(role, battles)
        for view in both
        if not view.side.is_guest
    ]
    shown = [(battle, view) for battle, view in views if is_printable(view)]
    pages: list[CardPage | ColumnPage] = [page for battle, view in shown for page in _sheets(battle, view, paper)]
    pages += card_pages(_cards(views), card_format, paper)
    missing = [f"{view.side.name} ({battle})" for battle, view in views if not is_printable(view)]
    printed = Printed(
        name=f"{campaign}, {date_format(day, 'DATE_FORMAT')}" if day else str(campaign),
        paper=paper,
        pages=pages,
        choices=[*([asked] if asked else []), paper_asked, format_asked],
        crumbs=crumbs_of(campaign),
        nothing=NO_BATTLE,
        note=_("No army sheet yet: %(sides)s. Print again once the armies are chosen and shown.")
        % {"sides": ", ".join(missing)}
        if missing
        else "",
    )
    return answer(request, printed)


def _day_choice(request: HttpRequest, campaign: Campaign) -> Choice | None:
    """Return the choice of a day with battles that are not over: the next one first. None if there is no such day."""
    planned = Battle.objects.filter(campaign=campaign, status__in=FIELDED)
    days = list(planned.order_by("date").values_list("date", flat=True).distinct())
    today = localdate()
    days.sort(key=lambda day: (day < today, abs(day - today)))
    options = [(day.isoformat(), date_format(day, "DATE_FORMAT"), "") for day in days]
    return choice(request.GET, "day", _("Day"), options, segments=False) if options else None


def _sheets(battle: Battle, view: SideView, paper: Paper) -> list[ColumnPage]:
    against = next((side.name for side in battle.sides.all() if side.colour != view.side.colour), "")
    return army_pages(book_of(view.side), battle, view.side, view.state, view.allowed, paper, against=against)


def _cards(views: Iterable[tuple[Battle, SideView]]) -> list[Card]:
    """Return the cards of these sides: each Register and its Agenda, or those of its Story Arc before one and an army
    are chosen, and the Turning Point Mission of each battle. No card is there twice: a Register may have several
    battles that day.
    """
    cards: dict[object, Card] = {}
    for battle, view in views:
        book, side, state = book_of(view.side), view.side, view.state
        owner = side.register.owner if side.register else None
        player = owner.get_username() if owner else ""
        cards.setdefault(side.register_id, register_card(book, state, side.name, player=player))
        for arc in book.story_arcs.values():
            for agenda in arc.agendas:
                open_ = arc.slug == state.story_arc and not view.agenda and not is_printable(view)
                if open_ or agenda == view.agenda:
                    cards.setdefault((side.register_id, agenda.slug), agenda_card(book, arc, agenda))
        if mission := book.story_arcs.get(battle.turning_point_id or ""):
            cards.setdefault(battle.pk, mission_card(book, mission.turning_point, mission))
    return list(cards.values())
