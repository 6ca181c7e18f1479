"""Events when an account is deleted or merged into another."""

import pytest

from accounts.models import User
from accounts.services.closing import DeletionRefused, delete_account, merge_preview
from campaign.people.services.merging import merge_people
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tests.tournaments.factories import add_player
from tournaments.data_export import events_of
from tournaments.models import (
    Admission,
    Entry,
    Event,
    Invitation,
    JudgeCall,
    League,
    LogLine,
    Membership,
    SubmittedList,
    TerrainCheck,
)
from tournaments.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [User.objects.create_user(name) for name in ("olga", "ada", "ben")]


@pytest.fixture
def event(people):
    return events.create_event(actor=people[0], name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST)


def entry_of(event, organizer, user):
    entry = add_player(actor=organizer, event=event, name=user.username)
    Entry.objects.filter(pk=entry.pk).update(user=user)
    return entry


def test_results_of_a_deleted_account_stay_under_a_number(event, people):
    olga, ada, _ben = people
    entry = entry_of(event, olga, ada)
    Entry.objects.update(state=Entry.State.PLAYING, club="Dune Club", note="Brings a mat")
    SubmittedList.objects.create(entry=entry, number=1, source_text="Ada’s list", submitted_by=ada)
    Event.objects.update(state=Event.State.RUNNING)
    delete_account(actor=ada, user=ada)
    left = Entry.objects.get()
    assert (left.user, left.name, left.state, left.club, left.note) == (None, "Player 1", "playing", "", "")
    assert left.token != entry.token
    assert SubmittedList.objects.get().source_text == ""


def test_a_deleted_account_keeps_no_place_in_an_event_that_has_not_started(event, people):
    olga, ada, _ben = people
    entry_of(event, olga, ada)
    claimed = add_player(actor=olga, event=event, name="A. Da")
    Entry.objects.filter(pk=claimed.pk).update(claimant=ada)
    delete_account(actor=ada, user=ada)
    assert list(Entry.objects.values_list("name", "state", "claimant")) == [
        ("Player 1", "dropped", None),
        ("A. Da", "registered", None),
    ]
    assert LogLine.objects.first().facts == {"entry": 1, "before": "registered", "after": "dropped"}


def test_leagues_of_a_deleted_account_stay_if_they_have_events(event, people):
    ada = people[1]
    League.objects.create(name="Empty", owner=ada)
    event.league = League.objects.create(name="Winter League", owner=ada)
    event.save()
    delete_account(actor=ada, user=ada)
    assert list(League.objects.values_list("name", "owner")) == [("Winter League", ada.pk)]


def test_the_only_organizer_of_an_event_stays_until_it_is_over(event, people):
    olga = people[0]
    with pytest.raises(DeletionRefused, match=r"You are the only organizer of Winter Conquest\. Make"):
        delete_account(actor=olga, user=olga)
    Event.objects.update(state=Event.State.FINISHED)
    delete_account(actor=olga, user=olga)
    assert not Membership.objects.exists()


def test_another_account_takes_over_entries_and_roles(event, people):
    olga, ada, ben = people
    root = User.objects.create_superuser("root")
    second = events.create_event(actor=ada, name="Second", rule_set=RuleSet.GALACTIC_CONQUEST)
    Membership.objects.create(event=second, user=ben, role=Role.JUDGE)
    Membership.objects.create(event=event, user=ada, role=Role.HEAD_JUDGE)
    moved, double, own = entry_of(event, olga, ada), entry_of(second, ada, ada), entry_of(second, ada, ben)
    link = Invitation.objects.create(event=second, role=Role.JUDGE, created_by=ada, expires_at=event.created_at)
    Admission.objects.create(invitation=link, user=ada)
    merge_people(actor=root, gone=ada, into=ben, reason="Lost the password")
    assert list(Entry.objects.filter(user=ben).order_by("pk")) == [moved, own]
    double.refresh_from_db()
    assert (double.user, double.name) == (None, "ada")
    roles = Membership.objects.filter(user=ben).order_by("event__name")
    assert list(roles.values_list("event__name", "role")) == [
        ("Second", "organizer"),
        ("Winter Conquest", "head_judge"),
    ]
    assert not Membership.objects.filter(user=ada).exists()
    assert (Invitation.objects.get().created_by, Admission.objects.get().user) == (ben, ben)


