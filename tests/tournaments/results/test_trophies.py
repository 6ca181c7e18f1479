"""Trophies: given by the organizer, or by the votes of opponents, which are secret until the end."""

import json
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.tournaments.factories import entry_of, make_event, organizer, played_round, published_round, started
from tournaments.data_export import events_of
from tournaments.models import Entry, Event, LogLine
from tournaments.queries.exchange import as_json, content_of
from tournaments.queries.trophies import trophies_of
from tournaments.services import entries, events, exchange

pytestmark = pytest.mark.django_db
BEST = "Favorite opponent"


@pytest.fixture
def event():
    """Two rounds of four players; the last round is under way."""
    event = started(make_event(players=4, rounds=2, trophies="Best painted\n \nWooden spoon", voted_trophy=BEST))
    played_round(event)
    published_round(event)
    return Event.objects.get()


def phone_of(entry):
    phone = Client()
    phone.post(f"/events/me/{entry.token}/")
    return phone


def client(user):
    phone = Client()
    phone.force_login(user)
    return phone


def won(event):
    return {each.name: [entry.name for entry in each.winners] for each in trophies_of(Event.objects.get(pk=event.pk))}


def vote(event, voter, opponent):
    sent = {"opponent": entry_of(event, opponent).number} if opponent else {}
    return phone_of(entry_of(event, voter)).post(f"/events/{event.pk}/me/vote/", sent)


def met(event, name):
    """Return the names of the opponents of a player, in the order of rounds."""
    entry = entry_of(event, name)
    games = [game for each in event.round_set.all() for game in each.games.all() if entry in (game.first, game.second)]
    return [game.opponent_of(entry).name for game in games]


def test_a_vote_is_for_an_opponent_and_waits_for_the_last_result(event):
    page, opponents = f"/events/{event.pk}/me/", met(event, "A")
    (other,) = set("BCD") - set(opponents)
    assert BEST not in html_of(phone_of(entry_of(event, "A")).get(page))
    vote(event, "A", opponents[0])
    assert not Entry.objects.exclude(vote=None).exists()
    played_round(event)
    shown = html_of(phone_of(entry_of(event, "A")).get(page))
    assert BEST in shown
    assert all(f"{name}</bdi>" in shown for name in opponents)
    for name in (other, "A", None, opponents[0], opponents[0], opponents[1]):
        vote(event, "A", name)
    assert list(Entry.objects.exclude(vote=None).values_list("name", "vote__name")) == [("A", opponents[1])]
    events.finish(actor=organizer(), event=event)
    vote(event, "A", opponents[0])
    assert entry_of(event, "A").vote.name == opponents[1]
    assert not LogLine.objects.filter(facts__icontains="vote").exists()


def test_votes_are_secret_until_the_end_and_a_tie_waits_for_the_organizer(event):
    """Nobody reads the winner before; of two with as many votes an organizer chooses, and can undo it."""
    played_round(event)
    first, second = met(event, "A")
    vote(event, "A", first)
    vote(event, second, "A")
    pages = [f"/events/{event.pk}/", f"/events/{event.pk}/standings/"]
    olga = client(organizer())
    assert won(event) == {}
    assert not any("Best painted" in html_of(who.get(page)) for page in pages for who in (olga, Client()))
    assert {player["trophies"] == [] for player in Client().get(f"/api/v1/events/{event.pk}/players/").json()} == {True}
    events.finish(actor=organizer(), event=event)
    assert won(event) == {"Best painted": [], "Wooden spoon": [], BEST: []}
    assert {each.name for each in trophies_of(Event.objects.get())[-1].tied} == {"A", first}
    assert "Several players have the most votes." in html_of(olga.get(pages[0]))
    assert "Several players have the most votes." not in html_of(Client().get(pages[0]))
    entry = entry_of(event, "A")
    address, typed = f"/events/{event.pk}/players/{entry.number}/manage/", {"name": "A", "initial-name": "A"}
    answer = olga.post(address, {**typed, "trophies": [BEST, "Best painted"]})
    assert answer.status_code == 302, html_of(answer)
    assert won(event) == {"Best painted": ["A"], "Wooden spoon": [], BEST: ["A"]}
    assert [BEST in html_of(Client().get(page)) for page in pages] == [True, True]
    assert Client().get(f"/api/v1/events/{event.pk}/players/").json()[0]["trophies"] == ["Best painted", BEST]
    olga.post(address, {**typed, "initial-trophies": [BEST, "Best painted"]})
    assert won(event)["Best painted"] == []
    assert olga.post(address, {**typed, "trophies": ["Golden Rancor"]}).status_code == 422


