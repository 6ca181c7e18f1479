"""The public log: a sentence for each kind of line, names by number, filter and pages (E24)."""

import pytest
from django.urls import reverse

from accounts.models import User
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.factories import add_player
from tournaments.access import EventRole
from tournaments.models import Entry, Event, LogKind, LogLine, Round
from tournaments.pages.log import kinds_in, sentences
from tournaments.services import events

pytestmark = pytest.mark.django_db
LEADER = EventRole(None, Role.ORGANIZER)


@pytest.fixture
def olga():
    return User.objects.create_user("olga")


@pytest.fixture
def event(olga):
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST)
    for name in ("Ada", "Ben", "Cora"):
        add_player(actor=olga, event=event, name=name)
    Event.objects.update(state=Event.State.OPEN)
    return event


def line(kind, facts=None, reason=""):
    return LogLine(kind=kind, facts=facts or {}, reason=reason)


GAME = {"how": "victory", "players": [1, 2], "points": [620, 410], "tokens": [7, 4]}
SAID = [
    (LogKind.CREATED, {"name": "Winter"}, ["The event was created."]),
    (LogKind.STATE, {"after": "open"}, ["The registration was opened."]),
    (LogKind.STATE, {"after": "closed"}, ["The registration was closed."]),
    (LogKind.STATE, {"after": "running"}, ["The event started."]),
    (LogKind.STATE, {"after": "finished"}, ["The event ended. The seed of its draws is public."]),
    (LogKind.STATE, {"after": "cancelled"}, ["The event was cancelled."]),
    (LogKind.STATE, {"after": "draft"}, ["The event is a draft again."]),
    (LogKind.STATE, {"before": "running", "after": "open", "undone": True}, ["The start of the event was undone."]),
    (
        LogKind.STATE, {"before": "finished", "after": "running", "undone": True},
        ["Finishing was undone: the event is running again."],
    ),
    (LogKind.STATE, {"before": "cancelled", "after": "open", "undone": True}, ["The cancellation was undone."]),
    (LogKind.JOINED, {"user": 0, "role": "judge"}, ["somebody joined as Consular."]),
    (LogKind.LEFT, {"user": 0}, ["somebody left the leaders."]),
    (LogKind.REMOVED, {"user": 0}, ["somebody was removed from the leaders."]),
    (LogKind.ROLE, {"user": 0, "role": "head_judge"}, ["somebody is Head Consular now."]),
    (LogKind.ENTERED, {"entry": 1, "name": "old"}, ["Ada was registered."]),
    (LogKind.ENTERED, {"entries": [1, 2]}, ["2 players were added."]),
    (LogKind.ENTRY, {"entry": 1, "before": "playing", "after": "dropped"}, ["Ada dropped."]),
    (LogKind.ENTRY, {"entry": 1, "before": "registered", "after": "dropped"}, ["Ada withdrew."]),
    (LogKind.ENTRY, {"entry": 1, "before": "dropped", "after": "playing"}, ["Ada rejoined."]),
    (LogKind.ENTRY, {"entry": 1, "before": "registered", "after": "playing"}, ["Ada entered late."]),
    (LogKind.ENTRY, {"entry": 1, "before": "dropped", "after": "registered"}, ["Ada is registered again."]),
    (LogKind.ENTRY, {"entry": 1, "before": "waiting", "after": "registered"}, ["Ada moved up from the waiting list."]),
    (
        LogKind.ENTRY, {"entries": [1, 3], "before": "waiting", "after": "registered"},
        ["Ada, Cora moved up from the waiting list."],
    ),
    (LogKind.ENTRY, {"entry": 1, "before": "playing", "after": "ejected"}, ["Ada was ejected."]),
    (LogKind.ENTRY, {"entry": 1, "before": "playing", "after": "cut"}, ["Ada declined the place in the bracket."]),
    (LogKind.ENTRY, {"entry": 1, "after": "cut"}, ["Ada missed the cut."]),
    (
        LogKind.ENTRY, {"entry": 1, "before": "dropped", "after": "playing", "undone": True},
        ["The drop of Ada was undone."],
    ),
    (
        LogKind.ENTRY, {"entry": 1, "before": "cut", "after": "playing", "undone": True},
        ["Ada has the place in the bracket again."],
    ),
    (
        LogKind.ENTRY, {"entry": 1, "before": "ejected", "after": "dropped", "undone": True},
        ["The ejection of Ada was undone."],
    ),
    (LogKind.ENTRY, {"entry": 1, "taken_over": True}, ["Ada took over this entry with their account."]),
    (
        LogKind.ENTRY, {"entry": 1, "changed": ["club", "fixed_table"]},
        ["The entry of Ada was changed: club, fixed table."],
    ),
    (LogKind.ENTRY, {"entry": 1}, ["The entry of Ada changed."]),
    (LogKind.WARNED, {"entry": 2}, ["Ben was warned."]),
    (LogKind.DRAFTED, {"round": 2}, ["The pairings of round 2 were drawn."]),
    (
        LogKind.DRAFTED, {"round": 2, "because": "left", "entries": [1]},
        ["The pairings of round 2 were drawn again without Ada."],
    ),
    (
        LogKind.DRAFTED, {"round": 2, "because": "came", "entries": [1, 3]},
        ["The pairings of round 2 were drawn again with Ada, Cora."],
    ),
    (
        LogKind.DRAFTED, {"round": 2, "because": "result", "corrected": [1]},
        ["The pairings of round 2 were drawn again, because a result was corrected."],
    ),
    (
        LogKind.PAIRED, {"round": 2, "discarded": True, "lost": [{"table": 1, "players": [1, 2]}]},
        [
            "Round 2: choices made by hand were lost when the draft was drawn again.", "Lost: table 1: Ada – Ben",
        ],
    ),
    (
        LogKind.PAIRED, {"round": 2, "act": "kept", "after": [{"table": 1, "players": [1, 2]}]},
        ["Round 2: pairs chosen by hand stayed.", "It is: table 1: Ada – Ben"],
    ),
    (
        LogKind.PAIRED,
        {
            "round": 2, "act": "swap", "entries": [1, 3], "before": [{"table": 1, "players": [1, 2]}],
            "after": [{"table": 1, "players": [3, 2]}, {"table": 0, "players": [1]}],
        },
        [
            "Round 2: Ada, Cora changed places.", "It was: table 1: Ada – Ben",
            "It is: table 1: Cora – Ben; bye for Ada",
        ],
    ),
    (LogKind.PAIRED, {"round": 2, "act": "bye", "entries": [2]}, ["Round 2: Ben was given the bye."]),
    (LogKind.PAIRED, {"round": 2, "act": "tables"}, ["Round 2: tables were changed."]),
    (LogKind.PAIRED, {"round": 2, "act": "restored"}, ["Round 2: the app’s own draw was restored."]),
    (LogKind.PAIRED, {"act": "fixed", "entry": 1, "after": 7}, ["Ada always plays at table 7."]),
    (LogKind.PAIRED, {"act": "fixed", "entry": 1, "after": None}, ["Ada no longer has a fixed table."]),
    (LogKind.PAIRED, {"round": 1}, ["The pairings of round 1 were made by hand."]),
    (
        LogKind.PAIRED, {"round": 3, "discarded": True},
        ["The draft of round 3 was deleted: the players have changed."],
    ),
    (LogKind.PUBLISHED, {"round": 1}, ["The pairings of round 1 were published."]),
    (
        LogKind.PUBLISHED, {"round": 1, "players": 20, "rounds": 4, "cut": 8},
        ["The pairings of round 1 were published.", "20 players, 4 rounds, cut to the top 8."],
    ),
    (LogKind.SETTINGS, {"league": "Outer Rim"}, ["The event counts for the league Outer Rim."]),
    (LogKind.SETTINGS, {"league": ""}, ["The event no longer counts for a league."]),
    (LogKind.CLOSED, {"round": 1}, ["Round 1 was closed."]),
    (
        LogKind.CORRECTED, {"round": 1, "before": {**GAME, "winner": 1}, "after": {**GAME, "how": "time"}},
        [
            "Round 1: the result of Ada – Ben was corrected.",
            "It was: Ada won (Victory). Points defeated 620:410, victory tokens 7:4.",
            "It is: Draw (Time). Points defeated 620:410, victory tokens 7:4.",
        ],
    ),
    (
        LogKind.DECIDED, {"round": 1, "players": [1, 2], "how": "no_show", "winner": 2, "points": [0, 0]},
        ["Round 1: a leader entered the result of Ada – Ben.", "Ben won (No-show)."],
    ),
    (LogKind.CORRECTED, {"round": 1}, ["A result of round 1 was corrected."]),
    (
        LogKind.CUT, {"seeds": [3, 1], "cut": [8, 2]},
        [
            "The cut was made: 2 players advance.", "1. Cora, 2. Ada",
            "Too few players were left for a cut to the top 8. It was made to the top 2.",
        ],
    ),
    (LogKind.CUT, {"seeds": [3, 1]}, ["The cut was made: 2 players advance.", "1. Cora, 2. Ada"]),
    (LogKind.SETTINGS, {"changed": ["army_size"]}, ["The settings were changed: army size."]),
    (LogKind.SETTINGS, {}, ["The settings were changed."]),
    (LogKind.LIST, {"entry": 1, "act": "accepted"}, ["The army list of Ada was accepted with its problems."]),
    (LogKind.LIST, {"entry": 1}, ["The army list of Ada was changed."]),
    (LogKind.LIST, {"act": "checked", "number": 2}, ["2 army lists have other problems after a new check."]),
    (LogKind.DISPUTED, {"round": 1, "entry": 2}, ["Round 1: Ben disputed the result."]),
    (LogKind.DISPUTED, {"round": 1, "entry": 2, "withdrawn": True}, ["Round 1: Ben withdrew the dispute."]),
    (LogKind.DECIDED, {"round": 1, "players": [1, 2]}, ["Round 1: a leader entered the result of Ada – Ben."]),
    (
        LogKind.DECIDED, {"round": 4, "players": [1, 2], "left": 2},
        ["Round 4: Ada advances, because Ben has left."],
    ),
    (LogKind.UNDONE, {"act": "close", "round": 1}, ["The closing of round 1 was undone."]),
    (
        LogKind.UNDONE, {"act": "close", "round": 1, "draft": 2},
        ["The closing of round 1 was undone.", "The draft of round 2 was deleted."],
    ),
    (LogKind.UNDONE, {"act": "cut", "round": 4}, ["The cut was undone. Everybody who was cut plays again."]),
    (
        LogKind.UNDONE, {"act": "result", "round": 1, "players": [1, 2], "before": {**GAME, "winner": 1}},
        [
            "Round 1: the result of Ada – Ben was undone.",
            "It was: Ada won (Victory). Points defeated 620:410, victory tokens 7:4.",
        ],
    ),
    (LogKind.CLOCK, {"round": 1, "table": 4, "before": 0, "after": 5}, ["Round 1, table 4: 5 more minutes."]),
    (LogKind.CLOCK, {"round": 1, "table": 4, "after": 0}, ["Round 1, table 4: the extension was removed."]),
    (LogKind.CLOCK, {"round": 1}, ["Round 1: the clock was changed."]),
    (LogKind.RULED, {"round": 1, "table": 4}, ["Round 1, table 4: a Consular ruled."]),
    (
        LogKind.RULED, {"round": 1, "table": 4, "overruled": True},
        ["Round 1, table 4: the Head Consular overruled a ruling."],
    ),
    (LogKind.OVERRIDE, {"rule": "E2", "entry": 1}, ["The organizer overrode rule E2 for Ada."]),
    (LogKind.OVERRIDE, {}, ["The organizer overrode a rule."]),
    (LogKind.IMPORTED, {}, ["The event was imported from a file."]),
    (LogKind.FORGOTTEN, {"entry": 3}, ["The name of player 3 was deleted on request."]),
    ("unknown", {}, ["Unknown."]),
]  # fmt: skip


