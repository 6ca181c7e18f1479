"""The page that undoes an act: it says what is lost and what stays, and asks for a reason."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from core.form_errors import as_context, form_page, refusals_on
from core.form_fields import posted
from tournaments.access import led_event_for
from tournaments.forms.console import UndoForm
from tournaments.pages.undo import undo_page
from tournaments.queries.undo import Undoable, find_target, may_undo
from tournaments.services import undo as services
from tournaments.views.common import frame


@never_cache
def undo(request: HttpRequest, pk: UUID, act: str, number: int) -> HttpResponse:
    """Ask whether to undo an act, then undo it."""
    event, role = led_event_for(request, pk)
    if act not in list(Undoable) or not may_undo(role, event, Undoable(act)):
        raise Http404("Not theirs to undo")
    form = UndoForm(posted(request))
    if form.is_valid():
        with refusals_on(form):
            done = services.undo(
                actor=request.user, event=event, act=Undoable(act), number=number, **form.cleaned_data
            )  # fmt: skip
            return _done(request, event.pk, number, act, done=done)
        event.refresh_from_db()
    if (target := find_target(event, Undoable(act), number)) is None:
        return _done(request, event.pk, number, act, done=False)
    context = {
        **frame(event, role, "console"),
        "page": undo_page(target),
        "refusal": as_context([target.violation] if target.violation and not form.errors else []),
        "form": form,
    }
    return form_page(request, "tournaments/console/undo.html", context)


def _done(request: HttpRequest, pk: UUID, number: int, act: str, *, done: bool) -> HttpResponse:
    if not done:
        messages.info(request, _("This is undone already."))
        return redirect("tournaments:console", pk=pk)
    if act == Undoable.PUBLISH:
        messages.success(request, _("The pairings are a draft again. Only leaders see them."))
        return redirect("tournaments:draft", pk=pk, number=number)
    messages.success(request, _("Undone. The log shows your reason."))
    return redirect("tournaments:console", pk=pk)
