"""Reading a page as a person does."""

from __future__ import annotations

import re
from html import unescape

from django.db import connection
from django.test.utils import CaptureQueriesContext


def text_of(response) -> str:
    """The page's words, without its marks."""
    html = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def queries_of(client, address: str) -> int:
    """How many queries a page makes. Now and then one asks whether the catalogue has changed; it counts not."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return sum("catalogue_cataloguestate" not in query["sql"] for query in queries.captured_queries)