def test_each_kind_has_a_sentence(event):
    found = sentences(event, LEADER, [line(kind, facts) for kind, facts, _said in SAID])
    assert [[each.text, *each.details] for each in found] == [said for _kind, _facts, said in SAID]
    assert {kind for kind, _facts, _said in SAID} > set(LogKind.values)


def test_facts_that_are_missing_or_odd_still_make_a_sentence(event):
    """Other versions wrote them, and a log is never changed."""
    odd = {"entry": "x", "user": "x", "round": None, "before": 3, "after": [], "players": [99], "seeds": None}
    for kind in LogKind.values:
        for facts in ({}, odd):
            (found,) = sentences(event, LEADER, [line(kind, facts)])
            assert found.text


def test_players_are_named_as_they_are_now(olga, event):
    """A name that was changed, or deleted on request, is so in the log, too."""
    ada = event.entries.get(name="Ada")
    user = User.objects.create_user("ada-of-the-web")
    Entry.objects.filter(pk=ada.pk).update(name="Player 1", user=user)
    LogLine.objects.create(event=event, kind=LogKind.ENTRY, actor=user, facts={"entry": 1, "after": "dropped"})
    (found,) = sentences(event, LEADER, event.log.select_related("actor")[:1])
    assert (found.who, found.text) == ("Player 1", "Player 1 dropped.")
    shown = {each.who for each in sentences(event, LEADER, event.log.select_related("actor"))}
    assert shown == {"olga", "Player 1"}


