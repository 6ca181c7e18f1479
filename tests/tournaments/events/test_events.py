"""Services of events: who may act, what a second click does, and what is refused."""

import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import User
from rules.core.violations import RuleViolation
from rules.tournaments.leaders import WARNINGS
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.html import html_of
from tests.tournaments.factories import add_player, add_players, make_event, organizer
from tournaments.models import Entry, Event, LogLine, Round, StructureChoice
from tournaments.queries.undo import Undoable
from tournaments.services import bracket, clock, entries, events, pairing, results, rounds
from tournaments.services.entries import TRANSITIONS, Act
from tournaments.services.undo import undo

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)
VICTORY = Ending.VICTORY


@pytest.fixture
def olga():
    return User.objects.create_user("olga")


@pytest.fixture
def event(olga):
    """Galactic Conquest with five players who have checked in."""
    event = events.create_event(actor=olga, name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST)
    added = [add_player(actor=olga, event=event, name=name) for name in "ABCDE"]
    entries.check_in(actor=olga, event=event, entries=added)
    Event.objects.update(lists_required=False)
    return event


def refused(do, **words):
    with pytest.raises(RuleViolation) as caught:
        do(**words)
    return str(caught.value)


def states(event):
    return list(event.entries.values_list("name", "state"))


def test_a_form_sent_twice_creates_one_event(olga):
    pk = uuid4()
    words = {"actor": olga, "name": " Winter ", "rule_set": RuleSet.TOURNAMENT_REGULATIONS, "event_id": pk}
    first, again = (events.create_event(**words) for _ in range(2))
    assert (first.pk, first.name, first.army_size, again) == (pk, "Winter", 800, first)
    assert list(Event.objects.values_list("pk", flat=True)) == [pk]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"name": "  "}, "Give the event a name of up to 80 characters."),
        ({"name": "x" * 81}, "Give the event a name of up to 80 characters."),
        ({"name": "Winter", "cut": 6}, "A cut takes 2, 4, 8, 16, … players. (E38)"),
    ],
)
def test_events_that_cannot_be(olga, words, text):
    assert refused(events.create_event, actor=olga, rule_set=RuleSet.GALACTIC_CONQUEST, **words) == text


def test_only_an_organizer_leads_an_event(event):
    mallory = User.objects.create_user("mallory")
    who, text = {"actor": mallory, "event": event}, "Only an organizer of this event can do this."
    entry = event.entries.first()
    for do, words in (
        (events.start, who), (events.finish, who), (pairing.draw_round, who), (rounds.publish_round, who),
        (rounds.close_round, who), (bracket.make_cut, who), (clock.start_clock, {**who, "now": NOON}),
        (add_player, {**who, "name": "M"}),
        (entries.check_in, {**who, "entries": []}), (entries.drop, {"actor": mallory, "entry": entry}),
        (entries.rejoin, {"actor": mallory, "entry": entry}),
        (add_players, {**who, "names": ["M"]}), (entries.decline_place, {"actor": mallory, "entry": entry}),
        (undo, {**who, "act": Undoable.START, "number": 0, "reason": "x"}),
    ):  # fmt: skip
        assert refused(do, **words) == text
    text = "Only a leader of this event can do this."
    for act in (entries.warn, entries.eject):
        assert refused(act, actor=mallory, entry=entry, reason="x") == text
    Event.objects.update(rule_set=RuleSet.TOURNAMENT_REGULATIONS)
    text = "Only the head judge or an organizer can do this."
    assert refused(entries.eject, actor=mallory, entry=Entry.objects.first(), reason="x") == text


def test_starting_needs_four_players_who_have_checked_in(olga):
    event = events.create_event(actor=olga, name="Small", rule_set=RuleSet.GALACTIC_CONQUEST)
    added = [add_player(actor=olga, event=event, name=name) for name in "ABCD"]
    entries.check_in(actor=olga, event=event, entries=added[:3])
    text = "An event needs at least 4 players. Check in more players. (E14)"
    assert refused(events.start, actor=olga, event=event) == text
    assert refused(pairing.draw_round, actor=olga, event=event) == "Start the event first."


def test_a_refusal_names_a_few_players():
    event = make_event(players=7, lists_required=True)
    text = "No accepted army list: A, B, C, D, E and 2 more. Accept the lists, wait for them, or give a reason. (E9)"
    assert refused(events.start, actor=organizer(), event=event) == text


