"""The demo of visitors without an account: its sandbox, what a guest may do, and that nothing of it stays."""

import os
import re
from datetime import timedelta
from random import Random

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from bench.simulated_battles import walk
from bench.simulation import Supply
from campaign.battles.models import Battle
from campaign.chronicle.narrative import after_action
from campaign.models import Campaign
from campaign.scenarios import sandbox
from campaign.scenarios.tasks import delete_sandboxes, prepare_sandboxes
from catalogue.snapshot import rulebook
from core import retention
from dashboard.guests import ACTS, PAGES
from members.services import invitations
from registers.ledger.verification import differences
from registers.models import Register
from registers.services.data_checks import verify_all
from tests.checksums import checksums, tables
from tests.html import html_of
from tests.once import once
from tests.registers.views.reading import text_of

DEMO, LEAVE, JOIN = "/demo/", "/demo/leave/", "/join/"
NOT_IN_DEMO = "This needs an account: a name and a password."


@pytest.fixture(autouse=True)
def no_tries_yet(db, settings):
    """A scenario asks for its Register before each act: that is many queries, and not for each row of a page."""
    settings.ZEAL_ALLOWLIST = [{"model": "*", "field": "*"}]
    cache.clear()


@once
def started() -> Battle:
    return sandbox.start_sandbox()


@pytest.fixture
def battle(book) -> Battle:
    """The battle of a sandbox."""
    return started()


@pytest.fixture
def guest(client, battle) -> Client:
    """The browser of its guest."""
    client.force_login(battle.campaign.guest)
    return client


def sequence(battle: Battle) -> str:
    return reverse("battles:sequence_side", args=[battle.pk, "blue"])


class TestStarting:
    def test_a_visitor_is_in_the_sequence_at_once(self, client, book):
        page = client.post(DEMO, follow=True)
        battle = Battle.objects.get(status="sequence")
        assert page.redirect_chain == [(sequence(battle), 302)]
        text = text_of(page)
        assert "Leave demo Demo: deleted after two hours. Create account" in text
        assert timedelta(hours=1, minutes=59) < battle.campaign.guest.guest_until - timezone.now() <= retention.DEMO
        assert client.session.get_expiry_date() == battle.campaign.guest.guest_until
        again = client.post(DEMO, follow=True)  # a second tap starts no second one
        assert (again.redirect_chain[-1][0], Campaign.objects.count()) == (sequence(battle), 1)

    def test_all_ten_steps_are_played_by_blue_alone(self, battle):
        assert walk(battle, Random(3), Supply(rulebook())) > 5
        battle.refresh_from_db()
        assert battle.status == Battle.Status.CLOSED
        assert [found for register in Register.objects.all() for found in differences(register)] == []

    def test_a_prepared_one_is_given_away_once_and_in_few_statements(self, client, book):
        sandbox.prepare_sandboxes()
        sandbox.prepare_sandboxes()
        assert Campaign.objects.count() == sandbox.READY
        with CaptureQueriesContext(connection) as found:
            assert client.post(DEMO).status_code == 302
        assert len(found) <= 40
        assert ProcrastinateJob.objects.get().task_name == "prepare_sandboxes"  # the next visitor need not wait either
        guest = User.objects.exclude(last_login=None).get()
        assert (str(guest), client.session.get_expiry_date()) == ("Guest", guest.guest_until)
        assert timezone.now() < guest.guest_until <= timezone.now() + retention.DEMO
        Client().post(DEMO)
        assert (User.objects.exclude(last_login=None).count(), Campaign.objects.count()) == (2, sandbox.READY)

    def test_they_are_prepared_in_a_process_of_its_own(self, monkeypatch):
        monkeypatch.setattr(sandbox, "prepare_sandboxes", _telling_the_process)
        with pytest.raises(LookupError) as told:
            prepare_sandboxes(0)
        [pid] = told.value.args
        assert isinstance(pid, int)
        assert pid != os.getpid()

    def test_tries_from_one_address_are_limited(self, client, book, monkeypatch, settings):
        settings.ACCOUNT_RATE_LIMITS = {"demo": "2/h/ip"}
        monkeypatch.setattr(sandbox, "MOST", 0)
        assert [client.post(DEMO).status_code for _ in range(3)] == [302, 302, 429]

    def test_so_many_at_the_same_time(self, client, battle, monkeypatch):
        monkeypatch.setattr(sandbox, "MOST", 1)
        page = client.post(DEMO, follow=True)
        assert "Too many people are trying the demo right now. Try again in an hour." in text_of(page)
        assert User.objects.count() == 1

    def test_cards_that_do_not_fit_leave_nothing(self, client, book, monkeypatch):
        monkeypatch.setattr(
            sandbox, "read", lambda _path: {"scenario": "x", "acts": [{"act": "found"}, {"act": "found"}]}
        )
        monkeypatch.setattr(sandbox, "play", _refusing)
        assert "The demo cannot start right now." in text_of(client.post(DEMO, follow=True))
        assert (User.objects.exists(), Campaign.objects.exists()) == (False, False)

    def test_who_is_signed_in_stays_who_they_are(self, as_ada, table):
        assert as_ada.post(DEMO).headers["Location"] == "/"
        assert as_ada.post(LEAVE).headers["Location"] == "/"
        assert not User.objects.exclude(guest_until=None).exists()
        assert text_of(as_ada.get("/")).count("ada") > 0


