"""The site of the admin panel. Its theme is django-unfold; docs/security.md explains its policy."""

from collections.abc import Callable
from typing import Any

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.decorators import csp_update
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
