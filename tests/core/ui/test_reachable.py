"""Links that people pass on lead to an address that their phones can open."""

import pytest
from django.utils import timezone

from accounts.models import User
from core.ui.reachable import address_for_others, is_local_only
from rules.tournaments.rule_sets import RuleSet
from tests.registers.views.reading import text_of
from tournaments.services.events import create_event, open_registration

LAN = "http://192.168.1.20:8000"


@pytest.mark.parametrize(
    ("host", "site", "address", "local_only"),
    [
        ("localhost:8000", LAN, f"{LAN}/join/x/", False),
        ("[::1]:8000", LAN, f"{LAN}/join/x/", False),
        ("192.168.1.20:8000", LAN, f"{LAN}/join/x/", False),
        ("localhost:8000", "http://localhost:8000", "http://localhost:8000/join/x/", True),
        ("club.example.org", "https://musterbook.example.org", "http://club.example.org/join/x/", False),
    ],
)
def test_an_address_for_others(rf, settings, host, site, address, local_only):
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], site
    request = rf.get("/", headers={"host": host})
    assert (address_for_others(request, "/join/x/"), is_local_only(request)) == (address, local_only)


def test_an_event_says_when_no_phone_can_open_its_link(client, db, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = "http://localhost:8000", ["*"]
    olga = User.objects.create_user("olga")
    event = open_registration(
        actor=olga, event=create_event(actor=olga, name="Open", rule_set=RuleSet("GC"), starts_at=timezone.now())
    )
    client.force_login(olga)
    pages = [client.get(event.get_absolute_url(), headers={"host": host}) for host in ("localhost", "192.168.1.20")]
    assert ["This link works on this computer only." in text_of(page) for page in pages] == [True, False]
