"""Breadcrumbs of a page, outermost first."""

from typing import Any

from django.utils.translation import gettext as _


def crumbs_of(*pages: Any) -> list[dict[str, str]]:
    """Return breadcrumbs to the pages of these objects, outermost first."""
    return [{"label": str(page), "href": page.get_absolute_url()} for page in pages]


def home_crumb() -> dict[str, str]:
    """Return the breadcrumb to the home page."""
    return {"label": _("Home"), "href": "/"}
