"""Changes of a draft by hand (E16, E18, E19, E22–E24), and drafts when players leave or join (E21, E25)."""

import re
from collections.abc import Callable
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import User
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tests.at_once import at_once
from tests.html import html_of
from tests.tournaments.factories import add_player, make_event, organizer
from tests.tournaments.rounds.drafts import build, drawn, play, refused
from tournaments.access import EventRole
from tournaments.models import Entry, Event, Game, LogLine, Membership, Round, SubmittedList
from tournaments.pages.rounds import draft_of
from tournaments.queries.rounds import draft_version
from tournaments.services import bracket, entries, events, pairing, rounds
from tournaments.views.common import frame

WHY = "They came together."


def seats(current: Round) -> list[tuple[str, str, int]]:
    """Who plays at which table, in the order of the games; "" for the place next to a bye."""
    games = Game.objects.filter(round=current).select_related("first", "second").order_by("place")
    return [(str(game.first), str(game.second or ""), game.table) for game in games]


def version(current: Round) -> str:
    return draft_version(current.games.order_by("place"))


def change(act: Callable[..., None], olga: User, current: Round, **words) -> None:
    words = {"reason": WHY, "version": version(current), **words}
    act(actor=olga, event=current.event, number=current.number, **words)


def facts_of_last_line(event: Event) -> dict:
    return LogLine.objects.filter(event=event).order_by("-pk").first().facts


@pytest.mark.django_db
def test_swapping_two_players():
    """E24: the log says what it was and is; the same post again changes nothing."""
    olga, event = build()
    current = drawn(olga, event)
    (a, b, _one), (c, d, _two), third = seats(current)
    one, other = event.entries.get(name=b), event.entries.get(name=c)
    seen = version(current)
    for _ in range(2):
        change(rounds.swap_players, olga, current, one=one, other=other, version=seen)
    assert seats(current) == [(a, c, 1), (b, d, 2), third]
    line = LogLine.objects.filter(event=event, kind="paired").get()
    number = dict(event.entries.values_list("name", "number"))
    assert (line.reason, line.facts) == (
        WHY,
        {
            "act": "swap", "entries": sorted((number[b], number[c])), "round": 1, "version": seen,
            "before": [
                {"table": 1, "players": [number[a], number[b]]}, {"table": 2, "players": [number[c], number[d]]},
            ],
            "after": [
                {"table": 1, "players": [number[a], number[c]]}, {"table": 2, "players": [number[b], number[d]]},
            ],
        },
    )  # fmt: skip


@pytest.mark.django_db
def test_swaps_that_cannot_be():
    olga, event = build()
    current = drawn(olga, event)
    game = current.games.first()
    words = {"one": game.first, "other": game.second}
    swap = partial(change, rounds.swap_players, olga, current)
    together = "These two already play each other. Choose players of two games. (E24)"
    assert refused(swap, **words) == together
    assert "Give a reason" in refused(swap, **words, reason="  ")
    assert refused(swap, **words, version="old") == "The pairings were changed a moment ago. Look at them again. (E24)"
    dropped = Entry.objects.create(event=event, number=99, name="Z", state=Entry.State.DROPPED)
    assert refused(swap, one=game.first, other=dropped) == "Z is not paired in this round. (E24)"
    mallory = User.objects.create_user("mallory")
    text = "Only an organizer of this event can do this."
    assert refused(change, rounds.swap_players, mallory, current, **words) == text
    before = seats(current)
    rounds.publish_round(actor=olga, event=event)
    other = current.games.last().first
    change(rounds.swap_players, olga, current, one=game.first, other=other)
    assert seats(current) != before
    Round.objects.update(started_at=event.created_at)
    started = "The round has started. Its pairings stay. (E24)"
    assert refused(swap, one=game.first, other=other) == started


@pytest.mark.django_db
def test_giving_the_bye_by_hand():
    """E19, E24."""
    olga, event = build(5)
    current = drawn(olga, event)
    (a, b, _table), (c, d, _table2), (e, _nobody, zero) = seats(current)
    assert zero == 0
    entry = event.entries.get(name=a)
    seen = version(current)
    for _ in range(2):
        change(rounds.give_bye, olga, current, entry=entry, version=seen)
    assert seats(current) == [(e, b, 1), (c, d, 2), (a, "", 0)]
    assert refused(change, rounds.give_bye, olga, current, entry=entry) == f"{a} has the bye already. (E19)"


@pytest.mark.django_db
def test_a_round_without_a_bye():
    olga, event = build(4)
    current = drawn(olga, event)
    text = "Nobody has a bye: the number of players is even. (E19)"
    assert refused(change, rounds.give_bye, olga, current, entry=event.entries.first()) == text


