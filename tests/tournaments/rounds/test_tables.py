"""The tables of an event (E22), and late entries that take the place next to a bye (E21)."""

import pytest
from django.urls import reverse
from django.utils import timezone

from core import own_process
from rules.core.violations import RuleViolation
from tests.tournaments.factories import (
    add_player,
    entry_of,
    games_of,
    make_event,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Entry, Event, Game, LogLine, UnpairedLoss
from tournaments.pages.rounds import draft_of
from tournaments.queries.history import history_of
from tournaments.queries.rounds import draft_version
from tournaments.queries.tables import Zone, hall_of, zone_name, zones_of
from tournaments.scenarios.play import pair_by_hand
from tournaments.services import clock, entries, events, pairing, rounds

pytestmark = pytest.mark.django_db


def pair(event, *pairs, bye=""):
    """Draw the next round with these pairs of names, and return the draft."""
    keys = [tuple(entry_of(event, name).key for name in each) for each in pairs]
    return pair_by_hand(actor=organizer(), event=event, pairs=keys, bye=entry_of(event, bye).key if bye else "")


def pairs_of(event):
    """Return who meets whom in the last round, by name."""
    games = event.round_set.last().games.select_related("first", "second")
    return {frozenset(each.name for each in (game.first, game.second) if each) for game in games}


def test_zones_are_read_as_people_write_them():
    text = "1–20 Hall A\n\n 21 - 40: Hall B, by the stairs\n7. Stream"
    assert zones_of(text) == [Zone(1, 20, "Hall A"), Zone(21, 40, "Hall B, by the stairs"), Zone(7, 7, "Stream")]
    event = Event(table_names=text, table_count=40, kept_tables="7, 8")
    assert [zone_name(event, table) for table in (7, 21, 99)] == ["Hall A, Stream", "Hall B, by the stairs", ""]
    assert (hall_of(event), hall_of(Event())) == ((40, {7, 8}), (0, frozenset()))


def test_the_settings_say_which_line_is_no_table(client):
    event = make_event()
    with pytest.raises(RuleViolation, match="Line 2 has no table and name"):
        events.change_settings(actor=organizer(), event=event, changes={"table_names": "1 Stream\nHall A"})
    client.force_login(organizer())
    page = reverse("tournaments:settings", args=[event.pk])
    form = client.get(page).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"table_count": 3, "kept_tables": "one"}
    refused = client.post(page, sent)
    assert refused.context["form"].errors["kept_tables"] == ["Enter table numbers with commas between them."]


def test_a_round_uses_all_tables_that_stand_there_and_keeps_one_free():
    event = make_event(players=4, rounds=3, table_count=5, kept_tables="4")
    event = started(event)
    seen = [{game.table for game in games_of(played_round(event))} for _ in range(2)]
    assert seen == [{1, 2}, {3, 5}]


def test_a_draw_in_a_process_of_its_own_gives_the_same_seats(monkeypatch):
    event = started(make_event(players=7, rounds=3, table_count=5, kept_tables="4"))
    played_round(event)
    history = history_of(event)
    usual = pairing.swiss_seats(history)
    queues, run = [], own_process.run
    monkeypatch.setattr(own_process, "run", lambda work, **words: queues.append(words["queue"]) or run(work, **words))
    monkeypatch.setattr(pairing, "MANY", 2)
    assert (pairing.swiss_seats(history), queues) == (usual, ["draw"])


def test_a_player_reads_the_zone_of_the_table(client):
    event = make_event(table_names="1-9 Hall A")
    published_round(started(event))
    client.post(reverse("tournaments:personal", args=[event.entries.first().token]))
    assert "Hall A" in client.get(reverse("tournaments:player", args=[event.pk])).content.decode()


