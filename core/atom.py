"""Atom feeds that anyone may read."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, TypedDict

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.utils.translation import get_language

from core.plain_text import xml_text


class FeedEntry(TypedDict):
    """An entry: `guid` stays the same for as long as it exists, `context` is what its template draws."""

    title: str
    link: str
    guid: str
    published: datetime
    changed: datetime
    context: dict[str, Any]


def feed_answer(
    request: HttpRequest, template: str, entries: Iterable[FeedEntry], *, name: str, subtitle: str, link: str, guid: str
) -> HttpResponse:
    """Return the feed of what is called `name`. Atom requires an author: `name`, as accounts' names are not public."""
    absolute, title = request.build_absolute_uri, xml_text(name)
    feed = Atom1Feed(
        title=title, subtitle=subtitle, author_name=title, link=absolute(link), description=None, feed_guid=guid,
        language=get_language(), feed_url=absolute(request.path),
    )  # fmt: skip
    for entry in entries:
        feed.add_item(
            xml_text(entry["title"]), absolute(entry["link"]), xml_text(render_to_string(template, entry["context"])),
            unique_id=entry["guid"], pubdate=entry["published"], updateddate=entry["changed"],
        )  # fmt: skip
    changed = http_date(feed.latest_post_date().timestamp())
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type, headers={"Last-Modified": changed})