def test_the_most_votes_win_and_come_back_in_a_file(event):
    """E4: an ejected player neither votes nor wins. The file has the winner and no votes."""
    played_round(event)
    first, second = met(event, "A")
    vote(event, first, "A")
    vote(event, second, "A")
    vote(event, "A", first)
    events.finish(actor=organizer(), event=event)
    assert won(event)[BEST] == ["A"]
    content = json.loads(as_json(content_of(Event.objects.get())))
    assert [each["number"] for each in content["entries"] if BEST in each["trophies"]] == [entry_of(event, "A").number]
    assert "vote" not in {name for each in content["entries"] for name in each}
    assert exchange.read(as_json(content)) == content
    copy = exchange.import_event(actor=User.objects.create_user("ines"), content=content, key=uuid4())
    assert won(copy)[BEST] == ["A"]
    Entry.objects.filter(event=event, name="A").update(state=Entry.State.EJECTED)
    assert won(event)[BEST] == []


def test_a_page_that_was_opened_before_takes_no_trophy_away(event):
    """The page knows which trophies it was drawn with."""
    olga, given = client(organizer()), entry_of(event, "A")
    address = f"/events/{event.pk}/players/{given.number}/manage/"
    give(given, "Best painted")
    olga.post(address, {"name": "A", "initial-name": "A", "note": "Vegan"})
    given.refresh_from_db()
    assert (given.trophies, given.note) == (["Best painted"], "Vegan")
    assert 'type="hidden" name="initial-trophies" value="Best painted"' in olga.get(address).content.decode()


def give(entry, *names):
    entries.edit_entry(actor=organizer(), entry=entry, changes={"trophies": list(names)})


def test_a_trophy_that_a_player_holds_keeps_its_name(event):
    """The voted one is held by an organizer's decision; votes alone follow a new name."""
    Event.objects.update(lists_required=True)
    given = entry_of(event, "A")
    give(given, "Best painted", BEST)
    for changes, lost in (
        ({"trophies": "Best Painted\nWooden spoon"}, "Best painted"),
        ({"voted_trophy": "Fair"}, BEST),
    ):
        with pytest.raises(RuleViolation) as refused:
            events.change_settings(actor=organizer(), event=event, changes=changes)
        (why,) = refused.value.violations
        assert (why.text, why.about) == (
            f"A has the trophy “{lost}”. Untick it on their page before you rename or remove it.", next(iter(changes)),
        )  # fmt: skip
    give(given)
    events.change_settings(actor=organizer(), event=event, changes={"trophies": "Best\nSpoon", "voted_trophy": "Fair"})
    assert Event.objects.get().voted_trophy == "Fair"


def test_trophies_are_in_files_once_the_event_is_finished(event):
    """In the data export of a player, and in the file of the event, as its page says."""
    ada, page = User.objects.create_user("ada"), f"/events/{event.pk}/statistics/"
    Entry.objects.filter(name="A").update(user=ada, trophies=["Best painted"])
    text = "Trophies are in it once the event is finished."
    assert text in html_of(client(organizer()).get(page))
    assert (len(events_of(ada)["entries"]), events_of(ada)["trophies"]) == (1, [])
    Event.objects.update(trophies="", voted_trophy="")
    assert text not in html_of(client(organizer()).get(page))
    Event.objects.update(trophies="Best painted", state=Event.State.FINISHED)
    assert text not in html_of(client(organizer()).get(page))
    assert events_of(ada)["trophies"] == [{"event__name": event.name, "trophies": ["Best painted"]}]