class TestLateEntries:
    @pytest.fixture
    def event(self):
        event = started(make_event(players=5, rounds=3))
        published_round(event)
        return event

    @staticmethod
    def games(event):
        return set(Game.objects.filter(round__event=event).values_list("place", "first", "second", "table"))

    def test_one_plays_who_has_the_bye_and_nobody_else_moves(self, event):
        before = self.games(event)
        bye = Game.objects.get(round__event=event, second=None)
        late = add_player(actor=organizer(), event=event, name="Late")
        bye.refresh_from_db()
        assert (bye.second, bye.table, UnpairedLoss.objects.count()) == (late, 3, 0)
        assert before - self.games(event) == {(bye.place, bye.first_id, None, 0)}
        line = LogLine.objects.filter(event=event, kind="paired").latest("pk")
        assert (line.facts["act"], line.facts["entries"]) == ("late", [bye.first.number, late.number])
        draft = draft_of(event, 1)
        assert ([row.by_hand for row in draft.games], draft.changed) == ([False] * 3, "late")
        later = add_player(actor=organizer(), event=event, name="Later")
        assert list(UnpairedLoss.objects.values_list("entry", flat=True)) == [later.pk]
        assert rounds.publish_round(actor=organizer(), event=event).number == 1

    def test_who_rejoins_never_meets_the_same_player_again(self):
        """E18, E25: they have missed the round instead. A draft with pairs chosen by hand is drawn again."""
        event = started(make_event(players=8, rounds=4))
        pair(event, "AB", "CD", "EF", "GH")
        played_round(event)
        entries.drop(actor=organizer(), entry=entry_of(event, "B"))
        draft = pair(event, "CE", "DF", "GH", bye="A")
        one, other = entry_of(event, "E"), entry_of(event, "F")
        words = {"number": 2, "reason": "Friends.", "version": draft_version(draft.games.all())}
        rounds.swap_players(actor=organizer(), event=event, one=one, other=other, **words)
        entries.rejoin(actor=organizer(), entry=entry_of(event, "B"))
        chosen = {frozenset("CF"), frozenset("DE")}
        assert pairs_of(event) - chosen in ({frozenset("AG"), frozenset("BH")}, {frozenset("AH"), frozenset("BG")})
        entries.drop(actor=organizer(), entry=entry_of(event, "B"))
        pair(event, "CE", "DF", "GH", bye="A")
        rounds.publish_round(actor=organizer(), event=event)
        entries.rejoin(actor=organizer(), entry=entry_of(event, "B"))
        assert pairs_of(event) == {frozenset("CE"), frozenset("DF"), frozenset("GH"), frozenset("A")}
        assert list(UnpairedLoss.objects.values_list("entry__name", "round__number")) == [("B", 2)]

    def test_at_a_table_where_neither_has_played(self):
        """E22: in a hall with a table to spare."""
        event = started(make_event(players=9, rounds=3, table_count=5))
        pair(event, "AB", "CD", "EF", "GH", bye="I")
        played_round(event)
        for name in "AI":
            entries.drop(actor=organizer(), entry=entry_of(event, name))
        pair(event, "BC", "DE", "FH", bye="G")
        rounds.publish_round(actor=organizer(), event=event)
        add_player(actor=organizer(), event=event, name="Late")
        assert {game.table for game in games_of(event.round_set.last())} == {1, 2, 3, 5}

    def test_not_beside_somebody_who_has_left(self, event):
        bye = Game.objects.get(round__event=event, second=None)
        entries.drop(actor=organizer(), entry=bye.first)
        add_player(actor=organizer(), event=event, name="Late")
        assert frozenset(bye.first.name) in pairs_of(event)
        assert list(UnpairedLoss.objects.values_list("entry__name", flat=True)) == ["Late"]

    @pytest.mark.parametrize("has_bye", [True, False])
    def test_who_drops_and_is_back_before_the_start_has_the_same_place(self, event, has_bye):
        before = self.games(event)
        entry = Game.objects.filter(round__event=event, second__isnull=has_bye).first().first
        entries.drop(actor=organizer(), entry=entry)
        entries.rejoin(actor=organizer(), entry=entry)
        assert (self.games(event), UnpairedLoss.objects.count()) == (before, 0)

    def test_not_beside_a_teammate(self, event):
        """E17, our option."""
        bye = Game.objects.get(round__event=event, second=None).first
        Event.objects.update(team_size=2)
        team = event.teams.create(name="Rogues")
        Entry.objects.filter(pk=bye.pk).update(team=team)
        late = Entry.objects.create(event=event, number=6, name="Late", team=team)
        entries.enter_late(actor=organizer(), entry=late)
        assert frozenset((bye.name, "Late")) not in pairs_of(event)

    def test_not_once_the_clock_runs(self, event):
        clock.start_clock(actor=organizer(), event=event, now=timezone.now())
        before = self.games(event)
        add_player(actor=organizer(), event=event, name="Late")
        assert (self.games(event), UnpairedLoss.objects.count()) == (before, 1)

    def test_from_the_page_of_the_entry(self, client, event):
        """A player who was waiting, or was not checked in."""
        late = Entry.objects.create(event=event, number=6, name="Late", state=Entry.State.WAITING)
        client.force_login(organizer())
        page = reverse("tournaments:entry", args=[event.pk, late.number])
        assert client.get(page).context["may_enter_late"]
        answer = client.post(page, {"do": "late"}, follow=True)
        opponent = Game.objects.get(second=late).first
        assert f"Late plays at table 3 against {opponent}." in answer.content.decode()
        assert not answer.context["may_enter_late"]
