"""Notifications to people: who gets one, by mail and by push, and how they stop it."""

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from accounts.queries import data_of
from accounts.services.closing import delete_account, merge_accounts
from core.retention import NOTIFICATION
from notifications import tasks, web_push
from notifications.models import Kind, PersonalNotification, Preference, PushKey, PushSubscription
from notifications.services import devices, people
from notifications.web_requests import TryLater
from rules.core.violations import RuleViolation
from tests.html import html_of
from tests.notifications.browsers import Browser, told, work
from tests.notifications.listening import Listener, listening
from tests.registers.factories import make_player
from tests.registers.views.reading import text_of

SITE = "https://musterbook.example"


@pytest.fixture
def service(settings) -> Iterator[Listener]:
    """What stands where the push service of a browser's maker would."""
    settings.SITE_URL = SITE
    with listening() as listener:
        settings.PUSH_ORIGINS = [listener.origin]
        yield listener


@pytest.fixture
def ada(db, settings) -> User:
    """A person with a confirmed mail address."""
    settings.SITE_URL = SITE
    ada = make_player("ada")
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    return ada


def added(service: Listener, user: User, browser: Browser, path: str = "/push/1") -> PushSubscription:
    """The device of a person."""
    endpoint = f"{service.origin}{path}"
    return devices.add_device(actor=user, endpoint=endpoint, device="Firefox, Android", **browser.keys)


def jobs(name: str) -> int:
    return ProcrastinateJob.objects.filter(task_name=name).count()


class TestWhoGetsOne:
    def test_once_for_each_kind_and_thing(self, ada):
        assert told(ada) == {ada.pk}
        assert told(ada) == set()
        assert (told(ada, key="2"), told(ada, kind=Kind.MENTION)) == ({ada.pk}, {ada.pk})
        assert jobs("mail_notification") == 3

    def test_nobody_without_a_way_to_reach_them(self, ada):
        ben, guest, gone = make_player("ben"), make_player("guest"), make_player("gone", is_active=False)
        User.objects.filter(pk=guest.pk).update(guest_until=timezone.now())
        for user in (guest, gone):
            EmailAddress.objects.create(user=user, email=f"{user}@example.org", verified=True)
        EmailAddress.objects.create(user=ben, email="ben@example.org", verified=False)
        assert told(ada, ben, guest, gone) == {ada.pk}

    def test_as_they_have_chosen(self, ada, service):
        assert told(ada, kind=Kind.TURN) == set()  # off by mail unless chosen
        people.choose(actor=ada, mail=[Kind.TURN], push=[])
        assert (told(ada), told(ada, kind=Kind.TURN, key="2")) == (set(), {ada.pk})
        added(service, ada, Browser())
        people.choose(actor=ada, mail=[], push=[Kind.CONFIRM])
        assert told(ada, key="3") == {ada.pk}
        assert (jobs("mail_notification"), jobs("push_notification")) == (1, 1)

    def test_no_mail_from_a_site_that_sends_none(self, ada, settings):
        settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
        assert told(ada) == set()


class TestMail:
    def test_it_says_where_to_go_and_how_to_stop(self, ada):
        told(ada, title="Report to\nconfirm", body="Confirm it & play on.")
        work()
        work()
        [message] = mail.outbox
        assert (message.subject, message.to) == ("[Musterbook] Report to confirm", ["ada@example.org"])
        assert message.body.startswith("Confirm it & play on.\n\nhttps://musterbook.example/battles/1/\n")
        stop = message.extra_headers["List-Unsubscribe"].strip("<>")
        assert f"Stop these mails: {stop}" in message.body
        assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert PersonalNotification.objects.get().mailed_at is not None

    def test_turned_off_after_it_was_queued(self, ada):
        told(ada)
        people.stop_mails(actor=ada, kinds=[Kind.CONFIRM])
        work()
        assert mail.outbox == []

    def test_a_server_that_is_away_is_tried_again(self, ada, monkeypatch):
        monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", _away)
        told(ada)
        with pytest.raises(ConnectionRefusedError):
            work()
        assert PersonalNotification.objects.get().mailed_at is None
        for task in (tasks.mail_notification, tasks.push_notification):
            assert isinstance(task.retry_strategy, tasks.BackOff)

    def test_the_link_asks_and_the_button_stops(self, ada, client):
        page = reverse("notifications:stop", args=[people.stop_token(ada, Kind.CONFIRM)])
        assert "Stop mails of this kind: Report to confirm?" in text_of(client.get(page))
        assert not Preference.objects.exists()
        # As a mail program posts: without a cookie, and without a token of the form.
        answer = Client(enforce_csrf_checks=True).post(page, {"List-Unsubscribe": "One-Click"})
        assert "You no longer get mails of this kind: Report to confirm." in text_of(answer)
        assert (told(ada), told(ada, kind=Kind.REMINDER)) == (set(), {ada.pk})
        assert "You no longer get notifications by mail." in text_of(client.post(page, {"do": "all"}))
        assert told(ada, kind=Kind.REMINDER, key="2") == set()

    def test_a_wrong_link(self, ada, client):
        token = people.stop_token(ada, Kind.CONFIRM)
        for wrong in ("nonsense", f"{token}x", people.stop_token(ada, "nothing")):
            assert client.post(reverse("notifications:stop", args=[wrong])).status_code == 404


