"""Pages to undo or correct battles on which later results build: opening an amendment, its result or question."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from campaign.battles import access as battle_access
from campaign.battles.forms import answers as answer_forms
from campaign.battles.forms.actions import AmendForm, TurnForm
from campaign.battles.forms.conflicts import ConflictForm
from campaign.battles.forms.report import CorrectedReportForm
from campaign.battles.models import Amendment, Battle, Side
from campaign.battles.pages.amendment_preview import preview_rolls, report_changes
from campaign.battles.pages.question_form import form_of
from campaign.battles.pages.sequence import Page
from campaign.battles.queries.battles import mission_of, open_amendment_of
from campaign.battles.services import amendments, sequence
from campaign.battles.services.replay.decisions import ways_out
from campaign.battles.services.replay.plan import Plan, RegisterImpact, ReplayConflict, Snapshot, read_snapshot_of
from campaign.battles.services.replay.replay import plan_of
from campaign.battles.services.sequence import RunningStep, UndoScope
from campaign.battles.state_machine import BEGUN
from campaign.battles.views.reports import template_of
from core.db.snapshot import read_snapshot
from core.form_errors import as_context, form_page, refusals_on, valid
from core.form_fields import entered, posted
from core.ui.crumbs import crumbs_of
from registers.forms.building import ANSWERED_ALREADY, typed_in
from registers.keys import key_in
from registers.ledger.lines import lines_of
from registers.ledger.past import states_before
from registers.ledger.text import names_of, sentence
from registers.models import EntryType as EntryAct
from registers.pages.comparison import compare_states
from rules.battle.report import Report
from rules.core.translation import sentences_of
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.dialogue import Progress
from rules.post_battle.steps import step as step_of

_TITLES = sentences_of(__file__)["titles"]


def amend(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what can be undone in a battle whose sequence has begun, and open an amendment."""
    battle = battle_access.organized_battle_for(request.user, pk)
    if battle.status not in BEGUN:
        return redirect(battle)
    form = AmendForm(posted(request))
    with refusals_on(form):
        valid(form)
        return redirect(amendments.open_amendment(actor=request.user, battle_id=pk, **form.wanted()))
    wished = form["what"].value()
    context = {
        "battle": battle,
        "open": open_amendment_of(battle),
        "sides": [_undo_choices(side, wished) for side in battle.sides.all() if side.register],
        "annul": [
            {
                "value": Amendment.What.ANNUL,
                "label": _("Void battle"),
                "checked": wished == Amendment.What.ANNUL,
                "note": _(
                    "Undoes everything it changed for both Registers and marks it as canceled. This cannot be undone."
                ),
            }
        ],
        "form": form,
        "crumbs": crumbs_of(battle.campaign, battle),
    }
    return form_page(request, "battles/amend.html", context)


