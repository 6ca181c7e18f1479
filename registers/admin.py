"""Registers, Dossiers and the ledger in the admin. Corrections go through the service, which writes an entry each."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import localtime
from unfold.admin import ModelAdmin, TabularInline

from core.admin import ReadOnly, ReadOnlyInline, column, nobody
from core.admin_theme import may_view
from core.form_fields import entered
from core.names import folded
from core.tables import csv_of
from registers.campaign_side import battle_names
from registers.forms.correction import CorrectionForm, DossierFields, UndoForm
from registers.ledger.filters import LedgerFilter
from registers.ledger.session import rulebook_for
from registers.ledger.text import names_of
from registers.ledger.verification import Difference
from registers.models import Dossier, EntryType, Finding, LedgerEntry, Proof, Register, UnitStatus
from registers.pages.history import HistoryEntry, history_entries, last_entries
from registers.pages.sheet import sheet_of
from registers.projection import state_of
from registers.queries.ledger import battles_of_the_fallen, entries_of
from registers.queries.readiness import over_potential, with_spent
from registers.views.corrections import save_or_refused_form, undo_or_redo

#: Number of ledger entries shown below the form, and on a page of the history.
LAST_ENTRIES, ENTRIES_A_PAGE = 5, 50
#: The columns of the export, with their values.
EXPORTED = ("Register", "Player", "Faction", "Story Arc", "Combat Potential spent", "Combat Potential", "SP",
            "Reputation", "Units", "In battle", "Last correction")  # fmt: skip


def yes_no_filter(
    heading: str, parameter: str, matching: Callable[[QuerySet[Register]], QuerySet[Register]]
) -> type[admin.SimpleListFilter]:
    """Return a filter with the answers yes and no; `matching` returns the Registers for yes."""

    class YesNoFilter(admin.SimpleListFilter):
        title, parameter_name = heading, parameter

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
            return [("yes", "Yes"), ("no", "No")]

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            if self.value() not in ("yes", "no"):
                return queryset
            chosen = matching(Register.objects.all()).values("pk")
            return queryset.filter(pk__in=chosen) if self.value() == "yes" else queryset.exclude(pk__in=chosen)

    return YesNoFilter


#: Registers in a battle or its sequence (R11), over their Combat Potential (R2), and corrected by hand.
FILTERS = (
    yes_no_filter("in a battle", "in_battle", lambda registers: registers.exclude(in_field_battle="")),
    yes_no_filter("over Combat Potential", "over", over_potential),
    yes_no_filter("corrected", "corrected", lambda registers: registers.filter(Exists(_corrections()))),
)


def _corrections() -> QuerySet[LedgerEntry]:
    return LedgerEntry.objects.filter(register=OuterRef("pk"), act=EntryType.CORRECT).order_by("-position")


@admin.register(Register)
class RegisterAdmin(ModelAdmin):
    """Registers, each with a summary, all its values in one form, and the end of its history.

    Saving writes a correction, with a reason.
    """

    change_form_template = "admin/registers/register/correct.html"
    list_display = (
        "register_name", "player", "faction", "arc", "potential", "in_battle", "last_correction",
    )  # fmt: skip
    list_filter = ("faction", *FILTERS, "commissioned", "discarded")
    list_filter_sheet = False
    list_select_related = ("owner", "story_arc")
    list_per_page = ReadOnly.list_per_page
    show_facets = admin.ShowFacets.NEVER
    list_fullwidth = True
    search_fields = ("name", "owner__username", "dossiers__name", "dossiers__unit__name")
    search_help_text = "Name of a Register, player or unit"
    actions = ("export",)
    has_add_permission = has_delete_permission = nobody  # players build Registers, and a ledger is never deleted

    def get_queryset(self, request: HttpRequest) -> QuerySet[Register]:
        """Return the Registers with `spent` and `corrected_at`, without those of visitors who try the demo."""
        registers = with_spent(super().get_queryset(request).filter(owner__guest_until=None))
        return registers.annotate(corrected_at=Subquery(_corrections().values("created_at")[:1]))

    register_name = column("Register", str, "name")
    player = column(
        "player", lambda register: register.owner.get_username() if register.owner else "—", "owner__username"
    )
    arc = column(
        "Story Arc", lambda register: register.story_arc.name if register.story_arc else "—", "story_arc__name"
    )

    @admin.display(description="Combat Potential", ordering="spent")
    def potential(self, register: Register) -> str:
        """Return the points spent and the most there are, marked if they are too many."""
        words = f"{register.spent} / {register.combat_potential}"
        if register.spent <= register.combat_potential:
            return words
        return format_html('<strong class="over">{} (over)</strong>', words)

    in_battle = column("in battle", lambda register: "yes" if register.in_field_battle else "no", "in_field_battle")
    last_correction = column("last correction", lambda register: register.corrected_at, "corrected_at")

    @admin.action(description="Export as CSV")
    def export(self, request: HttpRequest, queryset: QuerySet[Register]) -> HttpResponse:
        """Return the chosen Registers as a CSV file."""
        serving = Dossier.objects.filter(status=UnitStatus.SERVING).select_related("unit").order_by("order")
        units: dict[object, list[str]] = {}
        for dossier in serving.filter(register__in=queryset.order_by().values("pk")):
            units.setdefault(dossier.register_id, []).append(dossier.name or dossier.unit.name)
        rows = [
            (
                str(each), self.player(each), each.get_faction_display(), self.arc(each), each.spent,
                each.combat_potential, each.supply_points, each.reputation, "; ".join(units.get(each.pk, ())),
                "yes" if each.in_field_battle else "no", each.corrected_at and localtime(each.corrected_at).date(),
            )
            for each in queryset
        ]  # fmt: skip
        headers = {"Content-Disposition": 'attachment; filename="registers.csv"'}
        return HttpResponse(csv_of([EXPORTED, *rows]), content_type="text/csv; charset=utf-8", headers=headers)

    def view_on_site(self, obj: Register) -> str:
        """Return the address of the Register's page."""
        return reverse("registers:detail", args=[obj.pk])

    def links(self, request: HttpRequest, register: Register) -> Iterator[tuple[str, str]]:
        """Yield the labels and addresses of the pages about a Register that the user may open."""
        if self.has_change_permission(request, register):
            yield "Register on the site", self.view_on_site(register)
            yield "Correct on the site", reverse("registers:correct", args=[register.pk])
        yield "History", reverse("admin:registers_register_history", args=[register.pk])
        if register.owner and may_view("accounts.user", request):
            player = reverse("admin:accounts_user_change", args=[register.owner_id])
            yield f"Player: {register.owner}", player

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the correction form and the latest ledger entries; pass what was sent to the services."""
        if (register := self._visible(request, object_id)) is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if request.method != "POST":
            return self._page(request, register, _drawn(register), 200)
        if not self.has_change_permission(request, register):
            raise PermissionDenied
        return self._taken(request, register)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the whole ledger of a Register, newest first: corrections from here and from the site alike."""
        if (register := self._visible(request, object_id)) is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        entries = entries_of(register).select_related("undone_by__undone_by").order_by("-position")
        pages = Paginator(entries, ENTRIES_A_PAGE)
        page = pages.get_page(request.GET.get("p"))
        book, state = rulebook_for(register), state_of(register)
        context = {
            **self._about(request, register),
            "title": f"History of {register}",
            "page": page,
            "entries": history_entries(page, names_of(book, state), book, LedgerFilter(), {}),
            "correct_page": reverse("admin:registers_register_change", args=[register.pk]),
        }
        return TemplateResponse(request, "admin/registers/register/history.html", context)

    def _visible(self, request: HttpRequest, object_id: str) -> Register | None:
        register: Register | None = self.get_object(request, unquote(object_id))
        if register and not self.has_view_or_change_permission(request, register):
            raise PermissionDenied
        return register

    def _taken(self, request: HttpRequest, register: Register) -> HttpResponse:
        again = redirect(request.path)
        undo = UndoForm(request.POST)
        if (position := entered(undo).get("undo_position")) is not None:
            if not (violations := undo_or_redo(request, register, position, undo)):
                self.log_change(request, register, f"Undid or redid the correction {position}.")
                return again
            refused = {"position": position, "violations": violations, "reason": undo["reason"].value()}
            return self._page(request, register, _drawn(register), 422, refused)
        if form := save_or_refused_form(request, register):
            return self._page(request, register, form, 422)
        self.log_change(request, register, f"Corrected: {request.POST.get('reason', '')[:200]}")
        return again

    def _about(self, request: HttpRequest, register: Register) -> dict[str, Any]:
        return {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": register,
            "register": register,
            "may_change": self.has_change_permission(request, register),
        }

    def _page(
        self,
        request: HttpRequest,
        register: Register,
        form: CorrectionForm,
        status: int,
        refused: Mapping[str, object] | None = None,
    ) -> TemplateResponse:
        book, state = rulebook_for(register), state_of(register)
        fallen_in = {key: battle.label for key, battle in battles_of_the_fallen(register).items()}
        sheet, entries = sheet_of(book, state, register, fallen_in), last_entries(register, book, state, LAST_ENTRIES)
        corrected = _corrected_parts(entries)
        # The words with which the Register was found in the list.
        found_by = folded(QueryDict(request.GET.get("_changelist_filters", "")).get("q", "")).split()
        context = {
            **self._about(request, register),
            "title": f"Correct {register}",
            "form": form,
            "refused": refused,
            "links": list(self.links(request, register)),
            "battles": _battles(register),
            "sheet": sheet,
            "parts": list(_parts(form, sheet, corrected, found_by)),
            "register_open": "" in corrected or any(not of for of, _field in form.wrong),
            "ledger_open": bool(corrected),
            "entries": entries,
            "whole": reverse("admin:registers_register_history", args=[register.pk]),
        }
        return TemplateResponse(request, self.change_form_template, context, status=status)


