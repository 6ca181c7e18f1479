"""The services of a campaign's webhook, and what a page does with them."""

from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from campaign.models import Membership, Notification, Webhook
from campaign.services import webhooks
from core.encryption import decrypt
from rules.core.violations import RuleViolation
from tests.campaign.battles.closing import all_but_the_last, closed, last, undo
from tests.campaign.battles.stepping import post
from tests.campaign.webhooks import SITE, campaign, channel, cora, jobs, tell, trial
from tests.registers.factories import make_player

__all__ = ["campaign", "channel", "cora"]

ADDRESS = "https://discord.com/api/webhooks/1234567890/Not-for-the_eyes"


class TestSetting:
    def test_it_is_kept_sealed(self, campaign, cora):
        webhook = tell(campaign, cora, f"  {ADDRESS}\n", "battles", "arcs")
        assert (decrypt(webhook.encrypted_address), webhook.hint, webhook.set_by) == (ADDRESS, "1234", cora)
        assert (webhook.kinds, str(webhook)) == ({"battles", "arcs"}, "…/webhooks/1234…")
        row = Webhook.objects.values().get()
        assert not [value for value in row.values() if "Not-for-the_eyes" in str(value)]

    def test_another_takes_its_place(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        other = ADDRESS.replace("1234567890", "9876543210")
        tell(campaign, cora, other)
        assert decrypt(Webhook.objects.get().encrypted_address) == other

    def test_without_an_address_it_stays_the_same(self, campaign, cora):
        before = tell(campaign, cora, ADDRESS)
        after = tell(campaign, cora, "", "casualties")
        assert (after.encrypted_address, after.set_at, after.kinds) == (
            before.encrypted_address,
            before.set_at,
            {"casualties"},
        )

    def test_an_address_switches_it_on_again(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        Webhook.objects.update(off_at=timezone.now(), off_status=404)
        assert tell(campaign, cora, "").off_status == 404
        after = tell(campaign, cora, ADDRESS)
        assert (after.off_at, after.off_status) == (None, None)

    @pytest.mark.parametrize(
        ("address", "expected", "about"),
        [
            ("", ["battles"], "address"),
            ("https://evil.example/api/webhooks/1234567890/abc", ["battles"], "address"),
            (ADDRESS, [], "kinds"),
            (ADDRESS, ["the weather"], "kinds"),
        ],
    )
    def test_what_is_refused(self, campaign, cora, address, expected, about):
        with pytest.raises(RuleViolation) as refused:
            webhooks.set_webhook(actor=cora, campaign=campaign, address=address, kinds=expected, site=SITE)
        assert [violation.about for violation in refused.value.violations] == [about]
        assert not Webhook.objects.exists()

    def test_only_an_organizer(self, campaign, cora):
        ada = make_player("ada")
        Membership.objects.create(campaign=campaign, user=ada, role=Membership.Role.PLAYER)
        for act in (
            lambda: tell(campaign, ada, ADDRESS),
            lambda: webhooks.remove_webhook(actor=ada, campaign=campaign),
            lambda: trial(campaign, ada),
        ):
            with pytest.raises(RuleViolation):
                act()
        ada.is_staff = ada.is_superuser = True
        assert tell(campaign, ada, ADDRESS).set_by == ada

    def test_removing_it_twice(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        for _ in range(2):
            webhooks.remove_webhook(actor=cora, campaign=campaign)
            assert not Webhook.objects.exists()


class TestATrial:
    def test_is_put_into_the_queue(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        notification = trial(campaign, cora)
        assert (notification.status, notification.battle, jobs(args__notification=str(notification.pk))) == (
            Notification.Status.WAITING, None, [("todo", 0)],
        )  # fmt: skip

    def test_that_comes_twice_is_sent_once(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        pk = uuid4()
        for _ in range(2):
            webhooks.send_test(actor=cora, campaign=campaign, notification_id=pk)
            Notification.objects.update(status=Notification.Status.SENT, settled_at=timezone.now())
        assert len(jobs()) == 1

    def test_is_waited_for_but_not_for_ever(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        first = trial(campaign, cora)
        assert (trial(campaign, cora), len(jobs())) == (first, 1)
        Notification.objects.update(created_at=timezone.now() - webhooks.PATIENCE)
        assert (trial(campaign, cora) == first, len(jobs())) == (False, 2)

    def test_of_a_corrected_address_does_not_wait_for_one_of_the_old_address(self, campaign, cora):
        tell(campaign, cora, ADDRESS)
        first = trial(campaign, cora)
        tell(campaign, cora, ADDRESS)
        assert (trial(campaign, cora) == first, len(jobs())) == (False, 2)

    def test_needs_a_webhook_that_is_on(self, campaign, cora):
        with pytest.raises(RuleViolation):
            trial(campaign, cora)
        tell(campaign, cora, ADDRESS)
        Webhook.objects.update(off_at=timezone.now(), off_status=404)
        with pytest.raises(RuleViolation):
            trial(campaign, cora)


class TestABattleThatCloses:
    def test_is_told_once(self, fought):
        tell(fought.battle.campaign, fought.ada_organizes(), ADDRESS)
        battle = closed(fought)
        assert [(notification.battle, notification.status) for notification in Notification.objects.all()] == [
            (battle, Notification.Status.WAITING)
        ]
        assert jobs() == [("todo", 0)]

    def test_is_told_once_however_often_it_is_closed(self, fought):
        tell(fought.battle.campaign, fought.ada_organizes(), ADDRESS)
        closed(fought)
        Notification.objects.update(status=Notification.Status.SENT, settled_at=timezone.now())
        undo(fought, "blue")
        last(fought)
        assert (Notification.objects.count(), jobs()) == (1, [("todo", 0)])

    def test_is_put_into_the_queue_again_while_it_waits(self, fought):
        """The job that was there may have found it reopened. Of one notification no two are under way at once."""
        tell(fought.battle.campaign, fought.ada_organizes(), ADDRESS)
        battle = closed(fought)
        undo(fought, "blue")
        last(fought)
        queued = ProcrastinateJob.objects.filter(task_name="deliver")
        assert (
            list(queued.values_list("status", "lock", "args"))
            == [
                (
                    "todo",
                    f"notification-{battle.notifications.get().pk}",
                    {"model": "campaign.Notification", "notification": str(battle.notifications.get().pk)},
                )
            ]
            * 2
        )

    def test_is_told_nobody_who_does_not_ask(self, fought):
        closed(fought)
        assert (Notification.objects.count(), jobs()) == (0, [])

    def test_is_not_told_if_it_did_not_close_after_all(self, fought):
        tell(fought.battle.campaign, fought.ada_organizes(), ADDRESS)
        all_but_the_last(fought)
        with transaction.atomic():
            last(fought)
            assert len(jobs()) == 1
            transaction.set_rollback(True)  # as when the power is cut
        assert (Notification.objects.count(), jobs()) == (0, [])


class TestAPageThatCloses:
    """A dead webhook is no concern of the page's."""

    def test_calls_nobody(self, fought, client, channel):
        tell(fought.battle.campaign, fought.ada_organizes(), channel.address)
        all_but_the_last(fought)
        client.force_login(fought.ada)
        address = f"/battles/{fought.battle.pk}/sequence/blue/"
        assert client.post(address, {"turn": fought.blue.turn, "done": "on"}).status_code == 302
        fought.battle.refresh_from_db()
        assert fought.battle.status == "closed"
        assert (channel.heard, jobs()) == ([], [("todo", 0)])

    def test_by_an_organizer_for_a_player(self, fought, client):
        all_but_the_last(fought)
        organizer = make_player("cora")
        fought.battle.campaign.memberships.create(user=organizer, role=Membership.Role.ORGANIZER)
        tell(fought.battle.campaign, organizer, ADDRESS)
        client.force_login(organizer)
        answered = post(client, fought, "blue", done="on")
        assert (answered.status_code, jobs()) == (200, [("todo", 0)])
