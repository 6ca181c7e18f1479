"""Announcements and comments: who may, what is refused, what happens twice, and who is told."""

from datetime import timedelta
from uuid import uuid4

import pytest

from campaign.battles.models import Battle
from campaign.battles.pages.activity import activity_lines, of_campaign
from campaign.discussion.models import Announcement, Comment, Notice
from campaign.discussion.services.announcements import announce, change, remove
from campaign.discussion.services.comments import LONGEST_COMMENT, add_comment, edit_comment, remove_comment
from members.services import membership
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows, planned


@pytest.fixture
def announcement(table) -> Announcement:
    return announce(actor=table.cora, campaign=table.campaign, title="Friday", text="At eight.")


def refused(act, **words) -> list[str]:
    with pytest.raises(RuleViolation) as caught:
        act(**words)
    return [violation.text for violation in caught.value.violations]


def told() -> list[tuple[str, str, str]]:
    """Who is told of what by whom."""
    notices = Notice.objects.select_related("user", "by").order_by("user__username")
    return [(each.user.username, each.kind, each.by.username) for each in notices]


class TestAnnouncements:
    def test_only_organizers(self, table):
        words = {"campaign": table.campaign, "title": "A", "text": "B"}
        assert refused(announce, actor=table.ada, **words) == ["Only organizers can write announcements."]
        assert refused(announce, actor=table.cora, campaign=table.campaign, title=" ", text="") == [
            "Enter a title.", "Enter a text.",
        ]  # fmt: skip

    def test_a_form_that_comes_twice(self, table):
        key = uuid4()
        words = {"actor": table.cora, "campaign": table.campaign, "title": "A", "announcement_id": key}
        assert announce(text="B", **words) == announce(text="B", **words)
        assert (announce(text="C", **words).version, Announcement.objects.count()) == (2, 1)

    def test_changed_by_an_older_form(self, table, announcement):
        words = {"actor": table.cora, "announcement_id": announcement.pk, "version": 1, "title": "Friday"}
        assert change(text="At nine.", **words).version == 2
        assert refused(change, text="At ten.", **words) == [
            "The announcement was changed on another page. Compare both versions, then save again."
        ]

    def test_deleted(self, table, announcement):
        for _ in range(2):
            remove(actor=table.cora, announcement_id=announcement.pk)
        announcement.refresh_from_db()
        assert (announcement.title, announcement.text) == ("", "")
        assert refused(add_comment, actor=table.ada, about=announcement, text="Fine.") == [
            "This announcement was deleted."
        ]
        facts = {"what": "announcement", "user": table.cora.pk, "title": "Friday"}
        assert activity_rows(table.campaign, "discussion") == [("discussion", table.cora, facts)]


class TestComments:
    def test_members_comment_and_strangers_do_not(self, table, announcement):
        battle = planned(table)
        for about in (announcement, battle):
            comment = add_comment(actor=table.mia, about=about, text=" Good\r\nluck. ")
            assert (comment.about, comment.text, comment.campaign) == (about, "Good\nluck.", table.campaign)
        assert refused(add_comment, actor=table.eve, about=battle, text="Me too.") == [
            "Only members of the campaign can comment."
        ]

    def test_former_members_do_not_write(self, table, announcement):
        comment = add_comment(actor=table.ben, about=announcement, text="See you.")
        membership.leave(actor=table.ben, group=table.campaign)
        words = {"actor": table.ben, "comment_id": comment.pk}
        assert refused(add_comment, actor=table.ben, about=announcement, text="Or not.")
        assert refused(edit_comment, version=1, text="Or not.", **words)
        assert refused(remove_comment, **words)

    def test_length(self, table, announcement):
        words = {"actor": table.ada, "about": announcement}
        assert refused(add_comment, text="\x07 ", **words) == ["Enter a text."]
        assert refused(add_comment, text="a" * (LONGEST_COMMENT + 1), **words) == [
            "Use up to 2000 characters. You typed 2001."
        ]

    def test_a_form_that_comes_twice(self, table, announcement):
        words = {"about": announcement, "comment_id": uuid4()}
        assert add_comment(actor=table.ada, text="A", **words) == add_comment(actor=table.ada, text="A", **words)
        assert refused(add_comment, actor=table.ada, text="B", **words)
        assert refused(add_comment, actor=table.ben, text="A", **words)
        assert Comment.objects.count() == 1

    def test_edited_for_a_quarter_of_an_hour(self, table, announcement):
        comment = add_comment(actor=table.ada, about=announcement, text="A")
        words = {"comment_id": comment.pk, "version": 1}
        assert refused(edit_comment, actor=table.cora, text="B", **words) == ["Only its author can edit a comment."]
        assert edit_comment(actor=table.ada, text="B", **words).text == "B"
        assert refused(edit_comment, actor=table.ada, text="C", **words) == [
            "This comment was changed on another page. Reload the page."
        ]
        Comment.objects.update(written_at=comment.written_at - timedelta(minutes=16))
        assert refused(edit_comment, actor=table.ada, comment_id=comment.pk, version=2, text="C") == [
            "A comment can be edited for 15 minutes. Delete it and write a new one instead."
        ]
        remove_comment(actor=table.ada, comment_id=comment.pk)
        assert activity_rows(table.campaign, "discussion") == []

    def test_an_organizer_deletes_it_and_the_log_says_so(self, table):
        battle = planned(table)
        comment = add_comment(actor=table.ada, about=battle, text="Rude.")
        assert refused(remove_comment, actor=table.ben, comment_id=comment.pk) == [
            "Only its author and the organizers can delete a comment."
        ]
        for _ in range(2):
            remove_comment(actor=table.cora, comment_id=comment.pk)
        assert not Comment.objects.exclude(text="").exists()
        events = of_campaign(table.campaign).filter(kind="discussion")
        assert [(line.who, line.text) for line in activity_lines(events)] == [
            ("cora", "An organizer deleted a comment by ada.")
        ]


class TestMentions:
    def test_members_are_told_once(self, table):
        battle = planned(table)
        text = "@Ben, (@cora) @eve @ada me@mia.org: @nobody."
        comment = add_comment(actor=table.ada, about=battle, text=text)
        expected = [("ben", "mention", "ada"), ("cora", "mention", "ada")]
        assert (comment.mentioned, told()) == (["Ben", "ada", "cora"], expected)
        edit_comment(actor=table.ada, comment_id=comment.pk, version=1, text="@ben @mia")
        assert told() == [*expected, ("mia", "mention", "ada")]

    def test_in_an_announcement(self, table):
        announce(actor=table.cora, campaign=table.campaign, title="A", text="Thanks, @ada!")
        assert told() == [("ada", "mention", "cora")]


def test_comments_of_a_canceled_battle_stay_open(table):
    battle = planned(table)
    Battle.objects.filter(pk=battle.pk).update(status="cancelled")
    assert add_comment(actor=table.ben, about=battle, text="Another time.").battle == battle