def _drawn(register: Register) -> CorrectionForm:
    return CorrectionForm(rulebook_for(register), state_of(register), register.position)


def _corrected_parts(entries: Sequence[HistoryEntry]) -> set[str]:
    """Return the keys of the units that the last entry corrected, if it is a correction; "" is the Register itself."""
    effects = entries[0].entry.effects if entries and entries[0].entry.act == EntryType.CORRECT else ()
    return {effect.get("unit", "") for effect in effects if effect["kind"] == "Corrected"}


def _parts(
    form: CorrectionForm, sheet: Mapping[str, Any], corrected: Collection[str], searched: Sequence[str]
) -> Iterator[tuple[DossierFields, Mapping[str, Any], str, bool]]:
    """Yield the fields of each Dossier, its unit, its status, and whether it is open: if it is wrong, was found by its
    name, or was corrected last.
    """
    units = {unit["key"]: (unit, "") for unit in sheet["units"]}
    units |= {unit["key"]: (unit, status) for status in ("reassigned", "fallen") for unit in sheet[status]}
    for part in form.parts:
        names = folded(f"{part.label} {part.note}")
        found = any(word in names for word in searched)
        yield part, *units[part.key], part.wrong or found or part.key in corrected


def _battles(register: Register) -> Sequence[Any]:
    """Return the names of a Register's battles, with their pages."""
    played = register.entries.exclude(battle="").order_by().values_list("battle", flat=True).distinct()
    return sorted(battle_names(set(played)).values(), key=lambda battle: (len(battle.label), battle.label))


