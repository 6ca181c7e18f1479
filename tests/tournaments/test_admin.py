"""Events in the admin: staff see everything but secrets, and change nothing."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from rules.tournaments.rule_sets import RuleSet
from tests.registers.conftest import book
from tests.tournaments.factories import add_player
from tests.tournaments.world import make_event_world
from tournaments.models import Entry, Event, Game, JudgeCall, League, LogLine, Membership, Round, SubmittedList
from tournaments.services import events

__all__ = ["book"]

MODELS = (Event, Entry, Round, Game, SubmittedList, JudgeCall, League, LogLine)


@pytest.fixture
def staff(client, db):
    client.force_login(User.objects.create_superuser("root"))
    return client


def listed(client, model, **asked):
    page = client.get(reverse(f"admin:tournaments_{model._meta.model_name}_changelist"), asked)
    return [str(row) for row in page.context["cl"].result_list]


def test_every_row_is_shown_and_none_is_changed(book, staff):
    world = make_event_world()
    secrets = [world.guest.token, world.entry.token, world.invitation.token, bytes(world.entry.event.seed).hex()]
    for model in MODELS:
        name = f"admin:tournaments_{model._meta.model_name}"
        row = model.objects.order_by("pk").last()
        pages = [staff.get(reverse(f"{name}_changelist")), staff.get(reverse(f"{name}_change", args=[row.pk]))]
        assert [page.status_code for page in pages] == [200, 200], model
        assert not [secret for page in pages for secret in secrets if secret in page.text], model
        refused = [
            staff.post(reverse(f"{name}_change", args=[row.pk]), {}),
            staff.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}),
            staff.post(reverse(f"{name}_add"), {}),
        ]
        assert [page.status_code for page in refused] == [403] * 3, model


def test_search_finds_events_by_player_and_leader(book, staff):
    make_event_world()
    assert listed(staff, Event, q="stranger") == ["Elsewhere"]
    assert set(listed(staff, Event, q="Mia")) == {"draft", "open", "closed", "running", "drafted", "finished"}
    assert listed(staff, Event, state__exact="running", q="running") == ["running"]
    assert listed(staff, Entry, q="opponent", event__state__exact="open") == ["opponent"]
    assert len(listed(staff, Game, state__exact="reported")) == 1
    assert listed(staff, JudgeCall, q="cover") == ["running: 1"]


def test_a_game_is_shown_in_words(book, staff):
    world = make_event_world()
    change = reverse("admin:tournaments_game_change", args=[world.game.pk])
    assert "player (victory), 700:450 points, 6:4 tokens" in staff.get(change).text


@pytest.mark.parametrize("model", [Event, Entry, League], ids=lambda model: model.__name__)
def test_three_rows_take_as_many_queries_as_one(staff, model):
    owner = User.objects.create_user("olga")

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert staff.get(reverse(f"admin:tournaments_{model._meta.model_name}_changelist")).status_code == 200
        return len(queries)

    def more(name: str) -> None:
        league = League.objects.create(name=name, owner=owner)
        event = events.create_event(actor=owner, name=name, rule_set=RuleSet.GALACTIC_CONQUEST)
        Event.objects.filter(pk=event.pk).update(league=league)
        Membership.objects.create(event=event, user=User.objects.create_user(name), role="judge")
        add_player(actor=owner, event=event, name=name)

    more("First")
    count()  # what a process reads once
    one = count()
    for name in ("Second", "Third"):
        more(name)
    assert count() == one
