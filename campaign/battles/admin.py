"""Read-only admin pages of battles and their sides, and of the corrections of all Registers."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.timezone import localtime
from unfold.admin import StackedInline
from unfold.views import ChangeList

from campaign.battles.models import Battle, LedgerCorrection, Side
from campaign.battles.pages.battle_lines import result
from campaign.battles.pages.corrections import MOST_COMPARED, compared, correction_rows
from campaign.battles.queries.corrections import CorrectionKind, correction_entries, first_of_each
from core.admin import ReadOnly, ReadOnlyInline, column, nobody
from core.tables import csv_of

#: The columns of the export of corrections.
EXPORTED = ("When", "Kind", "Campaign", "Registers", "Players", "Value", "Before", "After", "Reason", "By", "Undone")
#: Number of Registers and changes that a row names; an award can be for all of a campaign.
NAMED = 3


class SideInline(ReadOnlyInline, StackedInline):
    """Both sides of a battle, with only the size of a Command Hand, and nothing of an army that is still hidden: staff
    may be the opponent (R24).
    """

    model = Side
    fields = readonly_fields = (
        "side", "player", "fielded_army", "command_hand", "victory_points", "step_of_sequence",
    )  # fmt: skip
    related = ("register__owner", "battle", "hand")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Side]:
        """Return the sides with the units of their Registers."""
        return super().get_queryset(request).prefetch_related("register__dossiers__unit")

    side = column("side", str)
    player = column(
        "player", lambda side: str(side.register.owner) if side.register and side.register.owner else "guest"
    )
    command_hand = column("Command Hand", lambda side: str(side.hand) if hasattr(side, "hand") else "none")

    @admin.display(description="army")
    def fielded_army(self, side: Side) -> str:
        """Return the units of the side's army, unless it is hidden."""
        if side.battle.armies_hidden:
            return "hidden until the battle begins"
        if side.register is None:
            return f"{side.guest_points} points"
        keys = side.army.get("fielded", {})
        fielded = (each for each in side.register.dossiers.all() if each.key in keys)
        return ", ".join(each.name or each.unit.name for each in fielded) or "none"

    step_of_sequence = column(
        "step of the Post-Battle Sequence", lambda side: "done" if side.done else str(side.step or "not begun")
    )

    has_change_permission = nobody  # only services change sides


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    """Battles and their status."""

    list_display = ("__str__", "campaign", "status", "sides", "outcome", "size", "date")
    list_filter = ("status", ("campaign", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "sides__register__name", "sides__guest_name")
    inlines = (SideInline,)
    fields = ("campaign", "number", "status", "size", "date", "time", "time_zone", "place", "arrangements", "mission",
              "outcome", "reported_by", "notes", "created_at", "closed_at")  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the battles with their sides, without those of demos."""
        return super().get_queryset(request).filter(campaign__guest=None).prefetch_related("sides__register")

    sides = column("sides", lambda battle: " – ".join(side.name for side in battle.sides.all()))
    outcome = column("result", lambda battle: result(battle) or "—")


class CorrectionList(ChangeList):  # type: ignore[misc]  # unfold has no types
    """The list of corrections: one row for all that an act wrote."""

    def get_queryset(self, request: HttpRequest, exclude_parameters: Any = None) -> QuerySet[LedgerCorrection]:
        """Return an entry of each act that fits the filters."""
        return first_of_each(super().get_queryset(request, exclude_parameters))

    def get_results(self, request: HttpRequest) -> None:
        """Read the page, with the `row` of each entry."""
        super().get_results(request)
        self.result_list = _with_rows(self.result_list)


def _with_rows(entries: Iterable[Any]) -> list[Any]:
    found = list(entries)
    for entry, row in zip(found, correction_rows(found), strict=True):
        entry.row = row
    return found


class KindFilter(admin.SimpleListFilter):
    """Corrections by how they were made."""

    title, parameter_name = "kind", "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Any:
        """Return all kinds."""
        return CorrectionKind.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the corrections of the chosen kind."""
        return queryset.filter(kind=self.value()) if self.value() in CorrectionKind.values else queryset


def _few(texts: Iterable[object]) -> str:
    found = [str(each) for each in texts]
    more = len(found) - NAMED
    return ", ".join(found if more < 2 else [*found[:NAMED], f"{more} more"])


@admin.register(LedgerCorrection)
class CorrectionAdmin(ReadOnly):
    """Corrections, awards and amendments of all Registers: who changed what, and why."""

    list_display = ("when", "kind", "campaign", "registers", "players", "changes", "reason", "by")
    list_filter = (KindFilter, "register__enlistment__campaign", ("actor", admin.RelatedOnlyFieldListFilter))
    search_fields = ("register__name", "register__owner__username", "register__enlistment__campaign__name",
                     "actor__username", "reason")  # fmt: skip
    search_help_text = "Name of a Register, player, campaign or organizer, or words of a reason"
    date_hierarchy = "created_at"
    show_full_result_count = False
    list_fullwidth = True
    actions = ("export",)
    fields = readonly_fields = (*list_display, "comparison")

    when = column("when", lambda entry: date_format(localtime(entry.created_at), "DATETIME_FORMAT"), "created_at")
    kind = column("kind", lambda entry: f"{entry.row.kind.label}, undone" if entry.row.undone else entry.row.kind.label)
    campaign = column("campaign", lambda entry: entry.row.campaign or "—")
    registers = column("Registers", lambda entry: _few(entry.row.registers))
    players = column("players", lambda entry: _few(entry.row.players) or "—")
    changes = column("what", lambda entry: _few(entry.row.change_texts))
    by = column("by", lambda entry: entry.row.first.actor, "actor__username")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LedgerCorrection]:
        """Return the entries of all corrections."""
        return correction_entries()

    def get_changelist(self, request: HttpRequest, **words: Any) -> type[ChangeList]:
        """Return the list that has one row for an act."""
        return CorrectionList

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Return the entry with its `row`."""
        entry = super().get_object(request, object_id, from_field)
        return entry and _with_rows([entry])[0]

    comparison = column(
        "before and after",
        lambda entry: render_to_string(
            "admin/battles/ledgercorrection/comparison.html",
            {"registers": compared(entry.row), "more": max(len(entry.row.registers) - MOST_COMPARED, 0)},
        ),
    )

    @admin.action(description="Export as CSV")
    def export(self, request: HttpRequest, queryset: QuerySet[LedgerCorrection]) -> HttpResponse:
        """Return the chosen corrections as a CSV file."""
        rows = [
            (
                localtime(row.first.created_at).replace(microsecond=0, tzinfo=None), row.kind.label, row.campaign,
                *map(_cell, (row.registers, row.players, *zip(*(row.changes or [("", "", "")]), strict=True))),
                row.first.reason, str(row.first.actor), "yes" if row.undone else "no",
            )
            for row in correction_rows(queryset)
        ]  # fmt: skip
        headers = {"Content-Disposition": 'attachment; filename="corrections.csv"'}
        return HttpResponse(csv_of([EXPORTED, *rows]), content_type="text/csv; charset=utf-8", headers=headers)


def _cell(values: Iterable[object]) -> str | int:
    """Return values as one cell of a table; a single number stays one."""
    text = "; ".join(map(str, values))
    return int(text) if text.isdecimal() else text
