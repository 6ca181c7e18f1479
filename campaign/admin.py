"""Campaigns to look at, with a few words of theirs to change. Battles and arcs are changed by services alone."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.admin import PersonAdmin
from accounts.models import User
from campaign.models import Campaign, Enlistment, Membership

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
