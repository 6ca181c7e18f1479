"""A running event, imported from its file, goes on with a new seed (E23)."""

import json
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tests.once import once
from tests.tournaments.factories import add_player, organizer
from tests.tournaments.played_events import CONQUEST, NOON, lower_wins, open_event, play_round
from tournaments.models import Event, Game
from tournaments.queries.exchange import as_json, content_of
from tournaments.queries.undo import Undoable
from tournaments.services import bracket, clock, events, exchange, pairing, results, rounds, verification
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga():
    return organizer()


@once
def running(olga, rule_set=RuleSet.GALACTIC_CONQUEST):
    """Return the file of an event in whose second round two of four games are confirmed and one is reported."""
    event = open_event(olga, CONQUEST, "ABCDEFGHI", name="Winter", rule_set=rule_set, rounds=3, cut=4)
    play_round(olga, event)
    pairing.draw_round(actor=olga, event=event)
    second = rounds.publish_round(actor=olga, event=event)
    clock.start_clock(actor=olga, event=event, now=NOON)
    games = list(second.games.exclude(second=None).select_related("first", "second", "round__event"))
    for game in games[:3]:
        results.save_result(actor=olga, game=game, result=lower_wins(event, game))
    Game.objects.filter(pk=games[2].pk).update(state=Game.State.REPORTED)
    return event, json.loads(as_json(content_of(event)))


@pytest.mark.parametrize("rule_set", RuleSet)
def test_it_is_played_to_the_end_and_proved(olga, script, rule_set):
    """What was drawn before is left out; a late entry's ticket and all later draws follow from the new seed."""
    old, content = running(olga, rule_set)
    event = exchange.import_event(actor=olga, content=exchange.read(as_json(content)), key=uuid4())
    assert event.commitment != old.commitment
    now = json.loads(as_json(content_of(event)))
    hidden = ("made_at", "commitment", "log")
    assert {**now, **dict.fromkeys(hidden)} == {**content, **dict.fromkeys(hidden)}
    assert now["log"][:-1] == content["log"]
    assert now["log"][-1]["facts"] == {"rule": "E23", "new_seed": True, "tickets": list(range(1, 10))}
    second = event.round_set.get(number=2)
    clock.start_clock(actor=olga, event=event, now=NOON)
    for game in second.games.exclude(second=None).filter(state=Game.State.OPEN):
        results.save_result(actor=olga, game=game, result=lower_wins(event, game))
    rounds.close_round(actor=olga, event=event)
    add_player(actor=olga, event=event, name="J", army_points=990)
    play_round(olga, event)
    bracket.make_cut(actor=olga, event=event)
    middle = json.loads(as_json(content_of(event)))
    exchange.import_event(actor=User.objects.create_user("ines"), content=exchange.read(as_json(middle)), key=uuid4())
    play_round(olga, event)
    play_round(olga, event)
    events.finish(actor=olga, event=event)
    assert undo(actor=olga, event=event, act=Undoable.FINISH, number=0, reason="It was imported while it ran.")
    finished = json.loads(as_json(content_of(events.finish(actor=olga, event=event))))
    text = "was drawn before the running event was imported with a new seed, which does not explain it."
    assert list(script.check(finished)) == [("by hand", f"Round {number} {text}") for number in (1, 2)]
    assert list(verification.differences(finished)) == []
    assert [change.round for change in verification.hand_changes(finished)] == [1, 2]
    forged = json.loads(json.dumps(finished))
    third = forged["rounds"][2]["games"]
    third[0]["second"], third[1]["second"] = third[1]["second"], third[0]["second"]
    for game in third[:2]:
        game["result"]["winner"] = min(game["first"], game["second"])
    sentence = "The pairings of round 3 do not follow from the seed."
    assert sentence in list(verification.differences(forged))
    forged["log"][-1]["facts"] = {"new_seed": True, "tickets": []}
    assert "The ticket of player 1 was not drawn with the seed." in list(verification.differences(forged))


def test_the_page_says_what_is_missing_and_leads_to_the_console(client, olga):
    _event, content = running(olga)
    client.force_login(ines := User.objects.create_user("ines"))
    review = client.post("/events/import/", {"file": SimpleUploadedFile("a.json", as_json(content))})["Location"]
    page = client.get(review).content.decode()
    assert "it gets a new one: nobody can prove earlier draws, and the public log says so" in page
    assert "Drawn before the running event" not in page
    console = client.post(review)["Location"]
    event = Event.objects.get(memberships__user=ines)
    assert console == f"/events/{event.pk}/console/"
    assert "Start" in client.get(console).content.decode()
    log = Client().get(f"/events/{event.pk}/log/").content.decode()
    assert "The running event goes on from its file with a new seed." in log


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda content: content["log"][-1].update(at="2099-01-01T00:00:00+00:00"), "ahead of this site's clock"),
        (lambda content: content["entries"][0].update(ticket=None), "A player has no ticket."),
        (lambda content: content["rounds"][1]["games"][0].update(first=None), "it has no result."),
        (lambda content: content["standings"].reverse(), "The standings do not follow from the results"),
    ],
)
def test_files_that_cannot_go_on(olga, change, text):
    _event, content = running(olga)
    change(content)
    with pytest.raises(RuleViolation, match=text):
        exchange.import_event(actor=olga, content=content, key=uuid4())
