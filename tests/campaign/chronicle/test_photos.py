"""Pictures of battles and of campaigns: who may, how many, and what strangers see."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from campaign.battles.models import Battle
from campaign.chronicle.models import BattlePhoto
from campaign.chronicle.services import stories
from campaign.models import Campaign
from members.services import membership
from rules.core.violations import RuleViolation
from tests.campaign.factories import Table, planned
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of
from tests.uploads.photos import SVG, photo, telling_photo
from uploads.images import MOST_BYTES
from uploads.models import Picture


@pytest.fixture
def battle(table) -> Battle:
    return planned(table)


def added(table: Table, battle: Battle, actor: User | None = None, **words) -> Picture:
    values = {"sent": photo(), "alt": "The ridge", **words}
    return stories.add_battle_photo(actor=actor or table.ada, battle=battle, **values)


def texts(refusal) -> list[str]:
    return [violation.text for violation in refusal.value.violations]


class TestOfABattle:
    def test_twice_is_once(self, table, battle):
        key = uuid4()
        assert added(table, battle, picture_id=key) == added(table, battle, picture_id=key)
        assert list(BattlePhoto.objects.values_list("battle", "picture")) == [(battle.pk, key)]

    def test_no_other_one_with_the_same_key(self, table, battle):
        picture = added(table, battle)
        with pytest.raises(RuleViolation):
            added(table, battle, picture_id=picture.pk, alt="The valley")
        table.alpha.sides.update(open=False)
        table.bravo.sides.update(open=False)
        with pytest.raises(RuleViolation):
            added(table, planned(table), picture_id=picture.pk)
        assert list(BattlePhoto.objects.values_list("battle", "picture__alt")) == [(battle.pk, "The ridge")]

    def test_twelve_and_no_more(self, table, battle):
        keys = [added(table, battle).pk for _ in range(12)]
        with pytest.raises(RuleViolation) as refusal:
            added(table, battle)
        assert texts(refusal) == ["A battle has up to 12 pictures. Remove one first."]
        assert added(table, battle, picture_id=keys[0]).pk == keys[0]
        assert Picture.objects.count() == 12

    def test_none_where_nothing_was_fought(self, table, battle):
        Battle.objects.update(status=Battle.Status.CANCELLED)
        with pytest.raises(RuleViolation):
            added(table, battle)

    def test_only_players_add(self, table, battle):
        table.campaign.memberships.filter(user=table.mia).update(role="viewer")
        for user in (table.mia, table.eve):
            with pytest.raises(RuleViolation):
                added(table, battle, user)
        assert not Picture.objects.exists()

    def test_who_sent_it_and_the_organizers_remove(self, table, battle):
        for actor in (table.ada, table.cora):
            picture = added(table, battle)
            for other in (table.ben, table.mia, table.eve):
                with pytest.raises(RuleViolation):
                    stories.remove_battle_photo(actor=other, battle=battle, picture_id=picture.pk)
            for _ in range(2):
                stories.remove_battle_photo(actor=actor, battle=battle, picture_id=picture.pk)
            assert not Picture.objects.exists()

    def test_not_once_they_have_left(self, table, battle):
        picture = added(table, battle)
        membership.leave(actor=table.ada, group=table.campaign)
        with pytest.raises(RuleViolation):
            stories.remove_battle_photo(actor=table.ada, battle=battle, picture_id=picture.pk)

    def test_not_from_another_battle(self, table, battle):
        picture = added(table, battle)
        table.alpha.sides.update(open=False)
        table.bravo.sides.update(open=False)
        stories.remove_battle_photo(actor=table.ada, battle=planned(table), picture_id=picture.pk)
        assert Picture.objects.get() == picture


class TestOfACampaign:
    def test_one_in_the_place_of_the_other(self, table, django_capture_on_commit_callbacks):
        words = {"actor": table.cora, "campaign": table.campaign, "sent": photo(), "alt": "The ridge"}
        with django_capture_on_commit_callbacks(execute=True):
            stories.set_campaign_photo(**words)
            second = stories.set_campaign_photo(**words)
        assert (Campaign.objects.get().picture, Picture.objects.get()) == (second, second)
        for _ in range(2):
            stories.remove_campaign_photo(actor=table.cora, campaign=table.campaign)
        assert (Campaign.objects.get().picture, Picture.objects.exists()) == (None, False)

    def test_not_the_one_of_a_battle(self, table, battle):
        picture = added(table, battle, table.cora)
        with pytest.raises(RuleViolation):
            stories.set_campaign_photo(
                actor=table.cora, campaign=table.campaign, sent=photo(), alt="The ridge", picture_id=picture.pk
            )  # fmt: skip
        assert (Campaign.objects.get().picture, picture.of_battle.battle) == (None, battle)

    def test_only_organizers(self, table):
        for user in (table.ada, table.mia, table.eve):
            with pytest.raises(RuleViolation):
                stories.set_campaign_photo(
                    actor=user, campaign=table.campaign, sent=photo(), alt="The ridge"
                )  # fmt: skip
            with pytest.raises(RuleViolation):
                stories.remove_campaign_photo(actor=user, campaign=table.campaign)


class TestThePages:
    @pytest.fixture
    def as_ada(self, client, table):
        client.force_login(table.ada)
        return client

    @staticmethod
    def send(client, address: str, content: bytes, *, name: str = "ridge.jpg", **words):
        file = SimpleUploadedFile(name, content, content_type="image/jpeg")
        return client.post(address, {"picture": uuid4(), "alt": "The ridge", "file": file, **words})

    def test_sent_shown_and_removed(self, as_ada, table, battle):
        address = reverse("chronicle:battle_photos", args=[battle.pk])
        assert self.send(as_ada, address, telling_photo()).status_code == 302
        picture = Picture.objects.get()
        image = reverse("chronicle:photo", args=[table.campaign.pk, picture.pk, "small"])
        assert f'src="{image}" width="60" height="40" alt="The ridge"' in html_of(as_ada.get(address))
        assert as_ada.get(image)["Content-Type"] == "image/jpeg"
        own = reverse("chronicle:battle_photo", args=[battle.pk, picture.pk])
        as_ada.post(own, {"do": "focus", "at": "0 100"})
        assert 'data-focus="0 100"' in html_of(as_ada.get(own))
        assert 'data-focus="0 100"' in html_of(as_ada.get(reverse("chronicle:battle_story", args=[battle.pk])))
        as_ada.post(own, {"do": "remove"})
        assert as_ada.get(image).status_code == 404
        assert as_ada.post(own, {"do": "remove"}).status_code == 302

    @pytest.mark.parametrize(
        ("content", "expected"),
        [
            (SVG, "This picture cannot be read. Choose a JPEG, PNG or WebP file."),
            (b"", "This file is empty."),
            (photo() + b"\0" * MOST_BYTES, "This picture is too large. Choose one of up to 8 MB."),
        ],
        ids=["svg", "empty", "8 MB"],
    )
    def test_what_is_refused_says_why_and_keeps_the_words(self, as_ada, battle, content, expected):
        address = reverse("chronicle:battle_photos", args=[battle.pk])
        answer = self.send(as_ada, address, content, alt="A long look back")
        assert (answer.status_code, expected in text_of(answer)) == (422, True)
        assert 'value="A long look back"' in html_of(answer)

    def test_another_one_with_an_old_form_is_refused_once(self, as_ada, battle):
        """As it comes out of the history of a browser."""
        address, key = reverse("chronicle:battle_photos", args=[battle.pk]), uuid4()
        assert self.send(as_ada, address, photo(), picture=key).status_code == 302
        answer = self.send(as_ada, address, photo(mode="L"), picture=key)
        assert (answer.status_code, "already sent a picture" in text_of(answer)) == (422, True)
        key = answer.context["form"]["picture"].value()
        assert self.send(as_ada, address, photo(mode="L"), picture=key).status_code == 302
        assert Picture.objects.count() == 2

    def test_of_a_battle_called_off_they_are_removed_and_none_added(self, as_ada, table, battle):
        picture = added(table, battle)
        battle_story, address, write = (
            reverse(name, args=[battle.pk])
            for name in ("chronicle:battle_story", "chronicle:battle_photos", "chronicle:write_of_battle")
        )
        Battle.objects.update(status=Battle.Status.CANCELLED)
        page = html_of(as_ada.get(battle_story))
        assert (f'href="{address}"' in page, f'href="{write}"' in page) == (True, False)
        assert 'name="file"' not in html_of(as_ada.get(address))
        assert self.send(as_ada, address, photo()).status_code == 404
        remove = reverse("chronicle:battle_photo", args=[battle.pk, picture.pk])
        assert as_ada.post(remove, {"do": "remove"}, follow=True).status_code == 200
        assert f'href="{address}"' not in html_of(as_ada.get(battle_story))

    def test_what_is_huge_is_not_read(self, as_ada, battle):
        address = reverse("chronicle:battle_photos", args=[battle.pk])
        answer = self.send(as_ada, address, b"\0" * (4 * MOST_BYTES + 1))
        assert (answer.status_code, "a picture up to 8 MB" in text_of(answer)) == (413, True)

    def test_not_sixty_times_an_hour(self, as_ada, battle, settings):
        settings.ACCOUNT_RATE_LIMITS = {"upload": "2/h/user"}
        address = reverse("chronicle:battle_photos", args=[battle.pk])
        assert [self.send(as_ada, address, SVG).status_code for _ in range(3)] == [422, 422, 429]

    def test_a_picture_is_seen_by_its_campaign_alone(self, client, table, battle):
        image = reverse("chronicle:photo", args=[table.campaign.pk, added(table, battle).pk, "full"])
        for user, status in ((None, 302), (table.eve, 404), (table.mia, 200)):
            if user:
                client.force_login(user)
            assert client.get(image).status_code == status

    def test_no_picture_of_another_campaign(self, as_ada, table, battle):
        picture = added(table, battle)
        other = Campaign.objects.create(name="Elsewhere")
        other.memberships.create(user=table.ada, role="organizer")
        assert as_ada.get(reverse("chronicle:photo", args=[other.pk, picture.pk, "full"])).status_code == 404

    def test_of_the_campaign(self, client, table):
        client.force_login(table.cora)
        address = reverse("chronicle:campaign_photo", args=[table.campaign.pk])
        assert self.send(client, address, photo()).status_code == 302
        chronicle = reverse("chronicle:index", args=[table.campaign.pk])
        assert 'alt="The ridge"' in html_of(client.get(chronicle))
        client.post(address, {"do": "focus", "x": 0, "y": 32})
        assert 'data-focus="0 100"' in html_of(client.get(chronicle))
        assert client.post(address, {"do": "remove"}).status_code == 302
        assert 'alt="The ridge"' not in html_of(client.get(chronicle))

    def test_as_many_queries_for_one_as_for_three(self, as_ada, table, battle):
        added(table, battle)
        addresses = [
            reverse("chronicle:battle_photos", args=[battle.pk]), reverse("chronicle:battle_story", args=[battle.pk])
        ]  # fmt: skip
        one = [queries_of(as_ada, address) for address in addresses]
        added(table, battle), added(table, battle)
        assert [queries_of(as_ada, address) for address in addresses] == one


class TestForStrangers:
    def test_of_battles_that_are_told_and_no_longer_than_the_link(self, client, table, battle):
        link = stories.open_chronicle(actor=table.cora, campaign=table.campaign)
        image = reverse("chronicle:public_photo", args=[link.token, added(table, battle).pk, "medium"])
        assert client.get(image).status_code == 404
        Battle.objects.update(status=Battle.Status.CLOSED)
        answer = client.get(image)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/jpeg")
        assert answer["Cache-Control"] == f"private, max-age={timedelta(hours=1) // timedelta(seconds=1)}, immutable"
        assert f'src="{image}"' in html_of(client.get(reverse("chronicle:public_stories", args=[link.token])))
        stories.close_chronicle(actor=table.cora, campaign=table.campaign)
        assert client.get(image).status_code == 404