def _away(*args: Any) -> None:
    raise ConnectionRefusedError


class TestPush:
    def test_the_browser_reads_it(self, ada, service):
        browser = Browser()
        added(service, ada, browser)
        told(ada, body="x" * 5000)
        work()
        message = browser.read(service.bodies[0])
        assert (message["title"], message["url"], message["tag"]) == ("Report to confirm", "/battles/1/", "confirm 1")
        assert len(message["body"]) == devices.SHOWN
        headers = service.headers[0]
        assert re.fullmatch(r"vapid t=[\w.-]+,k=" + re.escape(devices.public_key()), headers["Authorization"])
        assert (headers["Content-Encoding"], headers["TTL"]) == ("aes128gcm", "172800")

    @pytest.mark.parametrize(
        ("site", "contact"),
        [
            ("https://musterbook.example", "https://musterbook.example"),
            ("https://musterbook.example:8443", "https://musterbook.example"),
            ("https://club.example/musterbook", "https://club.example"),
            ("https://localhost:8000", "mailto:table@club.example"),
            ("http://192.168.1.5:8000", "mailto:table@club.example"),
        ],
    )
    def test_whom_a_push_service_can_ask(self, ada, service, settings, site, contact):
        settings.DEFAULT_FROM_EMAIL = "Our table <table@club.example>"
        added(service, ada, Browser())
        settings.SITE_URL = site
        told(ada)
        work()
        claims = service.headers[0]["Authorization"].split(".")[1]
        assert json.loads(urlsafe_b64decode(claims + "=="))["sub"] == contact

    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_is_gone_is_removed(self, ada, service, status):
        added(service, ada, Browser())
        service.answer(status)
        told(ada)
        work()
        assert PushSubscription.objects.count() == 0
        work()
        assert len(service.bodies) == 1

    def test_a_busy_service_is_tried_again(self, ada, service):
        added(service, ada, Browser())
        service.answer(503, Retry_After="7")
        told(ada)
        with pytest.raises(TryLater) as later:
            work()
        assert (later.value.error, later.value.seconds, PushSubscription.objects.count()) == ("503", 8, 1)
        work()
        assert len(service.bodies) == 2

    @pytest.mark.parametrize(
        "address",
        [
            "http://127.0.0.1/push", "https://169.254.169.254/latest", "https://fcm.googleapis.com.evil.example/x",
            "https://fcm.googleapis.com@10.0.0.1/x", "https://fcm.googleapis.com:22/x", "http://fcm.googleapis.com/x",
            "https://10.0.0.1/?https://updates.push.services.mozilla.com/x", "file:///etc/passwd", "",
        ],
    )  # fmt: skip
    def test_only_push_services_of_browser_makers_are_called(self, ada, address):
        with pytest.raises(RuleViolation, match="Push does not work with this browser"):
            devices.add_device(actor=ada, endpoint=address, device="", **Browser().keys)

    @pytest.mark.parametrize(
        "address",
        ["https://fcm.googleapis.com/fcm/send/a:b", "https://updates.push.services.mozilla.com/wpush/v2/x",
         "https://web.push.apple.com/Q", "https://wns2-par02p.notify.windows.com/w/?token=x%3d"],
    )  # fmt: skip
    def test_the_services_of_the_usual_browsers(self, address):
        assert web_push.origin_of(address) == "/".join(address.split("/")[:3])

    @pytest.mark.parametrize("keys", [{"p256dh": "AAAA"}, {"auth": "AAAA"}, {"p256dh": "ä"}])
    def test_broken_keys(self, ada, service, keys):
        with pytest.raises(RuleViolation):
            devices.add_device(actor=ada, endpoint=f"{service.origin}/1", device="", **{**Browser().keys, **keys})

    def test_the_key_is_made_once_and_anew_if_nobody_can_read_it(self, ada, service, settings):
        added(service, ada, Browser())
        first = devices.public_key()
        assert (devices.public_key(), PushKey.objects.count()) == (first, 1)
        settings.SECRET_KEY = "another" * 10
        assert devices.public_key() != first
        assert not PushSubscription.objects.exists()

    def test_a_browser_belongs_to_the_last_who_asked(self, ada, service):
        browser, ben = Browser(), make_player("ben")
        for user in (ada, ada, ben):
            added(service, user, browser)
        assert [each.user for each in PushSubscription.objects.all()] == [ben]


