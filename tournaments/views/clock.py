"""The clock of a round as a part of pages (E26)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from tournaments.access import event_for
from tournaments.models import Event, Game, Round
from tournaments.queries.clock import ClockFace, player_clock
from tournaments.queries.rounds import round_name

#: Parameters of the address: what the page shows now, and which table's clock it shows.
SEEN, TABLE = "seen", "table"


def clock_context(
    event: Event, *, at: datetime, game: Game | None = None, current: Round | None = None
) -> dict[str, Any]:
    """Return what `tournaments/clock/_clock.html` takes for the round that is under way at the moment `at`.

    `game` is one of that round whose table was given an extension; `current` saves a query if the page knows the round.
    It is the same for all readers, leaders too: a hall reads their screens. Only the console shows leaders the end of
    a Galactic Conquest round (E26).
    """
    current = current or event.round_set.filter(state=Round.State.PUBLISHED).last()
    face, label = None, ""
    if current and current.state == Round.State.PUBLISHED:
        face = player_clock(event, current, at, game)
        label = round_name(current)
    seen = _token(current, face)
    facts: dict[str, Any] = {SEEN: seen}
    if game:
        facts[TABLE] = game.table
    poll = f"{reverse('tournaments:clock', args=[event.pk])}?{urlencode(facts)}"
    return {"event": event, "face": face, "label": label, "poll": poll, "seen": seen}


@login_not_required
@require_safe
def clock(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Return the clock alone, or 204 if it shows what the page shows already. Before "time" the answer is the same
    however long a round of Galactic Conquest is (E26).
    """
    event, _role = event_for(request, pk)
    game = None
    if (table := request.GET.get(TABLE, "")).isdecimal() and len(table) < 6:
        playing = Game.objects.filter(round__event=event, round__state=Round.State.PUBLISHED, table=int(table))
        game = playing.first()
    context = clock_context(event, at=timezone.now(), game=game)
    if request.GET.get(SEEN) == context["seen"]:
        return HttpResponse(status=204)
    return render(request, "tournaments/clock/_clock.html", context)


def _token(current: Round | None, face: ClockFace | None) -> str:
    """Return a word that changes with what the clock shows, made of nothing that it does not show."""
    if not current or not face:
        return "none"
    return f"{current.number}-{face.phase}" + (f"-{face.ends_at:%H%M%S}" if face.ends_at else "")
