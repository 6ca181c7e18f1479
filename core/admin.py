"""Shared parts of admin pages."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin


class ReadOnly(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Read-only admin: shows rows and changes none, because only services and triggers write them."""

    list_per_page = 25  # eight screens of a phone

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return False for everybody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False for everybody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False for everybody."""
        return False


class ReadOnlyInline(admin.options.InlineModelAdmin):  # type: ignore[type-arg]  # Django has no type arguments
    """Rows that are only shown: services alone add and delete them. `related` are read by the same query."""

    extra = 0
    can_delete = False
    related: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with the names of related objects."""
        return super().get_queryset(request).select_related(*self.related)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: services alone add rows."""
        return False
