"""Events for other programs: as docs/api.openapi.json says, the same for everybody, and without secrets."""

import json
import re
from datetime import UTC, datetime, timedelta

import jsonschema_rs
import pytest
from django.test import Client

from ops.paths import BASE_DIR
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tests.tournaments.factories import finished, make_event
from tournaments.models import Event, Round
from tournaments.services import clock

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
SPEC = json.loads((BASE_DIR / "docs" / "api.openapi.json").read_text(encoding="utf-8"))
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
PARTS = ("", "players/", "rounds/", "standings/", "bracket/", "clock/", "teams/")


def get(event, part, who=None, **headers):
    return (who or Client()).get(f"/api/v1/events/{event.pk}/{part}", headers=headers)


def schema_of(path):
    answer = SPEC["paths"][path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    return {**answer, "components": SPEC["components"]}


@pytest.fixture
def under_way():
    """Galactic Conquest whose second round is a draft; an own clock runs in the first."""
    event = SmallEvent(GC, "ABCDE", rounds=3, cut=2)
    event.publish(("A", "B"), ("C", "D"), bye="E")
    event.result("A")
    return event


@pytest.mark.parametrize("rule_set", [GC, TR])
def test_every_answer_is_as_it_is_described(rule_set):
    event = finished(make_event(rule_set, players=5, rounds=2, cut=2))
    for part in PARTS:
        answer = get(event, part)
        jsonschema_rs.validate(schema_of(f"/api/v1/events/{{event}}/{part}"), answer.json())
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    listed = Client().get("/api/v1/events/").json()
    jsonschema_rs.validate(schema_of("/api/v1/events/"), listed)
    assert ([each["id"] for each in listed], get(event, "").json()["winner"]) == ([str(event.pk)], 1)
    assert Client().get("/api/v1/openapi.json").json() == SPEC


def test_browsers_ask_first_whether_another_site_may_read(under_way):
    pages = ("events/", f"events/{under_way.event.pk}/", f"events/{under_way.event.pk}/players/", "openapi.json")
    answers = [Client().options(f"/api/v1/{page}") for page in pages]
    assert [(each.status_code, each.headers["Access-Control-Allow-Origin"]) for each in answers] == [(204, "*")] * 4
    assert Client().options("/").status_code == 405


def test_what_is_secret_is_not_told(under_way):
    """E23, E24, E28: no drafts, no seed, no tickets, and no result that is not confirmed."""
    event = under_way.event
    under_way.result("C")
    under_way.close()
    under_way.draft(("A", "C"), ("B", "E"), bye="D")
    for part in PARTS:
        jsonschema_rs.validate(schema_of(f"/api/v1/events/{{event}}/{part}"), get(event, part).json())
    rounds, standings = get(event, "rounds/").json(), get(event, "standings/").json()
    assert [each["number"] for each in rounds] == [1]
    assert [set(line) & {"ticket"} for line in standings["standings"]] == [set()] * 5
    assert standings["standings"][0]["strength_of_schedule"] == "0"
    assert get(event, "").json()["seed"] is None
    leader = under_way.client(leader=True)
    assert [get(event, part, leader).content for part in PARTS] == [get(event, part).content for part in PARTS]
    Event.objects.update(state=Event.State.DRAFT)
    assert {get(event, part, who).status_code for part in PARTS for who in (leader, Client())} == {404}
    assert Client().get("/api/v1/events/").json() == []


def test_two_lengths_of_a_round_look_the_same(under_way, monkeypatch):
    """E26: byte for byte, with the ETag, also on the overlay."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON + timedelta(minutes=149))
    clock.start_clock(**under_way.both, now=NOON)

    def seen():
        overlay = Client().get(f"/events/{under_way.event.pk}/overlay/clock/").content
        return [
            (each.content, each.headers["ETag"]) for each in (get(under_way.event, part) for part in PARTS)
        ], overlay

    Round.objects.update(minutes=150)
    short = seen()
    Round.objects.update(minutes=155)
    assert seen() == short
    assert get(under_way.event, "clock/").json() == {"round": "Round 1", "phase": "running", "ends_at": None}


def test_a_program_that_has_it_gets_nothing(under_way, settings):
    first = get(under_way.event, "rounds/")
    again = get(under_way.event, "rounds/", **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    under_way.result("C")
    assert get(under_way.event, "rounds/", **{"If-None-Match": first.headers["ETag"]}).status_code == 200
    missing = [get(under_way.event, "lists/"), *(Client().get(f"/api/v1/{page}/") for page in ("leagues", "events/17"))]
    assert [(each.status_code, each.json()) for each in missing] == [(404, {"error": "Not found"})] * 3
    assert {each.headers["Access-Control-Allow-Origin"] for each in missing} == {"*"}
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "api": "1/m/ip"}
    assert [get(under_way.event, "clock/").status_code for _ in range(2)][-1] == 429


@pytest.mark.parametrize(
    ("path", "shown"),
    [("table/?table=2", "Round 1 2 C D"), ("standings/", "Standings after round 1"), ("bracket/", "")],
)
def test_overlays_show_one_thing(under_way, path, shown):
    address = f"/events/{under_way.event.pk}/overlay/{path}"
    if "standings" in path:
        under_way.result("C")
        under_way.close()
    answer = Client().get(address)
    assert shown in text_of(answer.content)
    assert b"hall__foot" not in answer.content
    poll = answer.content.decode().split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert Client().get(poll).status_code == 204
    assert Client().get(f"/events/{under_way.event.pk}/overlay/console/").status_code == 404
