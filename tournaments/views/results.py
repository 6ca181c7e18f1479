"""Results: leaders enter and correct them (E27, E28, E31); what a player has played; deleting a player's name."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.form_errors import as_context, form_page, refusals_as_messages, refusals_on
from core.form_fields import entered, pressed_button
from core.open_page import open_page
from rules.core.violations import RuleViolation, Violation
from rules.tournaments.results import Result, is_correctable
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, entry_in, event_for, led_event_for
from tournaments.forms.results import CorrectionForm, ResultButtons, ResultForm, initial_of
from tournaments.models import Entry, Event, Game, Round
from tournaments.pages.own_record import tallies_of
from tournaments.pages.results import changed_standings, result_sentence
from tournaments.queries.army_lists import last_factions, opponents_of, visible_parts
from tournaments.queries.entries import are_factions_public
from tournaments.queries.history import result_of
from tournaments.queries.results import events_played, forgotten_name, other_entries, record_of
from tournaments.queries.rounds import drawn_from, round_name
from tournaments.queries.standings import Places, places_of
from tournaments.services.entries import forget_player
from tournaments.services.results import is_saved, save_result
from tournaments.views.common import frame
from tournaments.views.exchange import EVENTS

#: Players whose standings a correction changes that are listed besides the two of the game.
MOST_CHANGES = 20


@never_cache
def result(request: HttpRequest, pk: UUID, number: int, place: int) -> HttpResponse:
    """Show the result of a game; a leader enters, confirms or corrects it."""
    event, role = led_event_for(request, pk)
    game = _game(event, number, place)
    if game.round.state == Round.State.DRAFT:
        return redirect("tournaments:draft", pk=pk, number=number)
    if request.method != "POST":
        return _result_page(request, role, game, ResultForm(game, initial=initial_of(game)))
    if pressed_button(request.POST, "confirm") == "confirm":
        return _confirm(request, role, game)
    form = ResultForm(game, request.POST)
    if is_check(request):
        return checked(request, form)
    if not form.is_valid():
        return _result_page(request, role, game, form, correction=CorrectionForm(request.POST))
    if game.round.state == Round.State.CLOSED:
        return _correct(request, role, game, form)
    with refusals_on(form):
        _save(request, game, form.result(), form)
        return redirect("tournaments:console", pk=pk)
    return _result_page(request, role, _game(event, number, place), form)


def _game(event: Event, number: int, place: int) -> Game:
    """Return a game of two players with all that it refers to. Raises Http404 for a bye or an unknown game."""
    names = ("round", "first", "second", "winner", "by", "blue", "roll", "reported_by")
    games = Game.objects.filter(round__event=event, round__number=number, place=place).exclude(second=None)
    if (game := games.exclude(first=None).select_related(*names).first()) is None:
        raise Http404("No such game")
    game.round.event = event
    return game


def _confirm(request: HttpRequest, role: EventRole, game: Game) -> HttpResponse:
    """Confirm a result as a player entered it, if it is still that one."""
    form = ResultForm(game, initial=initial_of(game))
    version = entered(ResultButtons(request.POST))["version"]
    if not game.how:
        return _result_page(request, role, game, form)
    try:
        save_result(
            actor=request.user, game=game, result=result_of(game), version=-1 if version is None else version,
            mission=game.mission, phase=game.phase,
        )  # fmt: skip
    except RuleViolation as refusal:
        return _result_page(request, role, game, form, violations=refusal.violations)
    messages.success(request, _("Table %(table)d: the result is confirmed.") % {"table": game.table})
    return redirect("tournaments:console", pk=game.round.event.pk)


def _correct(request: HttpRequest, role: EventRole, game: Game, form: ResultForm) -> HttpResponse:
    """Show what a correction changes in the standings; save it once that was shown (E31)."""
    correction, corrected = CorrectionForm(request.POST), form.result()
    token = sha256(f"{game.pk} {game.version} {corrected!r}".encode()).hexdigest()[:16]
    if is_saved(game, corrected, **form.details):
        return redirect("tournaments:console", pk=game.round.event.pk)
    if not correction.is_valid() or correction.cleaned_data["shown"] != token:
        return _result_page(request, role, game, form, correction=correction, preview=corrected, token=token)
    with refusals_on(correction):
        _save(request, game, corrected, form, correct=True, reason=correction.cleaned_data["reason"])
        return redirect("tournaments:console", pk=game.round.event.pk)
    return _result_page(request, role, game, form, correction=correction, preview=corrected, token=token)


def _save(request: HttpRequest, game: Game, entered: Result, form: ResultForm, **more: Any) -> None:
    version = form.cleaned_data["version"]
    save_result(actor=request.user, game=game, result=entered, version=version, **form.details, **more)
    messages.success(request, _("Table %(table)d: the result is saved.") % {"table": game.table})


def _result_page(
    request: HttpRequest,
    role: EventRole,
    game: Game,
    form: ResultForm,
    *,
    correction: CorrectionForm | None = None,
    preview: Result | None = None,
    token: str = "",
    violations: tuple[Violation, ...] = (),
) -> HttpResponse:
    event = game.round.event
    closed = game.round.state == Round.State.CLOSED
    changes = changed_standings(game, preview) if preview else []
    shown = [each for place, each in enumerate(changes) if each["concerned"] or place < MOST_CHANGES]
    last = event.round_set.filter(state=Round.State.CLOSED).order_by("-number").first()
    context: dict[str, Any] = {
        **frame(event, role, "console"),
        "round_name": round_name(game.round), "game": game, "form": form, "words": result_sentence(game),
        "closed": closed, "correction": correction or CorrectionForm(),
        "needs_reason": closed
        and not is_correctable(RuleSet(event.rule_set), game.round.number, last.number if last else 0),
        "is_last": last is not None and last.number == game.round.number,
        "changes": shown,
        "more": len(changes) - len(shown),
        "previewed": preview is not None,
        "drawn_from": drawn_from(game) if preview else None,
        "token": token,
        "violations": as_context(violations),
    }  # fmt: skip
    return form_page(request, "tournaments/results/result.html", context, refused=violations)


def is_check(request: HttpRequest) -> bool:
    """Return whether a posted result is only to be checked, not saved."""
    return request.method == "POST" and bool(entered(ResultButtons(request.POST))["check"])


def checked(request: HttpRequest, form: ResultForm) -> HttpResponse:
    """Return what is wrong with the result typed so far, or who wins by it (E27, E28). Nothing is saved."""
    violations, outcome = form.notes()
    context = {"violations": as_context(violations), "outcome": outcome}
    return render(request, "tournaments/results/_result_check.html", context)


@open_page
def record(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show what a player played in an event, round by round."""
    event, role = event_for(request, pk)
    places = places_of(event)
    entry = entry_of_places(places, number)
    own = role.plays_as(entry)
    context = {
        **frame(event, role, "record"),
        "entry": entry,
        "record": record_of(places, entry),
        "conquest": event.rule_set == RuleSet.GALACTIC_CONQUEST,
        "finished": event.state == Event.State.FINISHED,
        "has_list": visible_parts(event, role, entry, opponents_of(role.entry)).units and entry.lists.exists(),
        "others": other_entries(entry),
        "may_forget": (own or role.is_organizer) and entry.name != forgotten_name(entry),
        "own": own,
    }
    return render(request, "tournaments/results/record.html", context)


