"""The judges' page, calls, rulings, appeals and warnings (E2–E4)."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.form_errors import form_page, refusals_as_messages, refusals_on, valid
from core.form_fields import entered, pressed_button
from members.models import Role
from rules.tournaments.leaders import WARNINGS, proposes_ejection
from tournaments.access import EventRole, entry_in, event_for, led_event_for
from tournaments.forms.judging import AppealForm, RulingForm, TableCallForm, WarningForm
from tournaments.models import Event, JudgeCall
from tournaments.pages import judging as pages
from tournaments.roles import role_word
from tournaments.services import entries, judging
from tournaments.views.common import frame

#: Seconds between two polls of the page.
POLL = 4


@require_safe
def judges(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what waits for a judge, and all rulings. A poll is answered with 304 until something has changed."""
    event, role = led_event_for(request, pk)
    return _judges_page(request, event, role)


@require_POST
def call_judge(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Call a judge to a table as a leader."""
    event, role = led_event_for(request, pk)
    form = TableCallForm(request.POST)
    with refusals_on(form):
        call = judging.call_to_table(actor=_leader(role), event=event, **valid(form))
        return redirect("tournaments:call", pk, call.pk)
    return _judges_page(request, event, role, form)


@login_not_required
def call(request: HttpRequest, pk: UUID, call: int) -> HttpResponse:
    """Show a call: leaders take it and rule, players of its game appeal the ruling (E3)."""
    event, role = event_for(request, pk)
    if (found := pages.call_in(event, call)) is None:
        raise Http404("No such call")
    found.event = event
    button = pressed_button(request.POST, "take", "rule", "appeal", "decide")
    if button == "appeal" or not role.is_leader:
        return _appeal(request, event, role, found, button)
    ruling_form = RulingForm(request.POST if button == "rule" else None, initial={"question": found.question})
    appeal_form = AppealForm(request.POST if button == "decide" else None)
    if request.method == "POST" and _act(request, role, found, button, ruling_form, appeal_form):
        return redirect("tournaments:call", pk, call) if button == "take" else redirect("tournaments:judges", pk)
    game = found.game
    context = {
        **frame(event, role, "judges"), "line": pages.line_of(found, role.user, now()), "call": found,
        "ruling_form": ruling_form, "appeal_form": appeal_form, "is_final": judging.is_final(found),
        "own_ruling": role.user is not None and found.judge_id == role.user.pk,
        "warn": [
            {"name": each.name, "href": reverse("tournaments:warn", args=[event.pk, each.number])}
            for each in (game.pair if game else ())
        ],
        "result": reverse("tournaments:result", args=[event.pk, game.round.number, game.place]) if game else "",
    }  # fmt: skip
    return form_page(request, "tournaments/judging/call.html", context)


def warn(request: HttpRequest, pk: UUID, number: int) -> HttpResponse:
    """Warn a player. At the third warning the page proposes ejection, and a person decides (E4)."""
    event, role = led_event_for(request, pk)
    entry = entry_in(event, number)
    form = WarningForm(request.POST if request.method == "POST" else None, initial={"warnings": entry.warnings})
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            sent = form.cleaned_data
            entries.warn(actor=_leader(role), entry=entry, reason=sent["reason"], number=sent["warnings"] + 1)
            messages.success(request, _("%(player)s is warned.") % {"player": entry.name})
            return redirect("tournaments:warn", pk, number)
    context = {
        **frame(event, role, "judges"), "entry": entry, "form": form, "past": list(pages.warnings_of(entry)),
        "limit": WARNINGS,
        "propose": proposes_ejection(entry.warnings) and entry.state != entry.State.EJECTED,
    }  # fmt: skip
    return form_page(request, "tournaments/judging/warn.html", context)


def _judges_page(
    request: HttpRequest, event: Event, role: EventRole, form: TableCallForm | None = None
) -> HttpResponse:
    queue = pages.queue_of(event, role.user, now())
    version = pages.queue_version(queue)
    if "X-Poll" in request.headers and request.headers.get("If-None-Match") == f'"{version}"':
        return HttpResponseNotModified()
    context = {
        **frame(event, role, "judges"), "queue": queue, "version": version, "poll": POLL,
        "form": form or TableCallForm(),
    }  # fmt: skip
    if "X-Poll" in request.headers:
        return render(request, "tournaments/judging/_queue.html", context)
    return form_page(request, "tournaments/judging/judges.html", context)


def _appeal(request: HttpRequest, event: Event, role: EventRole, found: JudgeCall, button: str) -> HttpResponse:
    """Let a player of the game appeal. Raises Http404 for anyone else."""
    game, entry = found.game, role.entry
    if entry is None or game is None or entry.pk not in (game.first_id, game.second_id):
        raise Http404("Not a player of this game")
    if button == "appeal":
        with refusals_as_messages(request):
            judging.appeal(actor=role.user, entry=entry, call=found)
            head = role_word(event.rule_set, Role.HEAD_JUDGE)
            messages.success(request, _("Appealed. The %(head)s will come to your table.") % {"head": head})
    return redirect("tournaments:player", event.pk)


def _act(
    request: HttpRequest,
    role: EventRole,
    found: JudgeCall,
    button: str,
    ruling_form: RulingForm,
    appeal_form: AppealForm,
) -> bool:
    """Do what a leader's button says. Returns whether it is done; a refusal is shown on its form or as a message."""
    actor = _leader(role)
    if button == "take":
        with refusals_as_messages(request):
            judging.take_call(actor=actor, call=found)
        return True
    if button == "rule" and ruling_form.is_valid():
        with refusals_on(ruling_form):
            judging.rule_call(actor=actor, call=found, **ruling_form.cleaned_data)
            messages.success(request, _("Ruling recorded."))
            return True
    if button == "decide" and appeal_form.is_valid():
        sent = entered(appeal_form)
        with refusals_on(appeal_form):
            overrule = sent["decision"] == "overrule"
            judging.rule_appeal(actor=actor, call=found, overrule=overrule, ruling=sent["ruling"])
            messages.success(request, _("Ruling overruled.") if overrule else _("Ruling upheld."))
            return True
    return False


def _leader(role: EventRole) -> User:
    """Return the user of a leader's role."""
    if role.user is None:
        raise Http404("Not a leader of this event")
    return role.user
