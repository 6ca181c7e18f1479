"""People in the admin: a new password for whoever has no address, an end to an account or to a lost second factor."""

from allauth.mfa import admin as _of_allauth  # noqa: F401  it has registered its own before ours takes the place
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from .models import User
from .services.closing import DeletionRefused, delete_account


@admin.register(User)
class PersonAdmin(UserAdmin):
    """As Django's, but nobody's row is deleted: others' books point at it."""

    actions = ("make_former_players",)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Nobody may."""
        return False

    def has_make_former_players_permission(self, request: HttpRequest) -> bool:
        """Superusers may."""
        return bool(request.user.is_superuser)

    @admin.action(
        description="Delete the accounts (former players remain)", permissions=["make_former_players"]
    )
    def make_former_players(self, request: HttpRequest, people: QuerySet[User]) -> None:
        """Delete the chosen accounts, as their owners could."""
        deleted = 0
        for person in people:
            try:
                delete_account(actor=request.user, user=person)
            except DeletionRefused as refusal:
                messages.error(request, f"{person}: {refusal}")
            else:
                deleted += 1
        messages.success(request, f"{deleted} deleted.")


admin.site.unregister(Authenticator)


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin):
    """Who has which. The secrets in it are nobody's to read or to set; a lost one can be taken away."""

    fields = list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody may."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        """Nobody may."""
        return False
