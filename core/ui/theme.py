"""The theme: the system's, unless the user chooses another. It is a cookie, so that pages start in the right colors."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

COOKIE = "theme"
A_YEAR = 365 * 24 * 3600
#: Themes that users can choose instead of the system's.
CHOSEN = ("light", "dark")


def theme(request: HttpRequest) -> dict[str, str]:
    """Return `theme` for templates: "light" or "dark" if the user has chosen one, else "system"."""
    wanted = request.COOKIES.get(COOKIE)
    return {"theme": wanted if wanted in CHOSEN else "system"}


@login_not_required
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Save the chosen theme on this device for a year, and return to the page (`next`)."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    if request.POST.get("theme") in CHOSEN:
        response.set_cookie(
            COOKIE,
            request.POST["theme"],
            max_age=A_YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
