"""People in the admin: new passwords for users without an address, account deletion, removal of lost second factors."""

from typing import Any

from allauth.account import admin as account_admin
from allauth.account.models import EmailAddress
from allauth.mfa import admin as _of_allauth  # noqa: F401  allauth has to register its admin before ours replaces it
from allauth.mfa.models import Authenticator
from allauth.socialaccount import admin as social_admin
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from core.admin import ReadOnly, nobody

from .models import User
from .services.closing import DeletionRefused, delete_account

RIGHTS = ("Rights", {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")})


class StaffHidden:
    """Hides accounts of staff and what belongs to them from all but superusers: who can set the password or address of
    an account, or delete its second factor, can sign in to it. Hides visitors who try the demo from everybody.
    `account` is the path to the account.
    """

    account = "user__"
    list_per_page = ReadOnly.list_per_page

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows that the user may see."""
        rows = super().get_queryset(request)  # type: ignore[misc]
        hidden = {f"{self.account}is_staff": False, f"{self.account}is_superuser": False}
        rows = rows.filter(**{f"{self.account}guest_until": None})  # visitors who try the demo
        return rows if request.user.is_superuser else rows.filter(**hidden)


@admin.register(User)
class PersonAdmin(StaffHidden, UserAdmin, ModelAdmin):
    """Django's user admin, without deleting rows: ledgers of others refer to them."""

    account = ""
    fieldsets = (
        (None, {"fields": ("username", "set_password", "is_active")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        RIGHTS,
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("set_password", "last_login", "date_joined")
    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    filter_horizontal = ()
    list_display = ("username", "email", "is_staff", "is_active", "date_joined", "last_login")
    actions = ("make_former_players",)
    has_delete_permission = nobody

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Return the parts of the page; only superusers give rights, because a right to give rights is every right."""
        shown = super().get_fieldsets(request, obj)
        return shown if obj is None or request.user.is_superuser else [part for part in shown if part != RIGHTS]

    @admin.display(description="password")
    def set_password(self, person: User) -> SafeString:
        """Return the button that leads to the page with a new password."""
        page = reverse("admin:auth_user_password_change", args=[person.pk])
        return format_html('<a class="register-button" href="{}">Set password</a>', page)

    def has_make_former_players_permission(self, request: HttpRequest) -> bool:
        """Return whether the user is a superuser."""
        return bool(request.user.is_superuser)

    @admin.action(description="Delete accounts…", permissions=["make_former_players"])
    def make_former_players(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Ask before the chosen accounts are deleted, on a page that lists the losses; delete them once confirmed."""
        if "delete" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": "Delete accounts",
                "opts": self.opts,
                "people": people.prefetch_related("registers", "army_lists"),
                "action": "make_former_players",
            }
            return TemplateResponse(request, "admin/accounts/user/delete.html", context)
        deleted = 0
        for person in people:
            try:
                delete_account(actor=request.user, user=person)
            except DeletionRefused as refusal:
                messages.error(request, f"{person}: {refusal}")
            else:
                deleted += 1
        messages.success(request, f"{deleted} deleted.")
        return None


# The admin pages of Django and allauth, in the theme of the panel.
admin.site.unregister((Group, EmailAddress, SocialAccount, SocialApp, SocialToken, Authenticator))


for model, theirs in (
    (Group, GroupAdmin),
    (SocialApp, social_admin.SocialAppAdmin),
    (SocialToken, social_admin.SocialTokenAdmin),
):
    admin.site.register(model, type(theirs.__name__, (theirs, ModelAdmin), {}))


@admin.register(EmailAddress)
class AddressAdmin(StaffHidden, account_admin.EmailAddressAdmin, ModelAdmin):
    """Email addresses of users. An address stays with its account."""

    fields = ("user", "email", "verified", "primary")

    def get_readonly_fields(self, request: HttpRequest, obj: EmailAddress | None = None) -> Any:
        """Return the account, once the address exists."""
        return ("user",) if obj else ()


@admin.register(SocialAccount)
class LinkedAccountAdmin(StaffHidden, social_admin.SocialAccountAdmin, ModelAdmin):
    """Accounts elsewhere with which users sign in. Who links one could sign in as its user: only users do that."""

    has_add_permission = has_change_permission = nobody


@admin.register(Authenticator)
class SecondFactorAdmin(StaffHidden, ReadOnly):
    """Second factors of users. Nobody may read or set the secrets; a lost factor can be deleted."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    has_delete_permission = ModelAdmin.has_delete_permission
