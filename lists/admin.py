"""Army lists in the admin, read-only: only `lists.services` changes them."""

from __future__ import annotations

from django.contrib import admin

from catalogue.admin import ReadOnly
from lists.models import ArmyList


@admin.register(ArmyList)
class ArmyListAdmin(ReadOnly):
    """Army lists."""

    list_display = ("__str__", "owner", "faction", "battle_force", "points", "size", "updated_at")
    list_filter = ("faction", "source_format")
    list_select_related = ("owner",)
    search_fields = ("name", "owner__username")
    date_hierarchy = "created_at"