def test_each_step_twice_is_one_step(olga, event):
    who = {"actor": olga, "event": event}
    for _ in range(2):
        events.start(**who)
    tickets = dict(event.entries.values_list("name", "ticket"))
    assert len(set(tickets.values())) == 5
    drafts = [pairing.draw_round(**who) for _ in range(2)]
    assert drafts[0] == drafts[1]
    for _ in range(2):
        rounds.publish_round(**who)
    starts = [clock.start_clock(**who, now=now) for now in (NOON, NOON.replace(hour=13))]
    assert {(each.started_at, each.minutes) for each in starts} == {(NOON, starts[0].minutes)}
    assert 150 <= starts[0].minutes <= 155
    for game in drafts[0].games.exclude(second=None):
        for _ in range(2):
            results.save_result(
                actor=olga, game=game, result=Result(how=VICTORY, winner=game.first.key, points=(500, 300))
            )
    for _ in range(2):
        rounds.close_round(**who)
    assert list(event.round_set.values_list("number", "state")) == [(1, Round.State.CLOSED)]
    assert dict(event.entries.values_list("name", "ticket")) == tickets
    kinds = list(LogLine.objects.filter(event=event).order_by("pk").values_list("kind", flat=True))
    assert kinds == ["created", *["entered"] * 5, "state", "drafted", "published", "closed"]


def test_an_event_ends_once_its_rounds_are_closed(olga, event):
    who = {"actor": olga, "event": event}
    assert refused(events.finish, **who) == "This event has not started."
    events.start(**who)
    pairing.draw_round(**who)
    assert refused(events.finish, **who) == "Close the round first."
    Round.objects.update(state=Round.State.CLOSED)
    for _ in range(2):
        assert events.finish(**who).state == Event.State.FINISHED
    assert refused(events.start, **who) == "This event is over."
    assert refused(add_player, **who, name="F") == "This event is over."


def test_names_are_clear(olga, event):
    """E11."""
    text = "a is registered already. Add a surname or a number. (E11)"
    assert refused(add_player, actor=olga, event=event, name=" a ") == text
    assert refused(add_player, actor=olga, event=event, name="") == "Enter a name of up to 80 characters."


def test_dropping_rejoining_and_coming_late(olga, event):
    """E21, E25: an unpaired loss for each published round missed, none twice."""
    events.start(actor=olga, event=event)
    dropped = event.entries.get(name="A")
    for _ in range(2):
        entries.drop(actor=olga, entry=dropped)
    pairing.draw_round(actor=olga, event=event)
    rounds.publish_round(actor=olga, event=event)
    late = add_player(actor=olga, event=event, name="F", army_points=990)
    for _ in range(2):
        entries.rejoin(actor=olga, entry=dropped)
    missed = event.round_set.get().unpaired_losses
    assert sorted(missed.values_list("entry__name", flat=True)) == ["A", "F"]
    assert (late.state, late.army_points) == (Entry.State.PLAYING, 990)
    assert set(states(event)) == {(name, "playing") for name in "ABCDEF"}


def test_warnings_and_ejection(olga, event):
    """E4: each needs a reason; an ejected player does not come back, and the third warning proposes it."""
    events.start(actor=olga, event=event)
    entry = event.entries.get(name="A")
    assert (
        refused(entries.warn, actor=olga, entry=entry, reason=" ")
        == "Give a reason of up to 1000 letters. Everyone can read it. (E4)"
    )
    assert [entries.warn(actor=olga, entry=entry, reason="slow play") for _ in range(3)] == [1, 2, WARNINGS]
    assert (
        refused(entries.eject, actor=olga, entry=entry, reason="")
        == "Give a reason of up to 1000 letters. Everyone can read it. (E4)"
    )
    for _ in range(2):
        entries.eject(actor=olga, entry=entry, reason="third warning")
    assert refused(entries.rejoin, actor=olga, entry=entry) == "An ejected player cannot rejoin. (E4)"
    assert refused(entries.drop, actor=olga, entry=entry) == "A was ejected and plays no more rounds. (E4)"
    said = list(LogLine.objects.exclude(reason="").order_by("pk").values_list("kind", "reason"))
    assert said == [*[("warned", "slow play")] * 3, ("entry", "third warning")]


