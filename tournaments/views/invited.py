"""Players invited by mail: a table of people, who is mailed, and where those invited before stand."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from accounts.adapters import can_mail, check_limit
from core.form_errors import form_page, refusals_on
from core.form_fields import pressed_button
from core.table_forms import ColumnsForm, TableForm
from core.tables import rows_of
from tournaments.access import organized_event_for
from tournaments.forms.entries import INVITED_FIELDS, people_of
from tournaments.models import InvitedPlayer
from tournaments.queries.entries import name_key, name_keys
from tournaments.services import invited as services
from tournaments.services.entries import registration_violation

from .common import frame


def invite_players(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show who of a table would be mailed and who not, by line; then mail them."""
    event, role = organized_event_for(request, pk)
    form = TableForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    context = {**frame(event, role, "entries", (_("Players"), "entries")), "form": form, "can_mail": can_mail()}
    if form.is_valid():
        text = form.cleaned_data["text"]
        # Without the file, which a browser cannot send again: the table is in the text.
        context["form"] = again = TableForm({"text": text})
        again.full_clean()
        again.sheets = form.sheets
        with refusals_on(again):
            columns = ColumnsForm(rows_of(text), INVITED_FIELDS, None if request.FILES else request.POST)
            people = people_of(columns) if columns.is_valid() else []
            if people and pressed_button(request.POST, "send") and can_mail() and not columns.has_changed_table:
                check_limit(request, "invite_players")
                number = services.invite_players(actor=request.user, event=event, people=people, now=timezone.now())
                words = ngettext("%(n)s person is being mailed.", "%(n)s people are being mailed.", number)
                messages.success(request, words % {"n": number})
                return redirect("tournaments:invite_players", pk=pk)
            lines = list(services.invitees(event, people))
            context |= {"columns": columns, "lines": lines, "number": sum(line.state == services.NEW for line in lines)}
    names = name_keys(event)
    context["invited"] = [(each, name_key(each.name) in names) for each in InvitedPlayer.objects.filter(event=event)]
    context["closed"] = registration_violation(event, timezone.now())
    return form_page(request, "tournaments/entries/invite_players.html", context)