@admin.register(LedgerEntry)
class EntryAdmin(ReadOnly):
    """Ledger entries, read-only."""

    list_display = ("position", "register", "act", "step", "actor", "on_behalf_of", "reason", "created_at")
    list_filter = ("act", "created_at")
    list_select_related = ("register", "actor", "on_behalf_of")
    search_fields = ("register__name", "actor__username", "reason")
    date_hierarchy = "created_at"
    fields = (
        "register", "position", "act", "in_words", "battle_name", "step", "actor", "on_behalf_of", "reason", "undoes",
        "created_at",
    )  # fmt: skip

    @admin.display(description="what happened")
    def in_words(self, entry: LedgerEntry) -> str:
        """Return the effects as sentences."""
        register = entry.register
        book, state = rulebook_for(register), state_of(register)
        [shown] = history_entries([entry], names_of(book, state), book, LedgerFilter(), {})
        return " ".join(f"{line.text}." for line in shown.lines) or "—"

    battle_name = column(
        "battle", lambda entry: battle_names({entry.battle})[entry.battle].label if entry.battle else "—"
    )


class FindingInline(ReadOnlyInline, TabularInline):
    """Differences found by a data check."""

    model = Finding
    fields = readonly_fields = ("found_on", "difference")

    found_on = column(
        "Register", lambda finding: str(Register.objects.filter(pk=finding.register_id).first() or "deleted Register")
    )
    difference = column("difference", lambda finding: str(Difference(finding.kind, finding.facts)))


@admin.register(Proof)
class ProofAdmin(ReadOnly):
    """Data checks: when they ran and what they found."""

    list_display = ("__str__", "finished_at", "registers", "entries", "differing")
    inlines = (FindingInline,)
