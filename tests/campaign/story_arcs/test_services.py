"""Story Arcs of one's own: written, published in versions, shared, taken in, put away."""

import json
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import Error, IntegrityError, transaction

from campaign.enlistments.services import enlistments
from campaign.models import Activity
from campaign.services import campaigns
from campaign.story_arcs.models import AdoptedArc, ArcVersion, CustomArc
from campaign.story_arcs.queries import arc_list
from campaign.story_arcs.services import story_arcs
from catalogue.models import StoryArc
from catalogue.snapshot import forget
from registers.models import Register
from registers.services import building
from rules.arcs.custom_arcs import blank_arc
from rules.core.violations import RuleViolation, Violation
from tests.campaign.story_arcs.factories import elsewhere, published, written
from tests.rules.arcs.arcs import printed, spoiled


def violations(act) -> list[tuple[str, str]]:
    with pytest.raises(RuleViolation) as caught:
        act()
    return [(violation.about, violation.text) for violation in caught.value.violations]


def offered(register: Register) -> list[str]:
    return Register.objects.get(pk=register.pk).adopted_arcs


NOT_SHARED = [("", "This Story Arc is no longer shared. Ask for a new link.")]


class TestDrafts:
    def test_a_form_that_comes_twice_begins_one(self, table):
        first = story_arcs.begin(actor=table.cora, campaign=table.campaign, name=" Ours ")
        again = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Ours", arc_id=first.pk)
        assert (again, again.draft, CustomArc.objects.count()) == (first, blank_arc("Ours"), 1)

    def test_one_may_start_as_a_copy_of_a_version(self, table):
        version = published(table)
        copy = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Another", like=version)
        assert copy.draft == {**version.content, "name": "Another"}

    @pytest.mark.parametrize(
        ("name", "expected"),
        [(" ", "Give the Story Arc a name."), ("n" * 81, "This name is too long. Use up to 80 characters.")],
    )
    def test_a_name_is_needed(self, table, name, expected):
        begin = lambda: story_arcs.begin(actor=table.cora, campaign=table.campaign, name=name)  # noqa: E731
        assert violations(begin) == [("name", expected)]

    def test_there_is_an_end_to_it(self, table, monkeypatch):
        monkeypatch.setattr(story_arcs, "MOST_ARCS", 1)
        written(table)
        begin = lambda: story_arcs.begin(actor=table.cora, campaign=table.campaign, name="B")  # noqa: E731
        assert violations(begin) == [("name", "A campaign can have up to 1 custom Story Arcs. Delete a draft first.")]

    def test_the_form_of_the_last_one_may_come_twice(self, table, monkeypatch):
        monkeypatch.setattr(story_arcs, "MOST_ARCS", 1)
        last = {"actor": table.cora, "campaign": table.campaign, "name": "Last", "arc_id": uuid4()}
        assert story_arcs.begin(**last) == story_arcs.begin(**last)

    def test_an_old_tab_changes_nothing(self, table):
        arc = written(table)
        draft = spoiled(arc.draft, "briefing", "Else.")
        change = lambda: story_arcs.change(  # noqa: E731
            actor=table.cora, arc_id=arc.pk, revision=1, draft=draft
        )
        sentence = "This Story Arc was changed a moment ago. Check it, then try again."
        assert violations(change) == [("", sentence)]
        assert CustomArc.objects.get(pk=arc.pk).draft == arc.draft

    def test_the_same_change_twice_is_one(self, table):
        arc = written(table)
        again = story_arcs.change(actor=table.cora, arc_id=arc.pk, revision=1, draft=arc.draft)
        assert again.revision == arc.revision == 2

    def test_only_what_was_never_published_is_thrown_away(self, table):
        draft, version = written(table, "A"), published(table, "B")
        for _ in range(2):
            story_arcs.discard(actor=table.cora, campaign=table.campaign, arc_id=draft.pk)
        late = {"actor": table.cora, "arc_id": draft.pk, "revision": draft.revision, "draft": draft.draft}
        assert violations(lambda: story_arcs.change(**late)) == [("", "This draft was deleted a moment ago.")]
        throw = lambda: story_arcs.discard(  # noqa: E731
            actor=table.cora, campaign=table.campaign, arc_id=version.arc_id
        )
        assert violations(throw) == [("", "A published Story Arc cannot be deleted. Withdraw it instead.")]
        assert [arc.pk for arc in CustomArc.objects.all()] == [version.arc_id]

    def test_the_primary_key_of_anothers_is_of_no_use(self, table):
        arc = written(table)
        olga, other = elsewhere()
        begin = lambda: story_arcs.begin(actor=olga, campaign=other, name="X", arc_id=arc.pk)  # noqa: E731
        assert violations(begin) == [("", "This Story Arc belongs to another campaign.")]


