"""The clock of a round as a part of pages (E26)."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.access import event_for
from tournaments.models import Game, Round
from tournaments.pages.clock import SEEN, TABLE, clock_context


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
