"""The page of the Story Arcs that are not printed."""

from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaign.battles.models import Battle
from campaign.enlistments.services import enlistments
from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from campaign.story_arcs.services import story_arcs
from catalogue.snapshot import forget
from registers.models import Register
from registers.services import building
from tests.campaign.factories import enlisted, planned
from tests.campaign.story_arcs.factories import elsewhere, published
from tests.html import html_of
from tests.registers.views.reading import queries_of, text_of
from tests.rules.arcs.arcs import spoiled
from tests.uploads.photos import photo


@pytest.fixture
def as_cora(as_cora):
    story_arcs.load_arcs()
    forget()
    return as_cora


def address(table, name: str = "story_arcs:list", *more: object) -> str:
    return reverse(name, args=[table.campaign.pk, *more])


def shipped(origin: str = "lamps-on-the-ridge") -> ArcVersion:
    return ArcVersion.objects.get(arc__origin=origin)


def renewed(table, version: ArcVersion) -> ArcVersion:
    """Another version of an arc."""
    draft = spoiled(version.content, "briefing", "Else.")
    arc = story_arcs.change(actor=table.cora, arc_id=version.arc_id, revision=version.arc.revision, draft=draft)
    return story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=arc.revision)


class TestTakingIn:
    def test_a_shipped_arc_with_one_tap(self, as_cora, table):
        assert "Add Lamps on the Ridge" in text_of(as_cora.get(address(table)))
        answer = as_cora.post(address(table, "story_arcs:adopt"), {"version": shipped().pk}, follow=True)
        text = text_of(answer)
        assert "Lamps on the Ridge, version 1 was added. Registers of this campaign can choose it." in text
        assert "In this campaign 1 Lamps on the Ridge version 1 comes with Musterbook" in text
        assert Register.objects.get(pk=table.alpha.pk).adopted_arcs == ["lamps-on-the-ridge-v1"]

    def test_then_a_player_may_begin_it(self, as_cora, client, table):
        as_cora.post(address(table, "story_arcs:adopt"), {"version": shipped().pk})
        opened = enlistments.create_register(actor=table.ada, campaign=table.campaign, faction="rebel")
        building.choose_story_arc(
            actor=table.ada, register_id=opened.pk, position=None, story_arc="lamps-on-the-ridge-v1"
        )
        client.force_login(table.ada)
        assert "Lamps on the Ridge" in text_of(client.get(address(table, "campaign:detail")))

    def test_what_is_not_shared_is_refused(self, as_cora, table, client):
        version = published(table)
        olga, other = elsewhere()
        client.force_login(olga)
        answer = client.post(reverse("story_arcs:adopt", args=[other.pk]), {"version": version.pk})
        assert answer.status_code == 422
        assert "This Story Arc is no longer shared. Ask for a new link." in text_of(answer)

    def test_nothing_chosen(self, as_cora, table):
        answer = as_cora.post(address(table, "story_arcs:adopt"), {"version": "x"})
        assert answer.status_code == 422
        assert "Choose a Story Arc from the list." in text_of(answer)

    def test_put_away_it_can_be_taken_in_again(self, as_cora, table):
        version = published(table)
        answer = as_cora.post(address(table, "story_arcs:drop", version.arc_id), follow=True)
        text = text_of(answer)
        assert "Story Arc withdrawn. Registers that play it can finish it." in text
        assert "Add Our Arc" in text
        assert not AdoptedArc.objects.exists()


class TestVersions:
    def test_a_newer_one_of_another_campaign_is_offered_while_it_is_shared(self, as_cora, client, table):
        version = published(table)
        token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
        olga, other = elsewhere()
        story_arcs.adopt(actor=olga, campaign=other, version_id=version.pk, token=token)
        renewed(table, version)
        client.force_login(olga)
        page = reverse("story_arcs:list", args=[other.pk])
        text = text_of(client.get(page))
        assert "Our Arc version 1 from another campaign" in text
        assert "Update Our Arc to version 2" in text
        story_arcs.stop_sharing(actor=table.cora, arc_id=version.arc_id)
        assert "to version 2" not in text_of(client.get(page))

    def test_an_older_one_does_not_come_back(self, as_cora, table):
        version = published(table)
        newer = renewed(table, version)
        as_cora.post(address(table, "story_arcs:adopt"), {"version": version.pk})
        assert AdoptedArc.objects.get().version == newer


class TestReading:
    def test_players_read_and_change_nothing(self, as_cora, client, table):
        published(table)
        client.force_login(table.ada)
        text = text_of(client.get(address(table)))
        assert "Our Arc version 1 written here" in text
        assert "0 Registers play it." in text
        assert "Add Lamps" not in text
        assert "Put Our Arc away" not in text

    def test_who_is_on_it_is_counted(self, as_cora, table):
        version = published(table)
        Register.objects.filter(pk=table.alpha.pk).update(story_arc=version.story_arc_id)
        assert "1 Register plays it." in text_of(as_cora.get(address(table)))

    def test_as_many_queries_for_three_of_everything(self, as_cora, table):
        published(table)
        as_cora.post(address(table, "story_arcs:adopt"), {"version": shipped().pk})
        one = queries_of(as_cora, address(table))
        for name in ("Second", "Third"):
            renewed(table, published(table, name))
            enlisted(table.campaign, table.ada, name)
        as_cora.post(address(table, "story_arcs:adopt"), {"version": shipped("cold-freight").pk})
        assert queries_of(as_cora, address(table)) == one


class TestMissionMap:
    def test_members_see_it_with_the_arc_and_in_the_battle(self, as_cora, client, table):
        version = published(table)
        forget()
        url = address(table, "story_arcs:map", version.arc_id)
        assert as_cora.post(url, {"picture": str(uuid4()), "alt": "The crossing"}).status_code == 422
        sent = {"picture": str(uuid4()), "alt": "The crossing", "file": SimpleUploadedFile("map.jpg", photo())}
        assert as_cora.post(url, sent).status_code == 302
        shown = address(table, "story_arcs:map_picture", sent["picture"], "medium")
        assert (f'src="{shown}"' in (page := html_of(as_cora.get(url))), 'src=""' in page) == (True, False)
        battle = planned(table)
        Battle.objects.update(turning_point=version.story_arc_id, owner="blue")
        client.force_login(table.ben)
        for page in (address(table, "story_arcs:version", version.pk), battle.get_absolute_url()):
            assert 'alt="The crossing"' in html_of(client.get(page))
        picture = address(table, "story_arcs:map_picture", sent["picture"], "medium")
        assert client.get(picture).headers["Content-Type"] == "image/jpeg"
        client.force_login(table.eve)
        assert client.get(picture).status_code == 404
        client.force_login(table.cora)
        client.post(url, {"do": "remove"})
        assert CustomArc.objects.get(pk=version.arc_id).picture is None
