"""Campaigns to look at, with a few words of theirs to change. Battles and arcs are changed by services alone."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.admin import PersonAdmin
from accounts.models import User
from registers.admin import ReadOnly

from .models import ArcTakenIn, ArcVersion, Battle, Campaign, Enlistment, Membership, OwnArc, Side
from .views.merging import merge_accounts

# Jobs are the worker's; its pages here would retry and cancel them without a service, and with inline styles.
admin.site.unregister(ProcrastinateJob)
admin.site.unregister(User)


@admin.register(User)
class MemberAdmin(PersonAdmin):
    """Accounts, with the action that knows what people have in campaigns."""

    actions = (*PersonAdmin.actions, merge_accounts)


class ShownInline(admin.options.InlineModelAdmin):
    """Rows that are only shown: services alone add and delete them. `related` are read by the same query."""

    extra = 0
    can_delete = False
    related: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """With the names of what they refer to."""
        return super().get_queryset(request).select_related(*self.related)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Services alone add any."""
        return False


class MembershipInline(ShownInline, admin.TabularInline):
    """Who is in it. People come, go and get roles on the campaign's pages, where it is written down."""

    model = Membership
    readonly_fields = ("user", "role")
    related = ("user", "campaign")


class EnlistmentInline(ShownInline, admin.TabularInline):
    """The Registers that serve in it."""

    model = Enlistment
    readonly_fields = ("register",)
    related = ("register", "campaign")


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    """Campaigns, their members and Registers. A campaign with battles is not deleted."""

    list_display = ("name", "created_at")
    search_fields = ("name",)
    exclude = ("terms", "terms_version", "picture")
    inlines = (MembershipInline, EnlistmentInline)

    def has_delete_permission(self, request: HttpRequest, obj: Campaign | None = None) -> bool:
        """The ledgers of its Registers speak of its battles."""
        return False


class SideInline(ShownInline, admin.StackedInline):
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


@admin.register(OwnArc)
class OwnArcAdmin(ReadOnly):
    """Story Arcs that somebody writes. Whoever has the link of one may read it, so it is not shown."""

    list_display = ("__str__", "campaign", "origin", "revision", "is_shared", "created_at")
    list_select_related = ("campaign",)
    search_fields = ("draft__name", "campaign__name", "origin")
    exclude = ("token",)
    readonly_fields = ("is_shared",)
    view_on_site = False  # those that come along have no page

    @admin.display(description="shared by link", boolean=True)
    def is_shared(self, arc: OwnArc) -> bool:
        """Whether it has a link."""
        return arc.token is not None


@admin.register(ArcVersion)
class ArcVersionAdmin(ReadOnly):
    """Story Arcs as they were published."""

    list_display = ("__str__", "arc", "story_arc", "by", "published_at")
    list_select_related = ("arc", "story_arc", "by")
    search_fields = ("content__name", "story_arc__slug")


@admin.register(ArcTakenIn)
class ArcTakenInAdmin(ReadOnly):
    """Which campaigns play them."""

    list_display = ("version", "campaign")
    list_select_related = ("version", "campaign")
    search_fields = ("campaign__name",)
