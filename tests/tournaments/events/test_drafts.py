"""Drafts of events: deleted from Home, seen by nobody else, and offered for deletion once nobody touches them."""

from datetime import timedelta

import pgtrigger
import pytest
from django.urls import reverse
from django.utils import timezone

from core.retention import DRAFT_UNTOUCHED
from dashboard.inbox import inbox_for
from members.models import Role
from members.services.membership import add_member, give_role
from rules.tournaments.rule_sets import RuleSet
from tests.html import html_of
from tests.registers.factories import make_player
from tests.tournaments.factories import add_player, organizer
from tournaments.models import Event, LogLine
from tournaments.services import events

pytestmark = pytest.mark.django_db
TITLE = "Finish or delete your draft"


@pytest.fixture
def draft():
    """A draft that olga organizes, with a player on its list."""
    event = events.create_event(actor=organizer(), name="Winter Conquest", rule_set=RuleSet("GC"))
    add_player(actor=event.memberships.get().user, event=event, name="Ada")
    return event


@pytest.fixture
def olga(draft, client):
    client.force_login(draft.memberships.get().user)
    return client


def test_it_is_deleted_from_home(draft, olga):
    delete = reverse("tournaments:delete", args=[draft.pk])
    assert f'href="{delete}"' in html_of(olga.get(reverse("home")))
    assert "1 player on its list" in html_of(olga.get(delete))
    assert f"{draft.name} is deleted." in html_of(olga.post(delete, follow=True))
    assert (Event.objects.count(), LogLine.objects.count()) == (0, 0)
    assert olga.post(delete).status_code == 404  # a double tap


def test_a_published_one_stays(draft, olga):
    delete = reverse("tournaments:delete", args=[draft.pk])
    Event.objects.update(starts_at=timezone.now(), state=Event.State.OPEN)
    assert olga.get(delete).url == draft.get_absolute_url()
    assert "This event was published. Cancel it instead." in html_of(olga.post(delete))  # from a page of before
    assert f'href="{delete}"' not in html_of(olga.get(reverse("home")))


def test_nobody_else_sees_it(draft, client):
    client.force_login(make_player("eve"))
    assert draft.name not in html_of(client.get(reverse("tournaments:events")))
    for name in ("detail", "delete"):
        assert client.get(reverse(f"tournaments:{name}", args=[draft.pk])).status_code == 404


def test_only_organizers_delete_it(draft, client):
    olga, judge = draft.memberships.get().user, make_player("jo")
    add_member(actor=olga, group=draft, username="jo")
    give_role(actor=olga, group=draft, user=judge, role=Role.JUDGE)
    client.force_login(judge)
    assert client.post(reverse("tournaments:delete", args=[draft.pk])).status_code == 404
    assert "Delete draft" not in html_of(client.get(reverse("home")))


def test_untouched_for_long_it_is_offered_for_deletion(draft, olga):
    user = draft.memberships.get().user
    assert TITLE not in [item.title for item in inbox_for(user)]
    with pgtrigger.ignore("tournaments.LogLine:append_only"):
        LogLine.objects.update(at=timezone.now() - DRAFT_UNTOUCHED - timedelta(hours=1))
    [item] = [item for item in inbox_for(user) if item.title == TITLE]
    assert item.href == reverse("tournaments:delete", args=[draft.pk])
    events.change_settings(actor=user, event=draft, changes={"place": "Hall 3"})
    assert TITLE not in [item.title for item in inbox_for(user)]
