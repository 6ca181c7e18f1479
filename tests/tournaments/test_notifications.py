"""What an event tells its players and leaders by push and mail."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from notifications.models import PersonalNotification, PushSubscription
from tests.tournaments.factories import make_leader
from tests.tournaments.table_world import GC, entry, game_of, new_event, paired_event, won
from tournaments.models import Entry, Event, Round
from tournaments.services import army_lists, clock, events, judging, results, rounds
from tournaments.services.notifications import remind_of_lists

pytestmark = pytest.mark.django_db


def with_phone(event: Event, name: str) -> User:
    """Give a player an account and a phone that gets push messages."""
    user = User.objects.create_user(name.lower())
    PushSubscription.objects.create(user=user, endpoint=f"https://push.example/{name}", device="Phone")
    Entry.objects.filter(event=event, name=name).update(user=user)
    return user


def told(user: User) -> list[tuple[str, str]]:
    return list(PersonalNotification.objects.filter(user=user).order_by("created_at").values_list("kind", "title"))


@pytest.fixture
def world():
    olga, event = paired_event(GC, ("Asha", "Ben", "Cleo", "Dov", "Eve"))
    return olga, event, with_phone(event, "Asha"), with_phone(event, "Eve")


def test_a_round_from_its_pairings_to_the_final_standings(world):
    olga, event, asha, eve = world
    Round.objects.filter(event=event).update(state=Round.State.DRAFT)
    for _ in range(2):
        rounds.publish_round(actor=olga, event=event)
    clock.start_clock(actor=olga, event=event, now=timezone.now())
    assert told(asha) == [("paired", "Round 1: table 1 against Ben"), ("started", "Round 1 starts")]
    assert told(eve)[0] == ("paired", "Round 1: bye")
    for _ in range(2):
        results.report_result(
            actor=None, entry=entry(event, "Ben"), game=game_of(event, "Asha"), result=won(event, "Asha"), version=0
        )
    assert told(asha)[2:] == [("confirm", "Result to confirm")]
    results.confirm_result(entry=entry(event, "Asha"), game=game_of(event, "Asha"), version=1)
    results.no_show(actor=olga, entry=entry(event, "Dov"), number=1)
    rounds.close_round(actor=olga, event=event)
    events.finish(actor=olga, event=event)
    assert told(asha)[3:] == [("final", "Winter Conquest: final standings")]


def test_published_again_only_what_changed_is_told(world):
    olga, event, asha, eve = world
    game = game_of(event, "Asha")
    for table in (1, 1, 5):
        Round.objects.filter(event=event).update(state=Round.State.DRAFT)
        game.table = table
        game.save()
        rounds.publish_round(actor=olga, event=event)
    assert [title for _kind, title in told(asha)] == ["Round 1: table 1 against Ben", "Round 1: table 5 against Ben"]
    assert len(told(eve)) == 1


def test_a_judge_is_called_and_comes(world):
    _olga, event, asha, _eve = world
    judge = make_leader(event)
    Event.objects.update(table_names="1 Hall A")
    PushSubscription.objects.create(user=judge, endpoint="https://push.example/judge", device="Phone")
    for _ in range(2):
        ben, game = entry(event, "Ben"), game_of(event, "Asha")
        call = judging.call_judge(actor=None, entry=ben, game=game, question="Who is first?")
        judging.take_call(actor=judge, call=call)
    assert told(judge) == [("judge", "Table 1 calls a Consular")]
    assert PersonalNotification.objects.get(user=judge).body == "Hall A: Who is first?"
    assert told(asha) == [("judge", "A Consular comes to table 1")]


def test_who_is_cut_reads_it(world):
    olga, event, asha, eve = world
    Entry.objects.filter(event=event, name="Asha").update(state=Entry.State.CUT)
    Round.objects.filter(event=event).update(stage=Round.Stage.BRACKET, state=Round.State.DRAFT)
    event.round_set.get().games.filter(first__name="Asha").delete()
    rounds.publish_round(actor=olga, event=event)
    assert (told(asha), [kind for kind, _title in told(eve)]) == ([("final", "The cut")], ["paired"])


def test_lists_are_due_the_day_before_and_when_they_are_unlocked():
    olga, event = new_event(GC)
    asha, now = with_phone(event, "Asha"), timezone.now()
    for hours, due in ((25, 0), (23, 1), (22, 1), (-1, 1)):
        Event.objects.filter(pk=event.pk).update(starts_at=now + timedelta(hours=hours))
        remind_of_lists(now)
        assert len(told(asha)) == due
    events.start(actor=olga, event=event, reason="Lists are on paper.")
    army_lists.unlock_list(actor=olga, entry=entry(event, "Asha"), reason="A card is not released.")
    assert told(asha) == [("list", "Winter Conquest: your army list is due"), ("list", "Submit your army list again")]
