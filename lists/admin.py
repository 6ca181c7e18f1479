"""Army lists in the admin, read-only: only `lists.services` changes them."""

from typing import Any

from django.contrib import admin

from catalogue.snapshot import rulebook
from core.admin import ReadOnly, column
from lists.models import ArmyList


@admin.display(description="units")
def unit_names(army_list: Any) -> str:
    """Return the names of the units of an army list, or of one that was submitted to an event."""
    units = rulebook().units
    slugs = [each["card"] for each in army_list.units]
    return ", ".join(units[slug].name if slug in units else slug for slug in slugs) or "—"


@admin.register(ArmyList)
class ArmyListAdmin(ReadOnly):
    """Army lists."""

    list_display = ("__str__", "owner", "faction", "battle_force", "points", "size", "updated_at")
    list_filter = ("faction", "source_format")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    date_hierarchy = "created_at"
    fields = (
        "name", "owner", "faction", "battle_force", "points", "size", unit_names, "findings", "source_format",
        "source_text", "updated_at",
    )  # fmt: skip
    view_on_site = False  # a list's page is for its owner alone

    findings = column(
        "broken rules", lambda army_list: " ".join(each["text"] for each in army_list.violations) or "none"
    )