class TestVersions:
    def test_a_version_can_be_played_in_its_campaign(self, table):
        version = published(table)
        assert (version.number, version.story_arc.name, version.story_arc.own) == (1, "Our Arc", True)
        assert offered(table.alpha) == offered(table.bravo) == [version.story_arc_id]
        assert [(event.kind, event.actor, event.facts) for event in Activity.objects.filter(kind="arc")] == [
            ("arc", table.cora, {"arc": "Our Arc", "version": 1, "what": "published"})
        ]

    def test_publishing_twice_is_publishing_once(self, table):
        version = published(table)
        again = story_arcs.publish(actor=table.cora, arc_id=version.arc_id, revision=1)
        assert (again, StoryArc.objects.filter(own=True).count()) == (version, 1)

    def test_everything_that_is_missing_is_said_at_once(self, table):
        arc = story_arcs.begin(actor=table.cora, campaign=table.campaign, name="Ours")
        found = violations(lambda: story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=1))
        assert (len(found), found[0]) == (25, ("briefing", "Write the briefing of the Story Arc."))
        assert not ArcVersion.objects.exists()

    def test_a_draft_that_was_changed_is_looked_at_first(self, table):
        arc = written(table)
        publish = lambda: story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=1)  # noqa: E731
        sentence = "The draft was changed a moment ago. Check it, then publish it."
        assert violations(publish) == [("", sentence)]

    def test_an_arc_in_play_does_not_change_under_a_player(self, table):
        """The Register stays on the version it began; only the new one can be begun."""
        old = published(table)
        forget()
        opened = enlistments.create_register(actor=table.ada, campaign=table.campaign, faction="empire")
        building.choose_story_arc(actor=table.ada, register_id=opened.pk, position=None, story_arc=old.story_arc_id)
        draft = spoiled(old.content, "agendas.0.name", "Renamed")
        arc = story_arcs.change(actor=table.cora, arc_id=old.arc_id, revision=2, draft=draft)
        new = story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=arc.revision)
        assert (new.number, offered(opened)) == (2, [new.story_arc_id])
        register = Register.objects.get(pk=opened.pk)
        assert register.story_arc_id == old.story_arc_id
        assert old.story_arc.agendas.first().name == "Discover Valuables"
        forget()
        begin = lambda: building.choose_story_arc(  # noqa: E731
            actor=table.ada, register_id=opened.pk, position=None, story_arc=old.story_arc_id
        )
        assert violations(begin) == [("story_arc", "Choose a Story Arc from the list.")]

    def test_the_database_keeps_a_version_as_it_is(self, table):
        version = published(table)
        with pytest.raises(Error, match="Cannot update or delete"), transaction.atomic():
            ArcVersion.objects.filter(pk=version.pk).update(number=7)

    def test_a_shipped_arc_belongs_to_no_campaign(self, table):
        with pytest.raises(IntegrityError), transaction.atomic():
            CustomArc.objects.create(draft=blank_arc(), campaign=table.campaign, origin="x")

    def test_an_arc_outlives_its_campaign_only_where_it_was_adopted(self, table):
        version = published(table)
        olga, other = elsewhere()
        token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
        story_arcs.adopt(actor=olga, campaign=other, version_id=version.pk, token=token)
        third = campaigns.create_campaign(actor=olga, name="Third")
        CustomArc.objects.filter(pk=version.arc_id).update(campaign=None, token=None)
        assert [line["version"] for line in arc_list(other)["played"]] == [version]
        assert version not in [line["version"] for line in arc_list(third)["at_hand"]]
        assert (
            violations(lambda: story_arcs.adopt(actor=olga, campaign=third, version_id=version.pk, token=""))
            == NOT_SHARED
        )


class TestSharing:
    def test_who_has_the_link_takes_it_in(self, table):
        version = published(table)
        token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
        assert story_arcs.share(actor=table.cora, arc_id=version.arc_id).token == token
        olga, other = elsewhere()
        take = lambda token: story_arcs.adopt(  # noqa: E731
            actor=olga, campaign=other, version_id=version.pk, token=token
        )
        assert violations(lambda: take("")) == violations(lambda: take("guessed")) == NOT_SHARED
        assert [take(token) for _ in range(2)] == [version, version]
        assert story_arcs.offered_to(other) == [version.story_arc_id]
        assert [event.facts["what"] for event in Activity.objects.filter(campaign=other, kind="arc")] == ["added"]

    def test_a_link_can_be_removed_and_what_was_taken_in_stays(self, table):
        version = published(table)
        token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
        olga, other = elsewhere()
        story_arcs.adopt(actor=olga, campaign=other, version_id=version.pk, token=token)
        story_arcs.stop_sharing(actor=table.cora, arc_id=version.arc_id)
        assert story_arcs.offered_to(other) == [version.story_arc_id]
        third = campaigns.create_campaign(actor=olga, name="Third")
        take = lambda: story_arcs.adopt(actor=olga, campaign=third, version_id=version.pk, token=token)  # noqa: E731
        assert violations(take) == NOT_SHARED

    def test_who_has_taken_it_in_takes_the_next_version_too_while_it_is_shared(self, table):
        version = published(table)
        token = story_arcs.share(actor=table.cora, arc_id=version.arc_id).token
        olga, other = elsewhere()
        story_arcs.adopt(actor=olga, campaign=other, version_id=version.pk, token=token)
        draft = spoiled(version.content, "briefing", "Else.")
        arc = story_arcs.change(actor=table.cora, arc_id=version.arc_id, revision=2, draft=draft)
        newer = story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=arc.revision)
        story_arcs.adopt(actor=olga, campaign=other, version_id=newer.pk)
        assert story_arcs.offered_to(other) == [newer.story_arc_id]

    def test_only_what_was_published_is_shared(self, table):
        arc = written(table)
        assert violations(lambda: story_arcs.share(actor=table.cora, arc_id=arc.pk)) == [
            ("", "Publish a version first. The link shows the newest version.")
        ]

    def test_what_is_put_away_is_offered_no_more(self, table):
        version = published(table)
        for _ in range(2):
            story_arcs.drop(actor=table.cora, campaign=table.campaign, arc_id=version.arc_id)
        assert (offered(table.alpha), AdoptedArc.objects.count()) == ([], 0)
        assert [event.facts["what"] for event in Activity.objects.filter(kind="arc")] == ["withdrawn", "published"]

    def test_a_register_that_joins_later_is_offered_the_same(self, table):
        version = published(table)
        opened = enlistments.create_register(actor=table.ada, campaign=table.campaign, faction="rebel")
        assert offered(opened) == [version.story_arc_id]


