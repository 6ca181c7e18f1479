"""Campaigns to look at, with a few words of theirs to change. Battles and arcs are changed by services alone."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.admin import PersonAdmin
from accounts.models import User
from campaign.models import Campaign, Enlistment, Membership
from core.admin import ReadOnlyInline

from .views.merging import merge_accounts

# Jobs are the worker's; its pages here would retry and cancel them without a service, and with inline styles.
admin.site.unregister(ProcrastinateJob)
admin.site.unregister(User)


@admin.register(User)
class MemberAdmin(PersonAdmin):
    """Accounts, with the action that knows what people have in campaigns."""

    actions = (*PersonAdmin.actions, merge_accounts)


class MembershipInline(ReadOnlyInline, admin.TabularInline):
    """Who is in it. People come, go and get roles on the campaign's pages, where it is written down."""

    model = Membership
    readonly_fields = ("user", "role")
    related = ("user", "campaign")


class EnlistmentInline(ReadOnlyInline, admin.TabularInline):
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
