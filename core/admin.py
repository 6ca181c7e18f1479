"""The site of the admin panel, and shared parts of its pages. Its theme is django-unfold; docs/security.md explains its
policy.
"""

from collections.abc import Callable
from typing import Any

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.sites import UnfoldAdminSite

#: Added to the site's policy on admin pages only. Alpine, which unfold uses, evaluates the expressions in attributes
#: of unfold's templates, and unfold writes the colors of `core.admin_theme` into a <style>. Scripts in the page and
#: from other sites stay forbidden.
ADMIN_POLICY = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE], "img-src": ["data:"]}


class MusterbookAdminSite(UnfoldAdminSite):  # type: ignore[misc]  # unfold has no types
    """Unfold's admin site, with the content security policy that unfold needs."""

    index_title = "Administration"

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Callable[..., Any]:
        """Return the view for staff only; its answers have `ADMIN_POLICY` added to their policy."""
        guarded: Callable[..., Any] = super().admin_view(csp_update(ADMIN_POLICY)(view), cacheable)
        return guarded


def nobody(_admin: Any, request: HttpRequest, obj: Any = None) -> bool:
    """Return False: as a permission of an admin class, it is nobody's."""
    return False


class ReadOnly(ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Read-only admin: shows rows and changes none, because only services and triggers write them."""

    list_per_page = 25  # eight screens of a phone
    has_add_permission = has_change_permission = has_delete_permission = nobody


class ReadOnlyInline(admin.options.InlineModelAdmin):  # type: ignore[type-arg]  # Django has no type arguments
    """Rows that are only shown: services alone add and delete them. `related` are read by the same query."""

    extra = 0
    can_delete = False
    related: tuple[str, ...] = ()
    has_add_permission = nobody

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with the names of related objects."""
        return super().get_queryset(request).select_related(*self.related)
