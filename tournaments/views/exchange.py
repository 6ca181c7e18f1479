"""Export an event as JSON or CSV, and import one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache

from accounts.adapters import check_limit
from core.form_errors import form_page, refusals_on, valid
from core.json_files import one_at_a_time
from core.moments import moment_of
from core.open_page import open_page
from ops.paths import BASE_DIR
from tournaments.access import event_for
from tournaments.forms.exchange import EventFileForm, ImportForm
from tournaments.models import Event, Round
from tournaments.pages.exchange import TABLES, event_csv
from tournaments.queries.events import copies_organized_by
from tournaments.queries.exchange import SCHEMA, as_json, content_of, file_name
from tournaments.queries.rounds import name_of
from tournaments.queries.standings import places_of
from tournaments.services.exchange import MOST_BYTES, WAITING, import_event as import_content, prove, read
from tournaments.services.verification import hand_changes

#: Bytes of a form in addition to its file.
REST = 64 * 1024
EVENTS = {"label": gettext_lazy("Events"), "href": "/events/"}


@never_cache
@open_page
def export(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Send an event as JSON with the lists the reader may see: once finished to all, before to leaders (E10, E23)."""
    event, role = event_for(request, pk)
    if event.state != Event.State.FINISHED and not role.is_leader:
        raise Http404("Not finished yet")
    check_limit(request, "export_event")
    headers = {"Content-Disposition": f'attachment; filename="{file_name(event)}"'}
    return HttpResponse(as_json(content_of(event, role)), content_type="application/json", headers=headers)


@never_cache
@open_page
def export_csv(request: HttpRequest, pk: UUID, table: str) -> HttpResponse:
    """Send published pairings, confirmed results, or the standings as CSV."""
    event, _role = event_for(request, pk)
    if table not in TABLES:
        raise Http404("No such table")
    check_limit(request, "event_records")
    name = file_name(event, f"{table}.csv")
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(event_csv(places_of(event), table), content_type="text/csv; charset=utf-8", headers=headers)


@open_page
def exchange_schema(request: HttpRequest) -> HttpResponse:
    """Send the JSON Schema of exported events."""
    headers = {"Access-Control-Allow-Origin": "*"}
    return HttpResponse(SCHEMA.read_bytes(), content_type="application/schema+json", headers=headers)


@open_page
def check_event(request: HttpRequest) -> HttpResponse:
    """Send the script that proves an exported event without Musterbook (E23)."""
    headers = {"Content-Disposition": 'attachment; filename="check_event.py"'}
    script = (BASE_DIR / "docs" / "check_event.py").read_bytes()
    return HttpResponse(script, content_type="text/x-python; charset=utf-8", headers=headers)


def import_event(request: HttpRequest) -> HttpResponse:
    """Upload an event file, which is read and proved, and kept until it is reviewed."""
    form = EventFileForm(request.POST, request.FILES) if request.method == "POST" else EventFileForm()
    if request.method == "POST":
        check_limit(request, "import_event")
        with refusals_on(form):
            file = valid(form)["file"]
            with one_at_a_time():
                content = read(file.read())
            prove(content)
            file.seek(0)
            return redirect("tournaments:review_import", file=WAITING.keep(request.user, file))
    return form_page(request, "tournaments/exchange/import.html", {"form": form, "crumbs": [EVENTS]})


import_event.takes_at_most = MOST_BYTES + REST


@never_cache
def review_import(request: HttpRequest, file: UUID) -> HttpResponse:
    """Show what is in a file that was proved, and import it."""
    if (path := WAITING.path(request.user, file)) is None:
        raise Http404("No such file")
    check_limit(request, "import_event" if request.method == "POST" else "look_event")
    form = ImportForm(request.POST if request.method == "POST" else None)
    content: dict[str, Any] = {}
    with refusals_on(form), one_at_a_time():
        try:
            content = read(path.read_bytes())
        except FileNotFoundError:  # cleared, or replaced by a second upload
            raise Http404("No such file") from None
        if form.is_valid():
            event = import_content(actor=request.user, content=content, key=file)
            messages.success(request, _("%(event)s is imported. You organize it.") % {"event": event})
            return redirect("tournaments:statistics" if content["seed"] else "tournaments:console", pk=event.pk)
    rounds, changes = content.get("rounds", ()), hand_changes(content) if content else []
    columns = {each["number"]: len(each["games"]) for each in rounds if each["stage"] == Round.Stage.BRACKET}
    context = {
        "form": form,
        "content": content,
        "made_at": moment_of(content.get("made_at")),
        "players": sum(each["ticket"] is not None for each in content.get("entries", ())),
        "games": sum(game["second"] is not None for each in rounds for game in each["games"]),
        "winner": _winner(content) if content.get("seed") else "",
        "own": copies_organized_by(request.user, UUID(content["event"]["id"])) if content else (),
        "hand_changes": [(name_of(each.round, columns.get(each.round, 0)), each) for each in changes],
        "crumbs": [EVENTS],
    }
    return form_page(request, "tournaments/exchange/review_import.html", context)


def _winner(content: dict[str, Any]) -> str:
    first = next((each["player"] for each in content.get("places", ()) if each["place"] == "1"), None)
    return next((each["name"] for each in content.get("entries", ()) if each["number"] == first), "")