class TestThePage:
    def test_choices_are_saved(self, client, ada):
        client.force_login(ada)
        page = reverse("notifications:settings")
        assert "Mails go to ada@example.org." in text_of(client.get(page))
        client.post(page, {"mail": ["turn"], "push": ["confirm", "mention"]})
        assert people.choices_of(ada) == {"mail": {"turn"}, "push": {"confirm", "mention"}}
        html = html_of(client.get(page))
        assert re.findall(r'name="(\w+)"\s+value="(\w+)" checked', html) == [("mail", "turn")]
        client.post(page, {"mail": ["turn"], "closed": ["push"]})  # no device yet: the boxes of push were disabled
        assert people.choices_of(ada)["push"] == {"confirm", "mention"}

    @pytest.mark.parametrize("reason", ["no address is confirmed", "the site sends no mail"])
    def test_what_nobody_can_receive_is_not_ticked(self, client, ada, settings, reason):
        if reason == "the site sends no mail":
            settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
        else:
            EmailAddress.objects.update(verified=False)
        client.force_login(ada)
        boxes = re.findall(r'<input type="checkbox"[^>]*>', html_of(client.get(reverse("notifications:settings"))))
        assert len(boxes) == 2 * len(Kind)
        assert all(" disabled" in each and " checked" not in each for each in boxes)

    def test_nothing_is_ticked_that_cannot_reach_anybody(self, client, db):
        client.force_login(make_player("ben"))  # has neither an address nor a device
        html = html_of(client.get(reverse("notifications:settings")))
        boxes = re.findall(r'<input[^>]*type="checkbox"[^>]*>', html)
        assert len(boxes) == 2 * len(Kind)
        assert [box for box in boxes if "disabled" not in box or "checked" in box] == []
        assert "you get no mails" in html or "This site cannot send mail." in html

    def test_a_device_comes_and_goes(self, client, ada, service):
        client.force_login(ada)
        sent = {"endpoint": f"{service.origin}/1", **Browser().keys}
        agent = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36"
        client.post(reverse("notifications:add_device"), sent, headers={"user-agent": agent})
        text = text_of(client.get(reverse("notifications:settings")))
        assert "Push is on for this device." in text
        assert "Chrome, Android Added on" in text
        client.post(reverse("notifications:remove_device"), {"device": PushSubscription.objects.get().pk})
        assert "No device yet." in text_of(client.get(reverse("notifications:settings")))

    def test_somebody_else_removes_nothing(self, client, ada, service):
        device = added(service, ada, Browser())
        client.force_login(make_player("ben"))
        client.post(reverse("notifications:remove_device"), {"device": device.pk})
        assert PushSubscription.objects.count() == 1


def test_a_deleted_account_keeps_nothing(ada, service):
    added(service, ada, Browser())
    told(ada)
    people.choose(actor=ada, mail=[], push=[])
    data = data_of(ada)["notifications"]
    assert ([each["name"] for each in data["devices"]], len(data["choices"]), len(data["sent"])) == (
        ["Firefox, Android"], 2 * len(Kind), 1,
    )  # fmt: skip
    assert "/push/1" not in str(data)
    delete_account(actor=ada, user=ada)
    assert not any(model.objects.exists() for model in (PushSubscription, Preference, PersonalNotification))


def test_a_merged_account_gives_its_devices(ada, service):
    gone = make_player("gone")
    added(service, gone, Browser())
    merge_accounts(actor=ada, gone=gone, into=ada)
    assert [each.user for each in PushSubscription.objects.all()] == [ada]


def test_old_ones_are_forgotten(ada):
    told(ada)
    PersonalNotification.objects.update(created_at=timezone.now() - NOTIFICATION)
    told(ada, key="2")
    people.delete_old()
    assert [each.key for each in PersonalNotification.objects.all()] == ["2"]
