"""The button on the page of a Dossier that marks its unit as painted."""

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from core.form_fields import pressed_button
from registers.access import editable_register_for
from registers.models import Dossier
from registers.painting.services import set_painted

PAINT, UNPAINT = "paint", "unpaint"


@require_POST
def painted(request: HttpRequest, pk: UUID, key: int) -> HttpResponse:
    """Mark a unit as painted (`paint`), or take the mark away (`unpaint`), and show its Dossier again."""
    register = editable_register_for(request.user, pk)
    button = pressed_button(request.POST, PAINT, UNPAINT)
    try:
        if button:
            set_painted(actor=request.user, register_id=register.pk, key=str(key), painted=button == PAINT)
    except Dossier.DoesNotExist:
        raise Http404("No such Dossier") from None
    return redirect("registers:dossier", pk=pk, key=key)
