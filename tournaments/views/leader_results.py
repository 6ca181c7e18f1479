"""Results that leaders enter and correct (E27, E28, E31)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from core.form_errors import as_context, refusals_on
from core.form_fields import entered, pressed_button
from rules.core.violations import RuleViolation, Violation
from rules.tournaments.corrections import is_correctable
from rules.tournaments.results import Result
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, led_event_for
from tournaments.forms.console import CorrectionForm
from tournaments.forms.results import ResultButtons, ResultForm, initial_of
from tournaments.models import Event, Game, Round
from tournaments.pages.results import changed_standings, result_sentence
from tournaments.queries.history import result_of
from tournaments.services.results import is_saved, save_result
from tournaments.views.common import frame
from tournaments.views.result_check import checked, is_check

#: Players whose standings a correction changes that are listed besides the two of the game.
MOST_CHANGES = 20


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def result(request: HttpRequest, pk: UUID, number: int, place: int) -> HttpResponse:
    """Show the result of a game; a leader enters, confirms or corrects it."""
    event, role = led_event_for(request, pk)
    game = _game(event, number, place)
    if game.round.state == Round.State.DRAFT:
        return redirect("tournaments:draft", pk=pk, number=number)
    if request.method != "POST":
        return _page(request, role, game, ResultForm(game, initial=initial_of(game)))
    if pressed_button(request.POST, "confirm") == "confirm":
        return _confirm(request, role, game)
    form = ResultForm(game, request.POST)
    if is_check(request):
        return checked(request, form)
    if not form.is_valid():
        return _page(request, role, game, form, correction=CorrectionForm(request.POST))
    if game.round.state == Round.State.CLOSED:
        return _correct(request, role, game, form)
    with refusals_on(form):
        _save(request, game, form.result(), form)
        return redirect("tournaments:console", pk=pk)
    return _page(request, role, _game(event, number, place), form)


def _game(event: Event, number: int, place: int) -> Game:
    """Return a game of two players with all that it refers to. Raises Http404 for a bye or an unknown game."""
    names = ("round", "first", "second", "winner", "by", "blue", "roll", "reported_by")
    games = Game.objects.filter(round__event=event, round__number=number, place=place).exclude(second=None)
    game = games.exclude(first=None).select_related(*names).first()
    if game is None:
        raise Http404("No such game")
    game.round.event = event
    return game


def _confirm(request: HttpRequest, role: EventRole, game: Game) -> HttpResponse:
    """Confirm a result as a player entered it, if it is still that one."""
    form = ResultForm(game, initial=initial_of(game))
    version = entered(ResultButtons(request.POST))["version"]
    if not game.how:
        return _page(request, role, game, form)
    try:
        save_result(
            actor=request.user, game=game, result=result_of(game), version=-1 if version is None else version,
            mission=game.mission, phase=game.phase,
        )  # fmt: skip
    except RuleViolation as refusal:
        return _page(request, role, game, form, violations=refusal.violations)
    messages.success(request, _("Table %(table)d: the result is confirmed.") % {"table": game.table})
    return redirect("tournaments:console", pk=game.round.event.pk)


def _correct(request: HttpRequest, role: EventRole, game: Game, form: ResultForm) -> HttpResponse:
    """Show what a correction changes in the standings; save it once that was shown (E31)."""
    correction, corrected = CorrectionForm(request.POST), form.result()
    token = _token(game, corrected)
    if is_saved(game, corrected, **form.details):
        return redirect("tournaments:console", pk=game.round.event.pk)
    if not correction.is_valid() or correction.cleaned_data["shown"] != token:
        return _page(request, role, game, form, correction=correction, preview=corrected, token=token)
    with refusals_on(correction):
        _save(request, game, corrected, form, correct=True, reason=correction.cleaned_data["reason"])
        return redirect("tournaments:console", pk=game.round.event.pk)
    return _page(request, role, game, form, correction=correction, preview=corrected, token=token)


def _save(request: HttpRequest, game: Game, entered: Result, form: ResultForm, **more: Any) -> None:
    version = form.cleaned_data["version"]
    save_result(actor=request.user, game=game, result=entered, version=version, **form.details, **more)
    messages.success(request, _("Table %(table)d: the result is saved.") % {"table": game.table})


def _token(game: Game, entered: Result) -> str:
    return sha256(f"{game.pk} {game.version} {entered!r}".encode()).hexdigest()[:16]


def _page(
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
    shown = [each for place, each in enumerate(changes) if each.concerned or place < MOST_CHANGES]
    last = event.round_set.filter(state=Round.State.CLOSED).order_by("-number").first()
    context: dict[str, Any] = {
        **frame(event, role, "console"),
        "game": game,
        "form": form,
        "words": result_sentence(game),
        "closed": closed,
        "correction": correction or CorrectionForm(),
        "needs_reason": closed
        and not is_correctable(RuleSet(event.rule_set), game.round.number, last.number if last else 0),
        "is_last": last is not None and last.number == game.round.number,
        "changes": shown,
        "more": len(changes) - len(shown),
        "previewed": preview is not None,
        "token": token,
        "violations": as_context(violations),
    }
    refused = violations or form.errors or (correction and correction.errors)
    return render(request, "tournaments/results/result.html", context, status=422 if refused else 200)