@pytest.mark.django_db
def test_changing_tables():
    """E22, E24: a table that is taken is exchanged."""
    olga, event = build()
    current = drawn(olga, event)
    pairs = [pair[:2] for pair in seats(current)]
    assert refused(change, rounds.set_tables, olga, current, tables={1: 1}) == (
        "Enter another table for at least one game. (E24)"
    )
    assert refused(change, rounds.set_tables, olga, current, tables={1: 0}) == (
        "A table has a number from 1 to 999. (E22)"
    )
    assert refused(change, rounds.set_tables, olga, current, tables={1: 3, 2: 3}) == (
        "Two games cannot have one table. Enter different numbers. (E24)"
    )
    seen = version(current)
    for _ in range(2):
        change(rounds.set_tables, olga, current, tables={1: 3, 2: 2, 3: 3}, version=seen)
    assert [table for _one, _other, table in seats(current)] == [3, 2, 1]
    change(rounds.set_tables, olga, current, tables={2: 12})
    assert seats(current) == [(*pairs[0], 3), (*pairs[1], 12), (*pairs[2], 1)]


@pytest.mark.django_db
def test_fixed_tables():
    """E22: the draft follows at once, and a swap keeps them."""
    olga, event = build()
    current = drawn(olga, event)
    player = current.games.first().first
    for _ in range(2):
        rounds.fix_table(actor=olga, entry=player, table=3, reason="Wheelchair access")
    assert [table for *_pair, table in seats(current)] == [3, 2, 1]
    assert facts_of_last_line(event) == {"act": "fixed", "entry": player.number, "before": None, "after": 3}
    other = current.games.get(place=2).first
    player.refresh_from_db()
    change(rounds.swap_players, olga, current, one=player, other=other)
    found = Game.objects.get(round=current, first=player)
    assert (found.place, found.table) == (2, 3)
    assert sorted(table for *_pair, table in seats(current)) == [1, 2, 3]


@pytest.mark.django_db
def test_the_same_seed_gives_the_same_pairs():
    """E23: going back to the app's draw finds the pairs again, and there is no other draw to be had."""
    olga, event = build(7)
    current = drawn(olga, event)
    first = seats(current)
    one, other = current.games.get(place=1).first, current.games.get(place=2).second
    change(rounds.swap_players, olga, current, one=one, other=other)
    assert draft_of(event, 1).changed
    change(rounds.set_tables, olga, current, tables={1: 9})
    seen = version(current)
    for _ in range(2):
        change(rounds.restore_draw, olga, current, version=seen)
    assert seats(current) == first
    assert not draft_of(event, 1).changed
    assert facts_of_last_line(event)["act"] == "restored"
    rounds.publish_round(actor=olga, event=event)
    text = "The pairings are published. Swap players instead. (E24)"
    assert refused(change, rounds.restore_draw, olga, current) == text


@pytest.mark.django_db
def test_the_bracket_is_fixed():
    """E39: only tables can be changed."""
    olga, event = build(4, rounds=1, cut=4)
    drawn(olga, event)
    play(olga, event)
    current = bracket.make_cut(actor=olga, event=event)
    one, other = current.games.all()
    text = "The seeds decide who meets whom in a bracket. You can change tables only. (E39)"
    assert refused(change, rounds.swap_players, olga, current, one=one.first, other=other.first) == text
    assert sorted((one.table, other.table)) == [1, 2]
    change(rounds.set_tables, olga, current, tables={1: other.table})
    assert [table for *_pair, table in seats(current)] == [other.table, one.table]


@pytest.mark.django_db
def test_an_event_that_is_over_takes_no_cut():
    """E38: another organizer finished it in the same moment."""
    olga, event = build(4, rounds=1, cut=4)
    drawn(olga, event)
    play(olga, event)
    events.finish(actor=olga, event=event)
    assert refused(bracket.make_cut, actor=olga, event=event) == "This event is not running. (E38)"
    assert event.round_set.count() == 1


@pytest.mark.django_db
def test_publishing_what_was_shown():
    """E24: a draft that somebody changed meanwhile is looked at again; publishing twice is once."""
    olga, event = build()
    current = drawn(olga, event)
    words = {"actor": olga, "event": event, "number": 1}
    seen = version(current)
    change(rounds.set_tables, olga, current, tables={1: 7})
    text = "The pairings were changed a moment ago. Look at them again, then publish. (E24)"
    assert refused(rounds.publish_round, **words, version=seen) == text
    seen = version(current)
    assert {rounds.publish_round(**words, version=seen).state for _ in range(2)} == {Round.State.PUBLISHED}
    assert LogLine.objects.filter(kind="published").count() == 1