def test_results_outside_an_open_round(olga, event):
    who = {"actor": olga, "event": event}
    assert refused(rounds.publish_round, **who) == "There are no pairings yet. Draw them first."
    assert refused(clock.start_clock, **who, now=NOON) == "Publish the pairings first. (E26)"
    events.start(**who)
    draft = pairing.draw_round(**who)
    game, bye = draft.games.exclude(second=None).first(), draft.games.get(second=None)
    words = {"actor": olga, "result": Result(how=VICTORY, winner=game.first.key)}
    assert refused(results.save_result, game=game, **words) == "This round is not under way. (E28)"
    assert refused(rounds.close_round, **who) == "Publish the pairings first."
    rounds.publish_round(**who)
    assert refused(results.save_result, game=bye, **words) == "A bye has no result to enter. (E20)"
    with pytest.raises(ValueError, match="is a bye"):
        _ = bye.pair


def test_an_override_is_logged_with_its_reason(olga, event):
    """E31."""
    who = {"actor": olga, "event": event}
    Event.objects.update(rule_set=RuleSet.TOURNAMENT_REGULATIONS, structure=StructureChoice.CUSTOM, rounds=3)
    events.start(**who)
    for _ in range(3):
        draft = pairing.draw_round(**who)
        rounds.publish_round(**who)
        for game in draft.games.exclude(second=None):
            won = Result(how=Ending.SIX_ROUNDS, winner=game.first.key, tokens=(2, 1))
            results.save_result(actor=olga, game=game, result=won)
        rounds.close_round(**who)
    game = event.round_set.get(number=1).games.exclude(second=None).first()
    lost = Result(how=Ending.SIX_ROUNDS, winner=game.second.key, tokens=(1, 2))
    text = "This result stands, because later rounds are closed. An override needs a reason. (E31)"
    assert refused(results.save_result, correct=True, actor=olga, game=game, result=lost) == text
    results.save_result(correct=True, actor=olga, game=game, result=lost, reason="The slip was misread.")
    line = LogLine.objects.get(kind="corrected")
    assert (line.reason, line.facts["before"]["winner"], line.facts["after"]["winner"]) == (
        "The slip was misread.", game.first.number, game.second.number,
    )  # fmt: skip


def test_every_state_of_an_entry_is_reached_and_only_by_the_table(olga, event):
    """E4, E6: no act but undoing leads back from leaving, and none else from an ejection."""
    assert {to for way in TRANSITIONS.values() for to in way.after} == set(Entry.State)
    assert {act for act, way in TRANSITIONS.items() if Entry.State.EJECTED in way.before} == {Act.UNDO_EJECT}
    back = {act for act, way in TRANSITIONS.items() if Entry.State.DROPPED in way.before and act != Act.EJECT}
    assert back == {Act.REGISTER, Act.PLACE, Act.UNDO_CHECK_IN, Act.REJOIN, Act.UNDO_DROP}
    assert set(TRANSITIONS) == set(Act)


def test_an_ejected_player_neither_withdraws_nor_is_let_in_late(olga, event):
    """E4: a withdrawal would lead round the ejection."""
    ejected = event.entries.get(name="A")
    entries.eject(actor=olga, entry=ejected, reason="cheating")
    assert refused(entries.withdraw, actor=None, entry=ejected) == "A was ejected and plays no more rounds. (E4)"
    events.start(actor=olga, event=event)
    assert refused(entries.enter_late, actor=olga, entry=ejected) == "A was ejected and plays no more rounds. (E4)"


@pytest.mark.parametrize(
    ("starts", "plays", "label"), [(False, False, "Players"), (True, False, "Console"), (True, True, "Console")]
)
def test_the_page_leads_organizers_to_their_next_step_once(client, olga, event, starts, plays, label):
    Event.objects.update(state=Event.State.OPEN)
    event.entries.filter(name="A").update(user=olga if plays else None)
    if starts:
        events.start(actor=olga, event=event)
    client.force_login(olga)
    shown = html_of(client.get(reverse("tournaments:detail", args=[event.pk])))
    buttons = re.findall(r'<a\s+class="button[^>]*>(.*?)</a>', shown, re.DOTALL)
    assert [re.sub(r"<.*?>", "", each, flags=re.DOTALL).strip() for each in buttons].count(label) == 1
