"""The addresses that programs ask every site for: robots.txt, security.txt, and the page to change a password."""

from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.cache import cache_control

from core.open_page import open_page

#: What takes a crawler nowhere and the site much time: PDFs and printed pages, exports, calendars, feeds, searches and
#: filters, and all that needs a sign-in or a personal link. Pictures stay: chats show them with a link.
KEEP_OUT = (
    "/*?", "/*.pdf$", "/*.csv$", "/*.json$", "/*.ics$", "/*/print/", "/*/feed/", "/*/book/", "/*/clock/",
    "/*/projector/", "/accounts/", "/admin/", "/army-lists/", "/calendar/", "/demo/", "/events/me/", "/notifications/",
)  # fmt: skip
#: How long what security.txt says holds (RFC 9116: less than a year).
GOOD_FOR = timedelta(days=180)


@open_page
@cache_control(public=True, max_age=24 * 3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Return what crawlers should leave alone (RFC 9309)."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in KEEP_OUT), "Crawl-delay: 5"]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@open_page
def security(request: HttpRequest) -> HttpResponse:
    """Return where to report a weakness of this site (RFC 9116). It is missing (404) without SECURITY_CONTACT."""
    if not (contact := settings.SECURITY_CONTACT):
        raise Http404
    expires = (datetime.now(UTC) + GOOD_FOR).replace(hour=0, minute=0, second=0, microsecond=0)
    text = (
        f"Contact: {contact}\nExpires: {expires:%Y-%m-%dT%H:%M:%SZ}\nPreferred-Languages: en\n"
        f"Canonical: {settings.SITE_URL}{request.path}\n"
    )
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@open_page
def change_password(request: HttpRequest) -> HttpResponse:
    """Lead password managers to the page to change a password."""
    return HttpResponseRedirect(reverse("account_change_password"))
