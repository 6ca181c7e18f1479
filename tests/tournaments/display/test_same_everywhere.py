"""A result, a player's state and the number of players are the same on every page, on paper and in files."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.tournaments.results import Ending, Result
from tests.tournaments.display.events import GC, TR, SmallEvent, text_of
from tests.tournaments.factories import (
    add_player,
    entry_of,
    finished,
    games_of,
    make_event,
    make_leader,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Entry
from tournaments.pages.inbox import next_step
from tournaments.queries.exchange import content_of
from tournaments.queries.inbox import own_events
from tournaments.services import bracket, clock, entries, exchange, results, rounds, verification

pytestmark = pytest.mark.django_db


def text(event, page, who=None):
    answer = (who or Client()).get(f"/events/{event.pk}/{page}")
    assert answer.status_code == 200
    return text_of(answer.content, "<main" if b"<main" in answer.content else "</nav>", "</body>")


def get_places(event):
    found = {each["place"]: each["player"] for each in api(event, "bracket")["places"]}
    return [event.entries.get(number=found[place]).name for place in ("1", "2")]


def own_page(entry):
    phone = Client()
    phone.post(f"/events/me/{entry.token}/")
    return text(entry.event, "me/", phone)


def api(event, part):
    return Client().get(f"/api/v1/events/{event.pk}/{part}/").json()


def test_a_no_show_and_an_ejection_count_900_points():
    """E4, E30: what counts is read everywhere, not what was entered."""
    small = SmallEvent(GC, ("Ada", "Bo", "Cai", "Dee"), rounds=1, cut=4)
    small.publish(("Ada", "Bo"), ("Cai", "Dee"))
    small.result("Ada", (0, 0), (0, 0), how=Ending.NO_SHOW, by="Bo")
    small.result("Cai")
    event = small.event
    counted = "{} Points defeated 900 Victory tokens 0 {} Points defeated 0 Victory tokens 0 No-show"
    assert counted.format("Ada", "Bo") in text(event, "rounds/1/")
    assert "Ada 900 0 Bo gave up 0 0" in own_page(small.entry("Ada"))
    assert "No-show · 0–900 · 0–0 VT Lost" in own_page(small.entry("Bo"))
    small.close()
    bracket.make_cut(**small.both)
    small.publish()
    clock.start_clock(**small.both, now=timezone.now())
    gone, stays = small.entry("Dee"), small.entry("Cai")
    assert small.game("Cai").opponent_of(stays) == gone
    entries.eject(actor=small.organizer, entry=gone, reason="Loaded dice")
    assert counted.format("Cai", "Dee") in text(event, "rounds/2/")
    assert "Seed 2 Cai Points defeated 900 Seed 3 Dee Points defeated 0 No-show." in text(event, "bracket/")
    assert "Cai ✓ won Dee 900 – 0 No-show" in text(event, "print/tables/?round=2")
    assert "2 Cai 900 3 Dee 0 No-show." in text(event, "print/bracket/")
    assert "Cai 900 0 Dee gave up 0 0" in own_page(stays)
    for entry, score in ((stays, "900–0"), (gone, "0–900")):
        assert score in text(event, f"players/{entry.number}/")
    table = Client().get(f"/events/{event.pk}/export/results.csv").content.decode()
    results = [each["result"] for part in (1, 2) for each in api(event, "rounds")[part - 1]["games"]]
    counted = [(each["points"], each["tokens"]) for each in results if each and each["how"] == "no_show"]
    assert counted == [([900, 0], [0, 0])] * 2
    assert re.findall(r"no_show,(\w+),(\d+),(\d+)", table) == [("Ada", "900", "0"), ("Cai", "900", "0")]


def test_a_no_show_has_neither_figures_nor_colors():
    """E32: where the rules count a margin, nothing was played that a page could show."""
    small = SmallEvent(TR, "ABCD", rounds=2)
    small.publish(("A", "B"), ("C", "D"))
    small.result("A", (0, 0), (0, 0), how=Ending.NO_SHOW, by="B", blue="")
    assert "Table 1 A B No-show Table 2" in text(small.event, "rounds/1/")
    assert "1 A ✓ won B No-show 2" in text(small.event, "print/tables/")
    me = own_page(small.entry("A"))
    assert "A won · No-show Points defeated Victory tokens A – – B gave up – – Confirmed." in me
    assert "1 B No-show Won" in me


def test_a_game_without_both_players_is_lost_by_both():
    """E32, E35: an organizer enters it; it counts as a game, and is no draw anywhere."""
    each = published_round(started(make_event("TR", players=4, rounds=2)))
    event, (game, other), olga = each.event, games_of(each), Client()
    olga.force_login(organizer())
    olga.post(
        reverse("tournaments:result", args=[event.pk, 1, game.place]),
        {"version": game.version, "how": "no_show", "by": "both"},
    )
    won = Result(how=Ending.SIX_ROUNDS, winner=other.first.key, points=(300, 100), tokens=(6, 2), blue=other.first.key)
    results.save_result(actor=organizer(), game=other, result=won)
    rounds.close_round(actor=organizer(), event=event)
    one, two = game.pair
    assert f"Table {game.table} {one} {two} No-show" in text(event, "rounds/1/")
    assert f"{game.table} {one} {two} No-show" in text(event, "print/tables/?round=1")
    assert f"1 {two} No-show Lost" in own_page(one)
    record = text(event, f"players/{two.number}/")
    assert ("Lost" in record, "Draw" in record) == (True, False)
    assert "won" not in text(event, f"players/{one.number}/figures/")
    lines = api(event, "standings")["standings"]
    figures = [(line["points"], line["rounds"], line["average_margin"]) for line in lines]
    assert figures == [(1, 1, "3/4"), (0, 1, "1/4"), (0, 1, "0"), (0, 1, "0")]
    content = content_of(event)
    assert (exchange.violations(content), list(verification.differences(content))) == ([], [])


def test_a_correction_after_the_finish_changes_champion_and_places_everywhere():
    """E31, E43: the final was typed the wrong way round, and somebody sees it a day later."""
    event, olga = finished(make_event(players=4, rounds=1, cut=2)), Client()
    olga.force_login(organizer())
    [final] = games_of(event.round_set.get(number=2))
    other, champion = final.pair
    assert get_places(event) == [champion.name, other.name]
    page = reverse("tournaments:result", args=[event.pk, 2, final.place])
    typed = {"version": final.version, "how": "victory", "winner": other.key, "mission": "", "reason": "Misread."}
    typed |= {"first_points": 500, "second_points": 300, "first_tokens": 5, "second_tokens": 3}
    shown = olga.post(page, typed)
    assert get_places(event) == [champion.name, other.name]  # nothing is saved before it was shown
    saved = olga.post(page, typed | {"shown": shown.context["token"]})
    assert (saved.status_code, get_places(event)) == (302, [other.name, champion.name])
    event.refresh_from_db()
    assert (event.state, Client().get(f"/api/v1/events/{event.pk}/").json()["winner"]) == ("finished", other.number)
    for part in ("", "standings/", "bracket/"):
        assert f"Winner {other} " in text(event, part)
    assert f"1 {other} 2–0 3 2 {champion} 1–1 3" in text(event, "standings/")
    assert f"1 {other} 500 2 {champion} 300 Winner: {other}" in text(event, "print/bracket/")
    assert "Place 2 Won–lost 1–1" in text(event, f"players/{champion.number}/")
    swiss = next(game for game in games_of(event.round_set.get(number=1)) if champion in game.pair)
    more = Result(how=Ending.VICTORY, winner=champion.key, points=(900, 900), tokens=(5, 3))
    results.save_result(actor=organizer(), game=swiss, result=more, correct=True)
    assert f"1 {champion} Place 2 3 0.000 900" in text(event, "standings/")  # the Swiss order, not the places
    assert get_places(event) == [other.name, champion.name]
    assert "Place 1" in own_page(other)
    assert "Misread." in text(event, "log/")
    content = content_of(event)
    assert (exchange.violations(content), list(verification.differences(content))) == ([], [])


def test_who_has_declined_the_bracket_was_not_cut():
    """E38. After the end their place is the one of the final places, behind the bracket."""
    event = started(make_event(players=5, rounds=1, cut=2))
    played_round(event, "ABCDE")
    first = games_of(bracket.make_cut(actor=organizer(), event=event))[0].first
    user = make_leader(make_event(name="Elsewhere"), name="player")
    Entry.objects.filter(pk=first.pk).update(user=user)
    entries.decline_place(actor=organizer(), entry=first)
    first.refresh_from_db()
    [step] = [next_step(own, timezone.now()) for own in own_events(user) if own.event == event]
    assert step == "You declined your place in the bracket"
    olga, phone = Client(), Client()
    olga.force_login(organizer())
    phone.force_login(user)
    shown = f"#{first.number} declined the bracket"
    assert shown in text(event, "console/", olga)
    event = finished(event)
    for page in ("standings/", "print/standings/", "projector/?view=standings", f"players/{first.number}/"):
        words = text(event, page)
        assert ("declined the bracket" in words, f"{first.name} cut" in words) == (True, False)
    assert {each["state"] for each in api(event, "players") if each["number"] == first.number} == {"declined"}
    me = text(event, "me/", phone)
    assert "Place 3 You declined your place in the bracket. You come after its players." in me
    assert f"3 {first.name} 1–0" in text(event, "standings/")
    assert "played to the end" in text(event, "players/manage/", olga)


def test_everyone_who_has_played_is_counted_once():
    """Not who withdrew or waits. Who dropped or was ejected has played."""
    event = make_event(players=9, rounds=2, cut=2)
    olga = Client()
    olga.force_login(organizer())
    entries.drop(actor=organizer(), entry=entry_of(event, "I"))
    Entry.objects.create(event=event, number=10, name="Waits", state=Entry.State.WAITING)
    event = started(event)
    played_round(event)
    entries.drop(actor=organizer(), entry=entry_of(event, "H"))
    entries.eject(actor=organizer(), entry=entry_of(event, "G"), reason="Loaded dice")
    add_player(actor=organizer(), event=event, name="Late")
    played_round(event)
    assert "Playing 7 Dropped 2 " in text(event, "console/", olga)

    def counted():
        pages = [text(event, page) for page in ("", "standings/", "statistics/")]
        found = {number for page in pages for number in re.findall(r"Players (\d+)|(\d+) players", page)}
        rows = Client().get(f"/events/{event.pk}/standings/").content.count(b"<tr\n")
        listed = re.search(r"Winter Conquest .*?(\d+) players", text_of(Client().get("/events/").content))
        return {*filter(None, {each for pair in found for each in pair}), str(rows), listed[1]}

    assert counted() == {"9"}
    event = finished(event)
    assert counted() == {"9"}
    assert "Players 9 " in text(event, "console/", olga)
    assert "of 9<" in Client().get(f"/events/{event.pk}/players/1/card.svg").content.decode()
