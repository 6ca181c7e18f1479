"""Read-only admin pages of battles and their sides."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from campaign.battles.models import Battle, Side
from core.admin import ReadOnlyInline
from registers.admin import ReadOnly


class SideInline(ReadOnlyInline, admin.StackedInline):
    """Both sides of a battle.

    They show only the size of a Command Hand, and nothing of an army that is still hidden: staff may be the opponent
    (R24).
    """

    model = Side
    readonly_fields = ("command_hand", "fielded_army")
    exclude = ("army",)
    related = ("register", "battle", "hand")

    @admin.display(description="Command Hand")
    def command_hand(self, side: Side) -> str:
        """Return the size of the hand."""
        return str(side.hand) if hasattr(side, "hand") else "none"

    @admin.display(description="army")
    def fielded_army(self, side: Side) -> str:
        """Return the army of the side, unless it is hidden."""
        return "hidden until the battle begins" if side.battle.armies_hidden else json.dumps(side.army)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse changes: only services change sides."""
        return False


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    """Battles and their status."""

    list_display = ("__str__", "campaign", "status", "size", "winner", "date")
    list_filter = ("status", "campaign")
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "sides__register__name", "sides__guest_name")
    inlines = (SideInline,)
