"""The organizer's console: what to do next, the round, the players."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import check_limit
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import entered
from core.names import name_order
from tournaments.access import EventRole, entry_in, led_event_for
from tournaments.forms.console import SHOWN, ExtensionForm, LateEntryForm, PlayerForm, SearchForm, StepForm, WhatForm
from tournaments.models import Entry, Event, Game, Round
from tournaments.models.entry import ACTIVE, GONE
from tournaments.pages.console import GROUPS, console_clock, matching, not_back, open_games, words_of
from tournaments.pages.judging import open_calls
from tournaments.pages.log import LogContext
from tournaments.pages.rounds import drawn_again, outdated
from tournaments.pages.teams import team_lines
from tournaments.pages.undo import title_of
from tournaments.queries.army_lists import list_gaps
from tournaments.queries.console import Board, NextStep, Step, board_of, console_version, is_due, next_step
from tournaments.queries.history import history_of
from tournaments.queries.rounds import (
    columns_of,
    corrections_since,
    draft_lines,
    is_changeable,
    is_replaceable,
    round_in_text,
)
from tournaments.queries.tables import zones_of
from tournaments.queries.undo import Undoable, last_acts, may_undo
from tournaments.services import bracket, clock, entries, events, results, rounds
from tournaments.views.common import frame, say_late_entry

#: Players above which a list has a search, and above which the names of a warning are folded.
MANY = 12
#: Players that the list shows at most, where more than a few are found: the search finds the others.
FEW_ROWS, MOST_ROWS = 40, 12
#: Session key of the events whose secret times a leader has shown or hidden.
TIMES = "event_times"
#: Steps that judges take as well.
FOR_JUDGES = (Step.DISPUTES, Step.RESULTS, Step.CONFIRM, Step.OVER)
#: The pages that steps lead to.
PAGES = {
    Step.OPEN_REGISTRATION: "detail", Step.ADD_PLAYERS: "entries", Step.CHECK_IN: "check_in",
    Step.OVER: "standings",
}  # fmt: skip
#: Acts on a player, each with its service and what is said then.
ACTS: dict[str, tuple[Callable[..., Any], Any]] = {
    "drop": (entries.drop, gettext_lazy("%(player)s dropped.")),
    "rejoin": (entries.rejoin, gettext_lazy("%(player)s rejoined.")),
    "enter_late": (entries.enter_late, ""),
    "no_show": (results.no_show, gettext_lazy("%(player)s did not appear: the opponent wins.")),
    "decline": (
        entries.decline_place, gettext_lazy("%(player)s does not play in the bracket. The next in the standings does.")
    ),
    "eject": (entries.eject, gettext_lazy("%(player)s is ejected.")),
}  # fmt: skip


@never_cache
@require_safe
def console(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what to do next, the round and the players. A poll gets the upper part, or 304 if nothing has changed."""
    event, role = led_event_for(request, pk)
    version = console_version(event, timezone.now())
    if request.headers.get("If-None-Match") == f'"{version}"':
        return HttpResponseNotModified()
    board, search = board_of(event), entered(SearchForm(request.GET, zones=zones_of(event.table_names)))
    hides = _hides_times(request, event)
    target = request.htmx.target or ""
    if target == "now":
        return render(request, "tournaments/console/_now.html", _now(board, role, version, hides))
    if target == "player-list":
        return render(request, "tournaments/console/_players.html", _players(board, role, search))
    if target.startswith("player-"):
        return _player(request, board, role, search)
    return _page(request, board, role, version, search=search)