@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Show the events that the reader played in, and what their games come to: own Factions, and those of opponents
    where they are public (E10).
    """
    records = events_played(request.user)
    known = [each.entry for each in records]
    for each in records:
        if are_factions_public(each.entry.event):
            known += [line.opponent for line in each.lines if line.opponent]
    context = {"records": records, "tallies": tallies_of(records, last_factions(known)), "crumbs": [EVENTS]}
    return render(request, "tournaments/results/history.html", context)


@login_not_required
@require_POST
def forget(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Delete a player's name."""
    event, role = event_for(request, pk)
    entry = entry_in(event, number)
    # A post that is sent again finds the name deleted.
    is_forgotten = entry.user_id is None and entry.name == forgotten_name(entry)
    own = role.entry or role.former
    if not (role.is_organizer or own == entry or is_forgotten):
        raise Http404("Neither an organizer nor the player")
    with refusals_as_messages(request):
        forget_player(actor=role.user, entry=entry, own=own)
        messages.success(
            request, _("The name is deleted. The results stay under number %(number)s.") % {"number": number}
        )
    return redirect("tournaments:record", pk=pk, number=number)


def entry_of_places(places: Places, number: int) -> Entry:
    if (entry := places.history.entries.get(str(number))) is None:
        raise Http404("No such player")
    entry.event = places.event
    return entry