def correct_report(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the report of a battle whose sequence has begun, to be corrected with a reason. `?again=` names an amendment
    to start from. If it is open, it is changed and keeps the dice rolled for it.
    """
    battle = battle_access.organized_battle_for(request.user, pk)
    if battle.status not in BEGUN:
        return redirect(battle)
    sides = list(battle.sides.all())
    for side in sides:
        side.battle = battle
    then = states_before(str(pk), [side.register for side in sides if side.register])
    sent = posted(request)
    key = key_in(request.GET.get("again", ""))
    again = battle.amendments.filter(pk=key, what=Amendment.What.REPORT).first() if key else None
    reason = _as_wanted(again, battle, sides) if again and sent is None else ""
    form = CorrectedReportForm(battle, sides, then, sent, reason=reason)
    is_valid = form.is_valid()
    if not form.is_sent:
        form.drop_errors()
    elif is_valid:
        wanted = {"actor": request.user, "report": form.report(), "reason": form.cleaned_data["reason"]}
        with refusals_on(form, form.add_violations):
            if again and again.state == Amendment.State.OPEN:
                return redirect(amendments.change_report(amendment_id=again.pk, **wanted))
            return redirect(amendments.open_amendment(battle_id=pk, what=Amendment.What.REPORT, **wanted))
    here = reverse("battles:correct_report", args=[pk])
    context = {
        "battle": battle,
        "here": f"{here}?again={again.pk}" if again else here,
        "correcting": True,
        "again": again,
        "open": None if again else open_amendment_of(battle),
        "turning_point": mission_of(battle),
        "crumbs": crumbs_of(battle.campaign, battle),
        **form.context(mine={side.colour for side in sides}),
    }
    return render(request, template_of(request, context), context, status=422 if form.is_sent else 200)


def _as_wanted(found: Amendment, battle: Battle, sides: list[Side]) -> str:
    """Fill the battle and its sides, not saved, with a requested correction, and return its reason."""
    wanted = found.wanted
    battle.winner, battle.mission, battle.notes = wanted["winner"], wanted["mission"], wanted["notes"]
    for side in sides:
        side.report, side.victory_points = wanted["facts"][side.colour], wanted["victory_points"][side.colour]
    return found.reason


@never_cache
def amendment(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the result of an amendment, or where it stops; decide, apply or drop it."""
    if request.method != "POST":
        return _show_now(request, pk)
    try:
        return _act(request, pk)
    except RuleViolation as refusal:
        return _show_now(request, pk, refusal.violations)


def _act(request: HttpRequest, pk: UUID) -> HttpResponse:
    sent = entered(TurnForm(request.POST))
    act, seen, shown = sent["act"], sent.get("turn"), sent["halt"]
    if act not in ("apply", "drop", "change", "leave_out", "resolve", "undo"):
        return _decide(request, pk)  # it reads all of it anyway
    found = battle_access.amendment_for(request.user, pk)
    who: dict[str, Any] = {"actor": request.user, "amendment_id": found.pk}
    match act:
        case "apply":
            amendments.apply(**who, digest=sent["digest"])
            messages.success(request, _("Changes applied."))
            return redirect(found.battle)
        case "drop":
            amendments.drop(**who)
            messages.success(request, _("Amendment dropped. Nothing was changed."))
            return redirect(found.battle)
        case "change" if found.what == Amendment.What.REPORT:
            return redirect(f"{reverse('battles:correct_report', args=[found.battle_id])}?again={found.pk}")
        case "leave_out":
            amendments.leave_out(**who, seen=seen, halt_digest=shown)
        case "resolve":
            amendments.resolve_conflicts(**who, seen=seen, halt_digest=shown, choices=sent["value"])
        case "undo":
            amendments.undo_last_decision(**who, seen=seen)
        case _:
            return _decide(request, pk)
    return redirect(found)


def _decide(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Answer the question at which the amendment stops, if the form was drawn for it."""
    sent = entered(TurnForm(request.POST))
    seen, shown = sent.get("turn"), sent["halt"]
    with read_snapshot():
        known = _known(request, pk)
        found, halt = known.amendment, plan_of(known.amendment, known).halt
    if halt is None or halt.question is None or seen != len(found.decisions):
        messages.info(request, ANSWERED_ALREADY)
    else:
        amendments.check_shown(halt, shown)
        given = answer_forms.read(halt.question, request.POST)
        amendments.decide(
            actor=request.user, amendment_id=pk, seen=seen, halt_digest=shown, answer=given.answer, source=given.source
        )  # fmt: skip
    return redirect(found)


def _known(request: HttpRequest, pk: UUID) -> Snapshot:
    """Return the amendment with all data for its plan. Raises Http404 for users who do not organize its campaign."""
    found = battle_access.amendment_for(request.user, pk)
    if (known := read_snapshot_of(found.pk)) is None:
        raise Http404("No such revision")
    return known


@read_snapshot()
def _show_now(request: HttpRequest, pk: UUID, violations: Sequence[Violation] = ()) -> HttpResponse:
    return _show(request, _known(request, pk), violations)


def _show(request: HttpRequest, known: Snapshot, violations: Sequence[Violation] = ()) -> HttpResponse:
    found = known.amendment
    if found.state != Amendment.State.OPEN:
        return redirect(found.battle)
    plan = plan_of(found, known)
    context = {
        "amendment": found,
        "title": _title(found),
        "nothing": not plan.halt and _changes_nothing(found, plan),
        "battle": found.battle,
        "plan": plan,
        "registers": _register_changes(plan),
        "results": report_changes(found, plan),
        "rolls": preview_rolls(found, plan),
        "warnings": [(register.name, violation) for register, violation in plan.warnings],
        "violations": as_context(violations),
        "seen": len(found.decisions),
        "undoable": amendments.undoable_turn(found),
        "crumbs": crumbs_of(found.battle.campaign, found.battle),
        **(_stopped(request, found, plan, plan.halt, violations) if plan.halt else {}),
    }
    return render(request, "battles/amendment.html", context, status=422 if violations else 200)


def _title(found: Amendment) -> str:
    side = next((side.name for side in found.battle.sides.all() if side.colour == found.colour), "")
    return _(_TITLES[found.what]) % {"side": side, "battle": found.battle}


def _changes_nothing(found: Amendment, plan: Plan) -> bool:
    """Return whether the Registers and the battle would stay as they are."""
    battle, wanted = found.battle, found.wanted
    if found.what == Amendment.What.ANNUL or not plan.empty or plan.armies:
        return False
    if any((list(now.answers), now.rival) != (now.side.answers, now.side.rival) for now in plan.sides):
        return False
    as_it_is = {name: getattr(battle, name) for name in ("winner", "mission", "notes")}
    as_it_is["victory_points"] = {side.colour: side.victory_points for side in battle.sides.all()}
    return found.what != Amendment.What.REPORT or wanted | as_it_is == wanted


def _register_changes(plan: Plan) -> list[dict[str, Any]]:
    """Return the Registers that change: before and after, and how many entries are rewritten or undone."""
    return [
        {
            "name": reached.register.name,
            "parts": compare_states(reached.book, reached.before, reached.after),
            "rewritten": sum(change.effects is not None for change in reached.changes),
            "undone": sum(change.effects is None for change in reached.changes),
            "corrections": _corrections(reached),
        }
        for reached in plan.registers
        if reached.changes
    ]


def _corrections(reached: RegisterImpact) -> list[str]:
    """Return the results of corrections by hand for which values were decided."""
    names = names_of(reached.book, reached.before) | names_of(reached.book, reached.after)
    return [
        sentence(effect, names, reached.book)
        for change in reached.changes
        if change.entry.act == EntryAct.CORRECT and not change.entry.answers
        for effect in change.effects or ()
        if effect.why
    ]


def _stopped(
    request: HttpRequest, found: Amendment, plan: Plan, halt: ReplayConflict, violations: tuple[Violation, ...]
) -> dict[str, Any]:
    """Return the context of a stopped amendment: text, the ledger text of the action, and the form of the question."""
    names = _names(plan, halt)
    shown: dict[str, Any] = {
        "halt": halt,
        "lines": lines_of(halt.entry, names, halt.book, sums={}) if halt.entry else [],
        "step": step_of(halt.step) if halt.step else None,
        "why": as_context(halt.violations),
        "may_leave_out": bool(ways_out(halt)),
        "out": _(" and ").join(names.get(key, key) for key in halt.out),
    }
    if halt.conflicts:
        sent = request.POST if entered(TurnForm(request.POST))["act"] == "resolve" else None
        about = {conflict.about for conflict in halt.conflicts}
        shown |= {
            "conflicts": ConflictForm(halt.conflicts, names, halt.book, sent).groups,
            "violations": as_context(violation for violation in violations if violation.about not in about),
        }
    if halt.question and halt.side and halt.other and halt.step:
        page = _page(halt, halt.side, halt.other, halt.report or Report(), len(found.decisions))
        shown |= {
            "form": form_of(page, typed_in(request), violations),
            "side": page.side,
            "own_url": found.get_absolute_url(),
            "hidden": [{"name": "turn", "value": len(found.decisions)}, {"name": "halt", "value": halt.digest}],
            "violations": (),
        }
    return shown


def _names(plan: Plan, halt: ReplayConflict) -> dict[str, str]:
    """Return the current names of the units of the Register at which it stops, by key."""
    before = next((each.before for each in plan.registers if each.register == halt.register), halt.state)
    return names_of(halt.book, halt.state) | names_of(halt.book, before)


def _page(halt: ReplayConflict, side: Side, other: Side, report: Report, seen: int) -> Page:
    """Return the sequence page on which the question would appear."""
    side.step, side.answers, side.turn = halt.step or 0, list(halt.answers), seen
    progress = Progress(halt.effects, halt.state, (), halt.question)
    return Page(
        battle=side.battle, side=side, other=other, book=halt.book, state=halt.state,
        standing=RunningStep(side, halt.book, report, progress), gains=[], steps=[], lately=[], sum=None,
        undo_sizes={}, why_not=[],
    )  # fmt: skip


def _undo_choices(side: Side, wished: str) -> dict[str, Any]:
    own = sequence.own_answers(side, sequence.finished_steps(side), follows=True)
    steps = {
        f"{UndoScope.STEP}:{side.colour}:{number}": f"{number} {step_of(number).name}"
        for number in dict.fromkeys(number for number, _place in own)
    }
    labels = {
        f"{UndoScope.ANSWER}:{side.colour}": _("Last answer"),
        **steps,
        f"{UndoScope.SEQUENCE}:{side.colour}": _("Whole sequence"),
    }
    choices = [{"value": value, "label": label, "checked": value == wished} for value, label in labels.items()]
    return {"side": side, "choices": choices if own else []}
