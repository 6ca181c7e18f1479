"""Entries: registering, and for organizers the list, adding, import, one player, claims, links and the check-in."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.db.models import Max
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.adapters import can_mail, check_limit
from core.form_errors import as_context, form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import entered, posted, pressed_button
from core.names import name_order
from core.qr import qr_svg
from core.table_forms import TableForm, remembered_columns
from core.tokens import new_token
from rules.core.violations import RuleViolation
from tournaments import access
from tournaments.access import EventRole
from tournaments.forms import entries as forms
from tournaments.forms.console import SearchForm, StepForm
from tournaments.models import Entry, Event, InvitedPlayer
from tournaments.models.entry import ACTIVE
from tournaments.pages.console import matching, not_back
from tournaments.pages.entries import entry_lines, filtered, filters_of, lines_of
from tournaments.pages.events import event_page
from tournaments.queries.army_lists import list_gaps, lists_by_entry
from tournaments.queries.console import board_of
from tournaments.queries.entries import has_started, name_key, name_keys
from tournaments.queries.events import fewest_players
from tournaments.queries.leaders import leaders_kept_out, leaders_of, playing_leader_violation, playing_leaders
from tournaments.queries.rounds import lost_in_bracket
from tournaments.queries.schedule import later_day
from tournaments.services import entries as services, links
from tournaments.services.army_lists import submit_text
from tournaments.services.entries import TRANSITIONS, Act

from .common import TYPED_LIST, frame, personal_link, say_late_entry, say_submitted

#: Players above which a list has a search, and above which the names of a warning are folded.
MANY = 12
#: Personal links on one page: each has a QR code, which takes time to draw.
LINKS_A_PAGE = 60
#: Under this name a browser session remembers the columns of tables of players.
PLAYERS = "players"


@login_not_required
@never_cache
def register(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Register for an event, with or without an account."""
    event, role = access.event_for(request, pk)
    if role.entry and role.entry.state in ACTIVE:
        return redirect("tournaments:detail", pk=pk)
    if role.user is None:
        return _register_guest(request, event, role)
    initial = {"name": role.user.get_short_name() or role.user.get_username()}
    form = forms.RegistrationForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        check_limit(request, "register_for_event")
        words = form.cleaned_data
        army_list = words.pop("army_list")
        with refusals_on(form):
            entry = services.register(actor=role.user, event=event, now=timezone.now(), **words)
            links.note_registered(entry, request.GET.get("invited", ""))
            _say_registered(request, entry)
            return _submit_list(request, entry, army_list) or _after_registration(request, entry, "tournaments:detail")
    return _register_page(request, event, role, form)


@login_not_required
@require_POST
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Withdraw from an event before it starts."""
    _event, role = access.event_for(request, pk)
    entry = role.entry or role.former
    if entry is None:
        raise Http404("Not a player of this event")
    with refusals_as_messages(request):
        services.withdraw(actor=role.user, entry=entry)
        messages.success(request, _("You have withdrawn. Your place goes to the next player on the waiting list."))
    return redirect("tournaments:detail", pk=pk)


def entries(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all players with filters; a POST notes with one tap who has paid, or lets a leader play."""
    event, role = access.organized_event_for(request, pk)
    if request.method == "POST":
        paid_form = forms.PaidForm(request.POST)
        if paid_form.is_valid():
            return _set_paid(request, event, *paid_form.pressed)
        return _register_leader(request, event, role)
    return entries_page(request, event, role)


def entries_page(request: HttpRequest, event: Event, role: EventRole, **refused: BaseForm) -> HttpResponse:
    """Show the list, with a refused `names_form` or `leader_form` as it was typed."""
    lines = entry_lines(event)
    people = leaders_of(event)
    chosen, words = request.GET.get("show", ""), request.GET.get("q", "")[:80]
    last = max((line.entry.number for line in lines), default=0)
    context = {
        **frame(event, role, "entries"),
        "lines": filtered(lines, chosen, words),
        "number": len(lines),
        "filters": filters_of(event, lines),
        "chosen": chosen,
        "words": words,
        "claims": [line for line in lines if line.entry.claimant_id and not line.entry.user_id],
        "names_form": forms.NamesForm(initial={"after": last}),
        "leader_form": forms.LeaderPlaysForm(event),
        "kept_out": leaders_kept_out(event, people),
        "breaking": playing_leaders(event, people, [line.entry for line in lines]),
        "started": has_started(event),
        **refused,
    }
    return form_page(request, "tournaments/entries/entries.html", context)


