"""Making invitations and following them."""

from random import Random
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from bench.forms import forms_of
from campaign.models import Invitation
from campaign.people.services import joining
from members.services import invitations, membership
from tests.campaign.factories import address
from tests.html import html_of
from tests.registers.views.reading import text_of


@pytest.fixture(autouse=True)
def no_attempts_yet(db):
    cache.clear()


@pytest.fixture(autouse=True)
def library_looks_twice(settings):
    """Allow what allauth does: it looks the one user up again."""
    settings.ZEAL_ALLOWLIST = [*settings.ZEAL_ALLOWLIST, {"model": "accounts.User", "field": "*"}]


@pytest.fixture
def made(table) -> Invitation:
    return invitations.invite(actor=table.cora, group=table.campaign)


def form(**words: object) -> dict[str, object]:
    return {"invitation": uuid4(), "max_uses": "", "role": "player", "days": 14} | words


def is_in(table, name: str) -> bool:
    return table.campaign.memberships.filter(user__username=name).exists()


class TestInviting:
    def test_a_form_that_comes_twice_makes_one_and_shows_it(self, as_cora, table):
        words = form(max_uses="1", role="viewer")
        for _ in range(2):
            answer = as_cora.post(address(table, "campaign:invite"), words, follow=True)
        text = text_of(answer)
        made = table.campaign.invitations.get()
        for part in ("For one viewer", "nobody joined yet", f"http://testserver/join/{made.token}/", "Copy link"):
            assert part in text
        assert "<svg" in html_of(answer).partition('class="qr"')[2]

    def test_a_refusal_loses_nothing(self, as_cora, table):
        answer = as_cora.post(address(table, "campaign:invite"), form(role="organizer", max_uses="3", days="20"))
        assert answer.status_code == 422
        assert "An invitation for an organizer works for 1 person only." in text_of(answer)
        assert 'value="20"' in html_of(answer)
        assert not table.campaign.invitations.exists()

    def test_the_button_that_revokes_carries_its_token(self, table, made):
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(table.cora)
        page = browser.get(address(table, "campaign:invitation", made.pk)).content.decode()
        [revoking] = [form for form in forms_of(page) if form.action == address(table, "campaign:revoke", made.pk)]
        answer = browser.post(revoking.action, dict(revoking.filled(Random(1))), follow=True)
        assert "The invitation is revoked." in text_of(answer)

    def test_undone(self, as_cora, table, made):
        text = text_of(as_cora.post(address(table, "campaign:revoke", made.pk), follow=True))
        assert "The invitation is revoked." in text
        page = as_cora.get(address(table, "campaign:invitation", made.pk))
        assert "This link no longer works." in text_of(page)
        assert made.token not in html_of(page)

    def test_it_says_when_no_phone_can_open_the_link(self, as_cora, table, made, settings):
        settings.SITE_URL, settings.ALLOWED_HOSTS = "http://localhost:8000", ["*"]
        hosts = ("localhost:8000", "192.168.1.20:8000")
        pages = [as_cora.get(address(table, "campaign:invitation", made.pk), headers={"host": host}) for host in hosts]
        assert ["This link works on this computer only." in text_of(page) for page in pages] == [True, False]

    def test_attempts_are_limited(self, as_cora, table, settings):
        settings.ACCOUNT_RATE_LIMITS = {"invite": "2/h/user"}
        found = [as_cora.post(address(table, "campaign:invite")).status_code for _ in range(3)]
        assert found == [422, 422, 429]

    def test_not_one_of_another_campaign(self, client, table, made):
        other = table.campaign.__class__.objects.create(name="Another")
        other.memberships.create(user=table.ada, role="organizer")
        client.force_login(table.ada)
        assert client.get(reverse("campaign:invitation", args=[other.pk, made.pk])).status_code == 404


