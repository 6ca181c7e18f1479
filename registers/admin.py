"""Registers, Dossiers and the ledger to look at. Nothing is changed here: every change is an act in the ledger."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from .models import Dossier, Entry, Register


class ReadOnly(admin.ModelAdmin):
    """Shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows come from services alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Rows are changed by services alone."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A ledger is kept for ever."""
        return False


@admin.register(Register)
class RegisterAdmin(ReadOnly):
    """Registers."""

    list_display = (
        "__str__",
        "owner",
        "faction",
        "commissioned",
        "combat_potential",
        "supply_points",
        "position",
    )
    list_filter = ("faction", "commissioned")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")


@admin.register(Dossier)
class DossierAdmin(ReadOnly):
    """Dossiers."""

    list_display = ("__str__", "register", "unit", "status", "experience", "veteran_rank")
    list_filter = ("status", "veteran_rank")
    list_select_related = ("register", "unit")
    search_fields = ("name", "register__name", "unit__name")


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    """The ledger."""

    list_display = ("__str__", "register", "act", "battle", "step", "actor", "acting_for", "created_at")
    list_filter = ("act",)
    list_select_related = ("register", "actor", "acting_for")
    search_fields = ("register__name", "battle")
