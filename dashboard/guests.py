"""Keep visitors who try the demo inside it."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

#: Names of the pages that guests may read, besides those that everybody may read without an account. Access functions
#: decide as for everybody else: guests see only their own campaign.
PAGES = frozenset(
    {
        "achievements:index", "battles:detail", "battles:dice", "battles:dice_file", "battles:list_export",
        "battles:poll", "battles:sequence", "battles:sequence_poll", "battles:sequence_side", "campaign:battles",
        "campaign:campaign_rules", "campaign:detail", "campaign:dice_statistics", "campaign:standings",
        "chronicle:activity", "chronicle:after_action", "chronicle:after_action_image", "chronicle:battle_story",
        "chronicle:index", "dashboard:badge", "dashboard:demo", "registers:detail", "registers:difference",
        "registers:dossier", "registers:ledger", "registers:on_day", "registers:supply",
    }
)  # fmt: skip
#: Names of the addresses to which guests may post.
ACTS = frozenset(
    {"battles:sequence_side", "battles:undo", "dashboard:demo", "dashboard:leave_demo", "ui:theme", "account_logout"}
)
SAFE = ("GET", "HEAD", "OPTIONS")


class GuestsStayInDemo(MiddlewareMixin):
    """Middleware: guests get a page that says so for everything outside the demo, and are signed out when it ends."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., Any], view_args: Any, view_kwargs: Any
    ) -> HttpResponse | None:
        """Return the page for a guest outside the demo, None for all others."""
        reads = request.method in SAFE
        # Public answers are the same for all visitors: for those the session is not even read.
        if reads and not getattr(view_func, "login_required", True):
            return None
        if not request.user.is_authenticated or request.user.guest_until is None:
            return None
        if request.user.guest_until <= timezone.now():
            logout(request)
            return redirect("home")
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in (PAGES if reads else ACTS):
            return None
        return render(request, "dashboard/outside_demo.html", status=403)