class TestFollowing:
    def test_one_button_for_who_is_signed_in(self, client, table, made):
        client.force_login(table.eve)
        page = client.get(made.get_absolute_url())
        assert "cora invites you to this Star Wars: Legion campaign." in text_of(page)
        assert not is_in(table, "eve")  # a GET changes nothing
        for _ in range(2):
            answer = client.post(made.get_absolute_url(), follow=True)
            assert answer.redirect_chain[-1] == (table.campaign.get_absolute_url(), 302)
        assert made.admissions.count() == 1

    def test_it_shows_the_campaign_and_who_plays(self, client, table, made):
        type(table.campaign).objects.filter(pk=table.campaign.pk).update(about="Fridays at Cora’s.")
        text = text_of(client.get(made.get_absolute_url()))
        for words in (
            "Fridays at Cora’s.", "Sign up and join", "What happens next You join as a player. Build your Register",
            "Players 4 cora no Register yet ada Ashen Patrol Empire ben Dune Wardens", "mia no Register yet",
            "Registers start with 600 Combat Potential and 5 Supply Points.", "Everything else follows the rulebook.",
        ):  # fmt: skip
            assert words in text

    def test_who_is_in_already_arrives(self, client, table, made):
        invitations.revoke(actor=table.cora, invitation=made)
        client.force_login(table.ada)
        assert client.get(made.get_absolute_url()).headers["Location"] == table.campaign.get_absolute_url()

    @pytest.mark.parametrize("email", ["", "zoe@example.org"])
    def test_who_signs_up_lands_in_the_campaign(self, client, table, made, email):
        assert "cora invites you to this Star Wars: Legion campaign" in text_of(client.get(made.get_absolute_url()))
        signup = client.post(made.get_absolute_url(), {"do": "sign_up"}).headers["Location"]
        assert "Sign up or sign in to join Outer Rim Winter." in text_of(client.get(signup))
        answers = {"username": "zoe", "email": email, "password1": "poppies-4-ever", "password2": "poppies-4-ever"}
        answer = client.post(signup, answers | {"next": made.get_absolute_url()}, follow=True)
        assert answer.redirect_chain[-1] == (table.campaign.get_absolute_url(), 302)
        assert "Welcome to Outer Rim Winter." in text_of(answer)
        assert is_in(table, "zoe")

    def test_who_signs_in_lands_in_the_campaign(self, client, table, made):
        login = client.post(made.get_absolute_url(), {"do": "sign_in"}).headers["Location"]
        assert login == f"/accounts/login/?next=%2Fjoin%2F{made.token}%2F"
        words = {"login": "eve", "password": "steel-4-parade"}
        answer = client.post(login, words, follow=True)
        assert answer.redirect_chain[-1] == (table.campaign.get_absolute_url(), 302)
        assert is_in(table, "eve")

    def test_who_signs_in_by_a_link_for_a_place_says_there_that_it_is_theirs(self, client, table):
        """Nobody's Registers become somebody else's because they have signed in."""
        User.objects.filter(pk=table.ben.pk).update(is_active=False, username=table.ben.placeholder_name("ben"))
        table.ben.refresh_from_db()
        invitation = joining.invite_to_place(actor=table.cora, campaign=table.campaign, of=table.ben)
        login = client.post(invitation.get_absolute_url(), {"do": "sign_in"}).headers["Location"]
        answer = client.post(login, {"login": "eve", "password": "steel-4-parade"}, follow=True)
        assert (answer.redirect_chain[-1], answer.status_code) == ((invitation.get_absolute_url(), 302), 200)
        assert not is_in(table, "eve")
        for _ in range(2):
            assert client.post(invitation.get_absolute_url()).headers["Location"] == table.campaign.get_absolute_url()
        assert (is_in(table, "eve"), table.eve.registers.count(), invitation.admissions.count()) == (True, 1, 1)

    def test_one_that_ends_meanwhile_lets_nobody_in(self, client, table, made):
        login = client.post(made.get_absolute_url(), {"do": "sign_in"}).headers["Location"]
        invitations.revoke(actor=table.cora, invitation=made)
        answer = client.post(login, {"login": "eve", "password": "steel-4-parade"}, follow=True)
        assert answer.status_code == 410
        assert "This invitation was revoked." in text_of(answer)
        assert not is_in(table, "eve")

    def test_who_signs_in_elsewhere_reads_why_they_are_not_in(self, client, table, made):
        """The link led to the sign-in, but they came to it by another way, which does not lead back."""
        client.post(made.get_absolute_url(), {"do": "sign_in"})
        invitations.revoke(actor=table.cora, invitation=made)
        words = {"login": "eve", "password": "steel-4-parade"}
        assert "This invitation was revoked." in text_of(client.post("/accounts/login/", words, follow=True))

    def test_whoever_signs_in_without_one_joins_nothing(self, client, table):
        client.post("/accounts/login/", {"login": "eve", "password": "steel-4-parade"})
        assert not is_in(table, "eve")

    def test_one_that_has_ended_names_no_campaign(self, client, table, made):
        invitations.revoke(actor=table.cora, invitation=made)
        for method in (client.get, client.post):
            answer = method(made.get_absolute_url())
            assert answer.status_code == 410
            assert "This invitation was revoked. Ask an organizer for a new one." in text_of(answer)
            assert "Outer Rim Winter" not in text_of(answer)

    def test_who_was_removed_reads_so(self, client, table, made):
        membership.remove_member(actor=table.cora, group=table.campaign, user=table.ben)
        client.force_login(table.ben)
        answer = client.post(made.get_absolute_url())
        assert (answer.status_code, is_in(table, "ben")) == (410, False)
        assert "Only a newer invitation lets you join again." in text_of(answer)

    def test_one_that_nobody_made(self, client, db):
        answer = client.get("/join/nothing/")
        assert answer.status_code == 404
        assert "This invitation link is not valid." in text_of(answer)

    def test_guesses_are_limited(self, client, made, settings):
        settings.ACCOUNT_RATE_LIMITS = {"join": "2/h/ip"}
        guesses = [client.get(f"/join/guess-{number}/").status_code for number in range(3)]
        assert guesses == [404, 404, 429]
        assert client.get(made.get_absolute_url()).status_code == 429  # or a right guess would still be told
