"""Pieces that players write: who may, what is refused, and what happens twice."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from campaign.battles.models import Battle
from campaign.battles.pages import activity
from campaign.chronicle.models import Story
from campaign.chronicle.services import stories
from campaign.models import Campaign
from members.services import membership
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows, planned


def wrote(table, **words) -> Story:
    values = {"actor": table.ada, "campaign": table.campaign, "title": "The ridge", "text": "Snow.", **words}
    return stories.write(**values)


def said_of(refusal) -> list[tuple[str, str]]:
    return [(violation.about, violation.text) for violation in refusal.value.violations]


def words_of(story: Story) -> tuple[str, str, str, int]:
    story.refresh_from_db()
    return story.title, story.text, story.byline, story.version


class TestWriting:
    def test_a_piece_of_a_battle(self, table):
        battle = planned(table)
        story = wrote(table, battle=battle, title="  The\tridge ", text="One\r\n\r\ntwo\x07 ", byline="A. ")
        assert words_of(story) == ("The ridge", "One\n\ntwo", "A.", 1)
        assert (story.battle, story.author, story.campaign) == (battle, table.ada, table.campaign)

    def test_a_form_that_comes_twice_makes_one(self, table):
        key = uuid4()
        assert wrote(table, story_id=key) == wrote(table, story_id=key)
        assert Story.objects.count() == 1

    def test_with_other_words_it_is_changed(self, table):
        key = uuid4()
        wrote(table, story_id=key)
        assert words_of(wrote(table, story_id=key, text="Ice.")) == ("The ridge", "Ice.", "", 2)
        with pytest.raises(RuleViolation) as refusal:
            wrote(table, story_id=key, text="Fog.")
        assert said_of(refusal) == [
            ("", "The story was changed on another page. Compare both versions, then save again.")
        ]
        assert words_of(wrote(table, story_id=key, text="Fog.", version=2))[1] == "Fog."

    def test_one_key_is_of_one_place(self, table):
        other = Campaign.objects.create(name="Elsewhere")
        other.memberships.create(user=table.ada, role="player")
        story = wrote(table)
        for place in ({"campaign": other}, {"battle": planned(table)}):
            with pytest.raises(RuleViolation) as refusal:
                wrote(table, story_id=story.pk, text="Ice.", **place)
            assert said_of(refusal) == [("", "This form has already added a story. Start a new one.")]
        assert words_of(story) == ("The ridge", "Snow.", "", 1)

    def test_one_that_was_withdrawn_does_not_come_back(self, table):
        key = uuid4()
        wrote(table, story_id=key)
        stories.withdraw(actor=table.ada, story_id=key)
        with pytest.raises(RuleViolation) as refusal:
            wrote(table, story_id=key)
        assert said_of(refusal) == [("", "This story was deleted.")]
        assert Story.objects.get().text == ""

    def test_everything_that_is_wrong_at_once(self, table):
        with pytest.raises(RuleViolation) as refusal:
            wrote(table, title="", text=" \n", byline="b" * 81)
        assert said_of(refusal) == [
            ("title", "Enter a title."),
            ("text", "Enter a text."),
            ("byline", "Use up to 80 characters. You typed 81."),
        ]

    def test_as_long_as_may_be(self, table):
        wrote(table, title="t" * 120, text="\r\n".join(["x" * 9] * 2000), byline="b" * 80)
        with pytest.raises(RuleViolation) as refusal:
            wrote(table, title="t" * 121, text="x" * 20_001)
        assert said_of(refusal) == [
            ("title", "Use up to 120 characters. You typed 121."),
            ("text", "Use up to 20000 characters. You typed 20001."),
        ]

    def test_no_tables_that_a_printer_takes_a_minute_for(self, table):
        with pytest.raises(RuleViolation) as refusal:
            wrote(table, text="|a|\n|-|\n" + "|a|\n" * 300)
        words = "The tables have more than 300 cells. Shorten them or use a list."
        assert said_of(refusal) == [("text", words)]

    def test_who_does_not_play_writes_nothing(self, table):
        table.campaign.memberships.filter(user=table.mia).update(role="viewer")
        for user in (table.mia, table.eve):
            with pytest.raises(RuleViolation):
                wrote(table, actor=user)

    def test_no_piece_of_a_battle_that_was_called_off_or_is_elsewhere(self, table):
        battle = planned(table)
        Battle.objects.update(status=Battle.Status.CANCELLED)
        battle.refresh_from_db()
        with pytest.raises(RuleViolation):
            wrote(table, battle=battle)

    def test_nobody_writes_over_the_piece_of_another(self, table):
        story = wrote(table)
        with pytest.raises(RuleViolation):
            wrote(table, actor=table.ben, story_id=story.pk, text="Mine.")
        assert words_of(story) == ("The ridge", "Snow.", "", 1)


class TestChanging:
    def change(self, table, story, **words) -> Story:
        values = {"actor": table.ada, "version": 1, "title": "The ridge", "text": "Ice.", **words}
        return stories.change(story_id=story.pk, **values)

    def test_its_author(self, table):
        story = wrote(table)
        self.change(table, story)
        assert words_of(story) == ("The ridge", "Ice.", "", 2)
        assert story.changed_at
        assert activity_rows(table.campaign, "writing") == []

    def test_twice_is_once(self, table):
        story = wrote(table)
        self.change(table, story)
        self.change(table, story)
        assert words_of(story) == ("The ridge", "Ice.", "", 2)

    def test_not_over_what_came_meanwhile(self, table):
        story = wrote(table)
        self.change(table, story)
        with pytest.raises(RuleViolation) as refusal:
            self.change(table, story, text="Fog.")
        assert said_of(refusal) == [
            ("", "The story was changed on another page. Compare both versions, then save again.")
        ]
        assert words_of(story) == ("The ridge", "Ice.", "", 2)

    def test_an_organizer_does_it_in_the_open(self, table):
        story = wrote(table)
        self.change(table, story, actor=table.cora)
        stories.withdraw(actor=table.cora, story_id=story.pk)
        lines = activity.activity_lines(activity.of_campaign(table.campaign)[:2])
        assert [(line.who, line.text) for line in lines] == [
            ("cora for ada", "An organizer withdrew a story by ada."),
            ("cora for ada", "An organizer changed a story by ada."),
        ]

    def test_nobody_else(self, table):
        story = wrote(table)
        for user in (table.ben, table.mia, table.eve):
            with pytest.raises(RuleViolation):
                self.change(table, story, actor=user)
            with pytest.raises(RuleViolation):
                stories.withdraw(actor=user, story_id=story.pk)
        assert words_of(story) == ("The ridge", "Snow.", "", 1)

    def test_an_author_who_has_left_does_not(self, table):
        story = wrote(table)
        membership.leave(actor=table.ada, group=table.campaign)
        with pytest.raises(RuleViolation):
            self.change(table, story)


class TestWithdrawing:
    def test_no_word_of_it_is_left(self, table):
        story = wrote(table, byline="A. Patrol")
        for _ in range(2):
            stories.withdraw(actor=table.ada, story_id=story.pk)
        assert words_of(story) == ("", "", "", 1)

    def test_it_is_not_changed_any_more(self, table):
        story = wrote(table)
        stories.withdraw(actor=table.ada, story_id=story.pk)
        with pytest.raises(RuleViolation):
            stories.change(actor=table.ada, story_id=story.pk, version=1, title="A", text="B")

    def test_the_database_keeps_no_half_of_it(self, table):
        story = wrote(table)
        for words in ({"text": ""}, {"withdrawn_at": story.written_at}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Story.objects.filter(pk=story.pk).update(**words)
