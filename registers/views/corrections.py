"""Correct a Register by hand, for organizers and staff: every value in one form, with a reason."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from core.form_errors import as_context, valid
from core.form_fields import entered
from registers import projection
from registers.access import correctable_register_for
from registers.forms.building import ActForm
from registers.forms.correction import CorrectionForm, NoticesForm, UndoForm
from registers.ledger import session
from registers.ledger.text import names_of, sentence
from registers.models import EntryType, LedgerEntry, Register
from registers.pages.history import corrections_of
from registers.services import corrections
from registers.services.corrections import dismiss_notices
from rules.core.violations import RuleViolation, Violation
from rules.register.effects import Corrected


def correct(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the form, and the corrections already made below it."""
    register = correctable_register_for(request.user, pk)
    if register.discarded:
        return redirect("registers:detail", pk)
    book = session.rulebook_for(register)
    if request.method != "POST":
        return _page(request, register, CorrectionForm(book, projection.state_of(register), register.position))
    refused = save_or_refused_form(request, register)
    return _page(request, register, refused, status=422) if refused else redirect("registers:correct", pk)


def save_or_refused_form(request: HttpRequest, register: Register) -> CorrectionForm | None:
    """Save the correction and show a message; if refused, return the form for the Register as it is now."""
    form = _posted_form(request, register)
    if _saved(request, register, form):
        return None
    return form.over(projection.state_of(register), register.position) if form.stale else form


def _posted_form(request: HttpRequest, register: Register) -> CorrectionForm:
    typed = entered(ActForm(request.POST)).get("position")
    position = register.position if typed is None else min(typed, register.position)
    stale = position != register.position
    until = register.entries.filter(position__lte=position)
    then = session.replay_entries(until) if stale else projection.state_of(register)
    form = CorrectionForm(session.rulebook_for(register), then, position, request.POST)
    form.stale = stale
    return form


def _saved(request: HttpRequest, register: Register, form: CorrectionForm) -> bool:
    if not form.is_valid():
        return False
    try:
        entry = corrections.correct(
            actor=request.user,
            register_id=register.pk,
            position=form.cleaned_data["position"],
            wishes=form.wishes(),
            reason=form.cleaned_data["reason"],
            override=form.cleaned_data["override"],
        )
    except RuleViolation as refusal:
        form.blame(refusal)
        return False
    messages.success(request, _entry_sentences(entry) if entry else gettext("No changes."))
    return True


def _entry_sentences(entry: LedgerEntry) -> str:
    book = session.rulebook_for(entry.register)
    names = names_of(book, projection.state_of(entry.register))
    effects = (effect for effect in session.effects_of_entry(entry) if isinstance(effect, Corrected))
    return ". ".join([*(sentence(effect, names, book) for effect in effects), ""]).strip()


@require_POST
def undo(request: HttpRequest, pk: UUID, position: int) -> HttpResponse:
    """Undo a correction, with a reason. If that is refused, show why next to it, with the reason as typed."""
    register = correctable_register_for(request.user, pk)
    undo = UndoForm(request.POST)
    if not (violations := undo_or_redo(request, register, position, undo)):
        return redirect("registers:correct", pk)
    if not register.entries.filter(position=position, act=EntryType.CORRECT).exists():
        messages.error(request, " ".join(map(str, violations)))  # there is no form to show them next to
    refused = {"position": position, "violations": as_context(violations), "reason": undo["reason"].value()}
    form = CorrectionForm(session.rulebook_for(register), projection.state_of(register), register.position)
    return _page(request, register, form, status=422, refused=refused)


def undo_or_redo(request: HttpRequest, register: Register, position: int, form: UndoForm) -> Sequence[Violation]:
    """Undo or redo the correction at this position, with a message. Return the violations if that is refused."""
    try:
        cleaned = valid(form)
        act = corrections.redo_correction if cleaned["again"] else corrections.undo_correction
        act(actor=request.user, register_id=register.pk, position=position, reason=cleaned["reason"])
    except RuleViolation as refusal:
        return refusal.violations
    done = gettext("Correction redone.") if cleaned["again"] else gettext("Correction undone.")
    messages.success(request, done)
    return ()


def _page(
    request: HttpRequest,
    register: Register,
    form: CorrectionForm,
    status: int = 200,
    refused: Mapping[str, object] | None = None,
) -> HttpResponse:
    book = session.rulebook_for(register)
    corrections = corrections_of(register, book, form.state)
    context = {"register": register, "form": form, "corrections": corrections, "refused": refused}
    return render(request, "registers/correct.html", context, status=status)


@require_POST
def dismiss(request: HttpRequest) -> HttpResponse:
    """Dismiss the notices of these entries. Dismissing them again changes nothing."""
    dismiss_notices(actor=request.user, entries=entered(NoticesForm(request.POST))["entry"])
    return redirect("home")