def test_a_deleted_name_does_not_leave_the_name_of_the_account(olga, event):
    """What the player did stays, without who it was; leaders of yesterday and deleted accounts stay named."""
    played, judge, gone = map(User.objects.create_user, ("ada-of-the-web", "jude", "gone"))
    User.objects.filter(pk=gone.pk).update(username=gone.former_name)
    for actor in (played, judge, gone):
        LogLine.objects.create(event=event, kind=LogKind.ENTRY, actor=actor, facts={"entry": 1, "after": "dropped"})
    LogLine.objects.create(event=event, kind=LogKind.LEFT, actor=judge, facts={"user": judge.pk})
    shown = {each.who for each in sentences(event, LEADER, event.log.select_related("actor"))}
    assert shown == {"olga", "", "jude", gone.former_name}


def test_the_log_of_an_imported_event_says_anything(event):
    """Its facts are those of a file that anybody may have written."""
    for facts in ({"before": [1]}, {"entries": 5}, {"table": 1, "after": "x"}, {"before": {"how": "x", "points": [1]}}):
        for kind in LogKind.values:
            (found,) = sentences(event, LEADER, [line(kind, facts)])
            assert found.text


def test_everybody_reads_the_log_newest_first(client, olga, event):
    page = reverse("tournaments:log", args=[event.pk])
    LogLine.objects.create(event=event, kind=LogKind.CLOSED, actor=olga, facts={"round": 1}, reason="<b>late</b>")
    response = client.get(page)
    assert response.status_code == 200
    assert [each.text for each in response.context["lines"]] == [
        "Round 1 was closed.", "Cora was registered.", "Ben was registered.", "Ada was registered.",
        "The event was created.",
    ]  # fmt: skip
    assert "&lt;b&gt;late&lt;/b&gt;" in response.content.decode()
    only = client.get(page, {"kind": "entered"}).context["lines"]
    assert {each.kind for each in only} == {"entered"}
    assert kinds_in(event) == [
        ("created", "The event was created"), ("entered", "A player registered"), ("closed", "A round was closed"),
    ]  # fmt: skip
    Event.objects.update(state=Event.State.DRAFT)
    assert client.get(page).status_code == 404


