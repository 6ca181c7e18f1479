"""Read-only admin pages of campaigns, except for a few texts. Only services change battles and arcs."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.admin import PersonAdmin
from accounts.models import User
from campaign.models import Campaign, Enlistment, Membership
from core.admin import ReadOnlyInline

from .views.merging import merge_accounts

# The worker owns the jobs: its admin pages would retry and cancel them without a service, and use inline styles.
admin.site.unregister(ProcrastinateJob)
admin.site.unregister(User)


@admin.register(User)
class MemberAdmin(PersonAdmin):
    """Accounts, with the action that merges what two accounts have in campaigns."""

    actions = (*PersonAdmin.actions, merge_accounts)


class MembershipInline(ReadOnlyInline, admin.TabularInline):
    """The members of a campaign. They join, leave and get roles on the campaign's pages, which log every change."""

    model = Membership
    readonly_fields = ("user", "role")
    related = ("user", "campaign")


class EnlistmentInline(ReadOnlyInline, admin.TabularInline):
    """The Registers of a campaign."""

    model = Enlistment
    readonly_fields = ("register",)
    related = ("register", "campaign")


@admin.register(Campaign)
class CampaignAdmin(admin.ModelAdmin):
    """Campaigns, their members and Registers. A campaign with battles cannot be deleted."""

    list_display = ("name", "created_at")
    search_fields = ("name",)
    exclude = ("campaign_rules", "campaign_rules_version", "picture")
    inlines = (MembershipInline, EnlistmentInline)

    def has_delete_permission(self, request: HttpRequest, obj: Campaign | None = None) -> bool:
        """Refuse to delete a campaign with battles, because the ledgers of its Registers refer to them."""
        return False
