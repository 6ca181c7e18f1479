"""Pairings, standings, figures and the bracket, as the public, players and leaders see them."""

import re

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from ops.monitoring.request_log import FRAMES
from rules.tournaments.results import Ending
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tests.tournaments.factories import add_player
from tournaments.models import Entry, Event, Game, Round
from tournaments.pages.standings import standings_of, standings_table
from tournaments.queries.history import history_of
from tournaments.services import bracket, entries, events, pairing

pytestmark = pytest.mark.django_db
FIVE = ("Ada", "Bo", "Cai", "Dee", "Eli")


@pytest.fixture
def conquest():
    """Galactic Conquest with five players and a cut of two, before its first pairings."""
    return SmallEvent(GC, FIVE, rounds=3, cut=2)


def read(stage, *page, who=None, **query):
    answer = (who or stage.client()).get(stage.page(*page), query)
    assert answer.status_code == 200
    return text_of(answer.content)


def between(text, start, end):
    return text.split(start, 1)[1].split(end, 1)[0].strip()


def test_pairings_are_public_once_they_are_published(conquest):
    """E24: drafts are for leaders."""
    assert "No pairings yet" in read(conquest, "pairings")
    conquest.draft(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    stranger, player, leader = conquest.client(), conquest.client(player="Ada"), conquest.client(leader=True)
    assert [who.get(conquest.page("round", 1)).status_code for who in (stranger, player, leader)] == [404, 404, 200]
    assert "Draft: only leaders see it." in read(conquest, "round", 1, who=leader)
    assert "No pairings yet" in read(conquest, "pairings", who=player)
    conquest.publish()
    for who in (stranger, player, leader):
        assert read(conquest, "pairings", who=who) == read(conquest, "round", 1, who=who).replace(" draft", "")
    assert stranger.get(conquest.page("round", 2)).status_code == 404


def test_an_event_that_is_a_draft_shows_nothing(conquest):
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    Event.objects.update(state=Event.State.DRAFT)
    pages = [("pairings",), ("round", 1), ("standings",), ("figures", 1), ("bracket",), ("clock",), ("projector",)]
    pages += [("print", "names"), ("pdf", "names")]
    assert {conquest.client().get(conquest.page(*page)).status_code for page in pages} == {404}


def test_pairings_by_table_and_by_name_with_results_as_they_come(conquest):
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    conquest.result("Bo", (620, 410), (7, 4))
    Game.objects.filter(pk=conquest.game("Dee").pk).update(state=Game.State.REPORTED, first_points=777)
    text = read(conquest, "pairings")
    assert between(text, "By name", "On the right") == (
        "Round 1 1 result missing Table 1 Ada Points defeated 410 Victory tokens 4 "
        "Bo Points defeated 620 Victory tokens 7 Table 2 Cai Dee Reported, not confirmed yet Bye – Eli a win"
    )
    text = read(conquest, "pairings", by="name")
    assert between(text, "missing", "Print and show") == (
        "Table 1 Ada against Bo Table 1 Bo against Ada Table 2 Cai against Dee Table 2 Dee against Cai – Eli Bye: a win"
    )
    Game.objects.filter(pk=conquest.game("Dee").pk).update(state=Game.State.DISPUTED)
    assert "Table 2 Cai Dee Disputed: not decided yet" in read(conquest, "pairings")


def test_many_pairings_are_folded_and_the_own_one_is_open(conquest, monkeypatch):
    """On a phone; the search finds all."""
    monkeypatch.setattr("core.templatetags.folds.FEW", 1)
    monkeypatch.setattr("core.templatetags.folds.A_FOLD", 1)
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    cai = conquest.client(player="Cai")
    for query, own in (({}, "tables-2"), ({"by": "name"}, "names-3")):
        page = cai.get(conquest.page("pairings"), query).content.decode()
        assert re.findall(r'<details\s+class="fold"\s+id="([^"]+)"[^>]*\sopen\b', page) == [own]
    page = read(conquest, "pairings", who=cai, q="Bo")
    assert ("Tables" in page, "Table 1 Ada Bo" in page) == (False, True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "ad"}, "Table 1 Ada Bo"),
        ({"q": "2"}, "Table 2 Cai Dee"),
        ({"q": "EL", "by": "name"}, "– Eli Bye: a win"),
        ({"q": "zoe"}, "No players found. Try part of a name or a table number."),
    ],
)
def test_the_search_works_without_a_script(conquest, query, found):
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    text = read(conquest, "pairings", **query)
    shown = between(text + " On the right", "2 results missing", "On the right").split(" Print and show")[0]
    assert shown == found


