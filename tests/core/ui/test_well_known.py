"""Tests for core.ui.well_known: what programs ask every site for."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import URLResolver, get_resolver, reverse

from tests.permissions.matrix import CAMPAIGNS, EVENTS


def rules(client) -> list[re.Pattern[str]]:
    """What robots.txt keeps crawlers off (RFC 9309): from a path's start, `*` for anything, `$` for the end."""
    text = client.get("/robots.txt").content.decode()
    assert text.startswith("User-agent: *\n")
    paths = re.findall(r"^Disallow: (\S+)$", text, re.MULTILINE)
    return [re.compile(re.escape(path).replace(r"\*", ".*").replace(r"\$", "$")) for path in paths]


def public() -> dict[str, str]:
    """An address for each page that opens without an account, by the name of its URL."""

    def walk(patterns, path, space):
        for each in patterns:
            here = path + str(each.pattern)
            if isinstance(each, URLResolver):
                yield from walk(each.url_patterns, here, f"{space}{each.namespace}:" if each.namespace else space)
            else:
                yield f"{space}{each.name}", "/" + re.sub(r"<\w+:\w+>", "7", here)

    rows = CAMPAIGNS.rows | EVENTS.rows
    open_to_all = {name for name, (anybody, *_) in rows.items() if anybody.startswith("200")}
    return {name: path for name, path in walk(get_resolver().url_patterns, "", "") if name in open_to_all}


def test_crawlers_are_kept_off_what_costs_and_not_off_the_rest(client):
    refused = {name for name, path in public().items() if any(rule.match(path) for rule in rules(client))}
    assert refused >= {
        "calendar:personal_feed", "calendar:public_feed", "chronicle:public_book", "chronicle:public_feed",
        "lists:read_list", "rules_sheet", "tournaments:export_csv", "tournaments:feed", "tournaments:print",
        "tournaments:print_pdf", "tournaments:personal", "account_login",
    }  # fmt: skip
    assert not refused & {
        "home", "rules", "rules_passages", "chronicle:public", "chronicle:public_card", "tournaments:events",
        "tournaments:detail", "tournaments:standings", "tournaments:pairings",
    }  # fmt: skip
    assert any(rule.match("/rules/?q=cover") for rule in rules(client))


@pytest.mark.django_db
def test_programs_of_passwords_find_the_page_to_change_one(client):
    assert client.get("/.well-known/change-password").url == reverse("account_change_password")
    # They ask for this first: a site that says 200 to everything says nothing by it.
    nowhere = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"
    assert client.get(nowhere).status_code == 404


def test_where_to_report_a_weakness(client, settings):
    assert client.get("/.well-known/security.txt").status_code == 404
    settings.SECURITY_CONTACT = "mailto:host@example.org"
    settings.SITE_URL = "https://musterbook.example.org"
    answer = client.get("/.well-known/security.txt")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    expires = datetime.fromisoformat(fields.pop("Expires"))
    assert timedelta(days=30) < expires - datetime.now(UTC) < timedelta(days=365)
    assert fields == {
        "Contact": "mailto:host@example.org",
        "Preferred-Languages": "en",
        "Canonical": "https://musterbook.example.org/.well-known/security.txt",
    }
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
