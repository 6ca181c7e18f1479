"""Every page of an event imported from its own export, as its organizer, a player and a stranger (E10, E23)."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from members.models import Role
from tests.tournaments.played_events import CONQUEST, exported, play_conquest, play_regulations, rolled_back
from tests.walking import unprinted
from tests.world import all_addresses
from tournaments.access import EventRole
from tournaments.models import Entry, Event, League, Membership, SubmittedList
from tournaments.queries.exchange import as_json, content_of
from tournaments.services.exchange import import_event
from tournaments.views.display import SHEETS

__all__ = ["unprinted"]

#: Pages that are no part of one event, or that need what a finished event has not.
ELSEWHERE = ("join", "personal", "scan", "new", "new_league", "import_event", "review_import", "league")


def with_lists(play):
    """Return what plays an event in which a player has a list whose units are all bare."""

    def played(olga):
        event = play(olga)
        bare = {"card": "stormtroopers", "upgrades": [], "loadout": [], "counterpart": "", "counterpart_upgrades": []}
        SubmittedList.objects.create(
            entry=event.entries.get(number=1), number=1, faction="empire", points=44, units=[bare],
            command_hand=["ambush"], battle_deck=["intercept"],
        )  # fmt: skip
        return event

    return played


def pages(event):
    """Return the paths of all pages of an event that can be read, each sheet and table once."""
    given = {
        "pk": event.pk, "number": 1, "place": 1, "table": "standings", "call": 0, "user": 0, "invitation": uuid4(),
        "league": event.league_id, "act": "finish", "code": "none", "token": "none", "file": uuid4(), "which": "text",
        "name": "rounds", "view": "standings", "team": 0,
    }  # fmt: skip
    for address in all_addresses():
        if address.name.startswith("tournaments:") and address.name.removeprefix("tournaments:") not in ELSEWHERE:
            for sheet in SHEETS if "print/<str:sheet>/" in address.route else ["names"]:
                whole = {**given, "sheet": sheet}
                if "terrain/<int" in address.route:
                    whole["table"] = 1
                yield address.filled(_Filling(whole))


class _Filling:
    def __init__(self, values):
        self.values = values

    def arguments(self, name, route):
        return self.values


@pytest.mark.django_db
@pytest.mark.usefixtures("unprinted")
@pytest.mark.parametrize("play", [play_conquest, pytest.param(play_regulations, marks=pytest.mark.nightly)])
def test_every_page_opens(django_db_setup, django_db_blocker, settings, play):
    settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "zeal" not in each]
    with rolled_back(django_db_blocker) as olga:
        content = json.loads(as_json(content_of(with_lists(play)(olga), EventRole(None, Role.ORGANIZER))))
    assert content["entries"][0]["list"]["units"] == [{"card": "stormtroopers"}]
    ines, pia = (User.objects.create_user(name) for name in ("ines", "pia"))
    event = import_event(actor=ines, content=content, key=uuid4())
    event.league = League.objects.create(name="Winter League", owner=ines, points=[3, 1])
    event.save()
    Entry.objects.filter(event=event, number=1).update(user=pia)
    for user in (ines, pia, None):
        client = Client()
        if user:
            client.force_login(user)
        answers = {path: client.get(path).status_code for path in pages(event)}
        assert {path: status for path, status in answers.items() if status not in (200, 302, 404, 405)} == {}
        assert sum(status == 200 for status in answers.values()) > 15
        page = client.get(event.get_absolute_url()).content.decode()
        assert "Imported by <bdi>ines</bdi>. Names and results are not verified." in page
        assert "Imported, not verified" in client.get("/events/").content.decode()


@pytest.mark.django_db
def test_a_file_takes_nobodys_place(django_db_setup, django_db_blocker):
    """A second person imports the same event, and so does one who has the real event here."""
    content = json.loads(as_json(exported(django_db_blocker, play_conquest)))
    mallory, ines = (User.objects.create_user(name) for name in ("mallory", "ines"))
    copies = [import_event(actor=user, content=content, key=uuid4()) for user in (mallory, ines)]
    assert len({CONQUEST, *(event.pk for event in copies)}) == 3
    assert {event.origin for event in copies} == {CONQUEST}
    assert {m.user for m in Membership.objects.filter(event=copies[1])} == {ines}
    assert Event.objects.count() == 2
