"""The kiosk: a tablet at the door where players check in, register, and pay at the desk."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.hashers import check_password
from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.adapters import check_limit
from accounts.models import User
from core.form_errors import form_page, refusals_as_messages, refusals_on
from core.form_fields import entered, posted, pressed_button
from core.names import name_order
from core.qr import qr_svg
from tournaments import access
from tournaments.forms.console import SearchForm
from tournaments.forms.entries import CheckInForm, KioskCodeForm, KioskPlayerForm, PaidForm
from tournaments.models import Event
from tournaments.models.entry import ACTIVE
from tournaments.pages.console import matching, not_back
from tournaments.services import entries as services

from .common import frame, personal_link

#: The most players that a search at the kiosk lists.
MOST_FOUND = 12


@login_not_required
@never_cache
def kiosk(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Open a kiosk, as an organizer, who is signed out by it. In the browser of the kiosk: find players, check in,
    register, and once it is unlocked with its code note who has paid, and end it.
    """
    if (found := access.kiosk_for(request, pk)) is None:
        return _open(request, pk)
    event, user, session = found
    if request.method != "POST":
        return _page(request, event, session)
    match pressed_button(request.POST, "register", "unlock", "lock", "end"):
        case "register":
            return _register(request, event, user, session)
        case "unlock":
            return _unlock(request, event, session)
        case "lock":
            request.session[access.KIOSK] = {**session, "unlocked": False}
        case "end" if session.get("unlocked"):
            request.session.flush()
            return redirect("account_login")
        case _:
            _act(request, event, user, session)
    return redirect("tournaments:kiosk", pk=pk)


def _open(request: HttpRequest, pk: UUID) -> HttpResponse:
    event, role = access.organized_event_for(request, pk)
    form = KioskCodeForm(posted(request))
    if form.is_valid() and role.user:
        access.open_kiosk(request, event, role.user, form.cleaned_data["code"])
        return redirect("tournaments:kiosk", pk=pk)
    context = {**frame(event, role, "kiosk", (_("Players"), "entries")), "form": form}
    return form_page(request, "tournaments/entries/open_kiosk.html", context)


def _act(request: HttpRequest, event: Event, user: User, session: dict[str, Any]) -> None:
    """Check a player in, or with an unlocked kiosk note that they have paid."""
    form, paid_form = CheckInForm(request.POST), PaidForm(request.POST)
    with refusals_as_messages(request):
        if paid_form.is_valid() and session.get("unlocked"):
            number, paid = paid_form.pressed
            services.set_paid(actor=user, entry=access.entry_in(event, number), paid=paid)
        elif form.is_valid() and form.pressed[0] == "check_in":
            chosen = list(event.entries.filter(number__in=form.pressed[1][:1]))
            services.check_in(actor=user, event=event, entries=chosen)
            for each in event.entries.filter(pk__in=[entry.pk for entry in chosen]):
                messages.success(request, f"{each.name}: {each.state_words}.")


def _register(request: HttpRequest, event: Event, user: User, session: dict[str, Any]) -> HttpResponse:
    """Register a player and check them in; show their personal link once."""
    form = KioskPlayerForm(request.POST)
    if form.is_valid():
        words = form.cleaned_data
        with refusals_on(form):
            player = services.NewPlayer(words["name"], club=words["club"])
            (entry,) = services.add_players(
                actor=user, event=event, players=[player], now=timezone.now(), after=words["after"]
            )
            services.check_in(actor=user, event=event, entries=[entry])
            entry.refresh_from_db()
            link = personal_link(request, entry)
            context = {"event": event, "entry": entry, "qr": qr_svg(link)}
            return render(request, "tournaments/entries/kiosk_registered.html", context)
    return _page(request, event, session, form)


def _unlock(request: HttpRequest, event: Event, session: dict[str, Any]) -> HttpResponse:
    check_limit(request, "unlock_kiosk")
    form = KioskCodeForm(request.POST)
    if form.is_valid() and check_password(form.cleaned_data["code"], session["code"]):
        request.session[access.KIOSK] = {**session, "unlocked": True}
    else:
        messages.error(request, _("This is not the code of this kiosk."))
    return redirect("tournaments:kiosk", pk=event.pk)


def _page(
    request: HttpRequest, event: Event, session: dict[str, Any], form: KioskPlayerForm | None = None
) -> HttpResponse:
    search = entered(SearchForm(request.GET))["q"].strip()
    players = sorted(event.entries.filter(state__in=ACTIVE), key=lambda each: name_order(each.name))
    scanned = [each for each in players if each.check_in_code in search]
    found = scanned or (matching(players, search) if len(search) > 1 or search.isdecimal() else [])
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    context = {
        "event": event,
        "q": search,
        "not_back": not_back(event, players, timezone.now()),
        "found": found[:MOST_FOUND],
        "form": form or KioskPlayerForm(initial={"after": last}),
        "unlocked": bool(session.get("unlocked")),
        "code_form": KioskCodeForm(),
    }
    return form_page(request, "tournaments/entries/kiosk.html", context)
