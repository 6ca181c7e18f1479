"""The theme: the system's, unless the user chooses another. It is a cookie, so that pages start in the right colors."""

from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from core.form_fields import entered
from core.ui.reachable import is_local_only
from ops.paths import VERSION

COOKIE = "theme"
A_YEAR = 365 * 24 * 3600
#: Themes that users can choose instead of the system's.
CHOSEN = ("light", "dark")


class ThemeForm(forms.Form):
    """A theme, and the page on which it is chosen. Anything but a theme of `CHOSEN` is the system's."""

    theme = forms.ChoiceField(choices=[(name, name) for name in CHOSEN], required=False)
    next = forms.CharField(required=False)


def theme(request: HttpRequest) -> dict[str, Any]:
    """Return for each page's frame `theme` ("light" or "dark" if chosen, else "system") and `musterbook_version`; and
    for its QR codes `local_only`.
    """
    wanted = request.COOKIES.get(COOKIE)
    shown = wanted if wanted in CHOSEN else "system"
    return {"theme": shown, "musterbook_version": VERSION, "local_only": partial(is_local_only, request)}


@login_not_required
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Save the chosen theme on this device for a year, and return to the page (`next`)."""
    cleaned = entered(ThemeForm(request.POST))
    back = cleaned.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    if wanted := cleaned.get("theme"):
        response.set_cookie(
            COOKIE, wanted, max_age=A_YEAR, secure=settings.SESSION_COOKIE_SECURE, httponly=True, samesite="Lax"
        )
    else:
        response.delete_cookie(COOKIE, samesite="Lax")
    return response