def _telling_the_process() -> None:
    raise LookupError(os.getpid())


def _refusing(*_: object) -> None:
    raise sandbox.ScenarioError("no such card")


def _names(pattern: str, html: str) -> set[str]:
    """The names of the addresses in a page that need an account."""
    leads_to = {resolve(address.split("?")[0]) for address in re.findall(pattern, html)}
    return {match.view_name for match in leads_to if getattr(match.func, "login_required", True)}


class TestAGuest:
    def test_sees_their_own_campaign_and_nobody_else_does(self, guest, battle):
        register = Register.objects.get()
        pages = [sequence(battle), battle.get_absolute_url(), battle.campaign.get_absolute_url()]
        pages.append(reverse("registers:detail", args=[register.pk]))
        assert [guest.get(page).status_code for page in pages] == [200] * 4
        second = Client()
        second.post(DEMO)
        assert [second.get(page).status_code for page in pages] == [404] * 4
        assert second.post(sequence(battle), {"turn": 0}).status_code == 404
        assert [Client().get(page).status_code for page in pages] == [302] * 4

    def test_reads_the_report_the_story_and_the_picture_of_the_battle(self, guest, battle, monkeypatch):
        walk(battle, Random(3), Supply(rulebook()))
        done = text_of(guest.get(sequence(battle)))
        assert "Hero of the day" in done
        report = guest.get(reverse("chronicle:after_action", args=[battle.pk]))
        assert "Do this with your club" in text_of(report)
        assert guest.get(reverse("chronicle:battle_story", args=[battle.pk])).status_code == 200
        monkeypatch.setattr(after_action, "to_png", lambda html, **size: b"picture")
        assert guest.get(reverse("chronicle:after_action_image", args=[battle.pk])).content == b"picture"

    def test_no_page_leads_out_of_the_demo(self, guest, battle):
        walk(battle, Random(3), Supply(rulebook()))
        register = Register.objects.get()
        pages = [
            battle.get_absolute_url(), battle.campaign.get_absolute_url(),
            reverse("registers:detail", args=[register.pk]), reverse("battles:dice", args=[battle.pk]),
            reverse("chronicle:battle_story", args=[battle.pk]), reverse("registers:dossier", args=[register.pk, "1"]),
            reverse("registers:ledger", args=[register.pk]), reverse("registers:supply", args=[register.pk]),
            sequence(battle), reverse("chronicle:after_action", args=[battle.pk]),
        ]  # fmt: skip
        campaign_pages = ("achievements:index", "campaign:battles", "campaign:campaign_rules")
        campaign_pages += ("campaign:dice_statistics", "campaign:standings", "chronicle:activity", "chronicle:index")
        pages += [reverse(name, args=[battle.campaign_id]) for name in campaign_pages]
        answers = [guest.get(page) for page in pages]
        assert {answer.status_code for answer in answers} == {200}
        html = "".join(map(html_of, answers))
        assert _names(r'(?:href|hx-get)="(/(?!static)[^"#]*)', html) <= {*PAGES, "home"}
        assert _names(r'(?:<form(?=[^>]*method="post")[^>]*action|hx-post)="(/[^"#]*)', html) <= ACTS

    def test_is_called_guest_and_has_no_menu(self, guest, battle):
        html = html_of(guest.get(sequence(battle)))
        assert "Sign out" not in html
        assert battle.campaign.guest.username not in html
        assert guest.get("/").headers["Location"] == sequence(battle)

    @pytest.mark.parametrize(
        ("method", "name"),
        [
            ("get", "campaign:new"), ("post", "campaign:new"), ("get", "registers:new"), ("post", "registers:new"),
            ("get", "accounts:profile"), ("post", "accounts:delete"), ("get", "archive:import"), ("get", "lists:lists"),
            ("post", "lists:new"), ("get", "tournaments:new"), ("post", "account_change_password"),
            ("post", "account_email"), ("post", "account_signup"), ("get", "mfa_index"),
        ],
    )  # fmt: skip
    def test_does_nothing_else(self, guest, method, name):
        answer = getattr(guest, method)(reverse(name))
        assert (answer.status_code, NOT_IN_DEMO in text_of(answer)) == (403, True)

    def test_neither_writes_nor_uploads_nor_invites_in_their_own_campaign(self, guest, battle):
        campaign, register = battle.campaign, Register.objects.get()
        for address in (
            reverse("campaign:invite", args=[campaign.pk]), reverse("campaign:add_member", args=[campaign.pk]),
            reverse("campaign:campaign_rules", args=[campaign.pk]), reverse("chronicle:index", args=[campaign.pk]),
            reverse("registers:dossier_photo", args=[register.pk, 1]), reverse("registers:edit", args=[register.pk]),
            reverse("campaign:leave", args=[campaign.pk]), reverse("battles:plan", args=[campaign.pk]),
        ):  # fmt: skip
            assert guest.post(address).status_code == 403, address

    def test_joins_no_campaign(self, client, table):
        invitation = invitations.invite(actor=table.cora, group=table.campaign)
        client.post(invitation.get_absolute_url(), {"do": "sign_up"})
        client.post(DEMO)
        assert client.post(invitation.get_absolute_url()).status_code == 403
        assert table.campaign.memberships.count() == 4
        assert client.get(table.campaign.get_absolute_url()).status_code == 404

    def test_is_out_when_their_time_is_up(self, guest, battle):
        User.objects.update(guest_until=timezone.now())
        for page in (sequence(battle), "/"):
            guest.force_login(battle.campaign.guest)
            answer = guest.get(page, follow=True)
            assert answer.redirect_chain[-1] == ("/", 302)
            assert "Try the demo" in text_of(answer)

    def test_is_in_no_data_check(self, battle):
        assert verify_all().registers == 0


