"""Players invited by mail (E5, E6)."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from core.db.rows import update
from core.table_forms import ColumnsForm
from core.tables import rows_of
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.tournaments.factories import make_event, organizer, started
from tests.tournaments.played_events import NOON
from tournaments.forms.entries import INVITED_FIELDS, people_of
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
    register = Client().get(f"/events/me/{bo.token}/").headers["Location"]
    assert "Bo Ra is registered. If that is you, sign in to open your page." in html_of(Client().get(register))
    people = [("Mia", "MIA@example.com"), ("", "bo@example.com")]
    assert [each.state for each in invitees(event, people)] == ["registered", "registered"]
    assert Client().get(f"/events/me/{'x' * 22}/").status_code == 404


def test_nobody_is_invited_where_nobody_can_register(event, client):
    """E6. Once the event has started the addresses are deleted."""
    people = [("Mia", "mia@example.com")]
    assert invite_players(actor=organizer(), event=event, people=people, now=NOON) == 1
    forget_started()
    assert InvitedPlayer.objects.count() == 1
    started(event)
    for page in ("", "register/"):
        shown = html_of(Client().get(f"/events/{event.pk}/{page}"))
        assert "This event is running. To play, ask an organizer at the desk to add you (E21)." in shown
        assert "Sign up and register" not in shown
    with pytest.raises(RuleViolation, match="This event is running"):
        invite_players(actor=organizer(), event=Event.objects.get(), people=people, now=NOON)
    client.force_login(organizer())
    assert "You can add people under Players." in html_of(client.get(f"/events/{event.pk}/players/invite/"))
    forget_started()
    assert not InvitedPlayer.objects.exists()
    with pytest.raises(RuleViolation, match="Only an organizer"):
        invite_players(actor=User.objects.create_user("eve"), event=event, people=people, now=NOON)


def test_addresses_of_an_event_that_never_started_are_deleted(event):
    invite_players(actor=organizer(), event=event, people=[("Mia", "mia@example.com")], now=NOON)
    update(event, starts_at=timezone.now() - timedelta(days=29))
    forget_started()
    assert InvitedPlayer.objects.exists()
    update(event, starts_at=timezone.now() - timedelta(days=31))
    forget_started()
    assert not InvitedPlayer.objects.exists()


def test_an_event_that_is_over_mails_nobody(event):
    invite_players(actor=organizer(), event=event, people=[("Mia", "mia@example.com")], now=NOON)
    update(event, state=Event.State.CANCELLED)
    work()
    assert not mail.outbox


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("Mia;mia@example.com\nJon;jon@example.com", [("Mia", "mia@example.com"), ("Jon", "jon@example.com")]),
        ("mia@example.com;Mia\njon@example.com;Jon", [("Mia", "mia@example.com"), ("Jon", "jon@example.com")]),
        ("mia@example.com\njon@example.com", [("", "mia@example.com"), ("", "jon@example.com")]),
        ("Name;E-Mail-Adresse\nMia;mia@example.com", [("Mia", "mia@example.com")]),
        ("Nome;Indirizzo email\nMia;mia@example.com", [("Mia", "mia@example.com")]),
    ],
)
def test_a_table_needs_no_english_headings(text, people):
    columns = ColumnsForm(rows_of(text), INVITED_FIELDS)
    assert columns.is_valid()
    assert people_of(columns) == people


def test_lines_without_an_address_stand_each_for_itself(event):
    """E11. A is registered; the empty address of that line says nothing about Jon. A column holds 254 characters."""
    long = f"{'a' * 64}@{'b' * 60}.{'c' * 60}.{'d' * 60}.example"
    people = [("A", ""), ("Jon", ""), ("Zoe", long)]
    assert [each.state for each in invitees(event, people)] == ["registered", "no_address", "no_address"]


def test_who_could_not_be_mailed_for_a_day_is_mailed_again(event):
    """The row and its link stay."""
    people = [("Mia", "mia@example.com")]
    invite_players(actor=organizer(), event=event, people=people, now=NOON)
    token = InvitedPlayer.objects.get().token
    assert invite_players(actor=organizer(), event=event, people=people, now=NOON) == 0
    InvitedPlayer.objects.update(created_at=timezone.now() - timedelta(days=2))
    for number in (1, 0):
        assert invite_players(actor=organizer(), event=event, people=people, now=NOON) == number
    assert (ProcrastinateJob.objects.count(), InvitedPlayer.objects.get().token) == (2, token)
    work()
    InvitedPlayer.objects.update(created_at=timezone.now() - timedelta(days=2))
    assert [each.state for each in invitees(event, people)] == ["invited"]


def test_a_name_in_a_mail_has_no_address_of_a_page(event):
    people = [("Buy at www.example.com", "mia@example.com")]
    invite_players(actor=organizer(), event=event, people=people, now=NOON)
    work()
    assert mail.outbox[0].body.startswith("You are invited to Winter Conquest.")


def test_a_refused_table_stays(event, client, monkeypatch):
    """Also when registration closes between the preview and the tap."""
    client.force_login(organizer())
    there, sent = f"/events/{event.pk}/players/invite/", {"text": "Name;E-Mail\nMia;mia@example.com", "do": "send"}
    columns = client.post(there, {"text": sent["text"]}).context["columns"]
    sent |= {each.html_name: each.value() for each in columns}
    monkeypatch.setattr("tournaments.services.links.MOST_ADDED", 0)
    assert [each.name for each in client.post(there, sent).context["lines"]] == ["Mia"]
    update(event, state=Event.State.CLOSED)
    page = client.post(there, sent)
    assert (page.status_code, page.context["form"]["text"].value()) == (422, sent["text"])
    assert "mia@example.com</textarea>" in html_of(page)
