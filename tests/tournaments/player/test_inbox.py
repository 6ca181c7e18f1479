"""Events on the home page and in the inbox: the next step of each person, and their tasks."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from members.models import Role
from rules.tournaments.results import Ending, Result
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.factories import add_player
from tests.tournaments.world import draft_pairs
from tournaments.models import Entry, Event, Game, JudgeCall, Membership, SubmittedList
from tournaments.pages.inbox import next_step, tasks_in
from tournaments.queries.inbox import own_events
from tournaments.services import entries, events, pairing, results, rounds

pytestmark = pytest.mark.django_db
MORNING = datetime(2026, 11, 28, 8, 30, tzinfo=UTC)
STARTS_AT = datetime(2026, 11, 28, 9, tzinfo=UTC)
NAME = "Winter Conquest"


@pytest.fixture
def people():
    return {name: User.objects.create_user(name) for name in ("olga", "ada", "ben", "judy")}


@pytest.fixture
def event(people):
    """Open for registration, in Berlin; Ada and Ben are registered, with two players without accounts."""
    event = events.create_event(
        actor=people["olga"], name=NAME, rule_set=RuleSet.GALACTIC_CONQUEST, starts_at=STARTS_AT,
        time_zone="Europe/Berlin", rounds=2,
    )  # fmt: skip
    for name in ("Ada", "Ben", "Cy", "Dee"):
        add_player(actor=people["olga"], event=event, name=name)
        event.entries.filter(name=name).update(user=people.get(name.lower()))
    Event.objects.update(state=Event.State.OPEN, lists_required=False, structure="custom")
    Membership.objects.create(event=event, user=people["judy"], role=Role.JUDGE)
    return Event.objects.get()


@pytest.fixture
def running(event, people):
    """Round 1 is published: Ada plays against Ben at table 1."""
    olga = {"actor": people["olga"], "event": event}
    everyone = list(event.entries.all())
    entries.check_in(**olga, entries=everyone)
    events.start(**olga)
    draft_pairs(event, people["olga"], [(everyone[0], everyone[1]), (everyone[2], everyone[3])])
    rounds.publish_round(**olga)
    return event


def step(user, now=MORNING):
    return [next_step(each, now) for each in own_events(user)]


def tasks(user, now=MORNING):
    """The tasks of a person: title, note and address; idle ones in brackets."""
    found = [task for each in own_events(user) for task in tasks_in(each, now)]
    return [(f"({task.title})" if task.idle else task.title, task.note, task.href) for task in found]


def first_game():
    return Game.objects.get(round__number=1, place=1)


def set_game(**values):
    Game.objects.filter(pk=first_game().pk).update(**values)


class TestPlayers:
    def test_check_in_on_the_day_until_the_start(self, event, people):
        before, after = datetime(2026, 11, 27, 12, tzinfo=UTC), datetime(2026, 11, 28, 9, 1, tzinfo=UTC)
        assert step(people["ada"]) == ["Check in until 10:00"]
        assert tasks(people["ada"]) == [("Check in until 10:00", NAME, reverse("tournaments:player", args=[event.pk]))]
        assert step(people["ada"], before) == step(people["ada"], after) == ["Starts on 28 November 2026, 10:00"]
        assert tasks(people["ada"], before) == tasks(people["ada"], after) == []

    @pytest.mark.parametrize(
        ("state", "text"),
        [
            (Entry.State.WAITING, "On the waiting list"),
            (Entry.State.CHECKED_IN, "Checked in. Round 1 comes next"),
            (Entry.State.DROPPED, "You have withdrawn"),
            (Entry.State.CUT, "You missed the cut. The bracket goes on"),
        ],
    )
    def test_states_without_a_task(self, event, people, state, text):
        Entry.objects.update(state=state)
        assert (step(people["ada"]), tasks(people["ada"])) == ([text], [])

    @pytest.mark.parametrize("state", [Event.State.DRAFT, Event.State.FINISHED, Event.State.CANCELLED])
    def test_other_events_are_not_listed(self, event, people, state):
        Event.objects.update(state=state)
        assert step(people["ada"]) == []

    def test_an_ejected_player_has_no_event(self, event, people):
        Entry.objects.update(state=Entry.State.EJECTED)
        assert step(people["ada"]) == []

    def test_a_list_is_due_until_the_start(self, event, people):  # E8, E9
        Event.objects.update(lists_required=True)
        entry = event.entries.get(name="Ada")
        page = reverse("tournaments:submit_list", args=[event.pk, entry.number])
        assert step(people["ada"]) == ["Submit your army list"]
        assert tasks(people["ada"])[0] == ("Submit your army list", NAME, page)
        SubmittedList.objects.create(entry=entry, number=1)
        second = SubmittedList.objects.create(entry=entry, number=2, violations=[{"rule": "E8", "text": "Too few"}])
        assert tasks(people["ada"])[0] == ("Fix your army list", NAME, page)
        SubmittedList.objects.filter(pk=second.pk).update(accepted_by=people["olga"])
        assert step(people["ada"]) == ["Check in until 10:00"]
        Event.objects.update(state=Event.State.RUNNING)
        SubmittedList.objects.all().delete()
        assert step(people["ada"]) == ["The event started without you. Ask an organizer to add you"]
        assert tasks(people["ada"]) == []

    def test_an_unlocked_list_may_be_changed_during_the_event(self, running, people):  # E9
        SubmittedList.objects.create(entry=running.entries.get(name="Ada"), number=1)
        Entry.objects.filter(name="Ada").update(list_unlocked=True)
        assert [title for title, *_ in tasks(people["ada"])] == ["Change your army list", "Report your game"]

    def test_a_game_from_its_table_to_its_result(self, running, people):  # E28
        page = reverse("tournaments:player", args=[running.pk])
        note = f"{NAME} · Round 1: table 1 against Ben"
        assert step(people["ada"]) == ["Round 1: table 1 against Ben"]
        assert step(people["ben"]) == ["Round 1: table 1 against Ada"]
        assert tasks(people["ada"]) == [("Report your game", note, page)]
        set_game(state=Game.State.REPORTED, reported_by=running.entries.get(name="Ben"))
        assert tasks(people["ada"]) == [("Confirm Ben’s result", note, page)]
        set_game(state=Game.State.REPORTED, reported_by=running.entries.get(name="Ada"))
        assert tasks(people["ada"]) == [("(Ben has to confirm your result)", note, page)]
        set_game(state=Game.State.DISPUTED)
        assert tasks(people["ada"]) == [("(Your disputed result is being decided)", note, page)]
        set_game(state=Game.State.CONFIRMED)
        assert tasks(people["ada"]) == []

    def test_a_bye_and_a_round_without_a_game(self, running, people):  # E20, E21
        set_game(second=None)
        assert [step(people[name]) for name in ("ada", "ben")] == [
            ["Round 1: you have a bye"],
            ["Round 1: you do not play"],
        ]
        assert tasks(people["ada"]) == []

    def test_a_draft_is_not_told(self, running, people):  # E24
        running.round_set.update(state="draft")
        assert step(people["ada"]) == ["Round 1: not published yet"]
        running.round_set.update(state="closed")
        assert step(people["ada"]) == ["Round 2: not published yet"]
        running.round_set.all().delete()
        assert step(people["ada"]) == ["Round 1: not published yet"]
        assert tasks(people["ada"]) == []


class TestLeaders:
    def test_before_the_start(self, event, people):
        assert step(people["olga"]) == ["4 players, 0 checked in"]
        Event.objects.update(state=Event.State.DRAFT)
        assert step(people["olga"]) == ["Draft. Open registration when it is ready"]

    def test_from_round_to_round(self, running, people):
        olga = {"actor": people["olga"], "event": running}
        seen = [*step(people["olga"])]
        for number in (1, 2):
            for game in Game.objects.filter(round__number=number).select_related("first", "second", "round__event"):
                won = Result(how=Ending.VICTORY, winner=game.pair[0].key, points=(500, 300), tokens=(5, 3))
                results.save_result(actor=people["judy"], game=game, result=won)
                seen += step(people["olga"])
            rounds.close_round(**olga)
            seen += step(people["olga"])
            if number == 1:
                pairing.draw_round(**olga)
                seen += step(people["olga"])
                rounds.publish_round(**olga)
        Event.objects.update(cut=2)
        seen += step(people["olga"])
        assert seen == [
            "Round 1: 2 results are missing",
            "Round 1: 1 result is missing",
            "Round 1: all results are in. Close the round",
            "Draw round 2",
            "Round 2: publish the draft",
            "Round 2: 1 result is missing",
            "Round 2: all results are in. Close the round",
            "All rounds are played. Finish the event",
            "Make the cut: the best 2 advance",
        ]
        Event.objects.update(cut=8)
        assert step(people["olga"]) == ["Only 4 players are left for the cut. Choose how to go on"]

    def test_after_the_final_the_event_is_to_be_finished(self, running, people):  # E39
        running.round_set.update(stage="bracket", state="closed")
        assert (step(people["olga"]), step(people["ada"])) == (["Draw the final"], ["Final: not published yet"])
        Game.objects.filter(place=2).delete()
        assert step(people["olga"]) == ["All rounds are played. Finish the event"]

    def test_disputes_and_calls(self, running, people):  # E3, E28
        set_game(state=Game.State.DISPUTED)
        JudgeCall.objects.create(event=running, game=first_game(), table=1)
        JudgeCall.objects.create(event=running, table=2, state=JudgeCall.State.TAKEN, judge=people["judy"])
        JudgeCall.objects.create(event=running, table=2, state=JudgeCall.State.APPEALED)
        JudgeCall.objects.create(event=running, table=2, state=JudgeCall.State.OVER)
        judges, console = (reverse(f"tournaments:{name}", args=[running.pk]) for name in ("judges", "console"))
        assert tasks(people["judy"]) == [
            ("Take a call from a table", NAME, judges),
            ("Enter your ruling", NAME, judges),
            ("Decide a disputed result", NAME, console),
        ]
        assert tasks(people["olga"]) == [
            ("Take a call from a table", NAME, judges),
            ("Decide a disputed result", NAME, console),
            ("Decide an appeal", NAME, judges),
        ]
        assert [title for title, *_ in tasks(people["ada"])] == ["(Your disputed result is being decided)"]

    def test_lists_and_claims_are_for_organizers(self, event, people):  # E5, E8
        ada = event.entries.get(name="Ada")
        broken = {"entry": ada, "violations": [{"rule": "E8", "text": "Too few"}]}
        for number in (1, 2):
            SubmittedList.objects.create(number=number, **broken)
        event.entries.filter(name__in=("Cy", "Dee")).update(claimant=people["judy"])
        assert tasks(people["olga"]) == [
            ("Decide about an army list", NAME, reverse("tournaments:lists", args=[event.pk])),
            ("Answer 2 requests to take over an entry", NAME, reverse("tournaments:entries", args=[event.pk])),
        ]
        assert tasks(people["judy"]) == []
        SubmittedList.objects.create(entry=ada, number=3)
        assert [title for title, *_ in tasks(people["olga"])] == ["Answer 2 requests to take over an entry"]

    def test_a_leader_who_plays_has_both(self, running, people):  # E2
        Membership.objects.create(event=running, user=people["ada"], role=Role.JUDGE)
        assert step(people["ada"]) == ["Round 1: table 1 against Ben · Round 1: 2 results are missing"]


def test_running_events_first_then_by_date(event, people):
    olga = people["olga"]
    for name, day in (("Later", 30), ("Sooner", 1)):
        starts_at = datetime(2026, 11, day, tzinfo=UTC)
        events.create_event(actor=olga, name=name, rule_set=RuleSet.GALACTIC_CONQUEST, starts_at=starts_at)
    events.create_event(actor=olga, name="Some day", rule_set=RuleSet.GALACTIC_CONQUEST)
    Event.objects.filter(name="Later").update(state=Event.State.RUNNING)
    assert [each.event.name for each in own_events(olga)] == ["Later", "Sooner", NAME, "Some day"]


def test_where_a_person_goes_on(running, people):
    pages = {name: own_events(people[name])[0].href for name in ("ada", "olga")}
    assert pages == {
        "ada": reverse("tournaments:player", args=[running.pk]),
        "olga": reverse("tournaments:console", args=[running.pk]),
    }
    Entry.objects.update(state=Entry.State.DROPPED)
    assert own_events(people["ada"])[0].href == running.get_absolute_url()


def test_three_events_take_as_many_queries_as_one(running, people):
    ada = people["ada"]
    Membership.objects.create(event=running, user=ada, role=Role.JUDGE)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            list(step(ada) + tasks(ada))
        return len(queries)

    one = count()
    for name in ("Second", "Third"):
        more = events.create_event(actor=ada, name=name, rule_set=RuleSet.GALACTIC_CONQUEST)
        add_player(actor=ada, event=more, name="Ada")
        more.entries.update(user=ada)
        Event.objects.filter(pk=more.pk).update(state=Event.State.OPEN)
    assert (one, count()) == (8, 8)  # four each time


def test_the_home_page_lists_events_and_their_tasks(client, running, people):
    client.force_login(people["ada"])
    page = client.get("/")
    assert page.context["home"].events[0]["step"] == "Round 1: table 1 against Ben"
    assert [item.title for item in page.context["waiting"]] == ["Report your game"]
    assert page.context["badge"].number == 1
    assert f'href="{reverse("tournaments:player", args=[running.pk])}"' in page.text
