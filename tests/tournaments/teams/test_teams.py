"""Teams of an event: signed up by a player, joined by a word, corrected by an organizer, and kept apart (E17)."""

import importlib.util
import json
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from ops.paths import BASE_DIR
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.tournaments.factories import (
    entry_of,
    finished,
    games_of,
    make_event,
    organizer,
    played_round,
    published_round,
    started,
)
from tournaments.models import Event, LogLine, Team
from tournaments.queries.exchange import as_json, content_of
from tournaments.services import entries, events, exchange, pairing, teams, verification

pytestmark = pytest.mark.django_db
TOKEN = "t" * 22


@pytest.fixture
def event():
    return make_event(players=6, rounds=3, team_size=2)


def refused(act, **words):
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return str(caught.value)


def teams_in(event):
    return {team.name: "".join(each.name for each in team.members.order_by("number")) for team in event.teams.all()}


def form(event, name, members, team=None):
    teams.save_team(actor=organizer(), event=event, team=team, name=name, members=members)
    return Team.objects.filter(event=event, name=name).first()


def phone_of(entry):
    phone = Client()
    phone.get(f"/events/me/{entry.token}/")
    phone.post(f"/events/me/{entry.token}/")
    return phone


def test_players_sign_up_join_and_leave_a_team(event):
    """The second joins by the link of the first; each post comes twice, and the third is too many."""
    address = f"/events/{event.pk}/teams/"
    first, second, third = (phone_of(entry_of(event, name)) for name in "ABC")
    for _ in range(2):
        assert first.post(address, {"do": "create", "name": " Dune  Sea "}).status_code == 302
    word = event.teams.get().word
    assert f"{address}?word={word}" in html_of(first.get(address))
    assert f'value="{word}"' in html_of(second.get(f"{address}?word={word}"))
    for _ in range(2):
        second.post(address, {"do": "join", "word": f"{word[:4]} {word[4:].upper()}"})
    assert teams_in(event) == {"Dune  Sea": "AB"}
    full = third.post(address, {"do": "join", "word": word})
    assert (full.status_code, "Dune  Sea is full: a team has 2 players." in html_of(full)) == (422, True)
    assert "No team of this event has this word." in html_of(third.post(address, {"do": "join", "word": "bobo"}))
    assert "Another team is called dune sea." in html_of(third.post(address, {"do": "create", "name": "dune sea"}))
    second.post(address, {"do": "leave"})
    third.post(address, {"do": "join", "word": word})
    for phone in (first, third):
        phone.post(address, {"do": "leave"})
    assert teams_in(event) == {}
    said = [line.facts["team"] for line in LogLine.objects.filter(facts__has_key="team").order_by("pk")]
    assert said == ["Dune  Sea", "Dune  Sea", "", "Dune  Sea", "", ""]
    Event.objects.update(team_size=None)
    assert first.get(address).status_code == 404


def test_a_team_never_outgrows_its_size(event):
    """Who withdraws leaves the team; who is marked as absent keeps the place, as that is undone by one tap."""
    word = form(event, "Rogues", "AB").word
    entries.withdraw(actor=None, entry=entry_of(event, "A"))
    teams.join_team(actor=None, entry=entry_of(event, "C"), word=word)
    entries.move_entry(actor=organizer(), entry=entry_of(event, "A"), state="registered", now=event.created_at)
    entries.undo_check_in(actor=organizer(), event=event, entries=[entry_of(event, "B")])
    entries.mark_absent(actor=organizer(), event=event, entries=[entry_of(event, "B")])
    full = "Rogues is full: a team has 2 players."
    assert refused(teams.join_team, actor=None, entry=entry_of(event, "A"), word=word) == full
    assert teams_in(event) == {"Rogues": "BC"}
    assert "B</bdi>" in html_of(Client().get(f"/events/{event.pk}/teams/"))
    for name in "BC":
        entries.move_entry(actor=organizer(), entry=entry_of(event, name), state="registered", now=event.created_at)
        entries.move_entry(actor=organizer(), entry=entry_of(event, name), state="dropped", now=event.created_at)
    assert teams_in(event) == {}


