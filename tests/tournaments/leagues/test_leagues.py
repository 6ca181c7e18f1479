"""Leagues: points by place over finished events."""

from uuid import uuid4

import pytest
from django.test import TestCase

from accounts.models import User
from rules.core.violations import RuleViolation
from tests.tournaments.played_events import CONQUEST, REGULATIONS, at_most, entry_named, play_conquest, play_regulations
from tournaments.models import Entry, Event, League
from tournaments.pages.leagues import LeagueLine, points_for, ranked, table_of
from tournaments.queries.standings import places_of
from tournaments.services.leagues import attach_event, detach_event, save_league


class TestLeague(TestCase):
    """A league over two events: 10 players, and 8 of whom one has an account in both."""

    @classmethod
    def setUpTestData(cls):
        cls.olga, cls.ada = User.objects.create_user("olga"), User.objects.create_user("ada")
        cls.league = save_league(
            actor=cls.olga, key=uuid4(), name="Season 1", points=[10, 6, 4], participation_points=1
        )
        cls.events = [play_conquest(cls.olga), play_regulations(cls.olga)]
        for event in cls.events:
            attach_event(actor=cls.olga, league=cls.league, event=event)
        for event, name in zip(cls.events, ("B", "Trooper 2"), strict=True):
            Entry.objects.filter(pk=entry_named(event, name).pk).update(user=cls.ada)
        Entry.objects.filter(pk=entry_named(cls.events[1], "Trooper 3").pk).update(name="A")
        cls.events = [Event.objects.get(pk=event.pk) for event in cls.events]

    def test_the_table(self):
        """By account, else by exact name; shared places get the points of the better one, equal points share a rank."""
        wanted = {}
        for event in self.events:
            for placed in places_of(event).all:
                name = {"B": "Trooper 2"}.get(placed.entry.name, placed.entry.name)
                wanted[name] = wanted.get(name, 0) + {1: 10, 2: 6, 3: 4}.get(placed.first, 1)
        table = table_of(self.league, self.events)
        assert {line.name: line.points for line in table.lines} == wanted
        assert [line.points for line in table.lines] == sorted(wanted.values(), reverse=True)
        assert {line.name for line in table.lines if len(line.results) == 2} == {"Trooper 2", "A"}
        lowest = [line.rank for line in table.lines if line.points == 1]
        assert set(lowest) == {len(table.lines) - len(lowest) + 1}

    def test_the_best_results_count_and_a_person_once(self):
        """Trooper 2 without an account is the Ada of the other event; not where her account plays, too."""
        Entry.objects.filter(event=self.events[0], name="B").update(name="Trooper 2")
        before = table_of(self.league, self.events).lines
        Entry.objects.filter(event=self.events[0], name="Trooper 2").update(user=None)
        assert [(line.name, line.points) for line in table_of(self.league, self.events).lines] == [
            (line.name, line.points) for line in before
        ]
        self.league.best = 1
        both = {line.name: line for line in table_of(self.league, self.events).lines}["Trooper 2"]
        points = [each["points"] for each in both.results]
        assert (both.points, len(points), sum(each["counts"] for each in both.results)) == (max(points), 2, 1)
        Entry.objects.filter(event=self.events[0], name="C").update(user=self.ada)
        lines = [line for line in table_of(self.league, self.events).lines if line.name == "Trooper 2"]
        assert sorted(len(line.results) for line in lines) == [1, 2]

    def test_who_is_counted(self):
        """Ejected players get nothing; deleted names are a player each; events under way do not count."""
        for event in self.events:
            Entry.objects.filter(event=event, number=4).update(name="Player 4")
        Entry.objects.filter(event=self.events[0], number=5).update(state=Entry.State.EJECTED)
        lines = table_of(self.league, self.events).lines
        assert [len(line.results) for line in lines if line.name == "Player 4"] == [1, 1]
        assert "E" not in {line.name for line in lines}
        self.events[0].state = Event.State.RUNNING
        assert table_of(self.league, self.events).events == [self.events[1]]

    def test_pages_for_everybody_and_for_the_owner(self):
        address = f"/leagues/{self.league.pk}/"
        page = self.client.get(address).content.decode()
        assert "Winter Conquest" in page
        assert "Edit league" not in page
        assert "Season 1" in self.client.get("/leagues/").content.decode()
        for part in ("edit/", "attach/", "detach/"):
            assert self.client.post(address + part).status_code == 302
        self.client.force_login(self.ada)
        assert self.client.get(address + "edit/").status_code == 404
        assert self.client.post(address + "attach/").status_code == 404
        self.client.force_login(self.olga)
        with at_most(15):
            page = self.client.get(address).content.decode()
        assert "Edit league" in page
        assert self.client.get(f"/leagues/{uuid4()}/").status_code == 404

    def test_events_are_removed_and_added_again(self):
        address, pk = f"/leagues/{self.league.pk}/", str(CONQUEST)
        self.client.force_login(self.olga)
        for _ in range(2):
            assert self.client.post(address + "detach/", {"event": pk}).status_code == 302
        assert list(self.league.events.values_list("pk", flat=True)) == [REGULATIONS]
        for _ in range(2):
            assert self.client.post(address + "attach/", {"event": pk}).status_code == 302
        assert self.league.events.count() == 2
        assert self.client.post(address + "attach/", {"event": uuid4()}).status_code == 422
        assert self.client.post(address + "detach/", {"event": uuid4()}).status_code == 404

    def test_only_own_events_and_own_leagues(self):
        """An organizer of the event may take it out of a league of somebody else."""
        other = save_league(actor=self.ada, key=uuid4(), name="Ada's", points=[1])
        for actor, league, text in (
            (self.ada, other, "Choose an event that you organize"),
            (self.olga, other, "Only the owner of this league can do this"),
        ):
            with pytest.raises(RuleViolation, match=text):
                attach_event(actor=actor, league=league, event=self.events[0])
        with pytest.raises(RuleViolation, match="Only the owner of this league can do this"):
            detach_event(actor=self.ada, league=self.league, event=self.events[0])
        Event.objects.filter(pk=CONQUEST).update(league=other)
        detach_event(actor=self.olga, league=other, event=self.events[0])
        assert Event.objects.get(pk=CONQUEST).league is None

    def test_a_league_is_changed(self):
        self.client.force_login(self.olga)
        address = f"/leagues/{self.league.pk}/edit/"
        assert "10, 6, 4" in self.client.get(address).content.decode()
        sent = {"key": self.league.pk, "name": "Season 2", "points": "5 3", "participation_points": ""}
        assert self.client.post(address, sent).status_code == 302
        self.league.refresh_from_db()
        assert (self.league.name, self.league.points, self.league.participation_points) == ("Season 2", [5, 3], 0)
        with pytest.raises(RuleViolation, match="Only the owner of this league can do this"):
            save_league(actor=self.ada, key=self.league.pk, name="Mine", points=[1])

    def test_the_winner_has_the_points_of_the_first_place(self):
        assert [points_for(self.league, placed) for placed in places_of(self.events[0]).all][:5] == [10, 6, 4, 4, 1]