@require_POST
def act(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Take the next step, act on a player, add a late entry, or give a table more time (`what`)."""
    event, role = led_event_for(request, pk)
    match entered(WhatForm(request.POST))["what"]:
        case "step":
            return _take_step(request, event)
        case "player":
            return _act_on_player(request, event, role)
        case "late":
            return _add_late(request, event, role)
        case "time":
            return _extend(request, event, role)
        case "times":
            hidden = {str(pk): not _hides_times(request, event)}
            request.session[TIMES] = {**request.session.get(TIMES, {}), **hidden}
    return redirect("tournaments:console", pk=pk)


def _take_step(request: HttpRequest, event: Event) -> HttpResponse:
    form = StepForm(request.POST)
    if not form.is_valid():
        return redirect("tournaments:console", pk=event.pk)
    step, number = Step(form.cleaned_data["step"]), form.cleaned_data["round"]
    if not is_due(event, step, number):
        messages.info(request, _("This was done already. Here is the next step."))
        return redirect("tournaments:console", pk=event.pk)
    if step == Step.CUT:
        check_limit(request, "draw")
    who: dict[str, Any] = {"actor": request.user, "event": event}
    with refusals_as_messages(request):
        match step:
            case Step.START:
                events.start(**who, reason=form.cleaned_data["reason"])
            case Step.START_CLOCK:
                clock.start_clock(**who, now=timezone.now(), number=number)
            case Step.CLOSE:
                rounds.close_round(**who, number=number)
            case Step.CUT | Step.SMALLER_CUT | Step.CUT_WITH_BYES:
                drawn = bracket.make_cut(**who, with_byes=None if step == Step.CUT else step == Step.CUT_WITH_BYES)
                return redirect("tournaments:draft", pk=event.pk, number=drawn.number)
            case Step.FINISH:
                events.finish(**who)
            case _:
                messages.info(request, _("This page was out of date. Tap the button again."))
    return redirect("tournaments:console", pk=event.pk)


def _act_on_player(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = PlayerForm(request.POST)
    if not form.is_valid():
        return _refused(request, event, role, player_form=form)
    cleaned = form.cleaned_data
    entry, (act, text) = entry_in(event, cleaned["entry"]), ACTS[cleaned["do"]]
    more = {"no_show": {"number": cleaned["round"] or 0}, "eject": {"reason": cleaned["reason"]}}
    with refusals_on(form):
        act(actor=request.user, entry=entry, **more.get(cleaned["do"], {}))
        if text:
            messages.success(request, text % {"player": entry.name})
        else:
            say_late_entry(request, event, entry)
        _say_what_follows(request, event, entry, cleaned["do"])
        return redirect("tournaments:console", pk=event.pk)
    return _refused(request, event, role, player_form=form)


def _say_what_follows(request: HttpRequest, event: Event, entry: Entry, done: str) -> None:
    """Say that a late entry has no list (E9), a draft was redrawn, or the game of a player who left waits."""
    if done == "no_show":
        return
    if done in ("late", "enter_late") and event.state == Event.State.RUNNING and list_gaps(event, [entry]):
        text = _("%(player)s has no accepted army list. Submit or accept it before you publish the next round.")
        messages.warning(request, text % {"player": entry.name})
    board = board_of(event)
    if board.last and board.last.state == Round.State.DRAFT:
        name = round_in_text(board.last.number, board.column(board.last.number))
        messages.info(request, _("Review the draft of %(round)s again.") % {"round": name})
    game = board.game_of(entry)
    if done in ("drop", "eject") and game and game.state != Game.State.CONFIRMED:
        text = _("Table %(table)d waits for a result: enter a no-show or a concession.")
        messages.warning(request, text % {"table": game.table})


def _add_late(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = LateEntryForm(request.POST)
    with refusals_on(form):
        players = [entries.NewPlayer(valid(form)["name"])]
        (added,) = entries.add_players(actor=request.user, event=event, players=players)
        if event.state == Event.State.RUNNING:
            say_late_entry(request, event, added)
        else:
            messages.success(request, _("%(player)s is in.") % {"player": added.name})
        _say_what_follows(request, event, added, "late")
        return redirect("tournaments:console", pk=event.pk)
    return _refused(request, event, role, late_form=form)


def _extend(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = ExtensionForm(open_games(board_of(event)), request.POST)
    with refusals_on(form):
        cleaned, game = valid(form), form.game
        clock.set_extension(actor=request.user, game=game, minutes=cleaned["minutes"], reason=cleaned["reason"])
        names = {"table": game.table, "minutes": cleaned["minutes"]}
        text = ngettext(
            "Table %(table)d has %(minutes)d more minute.", "Table %(table)d has %(minutes)d more minutes.",
            cleaned["minutes"],
        )  # fmt: skip
        messages.success(request, text % names)
        return redirect("tournaments:console", pk=event.pk)
    return _refused(request, event, role, time_form=form)


def _refused(request: HttpRequest, event: Event, role: EventRole, **forms: Any) -> HttpResponse:
    return _page(request, board_of(event), role, console_version(event, timezone.now()), **forms)


def _page(
    request: HttpRequest, board: Board, role: EventRole, version: str, *, search: dict[str, Any] | None = None,
    player_form: PlayerForm | None = None, **refused: BaseForm,
) -> HttpResponse:  # fmt: skip
    """Show the console, with a refused `player_form`, `late_form` or `time_form` as it was typed."""
    search = search or entered(SearchForm({}))
    if player_form:
        entry = player_form["entry"].data or ""
        search["player"] = int(entry) if entry.isdecimal() and len(entry) < 9 else None
    games = open_games(board)
    context = {
        **frame(board.event, role, "console"),
        **_now(board, role, version, _hides_times(request, board.event)),
        **_players(board, role, search, player_form),
        "teams": team_lines(history_of(board.event).published) if board.event.team_size else (),
        "late_form": LateEntryForm(),
        "is_late": "late_form" in refused,
        "time_form": ExtensionForm(games, place=search["time"]) if games else None,
        "is_time": bool("time_form" in refused or search["time"]),
        **refused,
    }
    return form_page(request, "tournaments/console/console.html", context, refused=player_form)


def _hides_times(request: HttpRequest, event: Event) -> bool:
    """Return whether a leader's console hides secret times, since others look on, unless they chose otherwise (E26)."""
    return bool(request.session.get(TIMES, {}).get(str(event.pk), event.rules.has_draws))


def _now(board: Board, role: EventRole, version: str, hides_times: bool) -> dict[str, Any]:
    """Return the part of the console that polls replace: the step, the figures, the calls, the clock, the games."""
    now, step = timezone.now(), next_step(board.situation)
    starts = role.is_organizer and Step.START in (step.step, *step.others)
    checked_in = [entry for entry in board.entries if entry.state == Entry.State.CHECKED_IN]
    return {
        "event": board.event, "role": role, "version": version, "board": board, "step": step, "words": words_of(step),
        "gaps": list_gaps(board.event, checked_in) if starts else [],
        "not_back": not_back(board.event, board.entries, now),
        "step_form": StepForm(),
        "few_gaps": MANY,
        "href": _href(board, role, step),
        "opens": step.step == Step.OPEN_REGISTRATION,
        "others": [
            {"words": words_of(other), "step": other.step, "round": other.round, "href": _href(board, role, other)}
            for other in (NextStep(each, step.round, step.count, (), step.column) for each in step.others)
        ],
        "counters": _counters(board),
        "calls": open_calls(board.event, now),
        "clock": console_clock(board, now, sees_end=role.sees_clock and not hides_times),
        "hides_times": hides_times,
        **_to_settle(board),
        "undos": _undos(board) if role.is_organizer else [],
        "changeable": role.is_organizer and board.last is not None and is_changeable(board.last, board.games),
        **_about_pairings(board),
    }  # fmt: skip


def _about_pairings(board: Board) -> dict[str, Any]:
    """Return what leaders must know of pairings before the round starts: that a draft was drawn again, and why, or that
    published ones come from results that were corrected since.
    """
    last, names = board.last, {entry.number: entry.name for entry in board.entries}
    if last is None or not is_changeable(last, board.games):
        return {"notices": [], "is_outdated": False}
    if last.state == Round.State.DRAFT:
        context = LogContext(board.event, names, {}, columns_of(board.event))
        return {"notices": drawn_again(context, draft_lines(board.event, last.number)), "is_outdated": False}
    notices = outdated(names, corrections_since(board.event, last))
    return {"notices": notices, "is_outdated": bool(notices)}


def _undos(board: Board) -> list[dict[str, str]]:
    """Return what an organizer can undo of the event and its last round, the last act first."""
    return [
        {
            "label": title_of(act, number, board.column(number)),
            "href": reverse("tournaments:undo", args=[board.event.pk, act, number]),
        }
        for act, number in last_acts(board)
    ]


def _to_settle(board: Board) -> dict[str, Any]:
    """Return the games without a confirmed result, each with a player who has left in the middle of it. Of many, only
    those that somebody has to decide have a row; the others are `tables`.
    """
    if board.last is None or board.last.state != Round.State.PUBLISHED:
        return {"to_settle": [], "tables": []}
    found = [(game, next((each for each in game.pair if each.state in GONE), None)) for game in board.to_settle]
    rows = [(game, gone) for game, gone in found if len(found) <= MANY or gone or game.state == Game.State.DISPUTED]
    others = {game.pk for game in board.to_settle} - {game.pk for game, _gone in rows}
    return {"to_settle": rows, "tables": [game for game in open_games(board) if game.pk in others]}


def _href(board: Board, role: EventRole, step: NextStep) -> str:
    """Return the page that a step leads to; empty for one that a button takes, or that only organizers can open."""
    event, last = board.event, board.last
    if not role.is_organizer and step.step not in FOR_JUDGES:
        return ""
    if page := PAGES.get(step.step):
        return reverse(f"tournaments:{page}", args=[event.pk])
    if step.step == Step.REVIEW and last:
        return reverse("tournaments:draft", args=[event.pk, last.number])
    if step.step in (Step.DISPUTES, Step.RESULTS, Step.CONFIRM) and last and board.to_settle:
        if step.step == Step.RESULTS and len(board.to_settle) > 1:
            return "#missing"  # the organizer chooses the game
        return reverse("tournaments:result", args=[event.pk, last.number, board.to_settle[0].place])
    return ""


def _counters(board: Board) -> list[dict[str, Any]]:
    """Return the live figures: players, and results of the last round."""
    states, last, found = board.states, board.last, dict[str, Any]()
    started = [entry.state for entry in board.entries if entry.ticket is not None]
    if board.event.is_over:
        found[_("Players")] = len(started)
    elif board.event.state == Event.State.RUNNING:
        found[_("Playing")] = states[Entry.State.PLAYING]
        found[_("Dropped")] = sum(state in GONE for state in started)
    else:
        expected = states[Entry.State.REGISTERED] + states[Entry.State.CHECKED_IN]
        found[_("Checked in")] = f"{states[Entry.State.CHECKED_IN]}/{expected}"
        found[_("Waiting list")] = states[Entry.State.WAITING]
    if last and last.state != Round.State.DRAFT:
        found[_("Results")] = f"{len(board.played) - len(board.to_settle)}/{len(board.played)}"
        of_swiss = board.event.rounds and last.stage == Round.Stage.SWISS
        found[_("Round")] = f"{last.number}/{board.event.rounds}" if of_swiss else str(last.number)
    return [{"label": label, "value": value} for label, value in found.items()]


def _players(board: Board, role: EventRole, search: dict[str, Any], form: PlayerForm | None = None) -> dict[str, Any]:
    """Return the players in their groups. The one whose actions are open comes with the form."""
    tables = {entry.pk: game.table for entry in board.entries if (game := board.game_of(entry))}
    found = matching(sorted(board.entries, key=lambda e: name_order(e.name)), search["q"], tables)
    show, labels = search["show"], dict(SHOWN)
    zones = zones_of(board.event.table_names)
    if show in Game.State:
        found = [each for each in found if (game := board.game_of(each)) and game.state == show]
    elif zone := next((each for each in zones if each.name == show), None):
        found = [each for each in found if zone.first <= tables.get(each.pk, 0) <= zone.last]
    places = MOST_ROWS if len(found) > FEW_ROWS else FEW_ROWS
    groups = []
    for key, states in GROUPS:
        members = [each for each in found if each.state in states]
        if members and (show not in labels or show in ("", key, *Game.State)):
            rows = [each for place, each in enumerate(members) if place < places or each.number == search["player"]]
            groups.append({
                "label": labels[key], "count": len(members), "more": len(members) - len(rows),
                "rows": [_row(board, role, entry, search["player"], form) for entry in rows],
            })  # fmt: skip
            places = max(0, places - len(rows))
    return {
        "event": board.event,
        "role": role,
        "groups": groups,
        "q": search["q"],
        "search_form": SearchForm(initial=search, zones=zones),
        "searchable": len(board.entries) > MANY,
        "nobody": not board.entries,
        "running": board.event.state == Event.State.RUNNING,
    }


def _row(
    board: Board, role: EventRole, entry: Entry, opened: int | None, form: PlayerForm | None = None
) -> dict[str, Any]:
    game, is_open = board.game_of(entry), entry.number == opened
    line = {
        "number": entry.number, "name": entry.name, "table": game.table if game else 0, "warnings": entry.warnings,
        "state": "" if entry.state == Entry.State.PLAYING else entry.state_words, "bye": board.has_bye(entry),
    }  # fmt: skip
    row: dict[str, Any] = {"entry": entry, "game": game, "open": is_open, "line": line}
    if is_open:
        number = board.last.number if board.last else 0
        row |= {
            "form": form or PlayerForm(initial={"entry": entry.number, "round": number}),
            "acts": _acts(board, role, entry, game),
            "in_bracket": bool(board.last and board.last.stage == Round.Stage.BRACKET),
        }
    return row


def _acts(board: Board, role: EventRole, entry: Entry, game: Game | None) -> set[str]:
    """Return what a leader can do with a player now."""
    states, running = Entry.State, board.event.state == Event.State.RUNNING
    offered = {
        "no_show": bool(game and game.state != Game.State.CONFIRMED),
        "undo_result": bool(game and game.state != Game.State.OPEN),
        "undo_eject": entry.state == states.EJECTED and may_undo(role, board.event, Undoable.EJECT),
    }
    if role.is_organizer and not board.event.is_over:
        has_dropped, returns = entry.state == states.DROPPED, running and board.has_bracket_begun
        paired = any(entry.pk in (each.first_id, each.second_id) for each in board.games)
        has_place = paired and board.last is not None and board.last.stage == Round.Stage.BRACKET
        offered |= {
            "drop": entry.state in ACTIVE,
            "enter_late": board.may_enter_late(entry),
            "rejoin": has_dropped and not returns,
            "undo_drop": has_dropped and returns,
            "eject": entry.state != states.EJECTED,
            # Until a game of the bracket is played (E38).
            "decline": has_place and entry.state == states.PLAYING and is_replaceable(board.event),
            "undo_decline": entry.has_declined and is_replaceable(board.event),
        }
    return {act for act, is_possible in offered.items() if is_possible}


def _player(request: HttpRequest, board: Board, role: EventRole, search: dict[str, Any]) -> HttpResponse:
    """Return one row of the list of players, opened or closed again."""
    wanted = (request.htmx.target or "").removeprefix("player-")
    entry = next((each for each in board.entries if str(each.number) == wanted), None)
    if entry is None:
        raise Http404("No such player")
    row = _row(board, role, entry, search["player"])
    context = {"event": board.event, "role": role, "row": row, "q": search["q"]}
    return render(request, "tournaments/console/_player.html", context)
