"""The site of the admin panel, and shared parts of its pages. Its theme is django-unfold; docs/security.md explains its
policy.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
from django.contrib import admin
from django.db.models import ForeignKey, Model, QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.sites import UnfoldAdminSite

from core.admin_theme import may_view

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


def column(label: str, value: Callable[[Any], object], order: str | None = None) -> Callable[[Any, Any], object]:
    """Return a column or read-only field of an admin class: its label, its value of a row, and what it is sorted by."""

    @admin.display(description=label, ordering=order)
    def shown(_admin: Any, row: Any) -> object:
        return value(row)

    return shown


def nobody(_admin: Any, request: HttpRequest, obj: Any = None) -> bool:
    """Return False: as a permission of an admin class, it is nobody's."""
    return False


@cache
def _without_link(reference: ForeignKey[Any, Any]) -> Callable[[Any], Any]:
    @admin.display(description=reference.verbose_name)
    def shown(row: Any) -> Any:
        return getattr(row, reference.name)

    return shown


class LinksWithinRights:
    """Fields of an admin page that link other objects only for those who may open them: Django links all of them."""

    model: type[Model]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields, those to other objects as text if the user may not open them."""
        return [self._shown(request, name) for name in super().get_fields(request, obj)]  # type: ignore[misc]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields that are only shown, as `get_fields` does."""
        return [self._shown(request, name) for name in super().get_readonly_fields(request, obj)]  # type: ignore[misc]

    def _shown(self, request: HttpRequest, name: Any) -> Any:
        references = {each.name: each for each in self.model._meta.fields if isinstance(each, ForeignKey)}
        reference = references.get(name)
        if reference is None or may_view(reference.related_model._meta.label_lower, request):
            return name
        return _without_link(reference)


@admin.display(description="organizers")
def organizers(_admin: Any, group: Any) -> str:
    """Return the names of the organizers of a campaign or event, whose memberships are read already."""
    return ", ".join(sorted(str(each.user) for each in group.memberships.all() if each.role == "organizer")) or "—"


class ReadOnly(LinksWithinRights, ModelAdmin):  # type: ignore[misc]  # unfold has no types
    """Read-only admin: shows rows and changes none, because only services and triggers write them."""

    list_per_page = 25  # five screens of a phone
    has_add_permission = has_change_permission = has_delete_permission = nobody


class ReadOnlyInline(LinksWithinRights, admin.options.InlineModelAdmin):  # type: ignore[type-arg]  # Django has none
    """Rows that are only shown: services alone add and delete them. `related` are read by the same query."""

    extra = 0
    can_delete = False
    related: tuple[str, ...] = ()
    has_add_permission = nobody

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the rows with the names of related objects."""
        return super().get_queryset(request).select_related(*self.related)
