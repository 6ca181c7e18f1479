"""Army lists of an event: the overview, a player's list, submitting, accepting and unlocking it, printing (E8–E12)."""

from dataclasses import replace
from itertools import chain
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_POST, require_safe

from catalogue.snapshot import rulebook
from core.form_errors import add_violations, as_context, form_page, refusals_on, valid
from core.form_fields import entered, pressed_button
from core.open_page import open_page
from lists.models import ArmyList, version_of
from lists.printing import PrintedArmy, half_pages, print_answer, whole_pages
from lists.queries.sheets import army_sheet
from lists.services.army_lists import ReadList
from rules.battle.plain_army import PlainArmy
from rules.core.values import Value
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tournaments.access import EventRole, entry_in, event_for, led_event_for, organized_event_for
from tournaments.forms.army_lists import AcceptForm, ListAddressForm, ReasonForm, SubmitForm
from tournaments.models import Entry, Event
from tournaments.pages.army_lists import list_overview, list_view, may_judge, printed_lists, printed_notes, who_sees
from tournaments.queries.army_lists import Parts
from tournaments.services import army_lists as services
from tournaments.views.common import TYPED_LIST, frame, say_submitted

SUBMIT = "tournaments/army_lists/submit.html"


@open_page
def lists(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the army lists that the reader may see; leaders see those to decide on first."""
    event, role = event_for(request, pk)
    context = frame(event, role, "lists") | {
        "overview": list_overview(event, role),
        "who_sees": who_sees(event),
        "may_submit": bool(role.entry) and not services.is_locked(event, role.entry),
    }
    return render(request, "tournaments/army_lists/lists.html", context)


@require_POST
def check(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Check all lists again, after the organizer has changed what the event asks for."""
    event, _role = organized_event_for(request, pk)
    number = services.check_lists_again(actor=request.user, event=event)
    found = ngettext("%(number)d list has other problems now.", "%(number)d lists have other problems now.", number)
    messages.success(request, found % {"number": number} if number else _("All lists checked. Nothing has changed."))
    return redirect("tournaments:lists", pk=pk)


@open_page
def army_list(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Show a player's army list with what the reader may see of it. `?version=1` is an earlier version."""
    event, role = event_for(request, pk)
    return _list_page(request, event, role, entry_in(event, number))


@login_not_required
def submit(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Submit an army list: choose one or paste one, decide its open lines, check it, submit it."""
    event, role = event_for(request, pk)
    entry = entry_in(event, number)
    if not may_judge(role, entry):
        raise Http404("Only the player and leaders submit a list")
    own = list(ArmyList.objects.filter(owner=role.user)) if role.user else []
    context = _list_frame(event, role, entry) | {
        "is_locked": _is_closed_for(event, role, entry),
        "is_own": role.plays_as(entry),
    }
    typed = services.typed_deck_of(event, entry)
    if request.method != "POST":
        form = SubmitForm(own, typed)
        form.initial["text"] = request.session.get(f"{TYPED_LIST}-{entry.pk}", "")
        return form_page(request, SUBMIT, context | {"form": form})
    form = SubmitForm(own, typed, request.POST, request.FILES)
    try:
        if not form.is_valid():
            return form_page(request, SUBMIT, context | {"form": form})
        offered = _offered(form)
        is_checked = not offered.is_open and form.cleaned_data["shown"] == version_of(offered.army)
        if pressed_button(request.POST, "submit") and is_checked:
            submitted = services.submit_list(
                actor=role.user, entry=entry, player=role.entry, army=offered.army, source_text=offered.text
            )
            request.session.pop(f"{TYPED_LIST}-{entry.pk}", None)
            say_submitted(request, submitted)
            return redirect("tournaments:army_list", pk=pk, number=number)
    except RuleViolation as refusal:
        add_violations(form, refusal)
        return form_page(request, SUBMIT, context | {"form": form})
    return form_page(request, SUBMIT, context | _preview(event, form, offered))


@require_POST
def accept(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Accept a list with its problems, for a reason."""
    event, role = organized_event_for(request, pk)
    entry, form = entry_in(event, number), AcceptForm(request.POST)
    with refusals_on(form):
        services.accept_list(actor=request.user, entry=entry, **valid(form))
        messages.success(request, _("The list of %(player)s is accepted.") % {"player": entry})
        return redirect("tournaments:lists", pk=pk)
    return _list_page(request, event, role, entry, accept_form=form)


@require_POST
def unlock(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Let a player change the list once more, for a reason."""
    event, role = organized_event_for(request, pk)
    entry, form = entry_in(event, number), ReasonForm(request.POST)
    with refusals_on(form):
        services.unlock_list(actor=request.user, entry=entry, reason=valid(form)["reason"])
        messages.success(request, _("%(player)s can submit a new list now.") % {"player": entry})
        return redirect("tournaments:army_list", pk=pk, number=number)
    return _list_page(request, event, role, entry, unlock_form=form)


@open_page
def print_list(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Print a player's list with what the reader may see of it; `?copy=opponent` only what an opponent may see."""
    event, role = event_for(request, pk)
    entry, asked = entry_in(event, number), entered(ListAddressForm(request.GET))
    for_opponent = asked["copy"] == "opponent"
    most = Parts(units=True, deck=event.rule_set == RuleSet.GALACTIC_CONQUEST) if for_opponent else None
    view = list_view(event, role, entry, asked["version"], most=most)
    if view is None or view.sheet is None:
        raise Http404("No list to print")
    pages = whole_pages([PrintedArmy(view.sheet, player=entry.name, occasion=event.name)])
    kept = [("copy", "opponent")] if for_opponent else []
    if asked["version"]:
        kept.append(("version", str(asked["version"])))
    here = reverse("tournaments:army_list", args=[event.pk, number])
    crumbs = [*_list_frame(event, role, entry)["crumbs"], {"label": str(entry), "href": here}]
    return print_answer(request, f"{event}: {entry}", pages, crumbs, kept=kept)


@require_safe
def print_lists(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Print the lists of all players for the judges, two to a page."""
    event, role = led_event_for(request, pk)
    armies = [
        PrintedArmy(sheet, player=f"{entry.number}. {entry}", occasion=event.name, notes=tuple(printed_notes(each)))
        for entry, sheet, each in printed_lists(event, role)
    ]
    crumbs = frame(event, role, "lists", (_("Army lists"), "lists"))["crumbs"]
    nothing = _("There are no army lists yet. They appear here once players submit them.")
    return print_answer(
        request, _("%(event)s: army lists") % {"event": event}, half_pages(armies), crumbs, nothing=nothing
    )


class _Offered(Value):
    """An army that is about to be submitted, with the text it was read from."""

    army: PlainArmy
    text: str = ""
    read: ReadList | None = None

    @property
    def is_open(self) -> bool:
        return bool(self.read and self.read.open)


def _offered(form: SubmitForm) -> _Offered:
    """Return the army of a form. Refuses what `read_army_list` refuses."""
    if chosen := form.chosen:
        return _Offered(replace(chosen.army, typed_deck=form.typed_deck()), chosen.source_text)
    read = form.reading()
    return _Offered(replace(read.checked.army, typed_deck=form.typed_deck()), read.source.text, read)


def _preview(event: Event, form: SubmitForm, offered: _Offered) -> dict[str, Any]:
    """Return the army with its problems, and the fields that submit exactly this army."""
    sheet = army_sheet(rulebook(), services.sized(event, offered.army))
    context = {
        "form": form,
        "sheet": sheet,
        "problems": as_context(services.problems_of(event, offered.army)),
        "shown": version_of(offered.army),
        "chosen": form.chosen,
    }
    return context | (form.page_context(offered.read) if offered.read else {})


def _list_page(
    request: HttpRequest, event: Event, role: EventRole, entry: Entry, **refused: AcceptForm | ReasonForm
) -> HttpResponse:
    """Show a list, with a refused `accept_form` or `unlock_form` as it was typed."""
    view = list_view(event, role, entry, entered(ListAddressForm(request.GET))["version"])
    if view is None:
        raise Http404("Nothing of this list is for this reader")
    decides = role.is_organizer and view.is_last and view.submitted is not None and view.submitted.needs_decision
    unlocks = role.is_organizer and event.state == Event.State.RUNNING and not entry.list_unlocked
    context = _list_frame(event, role, entry) | {
        "view": view,
        "is_own": role.plays_as(entry),
        "may_submit": may_judge(role, entry) and not _is_closed_for(event, role, entry, has_list=view.number > 0),
        "accept_form": AcceptForm(initial={"number": view.number}) if decides else None,
        "unlock_form": ReasonForm() if unlocks and view.is_last else None,
        "has_opponents_copy": may_judge(role, entry) and view.sheet is not None,
        "who_sees": who_sees(event),
    }
    if view.submitted:
        problems = [{"rule": each["rule"], "sentence": each["text"]} for each in view.submitted.violations]
        context["problems"] = problems
    for name, form in refused.items():
        if context[name]:
            context[name] = form
        else:  # the form itself is gone: its refusal stands above the page
            context["refusals"] = [*form.non_field_errors(), *chain.from_iterable(form.errors.values())]
    return form_page(request, "tournaments/army_lists/list.html", context, refused=refused)


def _list_frame(event: Event, role: EventRole, entry: Entry) -> dict[str, Any]:
    return {**frame(event, role, "lists", (_("Army lists"), "lists")), "entry": entry}


def _is_closed_for(event: Event, role: EventRole, entry: Entry, *, has_list: bool | None = None) -> bool:
    """Return whether the reader can submit no list: it is locked, unless a leader enters the first one (E9, E21)."""
    if not services.is_locked(event, entry):
        return False
    if event.is_over or not role.is_leader:
        return True
    return entry.lists.exists() if has_list is None else has_list