@pytest.mark.django_db
def test_warnings_before_publishing():
    """E16, E18, E22: three players and four rounds."""
    olga, event = build(4, clubs_apart=True)
    Entry.objects.filter(name__in="ABCD").update(club="Rogues")
    drawn(olga, event)
    first = draft_of(event, 1)
    assert [each.rule for each in first.warnings] == ["E16", "E24", "E24"]
    assert first.warnings[0].text == "4 players can play 3 rounds without a rematch. This event has 4."
    Event.objects.update(rounds=0, structure="standard")  # those of the printed structure, before they are frozen
    assert draft_of(Event.objects.get(), 1).warnings[0].text == first.warnings[0].text
    Event.objects.update(rounds=4, structure="custom")
    Event.objects.update(clubs_apart=False)
    for _ in range(3):
        play(olga, event)
        drawn(olga, event)
    fourth = draft_of(event, 4)
    assert [each.rule for each in fourth.warnings] == ["E16", "E18", "E18", "E22"]
    assert all(row.is_rematch for row in fourth.games)
    assert "No pairing avoids a rematch." in fourth.warnings[1].text  # nobody has a bye


@pytest.mark.django_db
def test_another_bye_that_avoids_a_rematch(client):
    """E19: the page offers it; taking it pairs the others again and stands in the log. Enter gives no bye."""
    olga, event = build(4)
    entry = {each.name: each for each in event.entries.all()}
    played = Round.objects.create(event=event, number=1, stage="swiss", state="closed")
    for place, (one, other, points) in enumerate((("A", "B", 300), ("D", "C", 0)), start=1):
        Game.objects.create(
            round=played, place=place, table=place, first=entry[one], second=entry[other], state="confirmed",
            how="victory", winner=entry[one], first_points=500, second_points=points,
        )  # fmt: skip
    entries.drop(actor=olga, entry=entry["D"])
    current = drawn(olga, event)
    assert [pair[:2] for pair in seats(current)] == [("A", "B"), ("C", "")]
    found = draft_of(event, 2)
    assert [(each.rule, each.text) for each in found.warnings if each.rule == "E18"] == [
        ("E18", "A and B met in round 1. No pairing with this bye avoids a rematch.")
    ]
    assert found.offer == {"entry": entry["B"], "teammates": False}
    client.force_login(olga)
    page = html_of(client.get(reverse("tournaments:draft", args=[event.pk, 2])))
    assert re.findall(r'<button[^>]* form="changes"[^>]* value="(\w+)"', page) == ["find", "offer"]
    seen = version(current)
    for _ in range(2):
        change(rounds.give_bye, olga, current, entry=entry["B"], again=True, version=seen)
    assert [pair[:2] for pair in seats(current)] == [("A", "C"), ("B", "")]
    assert draft_of(event, 2).offer is None
    facts = facts_of_last_line(event)
    number = {name: each.number for name, each in entry.items()}
    assert (facts["act"], facts["entries"]) == ("bye", [number["B"]])
    assert [game["players"] for game in facts["after"]] == [[number["A"], number["C"]], [number["B"]]]


@pytest.mark.django_db
def test_who_leaves_or_joins_has_the_draft_drawn_again():
    """E21, E25: nobody is paired with a player who has left, and nobody is left out."""
    olga, event = build(6)
    number = drawn(olga, event).number
    a, b = event.entries.get(name="A"), event.entries.get(name="B")

    def paired():
        drawn(olga, event)  # the draft as it is, or a new one
        return sorted(name for one, other, _table in seats(event.round_set.get()) for name in (one, other) if name)

    for _ in range(2):
        entries.drop(actor=olga, entry=a)
    assert paired() == ["B", "C", "D", "E", "F"]
    entries.eject(actor=olga, entry=b, reason="Cheating")
    assert paired() == ["C", "D", "E", "F"]
    add_player(actor=olga, event=event, name="G")
    assert paired() == ["C", "D", "E", "F", "G"]
    for _ in range(2):
        entries.rejoin(actor=olga, entry=a)
    assert paired() == ["A", "C", "D", "E", "F", "G"]
    assert not event.round_set.get().unpaired_losses.exists()
    assert event.round_set.get().number == number