@require_POST
def add_entries(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Add players by name, one a line."""
    event, role = access.organized_event_for(request, pk)
    check_limit(request, "add_players")
    form = forms.NamesForm(request.POST)
    with refusals_on(form):
        after, words = valid(form)["after"], {"actor": request.user, "event": event, "now": timezone.now()}
        _say_added(request, services.add_players(**words, players=form.players(), after=after))
        return redirect("tournaments:entries", pk=pk)
    return entries_page(request, event, role, names_form=form)


def import_players(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what a table of players would add, what is left out and what is wrong, by line; then add all or none."""
    event, role = access.organized_event_for(request, pk)
    last = event.entries.aggregate(last=Max("number"))["last"] or 0
    form = forms.PlayerTableForm(posted(request), request.FILES or None, initial={"after": last})
    if request.method == "POST":
        check_limit(request, "add_players")
    table = None
    if form.is_valid():
        columns = form.columns(forms.PLAYER_FIELDS, remembered_columns(request.session, PLAYERS))
        table = forms.read_players(columns, set())
        if not pressed_button(request.POST, "add"):
            form.data["after"] = last
        elif table.is_good and not columns.has_changed_table:
            with refusals_on(form):
                added = services.add_players(
                    actor=request.user, event=event, players=table.players, now=timezone.now(),
                    after=form.cleaned_data["after"],
                )  # fmt: skip
                columns.remember(request.session, PLAYERS)
                _say_added(request, added)
                return redirect("tournaments:entries", pk=pk)
        table = forms.read_players(columns, name_keys(event))
    context = {**frame(event, role, "import_players"), "form": form, "table": table}
    context["refusals"] = as_context(table.violations) if table else ()
    return form_page(request, "tournaments/entries/import.html", context, refused=table and not table.is_good)


def invite_players(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show who of a table would be mailed and who not, by line; then mail them."""
    event, role = access.organized_event_for(request, pk)
    form = TableForm(posted(request), request.FILES or None)
    context = {**frame(event, role, "entries", (_("Players"), "entries")), "form": form, "can_mail": can_mail()}
    if form.is_valid():
        columns = form.columns(forms.INVITED_FIELDS)
        people = forms.people_of(columns) if columns.is_valid() else []
        lines = list(links.invitees(event, people))
        context |= {"columns": columns, "lines": lines, "number": sum(line.state == links.NEW for line in lines)}
        if people and pressed_button(request.POST, "send") and can_mail() and not columns.has_changed_table:
            with refusals_on(form):
                check_limit(request, "invite_players")
                number = links.invite_players(actor=request.user, event=event, people=people, now=timezone.now())
                words = ngettext("%(n)s person is being mailed.", "%(n)s people are being mailed.", number)
                messages.success(request, words % {"n": number})
                return redirect("tournaments:invite_players", pk=pk)
    names = name_keys(event)
    context["invited"] = [(each, name_key(each.name) in names) for each in InvitedPlayer.objects.filter(event=event)]
    context["closed"] = services.registration_violation(event, timezone.now())
    return form_page(request, "tournaments/entries/invite_players.html", context)


def entry(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a player to an organizer: edit the entry, change its state before the start, show the personal link."""
    event, role = access.organized_event_for(request, pk)
    found = access.entry_in(event, number)
    if request.method != "POST":
        return _entry_page(request, event, role, found, forms.EntryForm(found))
    if button := pressed_button(request.POST, "state", "paid", "unpaid", "late"):
        with refusals_as_messages(request):
            _press(request, event, found, button)
        return redirect("tournaments:entry", pk=pk, number=number)
    form = forms.EntryForm(found, request.POST)
    if form.is_valid():
        with refusals_on(form):
            services.edit_entry(actor=request.user, entry=found, changes=form.changes())
            messages.success(request, _("%(player)s saved.") % {"player": found.name})
            return redirect("tournaments:entries", pk=pk)
    return _entry_page(request, event, role, access.entry_in(event, number), form)


@require_POST
def claim(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Ask to take over an entry without an account, take that back, or as an organizer consent or decline (E5)."""
    event, _role = access.event_for(request, pk)
    found = access.entry_in(event, number)
    button = pressed_button(request.POST, "consent", "decline", "take_back")
    if button in ("consent", "decline"):
        _answer_claim(request, pk, found, consent=button == "consent")
        return redirect("tournaments:entries", pk=pk)
    check_limit(request, "register_for_event")
    with refusals_as_messages(request):
        if button == "take_back":
            services.drop_claim(actor=request.user, entry=found)
        else:
            services.claim(actor=request.user, entry=found)
            text = _("You have asked for the entry of %(player)s. An organizer decides.")
            messages.success(request, text % {"player": found})
    return redirect("tournaments:detail", pk=pk)


@require_safe
@never_cache
def personal_links(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the personal links of all players without an account, to print and cut out."""
    event, role = access.organized_event_for(request, pk)
    without = sorted(event.entries.filter(user=None, state__in=ACTIVE), key=lambda each: name_order(each.name))
    page = Paginator(without, LINKS_A_PAGE).get_page(request.GET.get("page"))
    cards = [
        {"entry": each, "link": link, "qr": qr_svg(link)} for each in page if (link := personal_link(request, each))
    ]
    context = {**frame(event, role, "personal_links"), "cards": cards, "page": page}
    return render(request, "tournaments/entries/personal_links.html", context)


@never_cache
def check_in(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Check players in by taps, all at once, or undo it (E6)."""
    event, role = access.organized_event_for(request, pk)
    if request.method != "POST":
        return _check_in_page(request, event, role)
    form = forms.CheckInForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            _check(request, event, form)
    if request.htmx:
        return _check_in_page(request, event, role)
    return redirect(request.get_full_path())


def _check(request: HttpRequest, event: Event, form: forms.CheckInForm) -> None:
    who: dict[str, Any] = {"actor": request.user, "event": event}
    button, numbers = form.pressed
    chosen = list(event.entries.filter(number__in=numbers))
    match button:
        case "check_in":
            services.check_in(**who, entries=chosen)
        case "undo":
            services.undo_check_in(**who, entries=chosen)
        case "all":
            state = Entry.State.PLAYING if event.state == Event.State.RUNNING else Entry.State.REGISTERED
            expected = event.entries.exclude(pk__in=lost_in_bracket(event))
            services.check_in(**who, entries=list(expected.filter(state=state)))
            state = Entry.State.CHECKED_IN if state == Entry.State.REGISTERED else state
            number = expected.filter(state=state).count()
            text = ngettext("%(number)d player is checked in.", "%(number)d players are checked in.", number)
            messages.success(request, text % {"number": number})
        case "all_absent":
            number = services.mark_absent(**who, entries=list(event.entries.filter(state=Entry.State.REGISTERED)))
            text = ngettext("%(number)d player was withdrawn.", "%(number)d players were withdrawn.", number)
            messages.success(request, text % {"number": number})


def _check_in_page(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    """Show who is there. With `q` in the address only the players it names are listed; the figures count everybody."""
    found = sorted(event.entries.all(), key=lambda each: name_order(each.name))
    search = entered(SearchForm(request.GET))["q"]
    day = later_day(event, timezone.now())
    expected = (Entry.State.PLAYING,) if day else (Entry.State.REGISTERED, Entry.State.CHECKED_IN)
    lost = lost_in_bracket(event) if day else ()
    there = [each for each in found if each.state in expected and each.pk not in lost]
    others = [each for each in found if each.state in (Entry.State.DROPPED, Entry.State.WAITING) and not day]
    gaps = {gap.entry.pk: gap for gap in list_gaps(event, there)}
    checked_in = sum(each.checked_in_on == day if day else each.state == Entry.State.CHECKED_IN for each in there)
    started = event.state == Event.State.RUNNING or event.is_over
    context = {
        **frame(event, role, "console"),
        "rows": [(each, gaps.get(each.pk)) for each in matching((*there, *others), search)],
        "gaps": [gaps[each.pk] for each in there if each.state == Entry.State.CHECKED_IN and each.pk in gaps],
        "checked_in": checked_in, "expected": len(there), "anybody_paid": any(each.paid for each in found),
        "started": started, "day": day, "nobody": not there and not others, "q": search,
        "searchable": len(found) > MANY,
        "ready": not started and checked_in == len(there) >= fewest_players(event),
        "step_form": StepForm(),
        "few_gaps": MANY,
    }  # fmt: skip
    return render(request, "tournaments/entries/check_in.html", context)


@login_not_required
@never_cache
def scan(request: HttpRequest, pk: UUID, code: str) -> HttpResponse:
    """Check in the player whose code an organizer has scanned, after one confirmation. Everybody else gets their own
    page, or that of the event: the code lets nobody act for the player.
    """
    event, role = access.event_for(request, pk)
    number = code.partition("-")[0]
    entry = access.entry_in(event, int(number) if number.isdecimal() and len(number) < 6 else 0)
    if not constant_time_compare(code, entry.check_in_code):
        raise Http404("No such player")
    if not role.is_organizer:
        return redirect("tournaments:player" if role.entry else "tournaments:detail", pk=pk)
    back, started = bool(not_back(event, [entry], timezone.now())), event.state == Event.State.RUNNING
    if request.method == "POST":
        with refusals_as_messages(request):
            if started and entry.state != Entry.State.PLAYING:
                services.enter_late(actor=request.user, entry=entry)
                say_late_entry(request, event, entry)
            else:
                services.check_in(actor=request.user, event=event, entries=[entry])
                messages.success(request, _("%(player)s is checked in.") % {"player": entry.name})
        return redirect("tournaments:check_in", pk=pk)
    context = {
        **frame(event, role, "console"),
        "entry": entry,
        "running": started and not back,
        "can": back or (board_of(event).may_enter_late(entry) if started else entry.state == Entry.State.REGISTERED),
        "gap": next(iter(list_gaps(event, [entry])), None),
    }
    return render(request, "tournaments/entries/scan.html", context)


def _register_guest(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    """Register a visitor without an account, or send them to sign up or in, from where they come back."""
    if button := pressed_button(request.POST, "sign_in", "sign_up"):
        page = "account_login" if button == "sign_in" else "account_signup"
        return redirect(f"{reverse(page)}?{urlencode({'next': request.get_full_path()})}")
    invited = InvitedPlayer.objects.filter(event=event, token=request.GET.get("invited", "")).first()
    token = role.former.token if role.former else invited.token if invited else new_token()
    initial = {"token": token, "name": invited.name if invited else ""}
    form = forms.GuestForm(posted(request), initial=initial)
    if form.is_valid():
        check_limit(request, "register_guest")
        words = form.cleaned_data
        address, army_list = words.pop("email", ""), words.pop("army_list")
        with refusals_on(form):
            entry = services.register(actor=None, event=event, now=timezone.now(), **words)
            links.note_registered(entry, entry.token)
            access.open_entry(request, entry)
            _say_registered(request, entry)
            if address and not links.mail_link(entry, address):
                messages.warning(request, _("The mail could not be sent. Write down your word, or keep the link."))
            return _submit_list(request, entry, army_list) or _after_registration(request, entry, "tournaments:player")
    if invited and event.entries.filter(name=invited.name).exclude(user=None).exists():
        text = _("%(player)s is registered. If that is you, sign in to open your page.")
        messages.info(request, text % {"player": invited.name})
    return _register_page(request, event, role, form)


@login_not_required
@never_cache
def open_by_word(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Open the page of a player without an account by the word that they were given (E5)."""
    event, role = access.event_for(request, pk)
    form = forms.WordForm(posted(request))
    if form.is_valid():
        check_limit(request, "open_by_word")
        players = event.entries.filter(user=None)
        found = next((each for each in players if constant_time_compare(each.word, form.cleaned_data["word"])), None)
        if found:
            access.open_entry(request, found)
            return redirect("tournaments:player", pk=pk)
        form.add_error("word", _("No player of this event has this word. Check it, or ask at the desk."))
    context = {**frame(event, role, "word"), "form": form}
    return form_page(request, "tournaments/entries/word.html", context)


def _register_page(request: HttpRequest, event: Event, role: EventRole, form: forms.RegistrationForm) -> HttpResponse:
    leads = playing_leader_violation(event, role.user) if role.user else None
    page = event_page(event, role)
    context = {
        **frame(event, role, "register"),
        "page": page,
        "form": form,
        "closed": services.registration_violation(event, timezone.now()),
        "leads": leads,
        "leads_violations": as_context([leads] if leads else []),
        "full": page.free == 0,
    }
    return form_page(request, "tournaments/entries/register.html", context)


def _submit_list(request: HttpRequest, entry: Entry, text: str) -> HttpResponse | None:
    """Submit the army list that came with a registration. One that is refused or has lines to decide waits on its own
    page, to which the answer leads.
    """
    if not text.strip():
        return None
    try:
        submitted = submit_text(actor=entry.user, entry=entry, text=text)
    except RuleViolation:  # said again, in full, where the list can be corrected
        submitted = None
    if submitted:
        say_submitted(request, submitted)
        return None
    request.session[f"{TYPED_LIST}-{entry.pk}"] = text
    messages.warning(request, _("Your army list needs another look. Check it here, and submit it."))
    return redirect("tournaments:submit_list", pk=entry.event_id, number=entry.number)


def _after_registration(request: HttpRequest, entry: Entry, page: str) -> HttpResponse:
    """Lead to a page of the event, or to its teams with the word of the team whose link led here."""
    if word := request.GET.get("word", "")[:40]:
        return redirect(f"{reverse('tournaments:teams', args=[entry.event_id])}?{urlencode({'word': word})}")
    return redirect(page, pk=entry.event_id)


def _say_registered(request: HttpRequest, entry: Entry) -> None:
    if entry.state == Entry.State.WAITING:
        messages.info(request, _("The event is full. You are on the waiting list and move up automatically."))
    else:
        messages.success(request, _("You are registered for %(event)s.") % {"event": entry.event})


def _set_paid(request: HttpRequest, event: Event, number: int, paid: bool) -> HttpResponse:
    """Note whether a player has paid."""
    found = access.entry_in(event, number)
    with refusals_as_messages(request):
        services.set_paid(actor=request.user, entry=found, paid=paid)
    if request.htmx:
        line = next(line for line in entry_lines(event) if line.entry.pk == found.pk)
        return render(request, "tournaments/entries/_entry_row.html", {"line": line, "event": event})
    return redirect(request.get_full_path())


def _register_leader(request: HttpRequest, event: Event, role: EventRole) -> HttpResponse:
    form = forms.LeaderPlaysForm(event, request.POST)
    with refusals_on(form):
        entry = services.register_leader(actor=request.user, event=event, now=timezone.now(), **valid(form))
        messages.success(request, _("%(player)s plays. The log says why.") % {"player": entry.name})
        return redirect("tournaments:entries", pk=event.pk)
    return entries_page(request, event, role, leader_form=form)


def _entry_page(
    request: HttpRequest, event: Event, role: EventRole, found: Entry, form: forms.EntryForm
) -> HttpResponse:
    started = has_started(event)
    link = "" if found.user_id else personal_link(request, found)
    line = lines_of(event, [found], lists_by_entry(event))[0]
    context = {
        **frame(event, role, "entries", (_("Players"), "entries")),
        "line": line,
        "form": form,
        "moves": [] if started or event.is_over else _moves(found),
        "may_enter_late": event.state == Event.State.RUNNING and board_of(event).may_enter_late(found),
        "link": link,
        "qr": qr_svg(link) if link else "",
    }
    return form_page(request, "tournaments/entries/entry.html", context)


def _moves(found: Entry) -> list[dict[str, str]]:
    """Return the states that an organizer may give a player before the start, with the label of the button."""
    way = TRANSITIONS[Act.PLACE]
    labels = {
        Entry.State.REGISTERED: _("Give a place"),
        Entry.State.WAITING: _("Put on the waiting list"),
        Entry.State.DROPPED: _("Withdraw"),
    }
    if found.state == Entry.State.CHECKED_IN:
        labels = {Entry.State.REGISTERED: _("Undo check-in"), Entry.State.DROPPED: labels[Entry.State.DROPPED]}
    states = [to for to in way.after if to in labels and to != found.state] if found.state in way.before else []
    return [{"value": to, "label": labels[Entry.State(to)]} for to in states]


def _press(request: HttpRequest, event: Event, found: Entry, button: str) -> None:
    if button == "late":
        services.enter_late(actor=request.user, entry=found)
        say_late_entry(request, event, found)
        return
    if button in ("paid", "unpaid"):
        services.set_paid(actor=request.user, entry=found, paid=button == "paid")
        return
    form = forms.StateForm(request.POST)
    if form.is_valid():
        services.move_entry(actor=request.user, entry=found, state=form.cleaned_data["state"], now=timezone.now())


def _answer_claim(request: HttpRequest, pk: UUID, found: Entry, *, consent: bool) -> None:
    access.organized_event_for(request, pk)
    form = forms.ClaimForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("This request was withdrawn."))
        return
    person = form.cleaned_data["claimant"]
    names = {"person": person, "player": found.name}
    with refusals_as_messages(request):
        if services.answer_claim(actor=request.user, entry=found, claimant=person, consent=consent):
            messages.success(request, _("%(player)s is linked to the account of %(person)s now.") % names)
        else:
            messages.success(request, _("Declined. %(player)s stays without an account.") % names)


def _say_added(request: HttpRequest, added: list[Entry]) -> None:
    waiting = sum(entry.state == Entry.State.WAITING for entry in added)
    text = ngettext("%(number)d player added.", "%(number)d players added.", len(added)) % {"number": len(added)}
    if waiting:
        late = ngettext("%(number)d is on the waiting list.", "%(number)d are on the waiting list.", waiting)
        text += " " + late % {"number": waiting}
    messages.success(request, text)
