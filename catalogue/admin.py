"""The cards in the admin: search, filter and correct them. The database records who changes points."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db import transaction
from django.forms import ModelForm
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from core.admin import ReadOnly, nobody

from . import models
from .card_tables import CardTablesMixin
from .fields import DataField
from .rows import acting
from .snapshot import forget


@admin.register(
    models.AidRequest,
    models.Asset,
    models.BattleForce,
    models.Keyword,
    models.ParagonCommandCard,
    models.RankRequirement,
)
class CardAdmin(ModelAdmin):
    """Admin of a card, which can be corrected and retired but not deleted. Registers name it by its slug."""

    list_display = ("name", "slug", "retired")
    list_filter = ("retired",)
    list_per_page = ReadOnly.list_per_page
    search_fields = ("name", "slug")
    ordering = ("name",)
    formfield_overrides = {  # a keyword can hold a comma, so lists are written as in the files
        ArrayField: {"delimiter": "|", "help_text": "Separated by |", "widget": UnfoldAdminTextInputWidget},
        DataField: {"widget": UnfoldAdminTextareaWidget(attrs={"rows": 16, "cols": 100, "spellcheck": "false"})},
    }

    has_delete_permission = nobody  # a card is retired instead

    def get_readonly_fields(self, request: HttpRequest, obj: models.Card | None = None) -> tuple[str, ...]:
        """Make the slug read-only once the card exists."""
        return ("slug",) if obj else ()

    def has_change_permission(self, request: HttpRequest, obj: models.Card | None = None) -> bool:
        """Refuse changes to a custom Story Arc and its cards: Registers play them."""
        arc = obj if isinstance(obj, models.StoryArc) else getattr(obj, "story_arc", None)
        return not (arc and arc.own) and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: models.Card, form: ModelForm[models.Card], change: bool) -> None:
        """Save the card, record the editor in the points history, and make the next `rulebook()` read it."""
        acting(request.user.get_username())
        super().save_model(request, obj, form, change)
        transaction.on_commit(forget)


@admin.display(description="name", ordering="name")
def full_name(card: models.Unit | models.Upgrade) -> str:
    """Return the name with its title."""
    return str(card)


@admin.register(models.Unit)
class UnitAdmin(CardTablesMixin, CardAdmin):
    """Units, with points editable in the list."""

    kind = "unit"
    list_display = (full_name, "points", "faction", "rank", "unit_type", "unique", "release", "retired")
    list_editable = ("points",)
    release = ("release", admin.EmptyFieldListFilter)
    list_filter = ("faction", "rank", "unit_class", "unique", release, "retired", "unit_type")
    search_fields = ("name", "title", "slug", "=source_id")


@admin.register(models.Upgrade)
class UpgradeAdmin(CardTablesMixin, CardAdmin):
    """Upgrades, with points editable in the list."""

    kind = "upgrade"
    list_display = (full_name, "points", "type", "restrictions", "unique", "release", "retired")
    list_editable = ("points",)
    list_filter = ("type", "unique", ("release", admin.EmptyFieldListFilter), "retired")
    search_fields = ("name", "title", "slug", "restrictions", "=source_id")


@admin.register(models.CommandCard)
class CommandCardAdmin(CardTablesMixin, CardAdmin):
    """Command cards."""

    kind = "command_card"
    list_display = ("name", "pips", "faction", "battle_force", "release", "retired")
    list_filter = ("pips", "faction", "battle_force", "retired")


@admin.register(models.Counterpart)
class CounterpartAdmin(CardTablesMixin, CardAdmin):
    """Counterparts of units."""

    kind = "counterpart"


@admin.register(models.BattleForceCard)
class BattleForceCardAdmin(CardAdmin):
    """Cards that battle forces allow or forbid."""

    list_display = ("slug", "battle_force", "kind", "rank", "card_slug", "retired")
    list_select_related = ("battle_force",)
    list_filter = ("battle_force", "kind", "retired")
    search_fields = ("slug",)
    ordering = ("slug",)


@admin.register(models.Commendation, models.Setback, models.DefiningTrait)
class ArcCardAdmin(CardAdmin):
    """Cards that are general or belong to a Story Arc."""

    list_display = ("name", "story_arc", "effect", "retired")
    list_select_related = ("story_arc",)
    list_filter = ("story_arc", "retired")
    search_fields = ("name", "slug", "effect")


@admin.register(models.Agenda, models.TurningPoint)
class ArcPartAdmin(CardAdmin):
    """Agendas and Turning Point Missions."""

    list_display = ("name", "story_arc", "retired")
    list_select_related = ("story_arc",)
    list_filter = ("story_arc", "retired")


@admin.register(models.BattleCard)
class BattleCardAdmin(CardTablesMixin, CardAdmin):
    """Objectives, secondary objectives and advantages."""

    kind = "battle_card"
    list_display = ("name", "type", "format", "faction", "retired")
    list_filter = ("type", "format", "faction", "retired")


@admin.register(models.StoryArc)
class StoryArcAdmin(CardAdmin):
    """Story Arcs, printed and custom."""

    list_display = ("name", "slug", "own", "retired")
    list_filter = ("own", "retired")


@admin.register(models.PointsChange)
class PointsChangeAdmin(ReadOnly):
    """Who changed which points when. Triggers write these rows."""

    list_display = ("at", "name", "kind", "points_before", "points_after", "by")
    list_filter = ("kind", "at", "by")
    search_fields = ("name", "card", "by")
    date_hierarchy = "at"
