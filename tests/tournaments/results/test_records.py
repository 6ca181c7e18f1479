"""Pages after the day: records, statistics, share cards, the feed, and deleting a name."""

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client, TestCase
from django.urls import reverse
from PIL import Image

from accounts.models import User
from core.db.rows import update
from rules.core.violations import RuleViolation
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.factories import add_player, entry_of, games_of, make_event, played_round, started
from tests.tournaments.played_events import CONQUEST, NOON, at_most, entry_named, open_event, play_conquest, play_round
from tournaments.models import Entry, Event, Game, LogLine, SubmittedList
from tournaments.pages.standings import Bar, statistics_of
from tournaments.queries.results import record_of, records_of
from tournaments.queries.standings import places_of
from tournaments.services import events, pairing, rounds
from tournaments.services.entries import forget_player


class TestFinishedEvent(TestCase):
    """Galactic Conquest with five rounds, played to its end."""

    @classmethod
    def setUpTestData(cls):
        cls.olga, cls.ada = User.objects.create_user("olga"), User.objects.create_user("ada")
        cls.event = play_conquest(cls.olga)
        cls.a = entry_named(cls.event, "A")
        Entry.objects.filter(pk=cls.a.pk).update(user=cls.ada, club="Cantina Band", note="vegetarian")
        cls.a.refresh_from_db()
        for number, faction in enumerate(("empire", "empire", "rebel"), start=1):
            entry = cls.event.entries.get(number=number)
            SubmittedList.objects.create(
                entry=entry, number=1, faction=faction, source_text="pasted", submitted_by=cls.ada
            )
        Game.objects.filter(round__number=1).update(mission="Breakthrough")

    def address(self, name, *arguments):
        return reverse(f"tournaments:{name}", args=[self.event.pk, *arguments])

    def page(self, name, *arguments):
        answer = self.client.get(self.address(name, *arguments))
        assert answer.status_code == 200
        return re.sub(r"\s+", " ", answer.content.decode())

    def test_records_agree_with_the_standings(self):
        """Wins and draws are worth the event points of the Swiss rounds (E29); each round is one line."""
        places = places_of(self.event)
        for record in records_of(places):
            swiss = [line.outcome for line in record.lines if line.round.stage == "swiss"]
            points = 3 * (swiss.count("won") + swiss.count("bye")) + swiss.count("drawn")
            assert record.placed.standing.points == points
            assert [line.round.number for line in record.lines] == sorted({line.round.number for line in record.lines})
            assert record_of(places, record.entry) == record
        assert [record.place for record in records_of(places)][:4] == ["1", "2", "3–4", "3–4"]
        assert places.winner == records_of(places)[0].entry

    def test_the_page_of_a_player(self):
        page = self.page("record", self.a.number)
        for text in ("<h1", "Cantina Band", "Share card", "Breakthrough", "500–300"):
            assert text in page
        for secret in ("vegetarian", self.a.token, "Delete"):
            assert secret not in page
        assert self.client.get(self.address("record", 99)).status_code == 404

    def test_pages_have_few_queries(self):
        self.client.force_login(self.olga)
        limit = 12  # statements of a rate limit
        for name, arguments, most in (
            ("record", (1,), 15), ("statistics", (), 15), ("feed", (), 15 + limit), ("share_card", (1,), 15 + limit),
        ):  # fmt: skip
            with at_most(most):
                self.page(name, *arguments)

    def test_figures_for_everybody_are_limited(self):
        """Each is computed from the whole event; one address has one limit for all of them."""
        limits = {**settings.ACCOUNT_RATE_LIMITS, "event_records": "4/m/ip"}
        pages = [
            ("statistics", ()), ("export_csv", ("standings",)), ("feed", ()), ("share_card", (1,)),
        ]  # fmt: skip
        with self.settings(ACCOUNT_RATE_LIMITS=limits):
            found = [self.client.get(self.address(name, *more)).status_code for name, more in pages * 2]
        assert found == [200] * 4 + [429] * 4

    def test_statistics(self):
        page = self.page("statistics")
        seed = bytes(self.event.seed).hex()
        for text in ("Winner", "Final places", "Empire", "Breakthrough", "Export event", seed):
            assert text in page
        places = places_of(self.event)
        lists = {each.entry_id: each for each in SubmittedList.objects.all()}
        found = statistics_of(places.history, records_of(places), lists)
        assert (found["players"], found["games"], found["colors"]) == (10, 4 + 4 + 5 + 2 + 1, [])
        assert found["missions"] == [Bar("Breakthrough", 4, 100, label="Breakthrough")]
        assert [(bar.name, bar.count, bar.width) for bar in found["factions"]] == [("empire", 2, 100), ("rebel", 1, 50)]
        assert [(bar.name, bar.count) for bar in found["endings"]] == [("victory", 16)]

    def test_factions_stay_secret_with_the_lists(self):
        """E10."""
        Event.objects.update(lists_published="never")
        assert "Empire" not in self.page("statistics")
        assert "Empire" not in self.page("share_card", self.a.number)
        # Those that are published with the pairings are for the opponent of the round.
        Event.objects.update(lists_published="pairings", state=Event.State.RUNNING)
        assert "Empire" not in self.page("statistics")

    def test_the_share_card_is_a_picture(self):
        Entry.objects.filter(pk=self.a.pk).update(name="<A> & friends")
        answer = self.client.get(self.address("share_card", self.a.number))
        assert answer["Content-Type"] == "image/svg+xml"
        texts = [each.text for each in ElementTree.fromstring(answer.content).iter() if each.text]  # noqa: S314
        assert {"<A> & friends", "Winter Conquest", "Empire · Cantina Band", "of 10"} <= set(texts)

    def test_the_share_card_is_a_png_for_messengers(self):
        answer = self.client.get(self.address("share_picture", self.a.number))
        picture = Image.open(BytesIO(answer.content))
        assert (answer["Content-Type"], picture.format, picture.size) == ("image/png", "PNG", (1200, 630))
        assert picture.convert("RGB").getpixel((600, 20)) == (0x3D, 0x45, 0x27)  # the band at the top

    def test_the_feed_tells_pairings_results_and_the_winner(self):
        feed = ElementTree.fromstring(self.client.get(self.address("feed")).content)  # noqa: S314
        atom = "{http://www.w3.org/2005/Atom}"
        titles = [each.findtext(f"{atom}title") for each in feed.iter(f"{atom}entry")]
        winner = places_of(self.event).winner
        assert titles[:3] == [f"{winner.name} wins Winter Conquest", "Final: results", "Final: pairings"]
        assert len(titles) == 12
        ids = [each.findtext(f"{atom}id") for each in feed.iter(f"{atom}entry")]
        assert len(set(ids)) == 12

    def test_a_name_is_deleted_and_the_results_stay(self):
        """Twice is once; nobody but an organizer and the player may."""
        before = [(each.place, each.entry.number) for each in places_of(self.event).all]
        address = self.address("forget", self.a.number)
        self.client.force_login(User.objects.create_user("mallory"))
        assert self.client.post(address).status_code == 404
        with pytest.raises(RuleViolation, match="Only an organizer of this event or the player can do this"):
            forget_player(actor=User.objects.get(username="mallory"), entry=self.a)
        self.client.force_login(self.ada)
        assert "Delete my name" in self.page("record", self.a.number)
        for _ in range(2):
            assert self.client.post(address).status_code == 302
        entry = Entry.objects.get(pk=self.a.pk)
        assert (entry.name, entry.club, entry.note, entry.user, entry.claimant) == ("Player 1", "", "", None, None)
        assert entry.token != self.a.token
        submitted = SubmittedList.objects.get(entry=entry)
        assert (submitted.source_text, submitted.submitted_by, submitted.faction) == ("", None, "empire")
        assert [(each.place, each.entry.number) for each in places_of(self.event).all] == before
        line = LogLine.objects.get(kind="forgotten")
        assert (line.actor, line.facts) == (None, {"entry": 1})
        self.client.force_login(self.olga)
        assert "Delete" not in self.page("record", self.a.number)

    def test_an_organizer_deletes_a_name(self):
        self.client.force_login(self.olga)
        assert "Delete this player’s name" in self.page("record", 2)
        self.client.post(self.address("forget", 2))
        assert Entry.objects.get(event=self.event, number=2).name == "Player 2"

    def test_the_events_of_a_person(self):
        """Own ones with their places; on a player's page only public ones of the same account."""
        first, hidden = (
            events.create_event(actor=self.olga, name=name, rule_set=RuleSet.GALACTIC_CONQUEST, starts_at=NOON)
            for name in ("Spring", "Hidden")
        )
        for event in (first, hidden):
            entry = add_player(actor=self.olga, event=event, name="Ada")
            Entry.objects.filter(pk=entry.pk).update(user=self.ada)
        Event.objects.filter(pk=first.pk).update(state=Event.State.OPEN)
        page = self.page("record", self.a.number)
        assert "Spring" in page
        assert "Hidden" not in page
        assert Client().get("/events/history/").status_code == 302
        self.client.force_login(self.ada)
        with at_most(15):
            answer = self.client.get("/events/history/").content.decode()
        assert "Spring" in answer
        assert "Winter Conquest" in answer
        assert "Hidden" not in answer