def test_colors_are_shown_where_the_rules_know_them():
    """E27: Tournament Regulations."""
    stage = SmallEvent(TR, "ABCD", rounds=2)
    stage.publish(("A", "B"), ("C", "D"))
    stage.result("A", (400, 200), (6, 2), blue="B")
    assert "Table 1 A red Points defeated 400 Victory tokens 6 B blue Points" in read(stage, "pairings")


def test_who_missed_a_round_is_named(conquest):
    """E21, E25."""
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    conquest.result("Ada")
    add_player(**conquest.both, name="Zoe")
    assert between(read(conquest, "pairings"), "Not paired", "On the right") == (
        "A loss for a round that they missed. E21 – Zoe a loss"
    )


def test_a_poll_gets_nothing_until_something_has_changed(conquest):
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    client, page = conquest.client(), conquest.page("pairings")
    poll = client.get(page).context["poll"]
    assert client.get(poll).status_code == 204
    conquest.result("Ada")
    changed = client.get(poll)
    assert (changed.status_code, b"<html" in changed.content) == (200, False)
    assert "1 result missing" in text_of(changed.content, "<div", "</html>")
    poll = changed.context["poll"]
    conquest.result("Cai")
    conquest.close()
    conquest.publish(("Ada", "Cai"), ("Bo", "Eli"), bye="Dee")
    assert "Round 2" in text_of(client.get(poll).content, "<div", "</html>")
    assert client.get(conquest.page("round", 1)).context["poll"] == ""


def play_two_rounds(stage):
    stage.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    stage.result("Ada", (600, 200), (8, 2))
    stage.result("Cai", (500, 450), (5, 5), how=Ending.DRAW)
    stage.close()
    stage.publish(("Ada", "Eli"), ("Bo", "Cai"), bye="Dee")
    stage.result("Ada", (700, 100), (6, 1))
    stage.result("Bo", (0, 0), (0, 0), how=Ending.CONCEDED, by="Cai")
    stage.close()


def test_standings_of_galactic_conquest(conquest):
    """E33, E35: all columns, with three decimals; dropped players stay."""
    assert "No standings yet" in read(conquest, "standings")
    play_two_rounds(conquest)
    entries.drop(**conquest.who, entry=conquest.entry("Dee"))
    text = read(conquest, "standings", who=conquest.client(player="Bo"))
    assert between(text, "Tokens", "What each") == (
        "1 Ada certain if they win 6 1.500 1300 14 2 Dee dropped 4 0.500 1350 5 3 Eli 3 3.000 1000 1 "
        "4 Bo 3 1.750 1100 2 5 Cai 1 1.750 500 5"
    )
    assert (
        "After round 2 Top 2 advance Your rank: 4 The top 2 is possible. Other results or tiebreakers decide. E38"
        in text
    )
    text = read(conquest, "standings", after=1)
    assert between(text, "Tokens", "What the") == (
        "1 Eli 3 0.000 900 0 2 Ada 3 0.000 600 8 3 Cai 1 1.000 500 5 4 Dee dropped 1 1.000 450 5 5 Bo 0 3.000 200 2"
    )


