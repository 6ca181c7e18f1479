"""`manage.py demo`."""

import stat
from collections import Counter

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from campaign.battles.models import Battle
from campaign.models import Campaign
from dashboard.management.commands import demo
from lists.services.army_lists import check_army_list
from registers.ledger.verification import differences
from tests.registers.factories import make_player
from tournaments.models import Event, Game, JudgeCall
from tournaments.pages.inbox import next_step
from tournaments.queries.army_lists import EVERYTHING, last_lists, visible_army
from tournaments.queries.inbox import own_events
from tournaments.services.army_lists import problems_of

EVENTS = ("Hoth Winter Conquest", "Dune Sea Open", "Spring Skirmish")


@pytest.fixture
def output_of(monkeypatch, tmp_path, capsys, book):
    """Run the command, keeping its sign-ins in a directory of its own; returns what it says."""
    monkeypatch.setattr(demo, "DATA_DIR", tmp_path)

    def run() -> str:
        call_command("demo")
        return capsys.readouterr().out

    return run


def test_a_campaign_with_history_and_a_battle_to_walk(output_of, tmp_path):
    words = output_of()
    [campaign] = Campaign.objects.all()
    assert [(m.user.username, m.role) for m in campaign.memberships.all()] == [
        ("cora", "organizer"),
        ("ada", "player"),
        ("ben", "player"),
    ]
    assert sorted(str(register) for register in campaign.registers.all()) == ["Ashen Patrol", "Dune Wardens"]
    assert [battle.status for battle in Battle.objects.order_by("number")] == ["closed"] * 3 + ["sequence"]
    assert [side.step for side in Battle.objects.get(status="sequence").sides.all()] == [1, 3]
    assert [found for register in campaign.registers.all() for found in differences(register)] == []
    kept = tmp_path / "demo-sign-ins.txt"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.read_text() in words


def test_an_event_in_its_third_round_one_that_is_over_and_one_that_is_open(output_of):
    output_of()
    running, over, opened = (Event.objects.get(name=name) for name in EVENTS)
    states = Counter(Game.objects.filter(round__event=running, round__number=3).values_list("state", flat=True))
    assert states == {"open": 2, "reported": 1, "disputed": 1, "confirmed": 2}
    assert running.judge_calls.get().state == JudgeCall.State.WAITING
    assert [event.state for event in (running, over, opened)] == ["running", "finished", "open"]
    assert [each.number for each in over.round_set.filter(stage="bracket", state="closed")] == [4]
    own = {user.username: [next_step(each, timezone.now()) for each in own_events(user)] for user in User.objects.all()}
    assert own["cora"][0] == "Round 3: 4 results are missing"
    assert [each.name for each in opened.entries.exclude(user=None)] == ["Cora", "Ben"]
    submitted = list(last_lists(running))
    assert len(submitted) == 12
    for each in submitted:
        army = visible_army(each, EVERYTHING)
        assert (check_army_list(army).points, problems_of(running, army)) == (each.points, [])


@pytest.mark.nightly
def test_the_sign_ins_that_are_printed_open(output_of):
    lines = [line.split() for line in output_of().splitlines() if "(player)" in line or "(organizer)" in line]
    assert [line[0] for line in lines] == ["cora", "ada", "ben"]
    assert all(authenticate(username=name, password=password) for name, password, _ in lines)


@pytest.mark.nightly
def test_once_is_enough(output_of):
    first = output_of()
    assert output_of().strip() in first
    assert (Campaign.objects.count(), User.objects.count()) == (1, 3)


def test_where_people_live_nothing_is_changed(output_of):
    make_player("zoe")
    assert output_of() == "This database already has accounts. No demo was set up.\n"
    assert not Campaign.objects.exists()
