"""Bringing a campaign by its pages, and taking one's place in it."""

from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import resolve, reverse

from accounts.models import User
from campaign.archive.parts.reading import MB, MOST_BYTES, WAITING
from campaign.chronicle.services import stories
from campaign.models import Campaign, Invitation, Membership
from campaign.people.services import joining
from core import json_files
from members.services import invitations
from rules.core.violations import RuleViolation
from tests.campaign.archive.files import brought, content_of, elsewhere, file_of
from tests.campaign.factories import in_play, make_table, planned, reported
from tests.html import html_of
from tests.registers.factories import make_player
from uploads import waiting_files
from uploads.handlers import MOST_OF_STRANGERS, NothingHuge


@pytest.fixture(autouse=True)
def arrivals(settings, tmp_path):
    """Where files lie that were sent."""
    settings.ARRIVALS_DIR = tmp_path
    return tmp_path


@pytest.fixture
def file(book) -> bytes:
    """A campaign that is elsewhere, with a battle that is reported, and a piece of ben's."""
    with elsewhere():
        table = make_table()
        reported(in_play(planned(table)), table.ben)
        stories.write(actor=table.ben, campaign=table.campaign, title="The ridge", text="Snow.")
        return file_of(table.campaign)


@pytest.fixture
def olga(client, file):
    """Somebody who has signed in."""
    olga = make_player("olga")
    client.force_login(olga)
    return olga


def send(client, content: bytes):
    return client.post(reverse("archive:import"), {"file": SimpleUploadedFile("x.zip", content)})


class TestPages:
    def test_only_as_a_template(self, client, olga, file):
        page = send(client, file).headers["Location"]
        answers = [client.post(page, {"template": "on"}) for _ in range(2)]
        there = Campaign.objects.get()
        assert {answer.headers["Location"] for answer in answers} == {there.get_absolute_url()}
        assert (there.name, there.registers.count(), there.battles.count()) == ("Outer Rim Winter", 0, 0)
        assert [each.user for each in there.memberships.all()] == [olga]

    def test_sent_looked_at_and_brought(self, client, olga, file, arrivals):
        cora = next(each["id"] for each in content_of(file)["people"] if each["name"] == "cora")
        page = send(client, file).headers["Location"]
        response = client.get(page)
        assert response.status_code == 200
        for text in ("Outer Rim Winter", "2 Registers", "1 battle", "1 story", "olga", "ben", "invite them"):
            assert text in response.text
        assert not Campaign.objects.exists()

        answers = [client.post(page, {f"person-{cora}": olga.pk}) for _ in range(2)]

        there = Campaign.objects.get()
        assert {answer.headers["Location"] for answer in answers} == {reverse("campaign:people", args=[there.pk])}
        roles = there.memberships.values_list("user__username", "role")
        assert {(name.split(" #")[0], role) for name, role in roles} == {
            ("olga", "organizer"), ("ada", "player"), ("ben", "player"), ("mia", "player"),
        }  # fmt: skip
        shown = client.get(reverse("campaign:people", args=[there.pk])).text
        assert all(text in shown for text in ("For ada", "For ben", "For mia", "ada #"))
        assert "Campaign imported from a file" in client.get(reverse("chronicle:activity", args=[there.pk])).text

    def test_what_is_refused_says_why(self, client, olga, file):
        assert "Choose a file." in client.post(reverse("archive:import")).text
        answer = client.get(send(client, file[:500]).headers["Location"])
        assert (answer.status_code, "This is not a complete campaign file" in answer.text) == (422, True)

    def test_what_is_here_already_is_a_copy_or_nothing(self, client, olga, file):
        brought(olga, file)
        page = send(client, file).headers["Location"]
        assert "Already imported" in client.get(page).text
        refused = client.post(page)
        assert (refused.status_code, "Import it as a copy" in refused.text) == (422, True)
        assert client.post(page, {"copy": "on"}).status_code == 302
        assert Campaign.objects.count() == 2

    def test_a_process_reads_one_file_at_a_time(self, client, olga, file, monkeypatch):
        monkeypatch.setattr(json_files, "LONGEST_WAIT", 0)
        page = send(client, file).headers["Location"]
        with json_files.one_at_a_time():
            answers = client.get(page), client.post(page)
        sentence = "Another file is being read. Try again in a minute."
        assert [(answer.status_code, sentence in answer.text) for answer in answers] == [(422, True)] * 2
        assert client.get(page).status_code == 200

    def test_it_is_not_looked_at_without_end(self, client, olga, file, settings):
        settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "look": "1/h/user"}
        page = send(client, file).headers["Location"]
        assert [client.get(page).status_code for _ in range(2)] == [200, 429]

    def test_each_has_one_file_and_nobody_else_sees_it(self, client, olga, file, arrivals):
        first = send(client, file).headers["Location"]
        page = send(client, file).headers["Location"]
        assert (client.get(first).status_code, len(list(arrivals.iterdir()))) == (404, 1)
        client.force_login(make_player("eve"))
        assert client.get(page).status_code == 404
        assert client.get(reverse("archive:review", args=[uuid4()])).status_code == 404

    def test_of_two_files_at_once_one_stays(self, olga, arrivals):
        keys = []

        class Slow(BytesIO):
            """While it is kept, another one comes, and is written first."""

            def read(self, size=-1):
                if not keys:
                    keys.append(WAITING.keep(olga, BytesIO(b"other")))
                return super().read(size)

        keys.append(WAITING.keep(olga, Slow(b"slow")))
        found = [WAITING.path(olga, key) for key in keys]
        assert [path and path.read_bytes() for path in found] == [b"other", None]
        assert list(arrivals.glob("*.zip")) == found[:1]

    def test_a_file_is_gone_after_a_day(self, olga, file, arrivals, monkeypatch):
        with (arrivals / "x").open("wb+") as sent:
            WAITING.keep(olga, sent)
        assert WAITING.clear() == 0
        monkeypatch.setattr(waiting_files, "UPLOADED_FILE", timedelta(seconds=-1))
        assert (WAITING.clear(), list(arrivals.glob("*.zip"))) == (1, [])

    def test_it_may_be_larger_than_other_forms_but_not_of_strangers(self, rf, olga):
        def begun(name: str, length: int, user: User | AnonymousUser = olga) -> None:
            request = rf.post(reverse(name))
            request.user, request.resolver_match = user, resolve(reverse(name))
            NothingHuge(request).handle_raw_input(None, request.META, length, b"x")

        nobody = AnonymousUser()
        begun("archive:import", MOST_BYTES)
        begun("archive:import", MOST_OF_STRANGERS, nobody)
        for asked in (
            ("campaign:new", 40 * MB), ("archive:import", MOST_BYTES + MB),
            ("archive:import", MOST_OF_STRANGERS + 1, nobody),
        ):  # fmt: skip
            with pytest.raises(RequestDataTooBig):
                begun(*asked)

    @pytest.mark.parametrize(("limit", "much"), [("MOST_IN_ALL", MOST_BYTES), ("LEAST_FREE", 1 << 60)])
    def test_files_that_wait_do_not_fill_the_disk(self, client, olga, file, arrivals, monkeypatch, limit, much):
        client.force_login(make_player("eve"))
        send(client, file)
        monkeypatch.setattr(waiting_files, limit, much)
        response = send(client, file)  # in place of the one before
        assert response.status_code == (302 if limit == "MOST_IN_ALL" else 422)
        client.force_login(olga)
        response = send(client, file)
        assert response.status_code == 422
        assert "Too many files are waiting" in html_of(response)
        assert len(list(arrivals.iterdir())) == 1