def test_players_write_and_take_in_nothing(table):
    version = published(table)
    ada, campaign, arc = table.ada, table.campaign, version.arc_id
    acts = (
        lambda: story_arcs.begin(actor=ada, campaign=campaign, name="Mine"),
        lambda: story_arcs.change(actor=ada, arc_id=arc, revision=2, draft=blank_arc()),
        lambda: story_arcs.discard(actor=ada, campaign=campaign, arc_id=arc),
        lambda: story_arcs.publish(actor=ada, arc_id=arc, revision=2),
        lambda: story_arcs.share(actor=ada, arc_id=arc),
        lambda: story_arcs.stop_sharing(actor=ada, arc_id=arc),
        lambda: story_arcs.adopt(actor=ada, campaign=campaign, version_id=version.pk),
        lambda: story_arcs.drop(actor=ada, campaign=campaign, arc_id=arc),
    )
    sentences = [("", "Only an organizer of the campaign can do this.")]
    assert [violations(act) for act in acts] == [sentences] * len(acts)


class TestShippedArcs:
    def test_they_are_loaded_once(self, table):
        first, again = StringIO(), StringIO()
        call_command("load_arcs", stdout=first)
        call_command("load_arcs", stdout=again)
        assert first.getvalue().splitlines() == [
            "Cold Freight, version 1 (new)",
            "Lamps on the Ridge, version 1 (new)",
            "The Drowned Quarter, version 1 (new)",
        ]
        assert again.getvalue() == first.getvalue().replace(" (new)", "")
        slugs = StoryArc.objects.filter(own=True).values_list("slug", flat=True)
        assert sorted(slugs) == ["cold-freight-v1", "lamps-on-the-ridge-v1", "the-drowned-quarter-v1"]

    def test_every_campaign_may_take_them_in(self, table):
        story_arcs.load_arcs()
        version = ArcVersion.objects.get(arc__origin="lamps-on-the-ridge")
        assert offered(table.alpha) == []
        story_arcs.adopt(actor=table.cora, campaign=table.campaign, version_id=version.pk)
        assert offered(table.alpha) == ["lamps-on-the-ridge-v1"]

    def test_nobody_changes_them(self, table):
        story_arcs.load_arcs()
        arc = CustomArc.objects.get(origin="cold-freight")
        publish = lambda: story_arcs.publish(actor=table.cora, arc_id=arc.pk, revision=1)  # noqa: E731
        assert violations(publish) == [("", "Only an organizer of the campaign can do this.")]

    def test_a_changed_file_is_another_version(self, table, tmp_path):
        path = tmp_path / "ours.json"
        for briefing in ("Once.", "Twice."):
            path.write_text(json.dumps({**printed("a-pirates-life"), "briefing": briefing}))
            story_arcs.load_arcs(tmp_path)
        assert list(ArcVersion.objects.values_list("number", "story_arc", "story_arc__briefing")) == [
            (1, "ours-v1", "Once."),
            (2, "ours-v2", "Twice."),
        ]

    def test_a_file_that_cannot_be_played_changes_nothing(self, table, tmp_path, monkeypatch):
        (tmp_path / "ours.json").write_text(json.dumps(spoiled(printed("a-pirates-life"), "name", "")))
        with pytest.raises(RuleViolation) as caught:
            story_arcs.load_arcs(tmp_path)
        assert caught.value.violations == (Violation("", "Give the Story Arc a name.", "name"),)
        monkeypatch.setattr(
            "campaign.story_arcs.management.commands.load_arcs.load_arcs", lambda: story_arcs.load_arcs(tmp_path)
        )
        with pytest.raises(CommandError, match="name: Give the Story Arc a name"):
            call_command("load_arcs")
        assert not CustomArc.objects.exists()
