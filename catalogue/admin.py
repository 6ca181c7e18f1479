"""The cards in the admin: found, filtered and corrected; every change of points keeps who made it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db import transaction
from django.forms import ModelForm, Textarea
from django.http import HttpRequest

from . import models
from .fields import DataField
from .rows import acting
from .snapshot import forget


class ReadOnly(admin.ModelAdmin):
    """Shows rows and changes none."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows come from services and triggers alone."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """What was, was."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Kept for ever."""
        return False


class CardAdmin(admin.ModelAdmin):
    """A card can be corrected and retired; it cannot be deleted, and its slug stays what Registers know it by."""

    list_display = ("name", "slug", "retired")
    list_filter = ("retired",)
    search_fields = ("name", "slug")
    ordering = ("name",)
    formfield_overrides = {  # a keyword can hold a comma, so lists are written as in the files
        ArrayField: {"delimiter": "|", "help_text": "Separated by |"},
        DataField: {"widget": Textarea(attrs={"rows": 16, "cols": 100, "spellcheck": "false"})},
    }

    def get_readonly_fields(self, request: HttpRequest, obj: models.Card | None = None) -> tuple[str, ...]:
        """The slug can be chosen once."""
        return ("slug",) if obj else ()

    def has_delete_permission(self, request: HttpRequest, obj: models.Card | None = None) -> bool:
        """Never: retire the card instead."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: models.Card | None = None) -> bool:
        """A Story Arc that somebody wrote is final, with its cards: Registers play it."""
        arc = obj if isinstance(obj, models.StoryArc) else getattr(obj, "story_arc", None)
        return not (arc and arc.own) and super().has_change_permission(request, obj)

    def save_model(
        self, request: HttpRequest, obj: models.Card, form: ModelForm[models.Card], change: bool
    ) -> None:
        """Save, known by name to the history of points, and seen by the next reader of the Rulebook."""
        acting(request.user.get_username())
        super().save_model(request, obj, form, change)
        transaction.on_commit(forget)


@admin.display(description="name", ordering="name")
def full_name(card: models.Unit | models.Upgrade) -> str:
    """The name with its title."""
    return str(card)


@admin.register(models.Unit)
class UnitAdmin(CardAdmin):
    """Units, with points to be changed in the list."""

    list_display = (full_name, "points", "faction", "rank", "unit_type", "unique", "unreleased", "retired")
    list_editable = ("points",)
    unreleased = ("unreleased", admin.EmptyFieldListFilter)
    list_filter = ("faction", "rank", "unit_class", "unique", unreleased, "retired", "unit_type")
    search_fields = ("name", "title", "slug", "=source_id")


@admin.register(models.Upgrade)
class UpgradeAdmin(CardAdmin):
    """Upgrades, with points to be changed in the list."""

    list_display = (full_name, "points", "type", "restrictions", "unique", "unreleased", "retired")
    list_editable = ("points",)
    list_filter = ("type", "unique", ("unreleased", admin.EmptyFieldListFilter), "retired")
    search_fields = ("name", "title", "slug", "restrictions", "=source_id")


@admin.register(models.CommandCard)
class CommandCardAdmin(CardAdmin):
    """Command cards."""

    list_display = ("name", "pips", "faction", "battle_force", "unreleased", "retired")
    list_filter = ("pips", "faction", "battle_force", "retired")


@admin.register(models.BattleForceCard)
class BattleForceCardAdmin(CardAdmin):
    """What battle forces allow and forbid."""

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
class BattleCardAdmin(CardAdmin):
    """Objectives, secondary objectives and advantages."""

    list_display = ("name", "type", "format", "faction", "retired")
    list_filter = ("type", "format", "faction", "retired")


@admin.register(models.StoryArc)
class StoryArcAdmin(CardAdmin):
    """Story Arcs, the printed ones and those that somebody wrote."""

    list_display = ("name", "slug", "own", "retired")
    list_filter = ("own", "retired")


admin.site.register(
    [
        models.AidRequest,
        models.Asset,
        models.BattleForce,
        models.Counterpart,
        models.Keyword,
        models.ParagonCommandCard,
        models.RankRequirement,
    ],
    CardAdmin,
)


@admin.register(models.PointsChange)
class PointsChangeAdmin(ReadOnly):
    """Who changed which points when; written by the database, read here."""

    list_display = ("at", "name", "kind", "points_before", "points_after", "by")
    list_filter = ("kind", "at", "by")
    search_fields = ("name", "card", "by")
    date_hierarchy = "at"