class TestDeleting:
    def test_leaving_leaves_nothing(self, client, table):
        names = tables()
        before = checksums(names)
        client.post(DEMO)
        walk(Battle.objects.get(status="sequence"), Random(5), Supply(rulebook()))
        assert checksums(names) != before
        answer = client.post(LEAVE, {"do": "leave"}, follow=True)
        assert checksums(names) == before
        assert "The demo is deleted." in text_of(answer)
        assert "Try the demo" in text_of(answer)

    def test_who_wants_another_battle_gets_one(self, guest, battle):
        answer = guest.post(LEAVE, {"do": "again"})
        again = Battle.objects.get(status="sequence")
        assert (answer.headers["Location"], again == battle) == (sequence(again), False)

    def test_after_two_hours_by_itself(self, battle):
        delete_sandboxes(0)
        assert Campaign.objects.exists()
        User.objects.update(guest_until=timezone.now())
        delete_sandboxes(0)
        assert (User.objects.exists(), Campaign.objects.exists(), Register.objects.exists()) == (False, False, False)

    def test_never_anybody_else(self, table):
        with pytest.raises(ValueError, match="is not a guest"):
            sandbox.delete_sandbox(table.ada)
        assert Register.objects.filter(owner=table.ada).exists()


class TestKeeping:
    @pytest.fixture
    def link(self, guest) -> str:
        """The page to which the sign-up leads."""
        before, link = guest.post(LEAVE, {"do": "sign_up"})["Location"].split("?next=")
        assert before == "/accounts/signup/"
        return link

    def test_a_new_account_organizes_the_campaign_and_owns_its_register(self, link, battle, client):
        walk(battle, Random(3), Supply(rulebook()))
        old, ada = battle.campaign.guest, User.objects.create_user("ada")
        client.force_login(ada)
        assert "Outer Rim Winter becomes your campaign" in text_of(client.get(link))
        page = client.post(link, follow=True)
        assert page.redirect_chain == [(battle.campaign.get_absolute_url(), 302)]
        assert "The campaign of the demo is yours now. Invite your club under People." in text_of(page)
        assert list(Campaign.objects.values_list("guest", "memberships__user", "memberships__role")) == [
            (None, ada.pk, "organizer")
        ]
        register = Register.objects.get(owner=ada)
        assert (list(differences(register)), verify_all().registers) == ([], 1)
        assert client.get(reverse("chronicle:after_action", args=[battle.pk])).status_code == 200
        delete_sandboxes(0)
        old.refresh_from_db()
        assert (old.merged_into, old.guest_until, old.is_active) == (ada, None, False)
        assert "The campaign of the demo is yours now." in text_of(client.post(link, follow=True))  # a second tap

    def test_nobody_else_can(self, guest, battle):
        token = guest.get(DEMO).context["link"].rstrip("/").rpartition("/")[2]  # that of a friend
        client = Client()
        client.force_login(User.objects.create_user("eve"))
        assert "This demo is over." in text_of(client.post(reverse("dashboard:keep_demo", args=[token]), follow=True))
        assert Campaign.objects.get().guest == battle.campaign.guest

    def test_without_it_the_demo_ends_after_two_hours(self, link, client):
        assert client.get(link)["Location"].startswith("/accounts/login/")
        User.objects.update(guest_until=timezone.now())
        delete_sandboxes(0)
        assert not Campaign.objects.exists()


