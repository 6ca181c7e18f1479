"""Players invited by mail (E5, E6)."""

import pytest
from django.core import mail
from django.test import Client
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.tournaments.factories import make_event, organizer, started
from tests.tournaments.played_events import NOON
from tournaments.models import Entry, Event, InvitedPlayer
from tournaments.services.links import forget_started, invite_players, invitees
from tournaments.tasks import mail_player_invitation

pytestmark = pytest.mark.django_db
TABLE = "Name;E-Mail\nMia;Mia@example.com\nJon;\nA;a@example.com\nZoe;zoe(at)example\nMia;mia@example.com\n"
TABLE += "Pia;pia@example.com"


@pytest.fixture
def event(settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return make_event()


def work():
    """Mail what the queue holds, each job twice, as after a worker that was killed."""
    for job in ProcrastinateJob.objects.filter(task_name="mail_player_invitation").order_by("pk"):
        mail_player_invitation(**job.args)
        mail_player_invitation(**job.args)


def test_a_table_is_mailed_once(event, client):
    """The page says who is mailed, who has no address, and who is in already. Sent again it mails nobody."""
    client.force_login(organizer())
    there = f"/events/{event.pk}/players/invite/"
    shown = client.post(there, {"text": TABLE})
    assert [line.state for line in shown.context["lines"]] == [
        "new", "no_address", "registered", "no_address", "invited", "new",
    ]  # fmt: skip
    assert not InvitedPlayer.objects.exists()
    for _twice in range(2):
        columns = {name: field.value() for name, field in ((each.html_name, each) for each in shown.context["columns"])}
        assert client.post(there, {**columns, "text": TABLE, "do": "send"}).status_code == 302
    work()
    assert [each.to for each in mail.outbox] == [["mia@example.com"], ["pia@example.com"]]
    assert mail.outbox[0].body.startswith("Mia\n\nYou are invited to Winter Conquest.")
    assert "mailed on" in html_of(client.get(there))


def test_the_link_of_an_invitation_becomes_the_personal_link(event):
    """It leads to the registration with the name filled in, then to the player's page; a registered player is not
    mailed again, under whatever name they registered.
    """
    invite_players(
        actor=organizer(), event=event, people=[("Mia", "mia@example.com"), ("", "Bo@example.com")], now=NOON
    )
    mia, bo = InvitedPlayer.objects.all()
    phone = Client()
    register = phone.get(f"/events/me/{mia.token}/").headers["Location"]
    page = phone.get(register)
    assert (page.context["form"].initial, Entry.objects.count()) == ({"token": mia.token, "name": "Mia"}, 4)
    phone.post(register, {"name": "Mia Sun", "token": mia.token})
    assert phone.get(f"/events/me/{mia.token}/").headers["Location"] == f"/events/{event.pk}/me/"
    signed_in = Client()
    signed_in.force_login(User.objects.create_user("bo"))
    signed_in.post(signed_in.get(f"/events/me/{bo.token}/").headers["Location"], {"name": "Bo Ra"})
    assert list(Entry.objects.order_by("pk").values_list("name", "user__username"))[4:] == [
        ("Mia Sun", None), ("Bo Ra", "bo"),
    ]  # fmt: skip
    people = [("Mia", "MIA@example.com"), ("", "bo@example.com")]
    assert [each.state for each in invitees(event, people)] == ["registered", "registered"]
    assert Client().get(f"/events/me/{'x' * 22}/").status_code == 404


def test_nobody_is_invited_where_nobody_can_register(event):
    """E6. Once the event has started the addresses are deleted."""
    people = [("Mia", "mia@example.com")]
    assert invite_players(actor=organizer(), event=event, people=people, now=NOON) == 1
    forget_started()
    assert InvitedPlayer.objects.count() == 1
    started(event)
    with pytest.raises(RuleViolation, match="This event is running"):
        invite_players(actor=organizer(), event=Event.objects.get(), people=people, now=NOON)
    forget_started()
    assert not InvitedPlayer.objects.exists()
    with pytest.raises(RuleViolation, match="Only an organizer"):
        invite_players(actor=User.objects.create_user("eve"), event=event, people=people, now=NOON)
