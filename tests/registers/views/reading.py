"""Reading a page as a person does, and things that happen before it is read."""

import re
from html import unescape

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests.html import html_of
from tests.registers.ledgers import append, lock


def text_of(response) -> str:
    """The page's words, without its marks."""
    html = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", html_of(response), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def queries_of(client, address: str, **asked) -> int:
    """How many queries a page makes. Now and then one asks whether the catalogue has changed; it counts not. What hangs
    on Registers is read once, and again when they have changed: whoever counts has seen the page before."""
    assert client.get(address, **asked).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address, **asked).status_code == 200
    return sum("catalogue_cataloguestate" not in query["sql"] for query in queries.captured_queries)


def happen(register, *effects, **more):
    """Let effects happen to a Register: an entry of the fourth step of battle 7, or what `more` says."""
    with transaction.atomic():
        [locked] = lock(register.pk)
        words = {"actor": register.owner, "act": "step", "battle": "7", "step": 4} | more
        return append(register=locked, effects=effects, **words)
