"""The public log of an event."""

from uuid import UUID

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode

from core.form_fields import entered
from core.open_page import open_page
from tournaments.access import event_for
from tournaments.forms.console import LogFilterForm
from tournaments.pages.log import kinds_in, lines_for, sentences
from tournaments.views.common import frame

LINES_A_PAGE = 40


@open_page
def log(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show what people decided by hand, newest first, or only lines of one kind (?kind=)."""
    event, role = event_for(request, pk)
    form = LogFilterForm(kinds_in(event), request.GET)
    kind = entered(form)["kind"]
    lines = lines_for(event, role).select_related("actor").order_by("-at", "-pk")
    page = Paginator(lines.filter(kind=kind) if kind else lines, LINES_A_PAGE).get_page(request.GET.get("page"))
    context = {
        **frame(event, role, "log"),
        "lines": sentences(event, role, page),
        "page": page,
        "form": form,
        "query": urlencode({"kind": kind}) if kind else "",
    }
    return render(request, "tournaments/console/log.html", context)
