"""The button that reminds a person of their task in a battle."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaign.battles import access as battle_access
from campaign.reminders.forms import RemindForm
from campaign.reminders.services import remind as remind_person
from core.form_errors import refusals_as_messages, valid
from core.form_fields import entered


@require_POST
def remind(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Remind a person of what they have to do in the battle."""
    battle, _role = battle_access.fought_battle_for(request.user, pk)
    form = RemindForm(battle, request.POST)
    with refusals_as_messages(request):
        user = valid(form)["user"]
        remind_person(actor=request.user, battle=battle, user=user)
        messages.success(request, _("Reminder sent to %(name)s.") % {"name": user.get_username()})
    back = entered(form)["back"]
    return redirect(back if url_has_allowed_host_and_scheme(back, allowed_hosts=None) else battle)
