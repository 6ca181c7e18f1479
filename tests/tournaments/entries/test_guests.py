"""Players without an account: they register, come back by a word, and check in at the kiosk (E5, E6)."""

import re

import pytest
from django.core import mail
from django.test import Client

from tests.html import html_of
from tests.lists.armies import MINIMAL
from tests.registers.conftest import book
from tests.tournaments.factories import add_player, make_event, organizer
from tournaments.models import Entry, LogLine

__all__ = ["book"]

pytestmark = pytest.mark.django_db
TOKEN = "t" * 22


@pytest.fixture
def event():
    return make_event(players=1)


def address(event, page):
    return f"/events/{event.pk}/{page}/"


def test_a_guest_registers_once_and_comes_back_by_the_word(event, settings):
    """E5: the form is sent twice; another phone needs only the word."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    typed = {"name": "Mia", "club": "Rogues", "token": TOKEN, "email": "mia@example.com"}
    for phone in (Client(), Client()):  # the first answer was lost, and the session with it
        answer = phone.post(address(event, "register"), typed)
        assert (answer.status_code, answer.headers["Location"]) == (302, address(event, "me"))
    mia = Entry.objects.get(name="Mia")
    assert (mia.state, mia.user, mia.token, mia.club) == ("registered", None, TOKEN, "Rogues")
    assert (mail.outbox[0].to, f"/events/me/{TOKEN}/" in mail.outbox[0].body) == (["mia@example.com"], True)
    assert mia.word in html_of(phone.get(address(event, "me")))
    other = Client()
    refused = other.post(address(event, "word"), {"word": "xx"})
    assert (refused.status_code, "No player of this event has this word." in html_of(refused)) == (422, True)
    assert other.get(address(event, "me")).status_code == 404
    other.post(address(event, "word"), {"word": f" {mia.word[:4].upper()} {mia.word[4:]}"})
    assert "Mia" in html_of(other.get(address(event, "me")))


def test_a_name_that_is_taken_loses_nothing(event):
    shown = html_of(Client().post(address(event, "register"), {"name": "a", "club": "Rogues", "token": TOKEN}))
    assert "a is registered already." in shown
    assert 'value="Rogues"' in shown
    assert not Entry.objects.filter(token=TOKEN).exists()


@pytest.mark.usefixtures("book")
def test_a_list_comes_with_the_registration(event):
    """E8: one that is understood is submitted; one with a line to decide waits on its own page, as it was typed."""
    phone = Client()
    answer = phone.post(address(event, "register"), {"name": "Mia", "token": TOKEN, "army_list": MINIMAL})
    submitted = Entry.objects.get(name="Mia").lists.get()
    assert (answer.headers["Location"], submitted.source_text) == (address(event, "me"), MINIMAL)
    other, open_list = Client(), "200/600 (1 activation)\nDarth Vader\nSnowtroopers"
    answer = other.post(address(event, "register"), {"name": "Noa", "token": "u" * 22, "army_list": open_list})
    noa = Entry.objects.get(name="Noa")
    assert answer.headers["Location"] == address(event, f"players/{noa.number}/list/submit")
    shown = other.get(answer.headers["Location"])
    assert (shown.context["form"]["text"].value(), noa.lists.count()) == (open_list, 0)


def test_the_word_of_an_account_opens_nothing(event):
    Entry.objects.update(user=organizer())
    assert Client().post(address(event, "word"), {"word": Entry.objects.get().word}).status_code == 422


@pytest.fixture
def tablet(event):
    """The browser of the kiosk, which was opened with the code 1234."""
    tablet = Client()
    tablet.force_login(organizer())
    assert tablet.post(address(event, "kiosk"), {"code": "1234"}).status_code == 302
    return tablet


def test_the_kiosk_checks_in_and_is_no_organizer(event, tablet):
    """E6: by name and by the scanned code; what it does stands in the log under the organizer's name."""
    ben = add_player(actor=organizer(), event=event, name="Ben")
    assert tablet.get(address(event, "players/manage")).status_code == 302  # signed out
    kiosk = address(event, "kiosk")
    for words in ("ben", f"https://site/events/x/check-in/{ben.check_in_code}/"):
        assert f'value="{ben.number}"' in html_of(tablet.get(kiosk, {"q": words}))
    assert "Ben: checked in." in html_of(tablet.post(kiosk, {"check_in": ben.number}, follow=True))
    ben.refresh_from_db()
    assert ben.state == "checked_in"
    assert ben.token not in html_of(tablet.get(kiosk, {"q": "ben"}))
    assert Client().get(kiosk).status_code == 404
    event.memberships.all().delete()
    assert tablet.get(kiosk).status_code == 404  # its organizer organizes it no more


def test_a_player_registers_at_the_kiosk_once(event, tablet):
    typed = {"do": "register", "name": "Mia", "after": 1}
    for _twice in range(2):
        shown = html_of(tablet.post(address(event, "kiosk"), typed))
    mia = Entry.objects.get(name="Mia")
    assert (mia.state, mia.word in shown, "checked in" in shown) == ("checked_in", True, True)
    assert LogLine.objects.filter(kind="entered", facts__entry=mia.number).count() == 1


def test_payments_and_the_end_need_the_code(event, tablet):
    kiosk, paid = address(event, "kiosk"), {"paid": "1 on"}

    def has_paid():
        return Entry.objects.get(number=1).paid

    tablet.post(kiosk, paid)
    tablet.post(kiosk, {"do": "end"})
    assert "This is not the code" in html_of(tablet.post(kiosk, {"do": "unlock", "code": "4321"}, follow=True))
    tablet.post(kiosk, paid)
    assert not has_paid()
    tablet.post(kiosk, {"do": "unlock", "code": "1234"})
    tablet.post(kiosk, paid)
    assert has_paid()
    tablet.post(kiosk, {"do": "end"})
    assert tablet.get(kiosk).status_code == 404


def test_each_code_on_the_page_of_links_is_one_picture(event):
    """No element has the id of another: codes are drawn many to a page."""
    add_player(actor=organizer(), event=event, name="Ben")
    client = Client()
    client.force_login(organizer())
    shown = html_of(client.get(address(event, "players/links")))
    ids = re.findall(r'\bid="([^"]+)"', shown)
    assert (shown.count("<svg width"), len(ids)) == (2, len(set(ids)))