@pytest.mark.django_db
def test_a_draft_of_one_player_is_discarded():
    olga, event = build(4)
    drawn(olga, event)
    for entry in event.entries.exclude(name="A"):
        entries.drop(actor=olga, entry=entry)
    assert not event.round_set.exists()


@pytest.mark.django_db
def test_the_page_of_a_draft(client):
    olga, event = build(5)
    current = drawn(olga, event)
    client.force_login(olga)
    page = reverse("tournaments:draft", args=[event.pk, 1])
    response = client.get(page)
    assert (response.status_code, response.context["draft"].version) == (200, version(current))
    (a, b, _one), (c, d, _two), _bye = seats(current)
    number = dict(event.entries.values_list("name", "number"))
    data = {"version": version(current), "do": "swap", "players": [number[a]], "reason": WHY}
    wrong = client.post(page, data)
    assert wrong.status_code == 422
    assert wrong.context["form"].errors["players"] == ["Tick exactly two players of two games."]
    assert wrong.context["ticked"] == [str(number[a])]
    right = client.post(page, {**data, "players": [number[a], number[c]]})
    assert (right.status_code, right.url) == (302, page)
    assert seats(current)[:2] == [(c, b, 1), (a, d, 2)]
    tables = {"version": version(current), "do": "tables", "tables-1": "2", "tables-2": "x", "reason": WHY}
    assert client.post(page, tables).status_code == 422
    assert client.post(page, {**tables, "tables-2": "2"}).status_code == 302
    assert [table for *_pair, table in seats(current)] == [2, 1, 0]
    fix = {"do": "fix", "fixed-entry": number[b], "fixed-table": 5, "fixed-reason": "Stream"}
    assert client.post(page, fix).status_code == 302
    assert event.entries.get(name=b).fixed_table == 5
    published = client.post(page, {"do": "publish", "version": version(current)})
    assert published.url == reverse("tournaments:console", args=[event.pk])
    assert event.round_set.get().state == Round.State.PUBLISHED


@pytest.mark.django_db
def test_a_large_draft_folds_what_needs_no_look(client, monkeypatch):
    """Marked, found, ticked and typed games stand above the folds. To find keeps what is ticked and typed."""
    monkeypatch.setattr("tournaments.pages.rounds.FEW", 3)
    monkeypatch.setattr("tournaments.pages.rounds.A_FOLD", 2)
    olga, event = build(9)
    current = drawn(olga, event)
    client.force_login(olga)
    page = reverse("tournaments:draft", args=[event.pk, 1])

    def folds(response):
        return [(title, [row.game.table for row, _typed in rows]) for title, rows in response.context["folds"]]

    assert folds(client.get(page)) == [("", []), ("From table 1", [1, 2]), ("From table 3", [3, 4])]
    (a, _b, _one), (c, _d, _two), (_e, f, _three), *_others = seats(current)
    number = dict(event.entries.values_list("name", "number"))
    asked = {"version": version(current), "do": "find", "q": f.lower(), "players": [number[a]]}
    drafts: list[int] = []
    monkeypatch.setattr("tournaments.views.rounds.draft_of", lambda *words: drafts.append(words[1]) or draft_of(*words))
    found = client.post(page, {**asked, **{f"tables-{place}": place for place in (1, 2, 3)}, "tables-4": 7})
    assert (found.status_code, folds(found)) == (200, [("", [1, 3, 4]), ("From table 2", [2])])
    assert (found.context["ticked"], found.context["form"]["q"].data) == ([str(number[a])], f.lower())
    assert [typed for _row, typed in found.context["folds"][0][1]] == ["1", "3", "7"]
    assert drafts == [1]
    nobody = client.post(page, {**asked, "q": " Zed "})
    assert (folds(nobody)[0], "No player or table found for “Zed”." in html_of(nobody)) == (("", [1]), True)
    alone = client.post(page, {**asked, "q": event.round_set.get().games.get(second=None).first.name, "players": []})
    assert (folds(alone)[0], "No player or table found" in html_of(alone)) == (("", []), False)
    assert folds(client.post(page, {**asked, "q": " ", "players": []}))[0] == ("", [])
    change(rounds.swap_players, olga, current, one=event.entries.get(name=a), other=event.entries.get(name=c))
    swapped = client.get(page)
    assert folds(swapped) == [("", [1, 2]), ("From table 3", [3, 4])]
    assert html_of(swapped).count("by hand</span>") == 2
    old = client.post(page, {**asked, "tables-4": 7})
    assert (old.status_code, old.context["form"].non_field_errors()) == (
        422, ["The pairings were changed a moment ago. Look at them again."],
    )  # fmt: skip
    assert "7" not in [typed for _title, rows in old.context["folds"] for _row, typed in rows]