@pytest.mark.django_db
def test_nothing_is_said_of_drafts_and_open_results(client):
    """E24, E28: of a round under way its pairings, of a draft nothing; a share card only at the end."""
    olga = User.objects.create_user("olga")
    names = ["Ada", "Bo", "Cem", "Dee"]
    event = open_event(olga, CONQUEST, names, name="Winter", rule_set=RuleSet.GALACTIC_CONQUEST, rounds=2)
    play_round(olga, event, close=False)
    Game.objects.update(state=Game.State.REPORTED)
    page = client.get(reverse("tournaments:record", args=[event.pk, 1])).content.decode()
    assert "Open" in page
    assert "500–300" not in page
    feed = client.get(reverse("tournaments:feed", args=[event.pk])).content.decode()
    assert "Round 1: pairings" in feed
    assert "500" not in feed
    assert client.get(reverse("tournaments:share_card", args=[event.pk, 1])).status_code == 404
    Game.objects.update(state=Game.State.CONFIRMED)
    rounds.close_round(actor=olga, event=event)
    pairing.draw_round(actor=olga, event=event)
    assert [each.number for each in places_of(event).history.rounds] == [1]
    feed = client.get(reverse("tournaments:feed", args=[event.pk])).content.decode()
    assert "Round 1: results" in feed
    assert "Round 2" not in feed
    page = client.get(reverse("tournaments:statistics", args=[event.pk])).content.decode()
    assert event.commitment in page
    assert bytes(Event.objects.get().seed).hex() not in page
    page = client.get(reverse("tournaments:record", args=[event.pk, 1])).content.decode()
    assert page.count("played__round--") == 1