class TestTakingAPlace:
    @pytest.fixture
    def there(self, olga, file) -> Campaign:
        return brought(olga, file, {"cora": olga})

    def way_of(self, name: str) -> Invitation:
        return next(each for each in Invitation.objects.all() if each.placeholder.carried_name == name)

    def test_what_was_theirs_is_theirs(self, client, there):
        bob, way = make_player("bob"), self.way_of("ben")
        client.force_login(bob)
        assert "This invitation is for ben" in client.get(way.get_absolute_url()).text
        for _ in range(2):
            client.post(way.get_absolute_url())
        assert [register.name for register in bob.registers.all()] == ["Dune Wardens"]
        assert Membership.objects.get(user=bob).role == "player"
        assert not Membership.objects.filter(user=way.placeholder).exists()
        assert (there.stories.get().author, there.battles.get().reported_by) == (bob, bob)
        kept = {entry.actor for entry in bob.registers.get().entries.select_related("actor")}
        assert way.placeholder in kept
        assert "bob" in {actor.get_username() for actor in kept}

    def test_somebody_who_is_in_it_already(self, there):
        bob, way = make_player("bob"), self.way_of("ben")
        Membership.objects.create(campaign=there, user=bob, role="viewer")
        joining.join(actor=bob, invitation=way)
        assert bob.registers.count() == 1
        assert Membership.objects.get(user=bob).role == "player"

    def test_only_one_person(self, there):
        way = self.way_of("ben")
        joining.join(actor=make_player("bob"), invitation=way)
        with pytest.raises(RuleViolation, match="used up"):
            joining.join(actor=make_player("eve"), invitation=way)

    def test_another_link_once_the_first_is_gone(self, client, olga, there):
        way = self.way_of("ben")
        page = reverse("campaign:person", args=[there.pk, way.placeholder.pk])
        assert "Invite ben" in client.get(page).text
        assert client.post(page, {"do": "invite"}).headers["Location"].endswith(f"/{way.pk}/")
        invitations.revoke(actor=olga, invitation=way)
        assert client.post(page, {"do": "invite"}).status_code == 302
        assert there.invitations.filter(placeholder=way.placeholder, revoked_at=None).count() == 1

    def test_nobodys_own_place_is_taken(self, there, olga):
        with pytest.raises(RuleViolation, match="This place is already taken"):
            joining.take_place(followed=self.way_of("ben"), of=olga, user=make_player("eve"))
        with pytest.raises(RuleViolation, match="This place is already taken"):
            joining.invite_to_place(actor=olga, campaign=there, of=olga)
