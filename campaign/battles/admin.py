"""Battles and their sides in the admin, to look at."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from campaign.battles.models import Battle, Side
from core.admin import ReadOnlyInline
from registers.admin import ReadOnly


class SideInline(ReadOnlyInline, admin.StackedInline):
    """Both sides. Of a Command Hand they say how many cards it has, and of an army that is hidden still nothing: staff
    may be the opponent (R24).
    """

    model = Side
    readonly_fields = ("command_hand", "fielded_army")
    exclude = ("army",)
    related = ("register", "battle", "hand")

    @admin.display(description="Command Hand")
    def command_hand(self, side: Side) -> str:
        """The size of the hand."""
        return str(side.hand) if hasattr(side, "hand") else "none"

    @admin.display(description="army")
    def fielded_army(self, side: Side) -> str:
        """What it took the field with."""
        return "hidden until the battle begins" if side.battle.armies_hidden else json.dumps(side.army)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Sides are changed by services alone."""
        return False


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    """Battles and where they stand."""

    list_display = ("__str__", "campaign", "status", "size", "winner", "date")
    list_filter = ("status", "campaign")
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "sides__register__name", "sides__guest_name")
    inlines = (SideInline,)
