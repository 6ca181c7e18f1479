"""Names from right to left are isolated wherever a page or a sheet of paper shows them (law 15)."""

import re

import pytest
from django.urls import reverse

from campaign.models import Campaign
from registers.models import Register
from tests.campaign.factories import address
from tests.campaign.fights import over
from tests.tournaments.display.events import GC, SmallEvent
from tests.walking import unprinted

__all__ = ["unprinted"]

NAME, OTHER = "דוד בן-גוריון", "עלי ابن سينا"
#: Elements that hold only text, or have isolation of their own.
PLAIN = re.compile(r"<!--.*?-->|<(script|style|title|textarea|option|svg)\b.*?</\1\s*>|<[^>]*\sdata-[^>]*>", re.DOTALL)
HEBREW = re.compile(r"[\u0590-\u06ff]")


def bare(html: str) -> list[str]:
    """The texts of a page with letters from right to left that stand outside of <bdi>."""
    parts = re.split(r"(<bdi>[^<]*</bdi>|<[^>]*>)", PLAIN.sub("", html))
    return [part for part in parts if HEBREW.search(part) and not part.startswith("<")]


def shows(client, *paths: str) -> dict[str, list[str]]:
    """What stands bare on these pages, each of which has a name at all."""
    pages = {path: client.get(path) for path in paths}
    texts = {path: page.content.decode() for path, page in pages.items()}
    assert [path for path, text in texts.items() if f"<bdi>{NAME}</bdi>" not in text] == []
    return {path: found for path, text in texts.items() if (found := bare(text))}


@pytest.mark.usefixtures("unprinted")
@pytest.mark.django_db
def test_players_on_the_pages_and_papers_of_an_event():
    event = SmallEvent(GC, [NAME, OTHER, "Ada", "Bo"], rounds=2)
    event.publish((NAME, OTHER), ("Ada", "Bo"))
    event.result(NAME)
    event.result("Ada")
    event.close()
    event.event.entries.update(club=OTHER)
    paths = [event.page(name) for name in ("pairings", "standings", "console", "log", "projector")]
    papers = [event.page("print", sheet) for sheet in ("names", "slips", "standings")]
    assert shows(event.client(leader=True), *paths, *papers) == {}


@pytest.mark.usefixtures("unprinted")
def test_registers_on_the_pages_and_papers_of_a_campaign(table, client):
    battle = over(table, winner="red")
    Register.objects.filter(pk=table.alpha.pk).update(name=NAME)
    Register.objects.filter(pk=table.bravo.pk).update(name=OTHER)
    Campaign.objects.update(name=OTHER)
    client.force_login(table.cora)
    pages = [address(table, f"{name}") for name in ("campaign:detail", "chronicle:index")]
    own = [reverse(name, args=[table.alpha.pk]) for name in ("registers:detail", "registers:ledger", "registers:print")]
    assert shows(client, *pages, *own, battle.get_absolute_url()) == {}
