"""Read-only admin pages of custom Story Arcs and their versions."""

from django.contrib import admin

from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from core.admin import ReadOnly, column


@admin.register(CustomArc)
class CustomArcAdmin(ReadOnly):
    """Custom Story Arcs. The token is not shown, because anyone who has the link may read the arc."""

    list_display = ("__str__", "campaign", "origin", "revision", "is_shared", "created_at")
    list_select_related = ("campaign",)
    search_fields = ("draft__name", "campaign__name", "origin")
    fields = ("arc_name", "campaign", "origin", "revision", "is_shared", "created_at")
    view_on_site = False  # shipped arcs have no page

    arc_name = column("name", str)
    is_shared = column("shared by link", lambda arc: "yes" if arc.token is not None else "no")


@admin.register(ArcVersion)
class ArcVersionAdmin(ReadOnly):
    """Published versions of Story Arcs."""

    list_display = ("__str__", "arc", "story_arc", "by", "published_at")
    list_select_related = ("arc", "story_arc", "by")
    fields = ("arc", "number", "story_arc", "by", "published_at")
    search_fields = ("content__name", "story_arc__slug")


@admin.register(AdoptedArc)
class AdoptedArcAdmin(ReadOnly):
    """The campaigns that have adopted each arc."""

    list_display = ("version", "campaign")
    list_select_related = ("version", "campaign")
    search_fields = ("campaign__name",)
