"""Links that people pass on lead to an address that their phones can open."""

import pytest

from core.ui.reachable import address_for_others, is_only_here

LAN = "http://192.168.1.20:8000"


@pytest.mark.parametrize(
    ("host", "site", "address", "only_here"),
    [
        ("localhost:8000", LAN, f"{LAN}/join/x/", False),
        ("[::1]:8000", LAN, f"{LAN}/join/x/", False),
        ("192.168.1.20:8000", LAN, f"{LAN}/join/x/", False),
        ("localhost:8000", "http://localhost:8000", "http://localhost:8000/join/x/", True),
        ("club.example.org", "https://musterbook.example.org", "http://club.example.org/join/x/", False),
    ],
)
def test_an_address_for_others(rf, settings, host, site, address, only_here):
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], site
    request = rf.get("/", headers={"host": host})
    assert (address_for_others(request, "/join/x/"), is_only_here(request)) == (address, only_here)