def test_the_log_has_pages(client, olga, event, django_assert_max_num_queries):
    lines = [LogLine(event=event, kind=LogKind.WARNED, actor=olga, facts={"entry": 1}) for _ in range(90)]
    LogLine.objects.bulk_create(lines)
    page = reverse("tournaments:log", args=[event.pk])
    with django_assert_max_num_queries(10):
        first = client.get(page, {"kind": "warned"})
    assert (len(first.context["lines"]), first.context["page"].paginator.num_pages) == (40, 3)
    assert "?kind=warned&amp;page=2" in first.content.decode()
    assert len(client.get(page, {"kind": "warned", "page": 3}).context["lines"]) == 10


def test_changes_of_a_draft_are_public_with_its_pairings(client, olga, event):
    """E24: they would name the pairs before anybody may know them."""
    Round.objects.create(event=event, number=1, stage="swiss", state=Round.State.CLOSED)
    drawn = Round.objects.create(event=event, number=2, stage="swiss")
    for number in (1, 2):
        facts = {"act": "swap", "round": number, "entries": [1, 2]}
        LogLine.objects.create(event=event, kind=LogKind.PAIRED, actor=olga, facts=facts)
    page = reverse("tournaments:log", args=[event.pk])

    def rounds_said():
        return [each.text[:7] for each in client.get(page, {"kind": "paired"}).context["lines"]]

    assert rounds_said() == ["Round 1"]
    client.force_login(olga)
    assert rounds_said() == ["Round 2", "Round 1"]
    client.logout()
    Round.objects.filter(pk=drawn.pk).update(state=Round.State.PUBLISHED)
    assert rounds_said() == ["Round 2", "Round 1"]
