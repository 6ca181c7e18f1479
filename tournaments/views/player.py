"""A player's own pages: my table, report, confirm, dispute, call a judge, drop, set-up, and the personal link."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRefresh

from core.form_errors import form_page, refusals_as_messages, refusals_on
from core.form_fields import entered
from core.open_page import open_page
from core.qr import qr_svg
from core.ui.reachable import address_for_others
from ops.paths import BASE_DIR
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, event_for, event_role, open_entry, played_event_for, polling_entry_for
from tournaments.forms.player import CallForm, DisputeForm, GameForm, VoteForm, empty_question
from tournaments.forms.results import ResultForm, initial_of
from tournaments.models import Entry, Event, Game, InvitedPlayer, JudgeCall
from tournaments.models.event import BEFORE_START
from tournaments.pages import player as player_page
from tournaments.pages.clock import clock_context
from tournaments.pages.console import not_back
from tournaments.pages.results import result_words
from tournaments.queries.army_lists import Opponents, visible_parts
from tournaments.queries.events import local_time
from tournaments.queries.rounds import round_name
from tournaments.queries.schedule import schedule_of
from tournaments.queries.tables import zone_name
from tournaments.roles import judge_word
from tournaments.services import entries, judging, results
from tournaments.services.judging import is_final
from tournaments.views.common import frame, personal_link
from tournaments.views.results import checked, is_check

#: Seconds between two polls of a phone (a fifth more or less), and of one that waits for the next pairings. Most see
#: them within this pause. A shorter one would let 300 phones wait for each other (docs/performance.md).
POLL, POLL_FOR_PAIRINGS = 4, 2.5


@open_page
def player(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show a player's table and what to do next. A poll is answered with 304 until something has changed, then with the
    main part of the page.
    """
    if "X-Poll" in request.headers:
        try:
            entry = polling_entry_for(request, pk)
        except Http404:  # ejected a moment ago: the page says so
            return HttpResponseClientRefresh()
        version = player_page.version_now(entry.event, entry, now())
        if request.headers.get("If-None-Match") == f'"{version}"':
            return HttpResponseNotModified()
        return _page(request, entry.event, event_role(request, entry.event, entry), entry)
    event, role = event_for(request, pk)
    if role.former:
        messages.warning(request, _("%(player)s is no longer in this event.") % {"player": role.former.name})
        return redirect(event)
    if role.entry is None:
        raise Http404("Not a player of this event")
    return _page(request, event, role, role.entry)


@open_page
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker of My table, at an address that limits its scope to pages of events."""
    script = (BASE_DIR / "static" / "js" / "table-worker.js").read_text("utf-8")
    return HttpResponse(script, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


@login_not_required
def player_report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Report the result of the player's game, or check it while it is typed (E28)."""
    event, role, entry = played_event_for(request, pk)
    game = player_page.current_game_of(event, entry)
    # A form that is out of date may be about the game of an earlier round.
    if game is None or (request.method == "POST" and entered(GameForm(request.POST))["game"] != game.pk):
        return _round_is_over(request, pk)
    if request.method != "POST" and game.state in (Game.State.CONFIRMED, Game.State.DISPUTED):
        return redirect("tournaments:player", pk)
    is_opponents = game.state == Game.State.REPORTED and game.reported_by_id != entry.pk
    own_report = {} if is_opponents else initial_of(game)  # players report what they know themselves
    form = ResultForm(game, request.POST if request.method == "POST" else None, own_report, entry)
    if is_check(request):
        return checked(request, form)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            reported = results.report_result(
                actor=role.user, entry=entry, game=game, result=form.result(),
                version=form.cleaned_data["version"], **form.details,
            )  # fmt: skip
            _say_reported(request, reported)
            return redirect("tournaments:player", pk)
        form.use_version(player_page.current_game_of(event, entry) or game)
    opponent = game.opponent_of(entry)
    context = {
        **frame(event, role, "player"), "entry": entry, "game": game, "opponent": opponent, "form": form,
        "other_report": result_words(game, entry) if is_opponents else None,
    }  # fmt: skip
    return form_page(request, "tournaments/results/report.html", context)


