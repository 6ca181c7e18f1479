"""Registers, Dossiers and the ledger in the admin. Corrections go through the service, which writes an entry each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse

from catalogue.admin import ReadOnly
from core.form_fields import entered
from registers.forms.correction import CorrectionForm, UndoForm
from registers.ledger.session import rulebook_for
from registers.ledger.verification import Difference
from registers.models import Dossier, Finding, LedgerEntry, Proof, Register
from registers.projection import state_of
from registers.queries.ledger import last_entries
from registers.views.corrections import refused_form, taken_back

#: Number of ledger entries shown under the form.
LAST_ENTRIES = 40


@admin.register(Register)
class RegisterAdmin(admin.ModelAdmin):
    """Registers, each with all its values in one form. Saving writes a correction, with a reason."""

    change_form_template = "admin/registers/register/correct.html"
    list_display = (
        "__str__", "owner", "faction", "commissioned", "combat_potential", "supply_points", "reputation", "position",
    )  # fmt: skip
    list_filter = (
        "faction", "commissioned", ("in_field_battle", admin.EmptyFieldListFilter), "saga_complete", "discarded",
        "story_arc",
    )  # fmt: skip
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username", "dossiers__name")
    search_help_text = "Name of a Register, of its player, or of a Dossier"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: players build Registers."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Register | None = None) -> bool:
        """Return False: a ledger is never deleted."""
        return False

    def view_on_site(self, obj: Register) -> str:
        """Return the address of the Register's page."""
        return reverse("registers:detail", args=[obj.pk])

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Show the correction form and the latest ledger entries; pass what was sent to the services."""
        register = self.get_object(request, unquote(object_id))
        if register is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        if not self.has_view_or_change_permission(request, register):
            raise PermissionDenied
        if request.method != "POST":
            return self._page(request, register, _drawn(register), 200)
        if not self.has_change_permission(request, register):
            raise PermissionDenied
        return self._taken(request, register)

    def _taken(self, request: HttpRequest, register: Register) -> HttpResponse:
        again = redirect(request.path)
        undo = UndoForm(request.POST)
        if (position := entered(undo).get("take_back")) is not None:
            if not (violations := taken_back(request, register, position, undo)):
                return again
            refused = {"position": position, "violations": violations, "reason": undo["reason"].value()}
            return self._page(request, register, _drawn(register), 422, refused)
        form = refused_form(request, register)
        return self._page(request, register, form, 422) if form else again

    def _page(
        self,
        request: HttpRequest,
        register: Register,
        form: CorrectionForm,
        status: int,
        refused: Mapping[str, object] | None = None,
    ) -> TemplateResponse:
        book, may_change = rulebook_for(register), self.has_change_permission(request, register)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Correct {register}",
            "opts": self.opts,
            "original": register,
            "form": form,
            "refused": refused,
            "may_change": may_change,
            "site_page": self.view_on_site(register),
            "entries": last_entries(register, book, form.state, LAST_ENTRIES),
            "whole": f"{reverse('admin:registers_ledgerentry_changelist')}?register__id__exact={register.pk}",
        }
        return TemplateResponse(request, self.change_form_template, context, status=status)


def _drawn(register: Register) -> CorrectionForm:
    return CorrectionForm(rulebook_for(register), state_of(register), register.position)


@admin.register(Dossier)
class DossierAdmin(ReadOnly):
    """Dossiers, read-only."""

    list_display = ("__str__", "register", "unit", "status", "experience", "veteran_rank")
    list_filter = ("status", "veteran_rank")
    list_select_related = ("register", "unit")
    search_fields = ("name", "register__name", "unit__name")


@admin.register(LedgerEntry)
class EntryAdmin(ReadOnly):
    """Ledger entries, read-only."""

    list_display = ("__str__", "register", "act", "battle", "step", "actor", "on_behalf_of", "created_at")
    list_filter = ("act", "created_at")
    list_select_related = ("register", "actor", "on_behalf_of")
    search_fields = ("register__name", "battle", "actor__username", "reason")
    date_hierarchy = "created_at"


class FindingInline(admin.TabularInline):
    """Differences found by a data check."""

    model = Finding
    fields = readonly_fields = ("register_id", "said")
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: only data checks add findings."""
        return False

    @admin.display(description="what")
    def said(self, finding: Finding) -> str:
        """Return the difference in words."""
        return str(Difference(finding.kind, finding.facts))


@admin.register(Proof)
class ProofAdmin(ReadOnly):
    """Data checks: when they ran and what they found."""

    list_display = ("__str__", "finished_at", "registers", "entries", "differing")
    inlines = (FindingInline,)
