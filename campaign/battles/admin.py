"""Read-only admin pages of battles and their sides."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import StackedInline

from campaign.battles.models import Battle, Side
from campaign.battles.pages.battle_lines import result
from core.admin import ReadOnly, ReadOnlyInline


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

    @admin.display(description="side")
    def side(self, side: Side) -> str:
        """Return the name of the Register or guest, and the color."""
        return str(side)

    @admin.display(description="player")
    def player(self, side: Side) -> str:
        """Return the name of the player."""
        return str(side.register.owner) if side.register and side.register.owner else "guest"

    @admin.display(description="Command Hand")
    def command_hand(self, side: Side) -> str:
        """Return the size of the hand."""
        return str(side.hand) if hasattr(side, "hand") else "none"

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

    @admin.display(description="step of the Post-Battle Sequence")
    def step_of_sequence(self, side: Side) -> str:
        """Return the number of the step."""
        return "done" if side.done else str(side.step or "not begun")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: only services change sides."""
        return False


@admin.register(Battle)
class BattleAdmin(ReadOnly):
    """Battles and their status."""

    list_display = ("__str__", "campaign", "status", "sides", "outcome", "size", "date")
    list_filter = ("status", "campaign")
    list_select_related = ("campaign",)
    search_fields = ("campaign__name", "sides__register__name", "sides__guest_name")
    inlines = (SideInline,)
    fields = ("campaign", "number", "status", "size", "date", "time", "time_zone", "place", "arrangements", "mission",
              "outcome", "reported_by", "notes", "created_at", "closed_at")  # fmt: skip
    readonly_fields = ("outcome", "created_at")

    def get_queryset(self, request: HttpRequest) -> Any:
        """Return the battles with their sides."""
        return super().get_queryset(request).prefetch_related("sides__register")

    @admin.display(description="sides")
    def sides(self, battle: Battle) -> str:
        """Return the names of both sides."""
        return " – ".join(side.name for side in battle.sides.all())

    @admin.display(description="result")
    def outcome(self, battle: Battle) -> str:
        """Return the result in words."""
        return result(battle) or "—"
