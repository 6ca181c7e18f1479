"""The public chronicle as an Atom feed."""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.models import PublicLink
from campaign.saga.entries import Entry, entries, entries_of

from .public import UNLISTED, link_of

NEWEST = 20
#: Besides control characters and half pairs, XML has no room for these.
NO_LETTERS = "\ufffe\uffff"


class SagaFeed(Feed):
    """The newest entries of the chronicle to which a link leads."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, token: str) -> PublicLink:
        """The link, unless it was taken back."""
        return link_of(token)

    def title(self, link: PublicLink) -> str:
        """The name of the campaign."""
        return _printable(link.campaign.name)

    def subtitle(self, link: PublicLink) -> str:
        """What it is."""
        return _("The chronicle of %(campaign)s") % {"campaign": self.title(link)}

    def author_name(self, link: PublicLink) -> str:
        """The campaign: Atom asks for an author, and no name of an account leaves it."""
        return self.title(link)

    def link(self, link: PublicLink) -> str:
        """The page of it."""
        return link.get_absolute_url()

    def feed_guid(self, link: PublicLink) -> str:
        """It stays the same whatever the link is."""
        return link.campaign.pk.urn

    def items(self, link: PublicLink) -> list[tuple[PublicLink, Entry]]:
        """The newest, each with the link under which it is read."""
        return [(link, entry) for entry in entries(entries_of(link.campaign)[:NEWEST])]

    def item_title(self, item: tuple[PublicLink, Entry]) -> str:
        """Who fought whom, or what the piece is called."""
        return _printable(item[1].title)

    def item_description(self, item: tuple[PublicLink, Entry]) -> str:
        """What is told and written, as HTML."""
        return _printable(render_to_string("campaign/saga/_feed_item.html", {"entry": item[1]}))

    def item_link(self, item: tuple[PublicLink, Entry]) -> str:
        """Its page."""
        link, entry = item
        return reverse("campaign:saga_entry", args=[link.token, entry.key])

    def item_guid(self, item: tuple[PublicLink, Entry]) -> str:
        """It stays the same whatever the link is."""
        return item[1].key.urn

    def item_pubdate(self, item: tuple[PublicLink, Entry]) -> datetime:
        """When the battle closed, or the piece was written."""
        return item[1].at

    def item_updateddate(self, item: tuple[PublicLink, Entry]) -> datetime:
        """When the last of it was written."""
        return item[1].changed_at


def _printable(text: Any) -> str:
    """Text that XML can hold: names may have been pasted together with what nobody sees."""
    return "".join(
        each
        for each in str(text)
        if each in "\n\t" or (each not in NO_LETTERS and unicodedata.category(each) not in ("Cc", "Cs"))
    )


_feed = SagaFeed()


@login_not_required
@never_cache
@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The newest entries of the chronicle, for programs that collect such."""
    response = _feed(request, token=token)
    response["X-Robots-Tag"] = UNLISTED
    return response
