"""Page of the Post-Battle Sequence: one side, one question at a time.

An answer is a POST to the page itself. HTMX gets the updated page; without JavaScript the browser is redirected to
it. Each form carries the turn it was drawn from: an answer to an old one changes nothing.
"""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, gettext as _, gettext_lazy, ngettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect, reselect, reswap, retarget

from campaign.access import CampaignRole, check_state
from campaign.battles.access import battle_for, may_act, may_act_for_opponent
from campaign.battles.forms import answers as answer_forms
from campaign.battles.forms.actions import TurnForm
from campaign.battles.models import Battle, Side
from campaign.battles.pages import sequence as pages
from campaign.battles.pages.question_form import form_of
from campaign.battles.pages.sequence_events import Check
from campaign.battles.services import sequence
from campaign.battles.services.sequence import RIVAL_STEP, SequenceSide, UndoScope, answer_form, sequence_side
from campaign.battles.state_machine import BEGUN
from core.db.snapshot import read_snapshot
from core.form_errors import as_context
from core.form_fields import entered
from core.ui.crumbs import crumbs_of
from ops.monitoring import metrics
from registers.forms.building import ANSWERED_ALREADY, typed_in
from rules.core.violations import RuleViolation, Violation

CORRECTED = gettext_lazy(
    "This Register was corrected a moment ago. Please check your answer again. What you entered is still here."
)
DROPPED = gettext_lazy("A card has changed, and your last answers no longer fit. Please answer again.")
#: Steps of a side whose Casualty Checks are still to come, as a page that watches it sends them.
BEFORE_CHECKS = frozenset(str(step) for step in range(RIVAL_STEP))
#: Button labels for undoing more than the last answer.
LARGER_UNDOS = {
    UndoScope.STEP: ngettext_lazy(
        "Undo my last step: %(count)d answer", "Undo my last step: %(count)d answers", "count"
    ),
    UndoScope.SEQUENCE: ngettext_lazy(
        "Undo my whole sequence: %(count)d answer", "Undo my whole sequence: %(count)d answers", "count"
    ),
}


