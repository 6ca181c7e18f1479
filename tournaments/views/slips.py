"""The slip desk: leaders type the paper slips of a round, table by table (E28)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import never_cache

from core.form_errors import form_page, refusals_as_messages, refusals_on
from core.form_fields import entered
from core.open_page import open_page
from tournaments.access import EventRole, event_for, led_event_for
from tournaments.forms.slips import DeskForm, SlipForm
from tournaments.models import Event, Game
from tournaments.pages.console import open_games
from tournaments.pages.player import current_game_of
from tournaments.pages.results import result_sentence
from tournaments.queries.console import Board, board_of
from tournaments.services.entries import drop
from tournaments.services.results import confirm_reported, is_saved, save_result
from tournaments.views.common import frame


@never_cache
def desk(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the desk, save a slip, exchange its sides, or confirm all results that one player has reported."""
    event, role = led_event_for(request, pk)
    board = board_of(event)
    games = open_games(board)
    buttons = DeskForm(request.POST or request.GET)
    asked = entered(buttons)
    if request.method != "POST":
        return _page(request, role, board, SlipForm(event, initial={"table": asked["table"]}))
    if asked["do"] == "confirm":
        return _confirm(request, event, buttons.versions)
    form = SlipForm(event, request.POST)
    if asked["do"] == "swap":
        return _page(request, role, board, SlipForm(event, initial=form.swapped()))
    if form.is_valid():
        with refusals_on(form):
            _save(request, form, games)
            if not form.errors:
                return redirect("tournaments:slips", pk=pk)
    return _page(request, role, board, form)


def _save(request: HttpRequest, form: SlipForm, games: list[Game]) -> None:
    """Save a slip. One for a table with another confirmed result is refused: the other desk had it first."""
    game = next((each for each in games if each.table == form.cleaned_data["table"]), None)
    if game is None:
        form.add_error("table", _("No game is played at this table in this round."))
        return
    result = form.result_form(game)
    if form.errors:
        return
    if game.state == Game.State.CONFIRMED and not is_saved(game, result.result(), game.mission, game.phase):
        text = _("Table %(table)s has a result already: %(result)s Open the table below to change it.")
        form.add_error("table", text % {"table": game.table, "result": result_sentence(game)})
        return
    saved = save_result(actor=request.user, game=game, result=result.result(), version=game.version)
    saved.first, saved.second = game.pair
    messages.success(
        request, _("Table %(table)s: %(result)s") % {"table": game.table, "result": result_sentence(saved)}
    )
    for entry in saved.pair:
        if form.cleaned_data["first_drops" if entry == saved.first else "second_drops"]:
            drop(actor=request.user, entry=entry)
            messages.success(request, _("%(player)s has dropped.") % {"player": entry})


def _confirm(request: HttpRequest, event: Event, versions: dict[int, int]) -> HttpResponse:
    with refusals_as_messages(request):
        done, own = confirm_reported(actor=request.user, event=event, versions=versions)
        words = {"number": done}
        messages.success(
            request, ngettext("%(number)s result confirmed.", "%(number)s results confirmed.", done) % words
        )
        if own:
            messages.warning(request, _("Another leader confirms the results of your own game."))
    return redirect("tournaments:slips", pk=event.pk)


def _page(request: HttpRequest, role: EventRole, board: Board, form: SlipForm) -> HttpResponse:
    games = open_games(board)
    reported = [each for each in games if each.state == Game.State.REPORTED]
    context: dict[str, Any] = {
        **frame(board.event, role, "console", (_("Console"), "console")),
        "form": form,
        "current": board.last if games else None,
        "missing": [each for each in games if each.state in (Game.State.OPEN, Game.State.DISPUTED)],
        "done": [each for each in games if each.state == Game.State.CONFIRMED],
        "reported": [(each, result_sentence(each)) for each in reported],
        "tables": {each.table: [*map(str, each.pair), each.get_state_display()] for each in games},
    }
    return form_page(request, "tournaments/slips/desk.html", context)


@open_page
def table(request: HttpRequest, pk: UUID, table: int) -> HttpResponse:
    """Redirect from the code on a paper slip to where its result is entered: a player's own report, or the desk."""
    event, role = event_for(request, pk)
    game = current_game_of(event, role.entry) if role.entry else None
    if game and game.table == table:
        return redirect("tournaments:player_report", pk=pk)
    if role.is_leader:
        return redirect(reverse("tournaments:slips", args=[pk], query={"table": table}))
    if role.entry:
        messages.warning(request, _("You do not play at table %(table)s.") % {"table": table})
        return redirect("tournaments:player", pk=pk)
    messages.warning(request, _("Open your personal link, or sign in. Then scan the slip again."))
    return redirect(event)