def test_another_account_takes_over_what_gives_rights(event, people):
    olga, ada, ben = people
    root = User.objects.create_superuser("root")
    claimed = add_player(actor=olga, event=event, name="A. Da")
    Entry.objects.update(claimant=ada)
    second = events.create_event(actor=olga, name="Second", rule_set=RuleSet.GALACTIC_CONQUEST)
    entry_of(second, olga, ben)
    add_player(actor=olga, event=second, name="Ada, too")
    Entry.objects.filter(name="Ada, too").update(claimant=ada)
    call = JudgeCall.objects.create(event=event, table=1, judge=ada, appeal_judge=ada)
    league = League.objects.create(name="Winter League", owner=ada)
    entry_of(events.create_event(actor=olga, name="Third", rule_set=RuleSet.GALACTIC_CONQUEST), olga, ada)
    assert merge_preview(ada) == ["The player ada of Third", "The league Winter League"]
    merge_people(actor=root, gone=ada, into=ben, reason="Lost the password")
    for row in (claimed, call, league):
        row.refresh_from_db()
    assert (claimed.claimant, call.judge, call.appeal_judge_id, league.owner) == (ben, ben, ada.pk, ben)
    # Ben plays in the second event already.
    assert Entry.objects.get(name="Ada, too").claimant is None


def test_the_data_export_has_all_parts_and_no_link(event, people):
    olga, ada, _ben = people
    entry = entry_of(event, olga, ada)
    Membership.objects.create(event=event, user=ada, role=Role.JUDGE)
    SubmittedList.objects.create(entry=entry, number=1, faction="rebel", points=990, submitted_by=ada)
    JudgeCall.objects.create(event=event, table=3, round_number=2, caller=entry, judge=ada, appeal_judge=ada)
    TerrainCheck.objects.create(event=event, table=4, checked_by=ada)
    League.objects.create(name="Winter League", owner=ada, points=[5, 3])
    link = Invitation.objects.create(event=event, role=Role.JUDGE, created_by=ada, expires_at=event.created_at)
    Admission.objects.create(invitation=link, user=ada)
    data = events_of(ada)
    assert {part: len(rows) for part, rows in data.items()} == {
        "entries": 1, "trophies": 0, "army lists": 1, "asked to take over": 0, "judge calls": 1, "rulings": 1,
        "rulings on appeals": 1, "terrain checks": 1, "leagues": 1, "roles": 1, "invited": 1, "joined by": 1, "did": 0,
    }  # fmt: skip
    assert data["entries"] == [
        {
            "event__name": "Winter Conquest", "number": 1, "name": "ada", "state": "registered", "club": "",
            "paid": False, "warnings": 0, "fixed_table": None, "army_points": None,
            "registered_at": entry.registered_at, "checked_in_on": None,
            "vote__number": None,
        }
    ]  # fmt: skip
    assert data["roles"] == [{"event__name": "Winter Conquest", "role": "judge"}]
    assert not [secret for secret in (entry.token, link.token) if secret in str(data)]
    assert [line["kind"] for line in events_of(olga)["did"]] == ["created", "entered"]


def test_the_place_of_a_deleted_account_goes_to_the_waiting_list(event, people):
    """E6."""
    olga, ada, _ben = people
    own = entry_of(event, olga, ada)
    next_one = add_player(actor=olga, event=event, name="Next")
    Entry.objects.filter(pk=next_one.pk).update(state=Entry.State.WAITING)
    Event.objects.update(state=Event.State.OPEN, registration_limit=1)
    delete_account(actor=ada, user=ada)
    assert dict(event.entries.values_list("number", "state")) == {own.number: "dropped", next_one.number: "registered"}