@require_GET
def own_sequence(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Redirect to the page of the side that the user plays or views; ?side= names one."""
    battle, role = battle_for(request.user, pk)
    if battle.status not in BEGUN:
        return redirect(battle)
    sides = _own_sides(role, battle) or [side for side in battle.sides.all() if not side.is_guest]
    wished = [side for side in sides if side.colour == request.GET.get("side")]
    open_ones = [side for side in sides if not side.done]
    return redirect("battles:sequence_side", pk=pk, colour=(wished or open_ones or sides)[0].colour)


@never_cache
def sequence_page(request: HttpRequest, pk: UUID, colour: str) -> HttpResponse:
    """Show the progress and question of a side, and take its answer. Other users see only its results so far."""
    if request.method == "POST":
        return _take(request, pk, colour)
    with read_snapshot():
        battle, side, other, role = _both(request, pk, colour)
        if battle.status not in BEGUN:
            return _away(request, battle)
        if side not in _own_sides(role, battle):
            if request.headers.get("If-None-Match") == f'"{pages.version_of(battle, side, other)}"':
                return HttpResponseNotModified()
            return _show_results(request, sequence_side(battle, side, other, role))
        return _show(request, sequence_side(battle, side, other, role))


def _take(request: HttpRequest, pk: UUID, colour: str) -> HttpResponse:
    """Take an answer to the question that the form was drawn from. HTMX gets the updated page."""
    read = partial(answer_forms.read, data=request.POST)
    sent = entered(TurnForm(request.POST))
    try:
        view, taken = answer_form(
            actor=request.user, battle_id=pk, colour=colour, turn=sent.get("turn"), read=read, no_edits=sent["no_edits"]
        )
    except RuleViolation as refusal:
        metrics.count_refused_answer(refusal)
        return _show_now(request, pk, colour, violations=refusal.violations)
    if view.battle.status not in BEGUN:
        return _away(request, view.battle)
    if not taken and _is_still_asked(sent["asked"], view):
        dropped = view.running and view.running.dropped
        return _show(request, view, violations=[Violation("", str(DROPPED if dropped else CORRECTED))])
    if not taken:
        messages.info(request, ANSWERED_ALREADY)
    if not request.htmx:
        return redirect(_here(pk, colour))
    return _show(request, view, fresh=True, main_only=True)


@require_POST
def undo(request: HttpRequest, pk: UUID, colour: str) -> HttpResponse:
    """Undo the side's last answer, its last step, or its whole sequence (`what`)."""
    sent = entered(TurnForm(request.POST))
    what = sent["what"] if sent["what"] in LARGER_UNDOS else UndoScope.ANSWER
    try:
        taken = sequence.undo_answers(actor=request.user, battle_id=pk, colour=colour, turn=sent.get("turn"), what=what)
    except RuleViolation as refusal:
        for violation in refusal.violations:
            messages.error(request, f"{violation.text} {violation.rule}")
    else:
        if taken:
            messages.success(request, gettext("Undone. Answer again."))
        else:
            messages.info(request, ANSWERED_ALREADY)
    if not request.htmx:
        return redirect(_here(pk, colour))
    return _show_now(request, pk, colour, fresh=True)


@never_cache
@require_GET
def poll(request: HttpRequest, pk: UUID, colour: str) -> HttpResponse:
    """Tell a waiting page what has changed: nothing (304), the line of the other side, or the side's own page. Text
    being typed is left alone as long as the side's own question is the same.
    """
    now = pages.version(request.user, pk)
    if now and request.headers.get("If-None-Match") == f'"{now}"':
        return HttpResponseNotModified()
    return _poll_answer(request, pk, colour)


@read_snapshot()
def _poll_answer(request: HttpRequest, pk: UUID, colour: str) -> HttpResponse:
    battle, side, other, role = _sides(request, pk, colour)
    if battle.status not in BEGUN:
        return _away(request, battle)
    if pages.moment(side) == request.GET.get("seen") and battle.status == Battle.Status.SEQUENCE:
        context = _other_context(role, battle, side, other)
        return HttpResponse(render_to_string("battles/sequence/other.html", context))
    view = sequence_side(battle, side, other, role)
    still_asked = _is_still_asked(request.GET.get("seen", ""), view)
    if still_asked and not (view.running and view.running.dropped):
        messages.info(request, CORRECTED)
    elif battle.status == Battle.Status.CLOSED:
        messages.success(request, _("Battle closed. Both players are done."))
    theirs = list[Check]()
    waited = request.GET.get("seen", "").split(".")[1:2] == [str(RIVAL_STEP)]
    if side.step == RIVAL_STEP and waited and not other.is_guest and not still_asked:
        theirs = pages.finished_checks(sequence_side(battle, other, side, role))
    response = _show(request, view, typed=request.GET if still_asked else QueryDict(), theirs=theirs)
    if still_asked:
        response["X-Same-Question"] = "true"  # the script keeps an answer to it that could not be sent
    return reselect(reswap(retarget(response, "#content"), "outerHTML"), "#content")


def _is_still_asked(then: str, view: SequenceSide) -> bool:
    """Return whether the question is still the page's: a correction changed only its turn (`reset_open_questions`)."""
    asks = view.question is not None
    return asks and then.partition(".")[2] == pages.moment(view.side).partition(".")[2]


def _own_sides(role: CampaignRole, battle: Battle) -> list[Side]:
    """Return the sides that the user may act for, those of their own Registers first; none in a campaign that is not
    open.
    """
    mine = [side for side in battle.sides.all() if battle.campaign.is_open and may_act(role, side)]
    return sorted(mine, key=lambda side: side.own_register.owner_id != role.user.pk)


def _both(request: HttpRequest, pk: UUID, colour: str) -> tuple[Battle, Side, Side, CampaignRole]:
    """Return the battle, the side of that color, the other side and the user's role. Raises Http404 for guests."""
    battle, role = battle_for(request.user, pk)
    sides = {side.colour: side for side in battle.sides.all()}
    if colour not in sides or sides[colour].is_guest:
        raise Http404("No such side")
    return battle, sides.pop(colour), next(iter(sides.values())), role


def _sides(request: HttpRequest, pk: UUID, colour: str) -> tuple[Battle, Side, Side, CampaignRole]:
    """Return what `_both` does, if the user may act for the side of that color. Raises Http404 otherwise. Refuses a
    campaign that is not open.
    """
    battle, side, other, role = _both(request, pk, colour)
    check_state(battle.campaign)
    if side not in _own_sides(role, battle):
        raise Http404("No such side")
    return battle, side, other, role


def _here(pk: UUID, colour: str) -> str:
    return reverse("battles:sequence_side", args=[pk, colour])


def _here_of(side: Side) -> str:
    return _here(side.battle_id, side.colour)


@read_snapshot()
def _show_now(
    request: HttpRequest, pk: UUID, colour: str, violations: Sequence[Violation] = (), *, fresh: bool = False
) -> HttpResponse:
    battle, side, other, role = _sides(request, pk, colour)
    if battle.status not in BEGUN:
        return _away(request, battle)
    return _show(request, sequence_side(battle, side, other, role), violations, fresh=fresh)


def _away(request: HttpRequest, battle: Battle) -> HttpResponse:
    """Redirect to the battle if it has no sequence: not yet, or no longer because the battle was voided."""
    there = battle.get_absolute_url()
    return HttpResponseClientRedirect(there) if request.htmx else redirect(there)


def _show(
    request: HttpRequest,
    view: SequenceSide,
    violations: Iterable[Violation] = (),
    *,
    fresh: bool = False,
    main_only: bool = False,
    typed: QueryDict | None = None,
    theirs: Sequence[Check] = (),
) -> HttpResponse:
    """Draw the page. With `violations` its form keeps the posted values, or those in `typed`; a `fresh` page drops
    them. `main_only` leaves out everything around main, for HTMX, which replaces main in the existing page. `theirs`
    are Casualty Checks of the other side that were just made: they are shown one by one.
    """
    page, violations = pages.page_of(view), tuple(violations)
    if view.running and view.running.dropped and not violations:
        messages.warning(request, DROPPED)
    if typed is None:
        typed = request.GET if fresh else typed_in(request)
    form = form_of(page, typed, violations, rolls_on=True)
    lately, more = pages.shortened(page.lately)
    context = {
        "page": page,
        "lately": lately,
        "more": more,
        "how_many_more": sum(len(step.groups) or 1 for step in more),
        "reveal": main_only and any(step.checks for step in lately),  # after an answer; not after an undo
        "theirs": theirs,
        "progress": pages.step_progress(page.steps),
        "form": form,
        "crumbs": crumbs_of(page.battle),
        "hidden": [{"name": "turn", "value": page.side.turn}],
        "own_url": _here(page.battle.pk, page.side.colour),
        "undo_url": reverse("battles:undo", args=[page.battle.pk, page.side.colour]),
        "refused": bool(violations),
        "just_answered": fresh,
        "main_only": main_only,
        "larger_undos": [
            {"value": what, "label": LARGER_UNDOS[what] % {"count": answers}}
            for what, answers in page.undo_sizes.items()
            if what in LARGER_UNDOS
        ],
        "why_not": as_context(page.why_not),
        "may_amend": bool(page.why_not) and view.role.is_organizer,
        **_other_context(view.role, page.battle, page.side, page.other),
    }
    return render(request, "battles/sequence.html", context, status=422 if violations else 200)


def _show_results(request: HttpRequest, view: SequenceSide) -> HttpResponse:
    results, before = pages.results_of(view), request.GET.get("step", "")
    context = {
        "results": results,
        # As they happen: the side was before step 5 when the page of those who watch was last drawn.
        "theirs": pages.finished_checks(view) if before in BEFORE_CHECKS and view.side.step >= RIVAL_STEP else [],
        "progress": pages.step_progress(results["steps"]),
        "crumbs": crumbs_of(view.battle),
        **_other_context(view.role, view.battle, view.side, view.other),
        "other_words": pages.where_is(view.other),
        "results_of_other": {} if view.other.is_guest else {"name": view.other.name, "href": _here_of(view.other)},
    }
    return render(request, "battles/sequence/results.html", context)


def _other_context(role: CampaignRole, battle: Battle, side: Side, other: Side) -> dict[str, object]:
    return {
        "battle": battle,
        "side": side,
        "other": other,
        "other_words": pages.words_for_other(side, other),
        **(_way_to_other(role, battle, other) or _way_to_watch(battle, side, other, role)),
        "other_faction": other.guest_faction if other.is_guest else other.own_register.faction,
        "headers": json.dumps({"If-None-Match": f'"{pages.version_of(battle, side, other)}"'}),
        "moment": pages.moment(side),
    }


def _way_to_other(role: CampaignRole, battle: Battle, other: Side) -> dict[str, str]:
    """Return the link to the other side's page, for users who may act there. An organizer who plays against that side
    must confirm acting for it first.
    """
    if other.is_guest:
        return {}
    if may_act(role, other):
        own = other.own_register.owner_id == role.user.pk
        return {"other_url": _here_of(other), "other_label": _("Back to your side") if own else _("Answer for them")}
    if battle.status == Battle.Status.SEQUENCE and may_act_for_opponent(role, other):
        first = reverse("battles:act_for", args=[other.pk])
        return {"other_url": first, "other_label": _("Answer for them")}
    return {}


def _way_to_watch(battle: Battle, side: Side, other: Side, role: CampaignRole) -> dict[str, str]:
    """Return the link on which the player of a side follows the steps of the other one; none for everyone else."""
    if other.is_guest or battle.status != Battle.Status.SEQUENCE or side not in _own_sides(role, battle):
        return {}
    return {"other_url": _here_of(other), "other_label": _("Watch")}