class TestAnInvitationInHand:
    @pytest.mark.parametrize("typed", ["{token}", " https://example.org/join/{token}/ ", "example.org/join/{token}/"])
    def test_link_or_code_leads_to_its_page(self, client, table, typed):
        invitation = invitations.invite(actor=table.cora, group=table.campaign)
        answer = client.post(JOIN, {"invitation": typed.format(token=invitation.token)})
        assert (answer.status_code, answer.headers["Location"]) == (302, invitation.get_absolute_url())

    @pytest.mark.parametrize(
        "typed", ["", "hello", "https://example.org/accounts/login/", "https://[x", "A" * 22, "//evil.example/admin/"]
    )
    def test_anything_else_is_explained_and_stays(self, client, db, typed):
        answer = client.post(JOIN, {"invitation": typed})
        assert answer.status_code == 422
        assert typed in html_of(answer)
        sentence = "This invitation is unknown. Paste the whole link" if typed else "Paste the link or code"
        assert sentence in text_of(answer)

    def test_guesses_are_counted(self, client, db, settings):
        settings.ACCOUNT_RATE_LIMITS = {"join": "2/h/ip"}
        found = [client.post(JOIN, {"invitation": f"{number:022}"}).status_code for number in range(3)]
        assert found == [422, 422, 429]


