"""Custom Story Arcs and their versions in the admin, to look at."""

from __future__ import annotations

from django.contrib import admin

from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from registers.admin import ReadOnly


@admin.register(CustomArc)
class CustomArcAdmin(ReadOnly):
    """Story Arcs that somebody writes. Whoever has the link of one may read it, so it is not shown."""

    list_display = ("__str__", "campaign", "origin", "revision", "is_shared", "created_at")
    list_select_related = ("campaign",)
    search_fields = ("draft__name", "campaign__name", "origin")
    exclude = ("token",)
    readonly_fields = ("is_shared",)
    view_on_site = False  # those that come along have no page

    @admin.display(description="shared by link", boolean=True)
    def is_shared(self, arc: CustomArc) -> bool:
        """Whether it has a link."""
        return arc.token is not None


@admin.register(ArcVersion)
class ArcVersionAdmin(ReadOnly):
    """Story Arcs as they were published."""

    list_display = ("__str__", "arc", "story_arc", "by", "published_at")
    list_select_related = ("arc", "story_arc", "by")
    search_fields = ("content__name", "story_arc__slug")


@admin.register(AdoptedArc)
class AdoptedArcAdmin(ReadOnly):
    """Which campaigns play them."""

    list_display = ("version", "campaign")
    list_select_related = ("version", "campaign")
    search_fields = ("campaign__name",)