def test_equal_players_are_marked_and_the_order_is_the_ticket(conquest):
    """E34."""
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    for winner in ("Ada", "Cai"):
        conquest.result(winner)
    conquest.close()
    first, second = sorted(("Ada", "Cai"), key=lambda name: conquest.entry(name).ticket)
    assert f"2 {first} by lot 3 0.000 500 5 3 {second} by lot" in read(conquest, "standings")


def test_standings_of_the_tournament_regulations():
    """E32, E33, E36: a bye alone is provisional."""
    stage = SmallEvent(TR, FIVE, rounds=3)
    stage.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    stage.result("Ada", (400, 200), (6, 2))
    stage.result("Cai", (300, 200), (4, 2))
    stage.close()
    text = read(stage, "standings")
    assert between(text, "Ext. SoS", "What the") == (
        "1 Ada 1 0.750 0.250 0.000 1.000 2 Cai 1 0.667 0.333 0.000 1.000 3 Eli 1 0.500* 0.000 0.000 0.000 "
        "4 Dee 0 0.333 0.667 1.000 0.000 5 Bo 0 0.250 0.750 1.000 0.000 "
        "* Provisional: no game of this player has a margin of victory yet. E32"
    )
    assert "so 1/2 is provisional." in read(stage, "figures", stage.entry("Eli").number)
    Event.objects.update(rounds=1)  # no round remains
    assert "3 Eli 1 0.500 0.000" in read(stage, "standings")
    assert "You have no other game, so that is 1/2." in read(stage, "figures", stage.entry("Eli").number)


def test_every_figure_opens_to_how_it_was_computed(conquest):
    """E35, E37."""
    play_two_rounds(conquest)
    text = read(conquest, "figures", conquest.entry("Bo").number)
    assert between(text, "Your own byes and missed rounds do not count as opponents.", "Points defeated E33") == (
        "R1 Ada 6 points ÷ 2 rounds = 3 R2 Cai 1 point ÷ 2 rounds = 1/2 = 0.500 = (3 + 1/2) ÷ 2 = 7/4 = 1.750 7/4"
    )
    assert between(text, "A win is worth 3, a draw 1, a loss 0. A bye is a win.", "Strength") == (
        "R1 Ada lost 0 R2 Cai won 3 = 3"
    )
    assert "are worth 900. R1 Ada lost 200 R2 Cai won 900 = 1100" in text
    text = read(conquest, "figures", conquest.entry("Eli").number, after=1)
    assert "R1 Bye 3 = 3" in text
    assert "No opponents yet, so 0." in text


def test_margins_open_too():
    """E32, E36: the bye counts with the mean of the other games."""
    stage = SmallEvent(TR, FIVE, rounds=3)
    stage.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    stage.result("Ada", (400, 200), (6, 2))
    stage.result("Cai", (300, 200), (4, 2))
    stage.close()
    stage.publish(("Eli", "Ada"), ("Bo", "Dee"), bye="Cai")
    stage.result("Eli", (300, 200), (3, 1))
    stage.result("Bo", (300, 200), (4, 0))
    stage.close()
    text = read(stage, "figures", stage.entry("Eli").number)
    assert between(text, "of your other games, 3/4 = 0.750.", "Extended") == (
        "R1 Bye mean: 3/4 = 0.750 R2 Ada won 3/4 = 0.750 = 3/2 ÷ 2 = 3/4 = 0.750 3/4"
    )
    assert "The mean of your opponents’ average margins of victory. R2 Ada 1/2 = 0.500 = (1/2) ÷ 1 = 1/2" in text


def test_a_player_without_figures(conquest):
    number = conquest.entry("Ada").number
    assert "No figures yet" in read(conquest, "figures", number)
    Entry.objects.filter(number=number).update(ticket=None)
    assert conquest.client().get(conquest.page("figures", number)).status_code == 404
    assert conquest.client().get(conquest.page("figures", 99)).status_code == 404


