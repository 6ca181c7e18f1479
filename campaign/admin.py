"""Admin pages of campaigns, of Registers with their campaign, and of background jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from procrastinate.contrib.django.models import ProcrastinateJob
from unfold.admin import ModelAdmin, TabularInline

from accounts.admin import PersonAdmin
from accounts.models import User
from campaign.models import Campaign, Enlistment, Membership
from core.admin import ReadOnly, ReadOnlyInline
from registers.admin import RegisterAdmin
from registers.models import Register

from .views.award_admin_action import award_registers
from .views.merging import merge_accounts

# The worker owns the jobs, so procrastinate's admin pages, which retry and cancel them without a service, are replaced.
admin.site.unregister(ProcrastinateJob)
admin.site.unregister(Register)
admin.site.unregister(User)


@admin.register(User)
class MemberAdmin(PersonAdmin):
    """Accounts, with the action that merges what two accounts have in campaigns."""

    actions = (*PersonAdmin.actions, merge_accounts)


class CampaignFilter(admin.SimpleListFilter):
    """Registers by campaign, and those in none."""

    title, parameter_name = "campaign", "campaign"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all campaigns."""
        return [*((str(each.pk), each.name) for each in Campaign.objects.all()), ("none", "In no campaign")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Register]) -> QuerySet[Register]:
        """Return the Registers of the chosen campaign."""
        value = self.value()
        if value in dict(self.lookup_choices):
            return queryset.filter(enlistment__campaign=None if value == "none" else value)
        return queryset


@admin.register(Register)
class CampaignRegisterAdmin(RegisterAdmin):
    """Registers with their campaigns, and awards to many of them."""

    list_display = ("register_name", "campaign", *RegisterAdmin.list_display[1:])
    list_filter = (CampaignFilter, *RegisterAdmin.list_filter)
    list_select_related = (*RegisterAdmin.list_select_related, "enlistment__campaign")
    search_fields = (*RegisterAdmin.search_fields, "enlistment__campaign__name")
    search_help_text = "Name of a Register, player, campaign or unit"
    actions = (award_registers, *RegisterAdmin.actions)

    @admin.display(description="campaign", ordering="enlistment__campaign__name")
    def campaign(self, register: Register) -> str:
        """Return the name of the campaign."""
        return register.enlistment.campaign.name if hasattr(register, "enlistment") else "—"

    def links(self, register: Register) -> Iterator[tuple[str, str]]:
        """Yield the pages of RegisterAdmin, and those of the campaign."""
        yield from super().links(register)
        if enlistment := Enlistment.objects.select_related("campaign").filter(register=register).first():
            campaign = enlistment.campaign
            yield f"Campaign: {campaign}", reverse("admin:campaign_campaign_change", args=[campaign.pk])
            yield "Campaign on the site", campaign.get_absolute_url()


@admin.register(ProcrastinateJob)
class JobAdmin(ReadOnly):
    """Background jobs, without their arguments, which can hold secrets."""

    list_display = ("task_name", "status", "attempts", "scheduled_at")
    list_filter = ("status", "task_name")
    search_fields = ("task_name",)
    fields = ("task_name", "status", "queue_name", "attempts", "scheduled_at")
    ordering = ("-id",)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Show the jobs under a title that says what they are."""
        return super().changelist_view(request, {"title": "Background jobs", **(extra_context or {})})


class MembershipInline(ReadOnlyInline, TabularInline):
    """The members of a campaign. They join, leave and get roles on the campaign's pages, which log every change."""

    model = Membership
    fields = readonly_fields = ("user", "role")
    related = ("user", "campaign")
    hide_title = True


class EnlistmentInline(ReadOnlyInline, TabularInline):
    """The Registers of a campaign. Organizers consent to imported ones on the campaign's pages."""

    model = Enlistment
    fields = readonly_fields = ("register", "status", "imported_values")
    related = ("register", "campaign")
    hide_title = True

    @admin.display(description="imported values")
    def imported_values(self, enlistment: Enlistment) -> SafeString | str:
        """Return whether an organizer has to approve the values a Register was imported with, and the page for it."""
        if not enlistment.awaits_consent:
            return "—"
        page = reverse("campaign:consent", args=[enlistment.campaign_id, enlistment.register_id])
        return format_html('Cannot play until an organizer <a href="{}">approves them</a>', page)


@admin.register(Campaign)
class CampaignAdmin(ModelAdmin):
    """Campaigns, their members and Registers."""

    list_display = ("name", "organizers", "number_of_registers", "created_at")
    search_fields = ("name", "memberships__user__username", "registers__name")
    fields = ("name", "about", "created_at")
    readonly_fields = ("created_at",)
    inlines = (MembershipInline, EnlistmentInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Campaign]:
        """Return the campaigns with their members and Registers."""
        return super().get_queryset(request).prefetch_related("memberships__user", "enlistments")

    @admin.display(description="organizers")
    def organizers(self, campaign: Campaign) -> str:
        """Return the names of the organizers."""
        members = campaign.memberships.all()
        return ", ".join(sorted(str(each.user) for each in members if each.role == "organizer")) or "—"

    @admin.display(description="Registers")
    def number_of_registers(self, campaign: Campaign) -> int:
        """Return how many Registers are in the campaign."""
        return len(campaign.enlistments.all())

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False: a campaign needs an organizer, who creates it on the site."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Campaign | None = None) -> bool:
        """Return False: the ledgers of its Registers refer to its battles."""
        return False