@pytest.mark.django_db
def test_only_organizers_see_a_draft(client):
    olga, event = build(4)
    drawn(olga, event)
    page = reverse("tournaments:draft", args=[event.pk, 1])
    client.force_login(User.objects.create_user("mallory"))
    assert client.get(page).status_code == 404
    assert client.post(page, {"do": "publish"}).status_code == 404
    client.force_login(olga)
    gone = client.get(reverse("tournaments:draft", args=[event.pk, 2]))
    assert gone.url == reverse("tournaments:console", args=[event.pk])


@pytest.mark.django_db(transaction=True)
def test_two_organizers_swap_at_once():
    """One change is made; the other was chosen from older pairings and is refused (E24)."""
    olga, event = build(6)
    current = drawn(olga, event)
    games = list(current.games.select_related("first", "second"))
    seen = version(current)
    act = partial(rounds.swap_players, actor=olga, event=event, number=1, reason=WHY, version=seen)
    found = at_once(
        partial(act, one=games[0].first, other=games[1].first), partial(act, one=games[1].second, other=games[2].first)
    )
    assert sorted(str(each) for each in found) == [
        "None", "The pairings were changed a moment ago. Look at them again. (E24)",
    ]  # fmt: skip
    assert LogLine.objects.filter(kind="paired").count() == 1


@pytest.mark.django_db
def test_games_of_leaders_are_marked():
    """E2."""
    olga, event = build(4)
    current = drawn(olga, event)
    first, second = current.games.order_by("place")[0].pair
    for entry, role in ((first, Role.JUDGE), (second, Role.HEAD_JUDGE)):
        user = User.objects.create_user(entry.name)
        Membership.objects.create(event=event, user=user, role=role)
        Entry.objects.filter(pk=entry.pk).update(user=user)
    (both,) = [each.text for each in draft_of(event, 1).warnings if each.rule == "E2"]
    assert both == (f"{first.name} and {second.name} both lead this event. The Head Consular rules on their game.")
    Entry.objects.filter(pk=second.pk).update(user=None)
    (one,) = [each.text for each in draft_of(event, 1).warnings if each.rule == "E2"]
    assert one == f"{first.name} leads this event. Another leader rules on this game."


@pytest.mark.django_db
def test_nothing_public_shows_a_draft(client):
    """E24: neither log, feed nor files, also after a swap."""
    olga, event = build(4)
    current = drawn(olga, event)
    games = list(current.games.order_by("place"))
    one, other = games[0].first, games[1].first
    rounds.swap_players(
        actor=olga, event=event, number=1, one=one, other=other, reason=WHY, version=draft_version(games)
    )  # fmt: skip
    for name in ("log", "feed"):
        page = client.get(reverse(f"tournaments:{name}", args=[event.pk])).content.decode()
        assert (WHY in page, "changed places" in page, "Round 1" in page) == (False, False, False)
    lines = client.get(reverse("tournaments:export_csv", args=[event.pk, "pairings"])).content.decode().splitlines()
    assert len(lines) == 1


@pytest.mark.django_db
def test_late_entries_need_an_army_list_too(client):
    """E8, E9: the draft warns of it until the list is there. Those for whom the start was overridden are not named."""
    event = make_event(players=4, lists_required=True)
    event = events.start(actor=organizer(), event=event, reason="Lists are on paper.")
    client.force_login(organizer())
    added = client.post(reverse("tournaments:act", args=[event.pk]), {"what": "late", "name": "Eli"}, follow=True)
    text = "Eli has no accepted army list. Submit or accept it before you publish the next round."
    assert text in [str(each) for each in added.context["messages"]]
    draft = pairing.draw_round(actor=organizer(), event=event)

    def warned():
        return [each.text for each in draft_of(event, draft.number).warnings if each.rule == "E9"]

    assert warned() == ["No accepted army list: Eli. Ask for the list, accept it, or publish without it."]
    SubmittedList.objects.create(entry=event.entries.get(name="Eli"), number=1)
    assert warned() == []


def test_no_tab_is_pushed_out():
    event = Event(pk=uuid4(), rule_set=RuleSet.GALACTIC_CONQUEST, state=Event.State.RUNNING, cut=8)
    role = EventRole(User(username="olga"), Role.ORGANIZER, Entry())
    assert [tab["label"] for tab in frame(event, role, "detail")["tabs"]] == [
        "Console", "Consulars", "Players", "My table", "Event", "Pairings", "Standings", "Bracket", "Lists", "Log",
    ]  # fmt: skip
