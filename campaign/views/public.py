"""The chronicle as everybody may read it who has its link, and the page where its organisers hand that link out.

Strangers read what is told and written. They see no sign-in name, no place where people meet, no notes of a report.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from campaign import access
from campaign.models import PublicLink
from campaign.saga.entries import entries, entries_of
from campaign.saga.poster import HEIGHT, WIDTH, poster
from campaign.saga.rolls import battles_words, leaders
from campaign.services import public_link as links
from uploads.models import picture_answer

from .battle import crumbs_of
from .chronicle import ENTRIES_A_PAGE

#: Says to search engines what the address says already: this is for those who have the link.
UNLISTED = "noindex, nofollow, noarchive"
#: Of the pictures, which messengers show on pages of their own.
ELSEWHERE = {"X-Robots-Tag": UNLISTED, "Cross-Origin-Resource-Policy": "cross-origin"}
#: A link that was taken back leads nowhere, so what strangers keep of it is soon gone, too.
FOR_STRANGERS = timedelta(hours=1)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def public_link(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The link of the chronicle: its organisers make it, give it another one, and take it back."""
    campaign = access.organised_campaign_for(request.user, pk)
    if request.method == "POST":
        match request.POST.get("do"):
            case "open":
                links.open_chronicle(actor=request.user, campaign=campaign)
            case "renew":
                links.renew(actor=request.user, campaign=campaign, token=request.POST.get("token", ""))
                messages.success(request, _("This is the new link. The old one leads nowhere now."))
            case "close":
                links.close_chronicle(actor=request.user, campaign=campaign)
                messages.success(request, _("The chronicle is public no longer."))
        return redirect("campaign:public_link", pk=pk)
    link = PublicLink.objects.select_related("made_by").filter(campaign=campaign).first()
    address = request.build_absolute_uri(link.get_absolute_url()) if link else ""
    context = {"campaign": campaign, "link": link, "address": address, "crumbs": crumbs_of(campaign)}
    return render(request, "campaign/saga/link.html", context)


def link_of(token: str) -> PublicLink:
    """The link with this token and its campaign. Raises Http404 where it was taken back, or never was."""
    found = PublicLink.objects.select_related("campaign__picture").filter(token=token).first()
    if found is None:
        raise Http404("No such chronicle")
    return found


@login_not_required
@never_cache
@require_safe
def saga(request: HttpRequest, token: str) -> HttpResponse:
    """The chronicle for whoever has the link, newest first."""
    link = link_of(token)
    page = Paginator(list(entries_of(link.campaign)), ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    return _shown(request, link, {"entries": entries(page.object_list), "page": page})


@login_not_required
@never_cache
@require_safe
def saga_entry(request: HttpRequest, token: str, entry: UUID) -> HttpResponse:
    """One entry of it."""
    link = link_of(token)
    found = entries(entries_of(link.campaign, only=entry))
    if not found:
        raise Http404("No such entry")
    return _shown(request, link, {"entries": found, "one": found[0]})


@login_not_required
@require_safe
def picture(request: HttpRequest, token: str, picture: UUID, size: str) -> HttpResponse:
    """A picture of the campaign, or of a battle that is told."""
    link = link_of(token)
    found = get_object_or_404(access.public_pictures_of(link.campaign), pk=picture)
    answer = picture_answer(found, size, keep_for=FOR_STRANGERS)
    for name, value in ELSEWHERE.items():
        answer[name] = value
    return answer


@login_not_required
@require_safe
def card(request: HttpRequest, token: str) -> HttpResponse:
    """The picture that messengers show beside the link."""
    campaign = link_of(token).campaign
    content = poster(title=campaign.name, words=battles_words(campaign), leaders=tuple(leaders(campaign)))
    seconds = int(FOR_STRANGERS.total_seconds())
    headers = {"Cache-Control": f"private, max-age={seconds}", **ELSEWHERE}
    return HttpResponse(content, content_type="image/png", headers=headers)


def _shown(request: HttpRequest, link: PublicLink, context: dict[str, object]) -> HttpResponse:
    context |= {
        "campaign": link.campaign,
        "link": link,
        "picture": link.campaign.picture,
        "address": request.build_absolute_uri(request.path),
        "UNLISTED": UNLISTED,
        "card": {
            "address": request.build_absolute_uri(reverse("campaign:saga_card", args=[link.token])),
            "width": WIDTH,
            "height": HEIGHT,
        },
    }
    response = render(request, "campaign/saga/public.html", context)
    response["X-Robots-Tag"] = UNLISTED
    return response
