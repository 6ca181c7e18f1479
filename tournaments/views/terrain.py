"""Terrain checklists of tables (E44)."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.access import led_event_for
from tournaments.forms.judging import TerrainForm
from tournaments.queries.terrain import table_terrain, terrain_of
from tournaments.services.terrain import MOST_TABLES, check_terrain
from tournaments.views.common import frame


@require_safe
def terrain(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show all tables and how far their checks are."""
    event, role = led_event_for(request, pk)
    tables = terrain_of(event)
    done = sum(table.is_complete for table in tables)
    context = {**frame(event, role, "judges"), "tables": tables, "done": done}
    return render(request, "tournaments/judging/terrain.html", context)


def terrain_table(request: HttpRequest, pk: UUID, table: int) -> HttpResponse:
    """Show a table's checklist. HTMX saves each tick, else a button all. Raises Http404 for an impossible number."""
    event, role = led_event_for(request, pk)
    if role.user is None or not 0 < table <= MOST_TABLES:
        raise Http404("No such table")
    form = TerrainForm(request.POST)
    if request.method == "POST" and form.is_valid():
        check_terrain(actor=role.user, event=event, table=table, ticks=form.changes, small=form.size)
        if not request.htmx:  # type: ignore[attr-defined]
            messages.success(request, _("Table %(table)s is saved.") % {"table": table})
            return redirect("tournaments:terrain_table", pk, table)
    found = table_terrain(event, table)
    context = {**frame(event, role, "judges"), "found": found, "next": table + 1, "last": table - 1}
    if request.method == "POST":
        return render(request, "tournaments/judging/_terrain_lines.html", context)
    return render(request, "tournaments/judging/terrain_table.html", context)


@require_safe
def print_terrain(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Show the checklists of all tables for paper, A4 or Letter."""
    event, role = led_event_for(request, pk)
    context = {**frame(event, role, "judges"), "tables": terrain_of(event)}
    return render(request, "tournaments/judging/print_terrain.html", context)