@pytest.fixture
def knockout():
    """Galactic Conquest with four players, one Swiss round and a cut of four, its bracket a draft."""
    stage = SmallEvent(GC, FIVE[:4], rounds=1, cut=4)
    stage.publish(("Ada", "Bo"), ("Cai", "Dee"))
    stage.result("Ada", (900, 100), (9, 0))
    stage.result("Cai", (500, 300), (5, 3))
    stage.close()
    bracket.make_cut(**stage.both)
    return stage


def test_the_bracket_is_public_once_it_is_published(knockout):
    """E24, E38."""
    assert "No bracket yet" in read(knockout, "bracket")
    assert "No bracket yet" in read(knockout, "bracket", who=knockout.client(leader=True))
    knockout.publish()
    assert between(read(knockout, "bracket"), "Semifinals", "The bracket is fixed") == (
        "Seed 1 Ada Seed 4 Bo Table 2 Seed 2 Cai Seed 3 Dee Table 1 Final Winner of game 1 Winner of game 2"
    )


def test_the_bracket_shows_rolls_places_and_the_winner(knockout):
    """E39, E40, E43: a drawn game is decided by the priority roll."""
    knockout.publish()
    knockout.result("Ada", (100, 100), (1, 1), how=Ending.DRAW, roll="Bo")
    knockout.result("Cai", (600, 300), (5, 3))
    assert "Final Seed 4 Bo Seed 2 Cai" in read(knockout, "bracket")
    knockout.close()
    pairing.draw_round(**knockout.both)
    knockout.publish()
    knockout.result("Cai", (700, 200), (8, 2))
    text = read(knockout, "bracket")
    assert "Seed 1 Ada Points defeated 100 Seed 4 Bo Points defeated 100 Draw. Bo won the priority roll." in text
    assert between(text, "Places", "Print") == "1 Cai 2 Bo 3–4 Ada Dee"
    assert "Winner Cai" in text
    second = text_of(knockout.client(player="Bo").get(_me(knockout)).content)
    assert "Place 2 Cai won the final. This was your last game in this event." in second
    assert "Drop from this event" not in second
    assert "1 Ada Place 3–4 3" in read(knockout, "standings")
    assert "Draw, decided by the priority roll" in read(knockout, "round", 2)
    knockout.close()
    events.finish(**knockout.both)
    final = between(read(knockout, "standings"), "Winner", "Swiss rounds")
    assert "Cai Final places 4 players" in final
    assert between(read(knockout, "standings"), "Points 1", "Swiss rounds") == (
        "Cai 3–0 3 2 Bo 1–2 0 3–4 Ada 1–1 3 3–4 Dee 0–2 0"
    )


def test_who_lost_in_the_bracket_reads_their_place(knockout):
    """E39, E40: from the moment the result is confirmed, and the priority roll is told."""
    knockout.publish()
    knockout.result("Ada", (100, 100), (1, 1), how=Ending.DRAW, roll="Bo")
    lost, won = (text_of(knockout.client(player=name).get(_me(knockout)).content) for name in ("Ada", "Bo"))
    assert "Place 3–4 Bo advances. This was your last game in this event. The priority roll decided" in lost
    assert "priority roll Lost" in lost
    assert "Your next table appears here." in won
    entries.drop(actor=knockout.organizer, entry=knockout.entry("Dee"))
    assert "advances" not in text_of(knockout.client(player="Cai").get(_me(knockout)).content)


def _me(event):
    return f"/events/{event.event.pk}/me/"


def test_what_an_absent_player_gave_away_is_shown(conquest):
    """E30: 900 points and no tokens count for a no-show."""
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    conquest.result("Ada", (0, 0), (0, 0), how=Ending.NO_SHOW, by="Bo")
    assert "Points defeated 900 Victory tokens 0" in read(conquest, "round", 1)
    printed = conquest.client().get(conquest.page("print", "tables")).content
    assert "1 Ada ✓ won Bo 900 – 0 No-show" in text_of(printed, "</nav>", "</body>")