def test_the_size_of_teams_is_not_lowered_below_a_team(event):
    Event.objects.update(team_size=3, lists_required=True)
    form(event, "Wardens", "DE")
    form(event, "Rogues", "ABC")
    words = {"actor": organizer(), "event": event}
    text = "Rogues has 3 players. Take players out of the team first."
    assert refused(events.change_settings, **words, changes={"team_size": 2}) == text
    assert events.change_settings(**words, changes={"team_size": 4}).team_size == 4


def test_the_link_of_a_team_leads_through_the_registration(event):
    """A visitor opens it, registers without an account, and is asked to join."""
    word = form(event, "Rogues", ["A"]).word
    visitor, link = Client(), f"/events/{event.pk}/teams/?word={word}"
    register = f"/events/{event.pk}/register/?word={word}"
    assert f'href="{register}"' in html_of(visitor.get(link))
    answer = visitor.post(register, {"name": "Mia", "token": TOKEN})
    assert answer.headers["Location"] == link
    visitor.post(link, {"do": "join", "word": word})
    assert teams_in(event) == {"Rogues": "AMia"}


def test_an_organizer_forms_and_corrects_teams(event):
    """The page keeps what was typed; a player moves between teams, and a team without players goes."""
    olga = Client()
    olga.force_login(organizer())
    new = f"/events/{event.pk}/teams/0/"
    wrong = olga.post(new, {"name": "Rogues", "members": "A\nZed\n"})
    assert (wrong.status_code, "No player of this event has this name: Zed" in html_of(wrong)) == (422, True)
    assert "A\nZed" in wrong.content.decode()
    for _ in range(2):
        olga.post(new, {"name": "Rogues", "members": " a \n\nB"})
    rogues, wardens = event.teams.get(), form(event, "Wardens", ["C"])
    assert teams_in(event) == {"Rogues": "AB", "Wardens": "C"}
    olga.post(f"/events/{event.pk}/teams/{wardens.pk}/", {"name": "Dune Wardens", "members": "B\nC"})
    assert teams_in(event) == {"Rogues": "A", "Dune Wardens": "BC"}
    assert "B\nC" in olga.get(f"/events/{event.pk}/teams/{wardens.pk}/").content.decode()
    form(event, "Rogues", [], team=rogues)
    assert teams_in(event) == {"Dune Wardens": "BC"}
    mallory = User.objects.create_user("mallory")
    words = {"event": event, "team": None, "name": "M", "members": []}
    assert refused(teams.save_team, actor=mallory, **words) == "Only an organizer of this event can do this."


def test_a_team_is_final_once_its_player_is_paired(event):
    """A draft is drawn again for the new teams; after its publication nobody can change them, until that is undone."""
    rogues = form(event, "Rogues", "AB")
    started(event)
    draft = pairing.draw_round(actor=organizer(), event=event)
    games = [[each.name for each in game.pair] for game in games_of(draft)]
    form(event, "Wardens", games[0])  # the draft lets them meet
    drawn = event.round_set.get()
    assert LogLine.objects.filter(kind="drafted").order_by("pk").last().facts["because"] == "teams"
    assert not any(
        one.team_id and one.team_id == other.team_id for one, other in (game.pair for game in games_of(drawn))
    )
    published_round(event)
    word = event.teams.exclude(pk=rogues.pk).first().word
    paired = next(each for each in event.entries.all() if each.team is None)
    text = f"{paired.name} has been paired. Their team is final."
    assert refused(teams.join_team, actor=None, entry=paired, word=word) == text
    assert "Their team is final." in refused(teams.leave_team, actor=None, entry=entry_of(event, games[0][0]))