def test_equal_points_share_a_rank():
    lines = [LeagueLine(name, points=points) for name, points in (("C", 5), ("A", 7), ("B", 5), ("D", 1))]
    assert [(line.name, line.rank) for line in ranked(lines)] == [("A", 1), ("B", 2), ("C", 2), ("D", 4)]


@pytest.mark.django_db
def test_a_form_sent_twice_creates_one_league(client):
    client.force_login(User.objects.create_user("olga"))
    sent = {"key": uuid4(), "name": "Season 1", "preset": "small", "points": ""}
    answers = [client.post("/leagues/new/", sent) for _ in range(2)]
    assert {answer["Location"] for answer in answers} == {f"/leagues/{sent['key']}/"}
    league = League.objects.get()
    assert (league.points, league.participation_points) == ([10, 7, 5, 4, 3, 2, 1, 1], 1)
    client.force_login(User.objects.create_user("mallory"))
    assert client.post("/leagues/new/", sent).status_code == 422


@pytest.mark.django_db
def test_nobody_fills_the_list_of_leagues(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "new_league": "1/h/user"}
    client.force_login(User.objects.create_user("olga"))
    forms = [{"key": uuid4(), "name": name, "preset": "small", "points": ""} for name in ("One", "Two")]
    assert [client.post("/leagues/new/", sent).status_code for sent in forms] == [302, 429]
    assert League.objects.get().name == "One"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": " "}, "Give the league a name of up to 80 characters."),
        ({"points": ""}, "Enter the points of 1 to 128 places."),
        ({"points": "5, 7"}, "A better place cannot be worth less than a lower one."),
        ({"points": "5, -7"}, "Enter whole numbers with commas between them."),
        ({"points": "20000"}, "Points are whole numbers from 0 to 10000."),
        ({"participation_points": "9"}, "A better place cannot be worth less than a lower one."),
    ],
)
def test_leagues_that_cannot_be(client, changes, text):
    client.force_login(User.objects.create_user("olga"))
    sent = {"key": uuid4(), "name": "Season 1", "points": "5, 3", "participation_points": "1", **changes}
    answer = client.post("/leagues/new/", sent)
    assert answer.status_code == 422
    assert text in answer.content.decode()
    assert not League.objects.exists()
