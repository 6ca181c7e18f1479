"""Events when an account is deleted or merged into another."""

import pytest

from accounts.models import User
from accounts.services.closing import DeletionRefused, delete_account
from campaign.services.merging import merge_people
from members.models import Role
from rules.tournaments.rule_sets import RuleSet
from tournaments.models import Admission, Entry, Event, Invitation, Membership
from tournaments.services import entries, events

pytestmark = pytest.mark.django_db


@pytest.fixture
def people():
    return [User.objects.create_user(name) for name in ("olga", "ada", "ben")]


@pytest.fixture
def event(people):
    return events.create_event(actor=people[0], name="Winter Conquest", rule_set=RuleSet.GALACTIC_CONQUEST)


def entry_of(event, organizer, user):
    entry = entries.add_entry(actor=organizer, event=event, name=user.username)
    Entry.objects.filter(pk=entry.pk).update(user=user)
    return entry


def test_results_of_a_deleted_account_stay_under_a_number(event, people):
    olga, ada, _ben = people
    entry = entry_of(event, olga, ada)
    delete_account(actor=ada, user=ada)
    entry.refresh_from_db()
    assert (entry.user, entry.name) == (None, "Player 1")


def test_the_only_organizer_of_an_event_stays_until_it_is_over(event, people):
    olga = people[0]
    with pytest.raises(DeletionRefused, match=r"Only you organize Winter Conquest\. Make"):
        delete_account(actor=olga, user=olga)
    Event.objects.update(state=Event.State.FINISHED)
    delete_account(actor=olga, user=olga)
    assert not Membership.objects.exists()


def test_another_account_takes_over_entries_and_roles(event, people):
    olga, ada, ben = people
    root = User.objects.create_superuser("root")
    second = events.create_event(actor=ada, name="Second", rule_set=RuleSet.GALACTIC_CONQUEST)
    Membership.objects.create(event=second, user=ben, role=Role.VIEWER)
    Membership.objects.create(event=event, user=ada, role=Role.VIEWER)
    moved, double, own = entry_of(event, olga, ada), entry_of(second, ada, ada), entry_of(second, ada, ben)
    link = Invitation.objects.create(event=second, role=Role.PLAYER, created_by=ada, expires_at=event.created_at)
    Admission.objects.create(invitation=link, user=ada)
    merge_people(actor=root, gone=ada, into=ben, reason="Lost the password")
    assert list(Entry.objects.filter(user=ben).order_by("pk")) == [moved, own]
    double.refresh_from_db()
    assert (double.user, double.name) == (None, "ada")
    roles = Membership.objects.filter(user=ben).order_by("event__name")
    assert list(roles.values_list("event__name", "role")) == [("Second", "organizer"), ("Winter Conquest", "viewer")]
    assert not Membership.objects.filter(user=ada).exists()
    assert (Invitation.objects.get().created_by, Admission.objects.get().user) == (ben, ben)