def test_who_has_no_opponent_in_the_bracket_has_a_bye(knockout):
    """E41."""
    knockout.publish()
    knockout.result("Ada", (600, 300), (5, 3))
    Game.objects.filter(pk=knockout.game("Cai").pk).update(second=None, first=knockout.entry("Cai"), table=0)
    assert "Seed 2 Cai Bye Final Seed 1 Ada Seed 2 Cai" in read(knockout, "bracket")
    assert "Bye – Cai next round" in read(knockout, "pairings")


PAGES = [
    ("pairings",), ("round", 1), ("standings",), ("figures", 1), ("bracket",), ("clock",), ("projector",),
    ("print", "names"), ("print", "tables"), ("print", "slips"), ("print", "standings"), ("print", "bracket"),
]  # fmt: skip


def test_pages_ask_as_often_for_many_players_as_for_few():
    """At most 15 statements a page, however many players there are."""

    def asked(names):
        stage = SmallEvent(GC, names, rounds=3, cut=2)
        stage.publish(*zip(names[::2], names[1::2], strict=False), bye=names[-1])
        for winner in names[:-1:2]:
            stage.result(winner)
        stage.close()
        stage.publish(*zip(names[1::2], names[2::2], strict=False), bye=names[0])
        who, found = stage.client(leader=True), {}
        for page in PAGES:
            with CaptureQueriesContext(connection) as queries:
                assert who.get(stage.page(*page)).status_code == 200
            found[page] = sum(not each["sql"].startswith(FRAMES) for each in queries)
        stage.organizer.username = f"{len(names)}"
        stage.organizer.save()
        return found

    few = asked(["Ada", "Bo", "Cai", "Dee", "Eli"])
    assert asked(["Ada", "Bo", "Cai", "Dee", "Eli", "Fay", "Gus", "Hal", "Ivy"]) == few
    assert max(few.values()) <= 15


def test_a_closed_round_says_so(conquest):
    play_two_rounds(conquest)
    assert Round.objects.get(number=1).state == Round.State.CLOSED
    text = read(conquest, "round", 1)
    assert "Round 1 Closed" in text
    assert "Cai Points defeated 500 Victory tokens 5 Dee Points defeated 450 Victory tokens 5 Draw" in text


def test_leaders_find_every_result_of_a_round_to_correct_it(conquest):
    """E31: also that of an earlier round."""
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    conquest.result("Bo")
    page, links = conquest.page("round", 1), []
    for who in (conquest.client(player="Ada"), conquest.client(leader=True)):
        html = who.get(page).content.decode()
        links.append(
            [" ".join(text.split()) for text in re.findall(rf'<a[^>]+href="{page}games/\d/">(.*?)<', html, re.DOTALL)]
        )
    assert links == [[], ["Correct", "Enter result"]]


def test_standings_in_the_cache_are_those_of_now(conquest):
    """Each change of what they show is another key of the cache."""
    conquest.publish(("Ada", "Bo"), ("Cai", "Dee"), bye="Eli")
    conquest.result("Ada")
    conquest.result("Cai")
    before = standings_of(conquest.event)
    conquest.close()

    def now():
        event = Event.objects.get(pk=conquest.event.pk)
        assert standings_of(event) == standings_table(history_of(event))  # computed, then read
        return standings_of(event)

    seen = [before, now()]
    for change in (
        lambda: entries.drop(actor=conquest.organizer, entry=conquest.event.entries.get(name="Dee")),
        lambda: conquest.event.entries.filter(name="Eli").update(name="Player 5"),
        lambda: Game.objects.filter(first__name="Ada").update(first_points=990, version=F("version") + 1),
        lambda: Event.objects.filter(pk=conquest.event.pk).update(cut=4),
    ):
        change()
        seen.append(now())
        assert seen[-1] != seen[-2]
