"""People in the admin: new passwords for users without an address, account deletion, removal of lost second factors."""

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
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from core.admin import ReadOnly, nobody

from .models import User
from .services.closing import DeletionRefused, delete_account


@admin.register(User)
class PersonAdmin(UserAdmin, ModelAdmin):
    """Django's user admin, without deleting rows: ledgers of others refer to them."""

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    filter_horizontal = ()
    list_display = ("username", "email", "is_staff", "is_active", "date_joined", "last_login")
    actions = ("make_former_players",)
    has_delete_permission = nobody

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
    (EmailAddress, account_admin.EmailAddressAdmin),
    (SocialAccount, social_admin.SocialAccountAdmin),
    (SocialApp, social_admin.SocialAppAdmin),
    (SocialToken, social_admin.SocialTokenAdmin),
):
    admin.site.register(model, type(theirs.__name__, (theirs, ModelAdmin), {}))


@admin.register(Authenticator)
class SecondFactorAdmin(ReadOnly):
    """Second factors of users. Nobody may read or set the secrets; a lost factor can be deleted."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    has_delete_permission = ModelAdmin.has_delete_permission
