"""The home page, what a stranger sees in its place, and what every page says of it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import trigger_client_event

from campaign import queries
from campaign.waiting import badge_of, in_full, waiting_for
from config.moment import one_moment
from registers.notices import notices_for


@login_not_required
@require_safe
@one_moment()
def home(request: HttpRequest) -> HttpResponse:
    """What waits for you, your Registers, your campaigns; for visitors, what this is."""
    if not request.user.is_authenticated:
        return render(request, "campaign/welcome.html")
    waiting, page = waiting_for(request.user), queries.home(request.user)
    forces = {line.register.pk: line.force for line in page.registers}
    context = {
        "home": page,
        "waiting": in_full(waiting, forces),
        "badge": badge_of(waiting),
        "notices": notices_for(request.user, forces),
    }
    return render(request, "campaign/home.html", context)


@never_cache
@require_safe
@one_moment()
def badge(request: HttpRequest) -> HttpResponse:
    """How many things wait for you, if that has changed; the home page then asks for its list as well."""
    now = badge_of(waiting_for(request.user))
    if request.headers.get("If-None-Match") == f'"{now.tag}"':
        return HttpResponseNotModified()
    response = render(request, "components/badge.html", {"badge": now})
    return trigger_client_event(response, "waiting-changed")
