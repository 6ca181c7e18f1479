"""Admin pages of campaigns, of Registers with their campaign, and of background jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from procrastinate.contrib.django.models import ProcrastinateJob
from unfold.admin import ModelAdmin, TabularInline

from accounts.admin import PersonAdmin
from accounts.models import User, has_right
from campaign.enlistments.forms import CHOSEN
from campaign.models import Campaign, Enlistment, Membership
from campaign.people.services import merging
from core.admin import ReadOnly, ReadOnlyInline, column, nobody, organizers
from core.admin_theme import may_view
from members.roles import ORGANIZE
from registers.admin import RegisterAdmin
from registers.models import Register
from rules.core.violations import RuleViolation

# The worker owns the jobs, so procrastinate's admin pages, which retry and cancel them without a service, are replaced.
admin.site.unregister(ProcrastinateJob)
admin.site.unregister(Register)
admin.site.unregister(User)


class MergeForm(forms.Form):
    """Which of two accounts stays, and why they are merged."""

    stays = forms.ModelChoiceField(
        User.objects.none(), label="Account that stays", widget=forms.RadioSelect, empty_label=None
    )
    reason = forms.CharField(max_length=200, help_text="Shown in the admin history of both accounts.")

    def __init__(self, *args: object, people: QuerySet[User], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stays"].queryset = people


@admin.action(description="Merge two accounts of one person", permissions=["change"])
def merge_accounts(
    model_admin: admin.ModelAdmin[User], request: HttpRequest, queryset: QuerySet[User]
) -> HttpResponse | None:
    """Show what would move between two selected accounts, and merge them once it is confirmed with a reason."""
    people = list(queryset.order_by("pk"))
    if len(people) != 2:
        model_admin.message_user(request, "Select exactly two accounts.", messages.ERROR)
        return None
    form = MergeForm(request.POST if "merge" in request.POST else None, people=queryset)
    if form.is_valid():
        into, reason = form.cleaned_data["stays"], form.cleaned_data["reason"]
        gone = next(each for each in people if each != into)
        try:
            merging.merge_people(actor=request.user, gone=gone, into=into, reason=reason)
        except RuleViolation as refusal:
            for violation in refusal.violations:
                form.add_error(None, violation.text)
        else:
            model_admin.message_user(request, f"Accounts merged. {into} is left.", messages.SUCCESS)
            return None
    moves = merging.what_moves(people)
    previews = [
        {
            "gone": gone,
            "into": into,
            "moves": moves[gone.pk],
            "violations": list(merging.merge_violations(request.user, gone, into)),
        }
        for gone, into in (people, reversed(people))
    ]
    # Only what would work is offered.
    possible = [preview["into"].pk for preview in previews if not preview["violations"]]
    form.fields["stays"].queryset = queryset.filter(pk__in=possible)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": "Merge two accounts",
        "opts": User._meta,
        "form": form,
        "action": merge_accounts.__name__,
        "previews": previews,
        "possible": possible,
    }
    status = 422 if form.is_bound else 200
    return TemplateResponse(request, "admin/accounts/user/merge.html", context, status=status)


@admin.action(description="Award…", permissions=["organize"])
def award_registers(
    model_admin: admin.ModelAdmin[Register], request: HttpRequest, queryset: QuerySet[Register]
) -> HttpResponse | None:
    """Open the award page of the campaign, whose rules decide what an award does, with the chosen Registers ticked."""
    chosen = [str(pk) for pk in queryset.values_list("pk", flat=True)]
    campaigns = Enlistment.objects.filter(register__in=chosen).values_list("campaign", flat=True)
    if len(campaigns) != len(chosen) or len(set(campaigns)) != 1:
        model_admin.message_user(request, "Select Registers of one campaign.", messages.ERROR)
        return None
    request.session[CHOSEN] = chosen  # too many for an address
    return redirect(f"{reverse('campaign:award', args=[campaigns[0]])}?{CHOSEN}")


@admin.register(User)
class MemberAdmin(PersonAdmin):
    """Accounts, with the action that merges what two accounts have in campaigns."""

    actions = (*PersonAdmin.actions, merge_accounts)


class CampaignFilter(admin.SimpleListFilter):
    """Registers by campaign, and those in none."""

    title, parameter_name = "campaign", "campaign"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return all campaigns."""
        return [
            *((str(each.pk), each.name) for each in Campaign.objects.filter(guest=None, solo=None)),
            ("none", "In no campaign"),
        ]

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

    campaign = column(
        "campaign",
        lambda register: register.enlistment.campaign.name if hasattr(register, "enlistment") else "—",
        "enlistment__campaign__name",
    )

    def links(self, request: HttpRequest, register: Register) -> Iterator[tuple[str, str]]:
        """Yield the pages of RegisterAdmin, and those of the campaign."""
        yield from super().links(request, register)
        if enlistment := Enlistment.objects.select_related("campaign").filter(register=register).first():
            campaign = enlistment.campaign
            if may_view("campaign.campaign", request):
                yield f"Campaign: {campaign}", reverse("admin:campaign_campaign_change", args=[campaign.pk])
            if self.has_organize_permission(request):
                yield "Campaign on the site", campaign.get_absolute_url()

    def has_organize_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may do what organizers do on the campaign's own pages."""
        return has_right(request.user, ORGANIZE)


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
    """The Registers of a campaign. Organizers approve imported ones on the campaign's pages."""

    model = Enlistment
    fields = readonly_fields = ("register", "status", "imported_values")
    related = ("register", "campaign")
    hide_title = True

    imported_values = column(
        "imported values",
        lambda enlistment: "Cannot play until an organizer approves them" if enlistment.awaits_consent else "—",
    )


@admin.register(Campaign)
class CampaignAdmin(ModelAdmin):
    """Campaigns, their members and Registers."""

    list_display = ("name", "standing", "organizers", "number_of_registers", "created_at")
    list_filter = ("state", ("deleted_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "memberships__user__username", "registers__name")
    fields = ("name", "about", "created_at", "standing", "deleted_at", "lifecycle")
    readonly_fields = ("created_at", "standing", "deleted_at", "lifecycle")
    inlines = (MembershipInline, EnlistmentInline)
    organizers = organizers

    def get_fields(self, request: HttpRequest, obj: Campaign | None = None) -> list[str]:
        """Return the fields; the link to the page of organizers only for who may open it."""
        return [name for name in self.fields if name != "lifecycle" or has_right(request.user, ORGANIZE)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Campaign]:
        """Return all campaigns but demos, also deleted ones, with their members and Registers."""
        found = Campaign.everything.filter(solo=None, guest=None).prefetch_related("memberships__user", "enlistments")
        return found.order_by(*self.get_ordering(request) or Campaign._meta.ordering)

    standing = column(
        "state", lambda campaign: "deleted" if campaign.deleted_at else campaign.get_state_display(), "state"
    )

    @admin.display(description="life")
    def lifecycle(self, campaign: Campaign) -> SafeString:
        """Return the link to the page on the site where the campaign is closed, archived, deleted or restored."""
        words = "Restore campaign" if campaign.deleted_at else "Close, archive, reopen or delete"
        return format_html('<a href="{}">{}</a>', reverse("campaign:lifecycle", args=[campaign.pk]), words)

    number_of_registers = column("Registers", lambda campaign: len(campaign.enlistments.all()))

    # A campaign needs an organizer, who creates it on the site. The ledgers of its Registers refer to its battles.
    has_add_permission = has_delete_permission = nobody