@login_not_required
@require_POST
def player_confirm(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Confirm the result that the opponent reported (E28)."""
    event, _role, entry = played_event_for(request, pk)
    game, sent = _game_sent(event, entry, GameForm(request.POST))
    if game is None:
        return _round_is_over(request, pk)
    with refusals_as_messages(request):
        results.confirm_result(entry=entry, game=game, version=sent["version"])
        messages.success(request, _("Result confirmed."))
    return redirect("tournaments:player", pk)


@login_not_required
@require_POST
def player_dispute(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Dispute the result that the opponent reported (E28)."""
    event, role, entry = played_event_for(request, pk)
    form = DisputeForm(request.POST)
    game, sent = _game_sent(event, entry, form)
    if game is None:
        return _round_is_over(request, pk)
    if form.errors.get("text"):
        return _page(request, event, role, entry, dispute_form=form)
    with refusals_on(form):
        results.dispute_result(actor=role.user, entry=entry, game=game, version=sent["version"], text=sent["text"])
        messages.success(
            request, _("Result disputed. A %(judge)s will come to your table.") % {"judge": judge_word(event)}
        )
        return redirect("tournaments:player", pk)
    return _page(request, event, role, entry, dispute_form=form)


@login_not_required
@require_POST
def player_withdraw_dispute(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Withdraw the player's own dispute (E28)."""
    event, role, entry = played_event_for(request, pk)
    game, sent = _game_sent(event, entry, GameForm(request.POST))
    if game is None:
        return _round_is_over(request, pk)
    with refusals_as_messages(request):
        found = results.withdraw_dispute(actor=role.user, entry=entry, game=game, version=sent["version"])
        if found.state == Game.State.REPORTED:
            messages.success(request, _("Your dispute is withdrawn. Confirm the result, or dispute it again."))
    return redirect("tournaments:player", pk)


@login_not_required
@require_POST
def player_call(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Call a judge to the player's table (E3)."""
    event, role, entry = played_event_for(request, pk)
    form = CallForm(request.POST)
    game, sent = _game_sent(event, entry, form)
    if form.errors.get("question"):
        return _page(request, event, role, entry, call_form=form)
    if game is None:
        messages.warning(request, _("You have no game now. Ask at the desk."))
        return redirect("tournaments:player", pk)
    with refusals_as_messages(request):
        judging.call_judge(actor=role.user, entry=entry, game=game, question=sent["question"])
        messages.success(
            request, _("A %(judge)s is called to table %(table)s.") % {"judge": judge_word(event), "table": game.table}
        )
    return redirect("tournaments:player", pk)


@login_not_required
@require_POST
def player_vote(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Vote for an opponent, who may win a trophy by it."""
    _event, _role, entry = played_event_for(request, pk)
    with refusals_as_messages(request):
        entries.vote(entry=entry, opponent=entered(VoteForm(entry, request.POST))["opponent"])
        messages.success(request, _("Your vote is saved. You can change it until the event is finished."))
    return redirect("tournaments:player", pk)


@login_not_required
def player_drop(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Ask once, then drop the player (E25)."""
    event, role, entry = played_event_for(request, pk)
    if request.method == "POST":
        with refusals_as_messages(request):
            entries.drop(actor=role.user, entry=entry, own=entry)
            messages.success(request, _("You have dropped. Your results stay in the standings."))
        return redirect("tournaments:player", pk)
    game = player_page.current_game_of(event, entry)
    is_open = game is not None and game.state != Game.State.CONFIRMED
    context = {**frame(event, role, "player"), "is_open": is_open}
    return render(request, "tournaments/player/drop.html", context)


@open_page
def player_setup(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show how to set up a game (E45)."""
    event, role, entry = played_event_for(request, pk)
    game = player_page.current_game_of(event, entry)
    opponent = game.opponent_of(entry) if game else None
    context = {
        **frame(event, role, "player"), "entry": entry, "game": game, "opponent": opponent,
        "color": player_page.chooses_color(event, entry, opponent),
    }  # fmt: skip
    return render(request, "tournaments/player/setup.html", context)


@login_not_required
@require_GET
def player_figures(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to how the player's own figures are computed (E37)."""
    event, _role, entry = played_event_for(request, pk)
    return redirect("tournaments:figures", event.pk, entry.number)


@login_not_required
@never_cache
def personal(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to go on as the player with this personal link, then open their page (E5). The button is there so
    that no other site can make a browser act as somebody else. The entry of an account opens for its owner alone.
    The link of an invitation leads to the registration until there is an entry. Raises Http404 if nobody has the link.
    """
    if (entry := Entry.objects.select_related("event").filter(token=token).first()) is None:
        invited = get_object_or_404(InvitedPlayer, token=token)
        return redirect(f"{reverse('tournaments:register', args=[invited.event_id])}?{urlencode({'invited': token})}")
    page = reverse("tournaments:player", args=[entry.event_id])
    if entry.user_id is not None:
        return redirect(page) if request.user.is_authenticated else redirect_to_login(page)
    role = event_role(request, entry.event)
    if request.method == "POST":
        open_entry(request, entry)
        return redirect(page)
    if role.entry and (role.entry.pk == entry.pk or role.entry.user_id):
        return redirect(page)
    if role.former == entry:
        return redirect(page)
    context = {"event": entry.event, "entry": entry, "other": role.entry}
    return render(request, "tournaments/player/personal.html", context)


def _page(request: HttpRequest, event: Event, role: EventRole, entry: Entry, **refused: BaseForm) -> HttpResponse:
    """Show the player's table, with a refused `dispute_form` or `call_form` as it was typed."""
    table = player_page.table_of(event, entry)
    game, current = table.game, table.current
    clock = clock_context(event, at=now(), game=game, current=current)
    place = player_page.place_of(event, entry, table)
    back = bool(not_back(event, [entry], now()))
    opponent = table.opponent.state if table.opponent else None
    version = player_page.page_version(event, entry, current, game, opponent, table.calls, clock["seen"], now())
    at_table = _is_at_table(table, entry) and not (place and entry.state == Entry.State.PLAYING)
    is_over = not at_table or (game and game.state == Game.State.CONFIRMED)
    waits = is_over and event.state == Event.State.RUNNING and entry.state == Entry.State.PLAYING
    waits = waits and not place and not table.is_in_last_round
    own_report, call_form = _own_report_context(table, entry), refused.get("call_form")
    context = {
        **frame(event, role, "player"), "entry": entry, "table": table, "game": game, "current": current,
        "poll": POLL_FOR_PAIRINGS if waits else POLL, "main_only": "X-Poll" in request.headers,
        "version": version, "before": event.state in BEFORE_START,
        "conquest": event.rule_set == RuleSet.GALACTIC_CONQUEST,
        "clock": clock, "round_name": round_name(current) if current else "",
        "at_table": at_table,
        "sees_list": _sees_opponents_list(event, role, table),
        "zone": zone_name(event, game.table) if game else "",
        "color": player_page.chooses_color(event, entry, table.opponent) if table.is_under_way else "",
        "dispute_form": DisputeForm() if own_report["state"] == "confirm" else None,
        "question": call_form["question"].as_field_group() if call_form else empty_question(get_language()),
        "vote_form": VoteForm(entry) if event.voted_trophy else None,
        "may_appeal": _may_appeal(event, table.calls[:1], table.is_under_way),
        "place": place, "last": table.played[-1] if table.played else None,
        "played": bool(table.played), **own_report,
        "keep": at_table and own_report["state"] == Game.State.OPEN,
        "may_drop": not (place or event.is_over) and entry.state in (Entry.State.CHECKED_IN, Entry.State.PLAYING),
        "link": "" if entry.user_id else personal_link(request, entry),
        **(_check_in_context(request, event, entry) if event.state in BEFORE_START or back else {}),
        "back": back,
        **refused,
    }  # fmt: skip
    response = form_page(request, "tournaments/player/table.html", context)
    response["ETag"] = f'"{version}"'
    return response


def _own_report_context(table: player_page.PlayerTable, entry: Entry) -> dict[str, Any]:
    """Return where the result of the current game stands, as the reader sees it."""
    game = table.game
    if game is None or game.second is None:
        return {"state": "", "reported": None}
    state = str(game.state)
    if game.state == Game.State.REPORTED:
        state = "waiting" if game.reported_by_id == entry.pk else "confirm"
    return {"state": state, "reported": result_words(game, entry)}


def _check_in_context(request: HttpRequest, event: Event, entry: Entry) -> dict[str, Any]:
    """Return the QR code with which the organizer checks the player in, and the army list."""
    address = reverse("tournaments:scan", args=[event.pk, entry.check_in_code])
    return {
        "starts": local_time(event, event.starts_at),
        "schedule": schedule_of(event),
        "list": entry.lists.order_by("-number").first(),
        "qr": qr_svg(address_for_others(request, address)) if entry.state != Entry.State.CHECKED_IN else "",
    }


def _is_at_table(table: player_page.PlayerTable, entry: Entry) -> bool:
    """Whether the page shows a table: also to a player who has dropped and whose game has no confirmed result."""
    game = table.game
    if game is None or table.opponent is None or not table.is_under_way:
        return False
    missing = entry.state == Entry.State.DROPPED and game.state != Game.State.CONFIRMED
    return entry.state == Entry.State.PLAYING or missing


def _sees_opponents_list(event: Event, role: EventRole, table: player_page.PlayerTable) -> bool:
    """Whether the player may see the list of the opponent in the round that is under way (E10)."""
    if table.opponent is None or not table.is_under_way:
        return False
    present = frozenset([table.opponent.pk])
    return visible_parts(event, role, table.opponent, Opponents(met=present, present=present)).units


def _may_appeal(event: Event, calls: tuple[JudgeCall, ...], under_way: bool) -> bool:
    """Whether the last ruling can be appealed."""
    for call in calls:
        call.event = event
        return under_way and call.state == JudgeCall.State.RULED and not is_final(call)
    return False


def _round_is_over(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Answer a form about a game that is no longer the player's current one."""
    messages.warning(request, _("This round is over. My table shows your next step."))
    return redirect("tournaments:player", pk)


def _game_sent(event: Event, entry: Entry, form: GameForm | CallForm) -> tuple[Game | None, dict[str, Any]]:
    """Return the player's game if the form is about it, and what was entered."""
    sent = entered(form)
    game = player_page.current_game_of(event, entry)
    return (game if game and sent["game"] == game.pk else None), sent


def _say_reported(request: HttpRequest, game: Game) -> None:
    if game.state == Game.State.CONFIRMED:
        messages.success(request, _("Your opponent reported the same. The result is confirmed."))
    elif game.state == Game.State.DISPUTED:
        text = _("Your opponent reported another result. A %(judge)s will come to your table.")
        messages.warning(request, text % {"judge": judge_word(game.round.event)})
    else:
        messages.success(request, _("Result reported. Your opponent confirms it."))