class TestAFriend:
    def test_they_see_the_other_side_until_the_demo_ends(self, guest, battle):
        link = guest.get(DEMO).context["link"]
        friend = Client()
        assert "See their battle as the other side of the table does" in text_of(friend.get(link))
        page = friend.post(link, follow=True)
        assert page.redirect_chain == [(sequence(battle), 302)]
        assert "Progress Agendas" in text_of(page)
        assert ('id="answer"' in html_of(guest.get(sequence(battle))), 'id="answer"' in html_of(page)) == (True, False)
        assert friend.post(sequence(battle), {"turn": 0}).status_code == 404
        assert friend.get("/", follow=True).redirect_chain == [(sequence(battle), 302)]
        assert friend.session.get_expiry_date() == battle.campaign.guest.guest_until
        again = Client()
        again.post(friend.get(DEMO).context["link"])
        assert again.session["_auth_user_id"] == friend.session["_auth_user_id"]  # one account for all friends
        guest.post(LEAVE)
        assert not User.objects.exists()
        assert "This demo is over. You can start your own." in text_of(Client().post(link, follow=True))

    def test_they_leave_without_ending_it_and_play_their_own(self, guest, battle):
        link = guest.get(DEMO).context["link"]
        friend = Client()
        friend.post(link)
        campaign = html_of(friend.get(battle.campaign.get_absolute_url()))
        assert ("Create account and keep it" in campaign, "Playing again deletes" in campaign) == (False, False)
        assert "You left the demo." in text_of(friend.post(LEAVE, follow=True))
        friend.post(link)
        friend.post(LEAVE, {"do": "again"})
        assert Campaign.objects.count() == 2

    def test_the_link_says_when_no_phone_can_open_it(self, guest, settings):
        settings.SITE_URL, settings.ALLOWED_HOSTS = "http://localhost:8000", ["*"]
        assert "This link works on this computer only." in text_of(guest.get(DEMO, headers={"host": "localhost:8000"}))

    def test_they_are_gone_when_it_is_kept(self, guest, battle):
        friend, ada = Client(), User.objects.create_user("ada")
        friend.post(guest.get(DEMO).context["link"])
        campaign = sandbox.keep_sandbox(actor=ada, guest=battle.campaign.guest)
        assert [each.user for each in campaign.memberships.all()] == [ada]
        assert friend.get(sequence(battle))["Location"].startswith("/accounts/login/")

    def test_they_are_gone_when_it_is_over(self, guest, battle):
        Client().post(guest.get(DEMO).context["link"])
        User.objects.update(guest_until=timezone.now())
        assert (sandbox.delete_expired(), User.objects.exists()) == (2, False)

    def test_an_account_of_ones_own_stays_signed_in(self, guest, battle):
        link, own = guest.get(DEMO).context["link"], User.objects.create_user("ada")
        ada = Client()
        ada.force_login(own)
        assert ada.post(link)["Location"] == reverse("home")
        assert ada.session["_auth_user_id"] == str(own.pk)

    def test_no_other_number_opens_it(self, battle, client):
        answer = client.post(reverse("dashboard:second_phone", args=[str(battle.campaign.guest.pk)]), follow=True)
        assert "This demo is over." in text_of(answer)


def test_the_lists_of_the_admin_leave_demos_out(admin_client, battle):
    models = ("accounts_user", "registers_register", "campaign_campaign", "battles_battle")
    found = [admin_client.get(reverse(f"admin:{model}_changelist")) for model in models]
    assert [[str(each) for each in page.context["cl"].result_list] for page in found] == [["admin"], [], [], []]
    assert all("Nothing here yet" in page.text for page in found[1:])
    assert "Nothing found" in admin_client.get(reverse("admin:campaign_campaign_changelist"), {"q": "x"}).text