def test_a_file_has_the_teams_and_the_draw_follows_from_them(event):
    """E23: the script and the rules prove it, not without the teams; it comes back as it was, and old files do, too."""
    for name, members in (("Rogues", "AB"), ("Wardens", "CD"), ("Pathfinders", "EF")):
        form(event, name, members)
    content = json.loads(as_json(content_of(finished(event))))
    spec = importlib.util.spec_from_file_location("check_event", BASE_DIR / "docs" / "check_event.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (list(script.check(content)), list(verification.differences(content))) == ([], [])
    without = content | {"teams": []}
    assert list(script.check(without))
    assert list(verification.differences(without))
    assert exchange.read(as_json(content)) == content
    ines = User.objects.create_user("ines")
    copy = exchange.import_event(actor=ines, content=content, key=uuid4())
    assert teams_in(copy) == {"Rogues": "AB", "Wardens": "CD", "Pathfinders": "EF"}
    twice = content | {"teams": [*content["teams"], {"name": "Spies", "members": [1]}]}
    assert "A team has a player of another team" in refused(exchange.prove, content=twice)
    old = {name: value for name, value in content.items() if name != "teams"}
    assert exchange.read(as_json(old))["teams"] == []


def test_a_team_keeps_the_points_of_who_left(event):
    """On the page of teams, the console, the projector and in the API: all members count, or the best one."""
    for name, members in (("Rogues", "AF"), ("Wardens", "BE")):
        form(event, name, members)
    started(event)
    played_round(event, order="FABCDE")
    entries.eject(actor=organizer(), entry=entry_of(event, "A"), reason="Dice.")
    olga = Client()
    olga.force_login(organizer())
    (first, second) = Client().get(f"/api/v1/events/{event.pk}/teams/").json()
    assert (first["name"], first["rank"], first["members"], second["rank"]) == ("Rogues", 1, [1, 6], 2)
    won = [sum(game.winner == each for game in games_of(event.round_set.get())) * 3 for each in event.entries.all()]
    assert first["figures"][0] == str(won[0] + won[5])
    for page in (f"/events/{event.pk}/teams/", f"/events/{event.pk}/console/", f"/events/{event.pk}/"):
        shown = html_of(olga.get(page))
        assert shown.index("Rogues") < shown.index("Wardens")
        assert "(does not count)" not in shown
    assert "Rogues" in html_of(Client().get(f"/events/{event.pk}/projector/?view=teams"))
    Event.objects.update(team_best=1)
    assert "(does not count)" in html_of(Client().get(f"/events/{event.pk}/teams/"))
    assert Client().get(f"/api/v1/events/{event.pk}/teams/").json()[0]["figures"][0] == "3"


def test_mates_who_have_to_meet_are_named_in_the_draft():
    """E17: three of four players are one team, so that a pair of them cannot be avoided."""
    event = make_event(players=4, rounds=2, team_size=3)
    form(event, "Rogues", "ABC")
    started(event)
    draft = pairing.draw_round(actor=organizer(), event=event)
    olga = Client()
    olga.force_login(organizer())
    shown = html_of(olga.get(f"/events/{event.pk}/rounds/{draft.number}/draft/"))
    (pair,) = [game.pair for game in games_of(draft) if not {each.name for each in game.pair} & {"D"}]
    assert f"{pair[0].name} and {pair[1].name} play for one team. No pairing avoids a game of teammates." in shown


def test_a_bye_that_parts_teammates_is_offered():
    """E17, E19: of three players the two who are left are one team."""
    event = started(make_event("TR", players=3, rounds=2, team_size=2))
    draft = pairing.draw_round(actor=organizer(), event=event)
    form(event, "Rogues", [entry.name for entry in games_of(draft)[0].pair])
    olga, page = Client(), f"/events/{event.pk}/rounds/1/draft/"
    olga.force_login(organizer())
    shown = html_of(olga.get(page))
    assert "play for one team. No pairing with this bye avoids a game of teammates." in shown
    assert "gets the bye, fewer teammates meet." in shown