@pytest.mark.django_db
def test_what_a_person_played_in_all_events(client):
    """An entry that was taken over counts like one with the account. Opponents are known by account, else by name; in a
    running event of the Tournament Regulations their factions are secret (E10).
    """
    ada, bo = User.objects.create_user("ada"), User.objects.create_user("bo")
    for rule_set, starts_at, order, own in (("GC", NOON, "BCDA", bo), ("TR", NOON.replace(year=2025), "ABCD", None)):
        each = played_round(started(make_event(rule_set, rounds=3, starts_at=starts_at)), order)
        a = entry_of(each.event, "A")
        (b,) = (game.opponent_of(a) for game in games_of(each) if a in game.pair)
        update(a, user=ada)
        update(b, name="Bo", user=own)
        for entry, factions in ((a, ("rebel", "empire")), (b, ("empire", "rebel"))):
            for number, faction in enumerate(factions, start=1):
                SubmittedList.objects.create(entry=entry, number=number, faction=faction)
    client.force_login(ada)
    with at_most(12):
        answer = client.get(reverse("tournaments:history"))
    assert {kind: [(bar.label, bar.note) for bar in found] for kind, found in answer.context["tallies"].items()} == {
        "games": [("", "1–0–1")],
        "years": [("2026", "0–0–1"), ("2025", "1–0–0")],
        "own_factions": [("empire", "1–0–1")],
        "factions": [("rebel", "0–0–1")],
        "opponents": [("Bo", "1–0–1")],
    }
    Entry.objects.filter(event__starts_at__year=2025, name="Bo").update(name="Bob", user=bo)
    tallies = client.get(reverse("tournaments:history")).context["tallies"]
    assert [bar.label for bar in tallies["opponents"]] == ["Bo"]  # by the latest name
    client.force_login(bo)
    assert "1–0–0" in client.get(reverse("tournaments:history")).content.decode()
