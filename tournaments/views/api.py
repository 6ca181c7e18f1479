"""Events for other programs: JSON to read, from any site, without a session (docs/api.openapi.json)."""

import json
from hashlib import blake2b
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.adapters import too_often
from ops.paths import BASE_DIR
from tournaments.access import public_event_for
from tournaments.models import Event
from tournaments.pages.api import PARTS, summary_of

#: Events in the list, the latest first.
MOST_EVENTS = 100
#: Any site may read it; nothing depends on who asks. A program that polls sends the ETag back.
HEADERS = {
    "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Expose-Headers": "ETag", "Cross-Origin-Resource-Policy": "cross-origin",
    "Cache-Control": "public, no-cache",
}  # fmt: skip


@login_not_required
@require_http_methods(["GET", "HEAD", "OPTIONS"])
def events(request: HttpRequest) -> HttpResponse:
    """Send the latest public events."""
    found = Event.objects.exclude(state=Event.State.DRAFT).order_by("-created_at", "pk")[:MOST_EVENTS]
    return _answer(request, lambda: [summary_of(each) for each in found])


@login_not_required
@require_http_methods(["GET", "HEAD", "OPTIONS"])
def part(request: HttpRequest, pk: UUID, name: str) -> HttpResponse:
    """Send a part of a public event: see `PARTS`."""

    def content() -> Any:
        if name not in PARTS:
            raise Http404("No such part")
        return PARTS[name](public_event_for(pk), timezone.now())

    return _answer(request, content)


@login_not_required
@require_http_methods(["GET", "HEAD", "OPTIONS"])
def openapi(request: HttpRequest) -> HttpResponse:
    """Send the description of these addresses."""
    return _answer(request, lambda: json.loads((BASE_DIR / "docs" / "api.openapi.json").read_bytes()))


events.takes_options = part.takes_options = openapi.takes_options = True


def _answer(request: HttpRequest, content: Any) -> HttpResponse:
    """Return content as JSON with its ETag, or 304 to a program that has it; 404 and 429 as JSON, too."""
    if request.method == "OPTIONS":
        return HttpResponse(status=204, headers=HEADERS)
    try:
        value, status = (content(), 200) if not too_often(request, "api") else ({"error": "Too many requests"}, 429)
    except Http404:
        value, status = {"error": "Not found"}, 404
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    etag = f'"{blake2b(body, digest_size=12).hexdigest()}"'
    if status == 200 and etag in request.headers.get("If-None-Match", ""):
        return HttpResponse(status=304, headers={**HEADERS, "ETag": etag})
    headers = {**HEADERS, "ETag": etag} if status == 200 else HEADERS
    return HttpResponse(body, content_type="application/json", status=status, headers=headers)
