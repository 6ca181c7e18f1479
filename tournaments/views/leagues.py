"""Pages of leagues."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.forms import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.adapters import check_limit
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import entered, posted
from core.names import name_order
from core.open_page import open_page
from tournaments import access
from tournaments.access import events_for, league_for, owned_league_for, owns_league
from tournaments.forms.leagues import PRESETS, AttachForm, DetachForm, LeagueForm
from tournaments.models import Event, League
from tournaments.pages.leagues import table_of
from tournaments.services import leagues as league_services
from tournaments.views.exchange import EVENTS


def _crumbs() -> list[dict[str, str]]:
    return [EVENTS, {"label": _("Leagues"), "href": "/leagues/"}]


@open_page
def leagues(request: HttpRequest) -> HttpResponse:
    """Show all leagues."""
    context = {"leagues": sorted(access.leagues(), key=lambda league: name_order(league.name)), "crumbs": [EVENTS]}
    return render(request, "tournaments/leagues/leagues.html", context)


def edit_league(request: HttpRequest, league: UUID | None = None) -> HttpResponse:
    """Change a league, or create one."""
    found = owned_league_for(request, league) if league else None
    _label, points, participation = PRESETS["store"]
    shown = found or League(pk=uuid4(), points=points, participation_points=participation)
    form = LeagueForm(posted(request), initial={"key": shown.pk, **model_to_dict(shown)})
    if form.is_valid():
        if not found:
            check_limit(request, "new_league")
        with refusals_on(form):
            values = form.cleaned_data | ({"key": found.pk} if found else {})
            return _to(league_services.save_league(actor=request.user, **values))
    context = {"league": found, "form": form, "crumbs": _crumbs()}
    return form_page(request, "tournaments/leagues/edit_league.html", context)


@open_page
def league(request: HttpRequest, league: UUID) -> HttpResponse:
    """Show the table and the events of a league."""
    return _league_page(request, league_for(league))


@require_POST
def attach(request: HttpRequest, league: UUID) -> HttpResponse:
    """Let an event count for the league."""
    found = owned_league_for(request, league)
    form = AttachForm(request.POST, events=Event.objects.filter(memberships__user=request.user))
    with refusals_on(form):
        event = valid(form)["event"]
        league_services.attach_event(actor=request.user, league=found, event=event)
        messages.success(request, _("%(event)s counts for this league.") % {"event": event})
        return _to(found)
    return _league_page(request, found, form)


@require_POST
def detach(request: HttpRequest, league: UUID) -> HttpResponse:
    """Take an event out of the league."""
    found = league_for(league)
    event = events_for(request.user).filter(pk=entered(DetachForm(request.POST))["event"]).first()
    if event is None:
        raise Http404("No such event")
    with refusals_as_messages(request):
        league_services.detach_event(actor=request.user, league=found, event=event)
        messages.success(request, _("%(event)s no longer counts for this league.") % {"event": event})
    return _to(found)


def _to(league: League) -> HttpResponse:
    return redirect("tournaments:league", league=league.pk)


def _league_page(request: HttpRequest, league: League, form: AttachForm | None = None) -> HttpResponse:
    events = list(events_for(request.user).filter(league=league).distinct())
    owns = owns_league(request, league)
    attachable = access.attachable_events(request.user, league) if owns else Event.objects.none()
    table = table_of(league, events)
    context = {
        "league": league,
        "owns": owns,
        "table": table,
        "coming": sorted(
            (event for event in events if not event.is_over),
            key=lambda event: (event.starts_at or event.created_at, str(event.pk)),
        ),
        "points": list(enumerate(league.points, start=1)),
        "form": (form or AttachForm(None, events=attachable)) if owns else None,
        "crumbs": _crumbs(),
    }
    return form_page(request, "tournaments/leagues/league.html", context)
