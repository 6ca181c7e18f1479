"""Pages of announcements and comments, and notices in the inbox."""

from datetime import timedelta

from django.test import Client
from django.urls import reverse

from accounts.queries import data_of
from accounts.services.closing import merge_accounts
from campaign.discussion.models import Announcement, Comment, Notice
from campaign.discussion.services.announcements import announce
from campaign.discussion.services.comments import add_comment
from dashboard.inbox import inbox_for
from tests.campaign.factories import address, planned
from tests.registers.views.reading import queries_of, text_of


def announced(table, title: str = "Friday", **words) -> Announcement:
    return announce(actor=table.cora, campaign=table.campaign, title=title, text="At *eight*.", **words)


def test_pinned_announcements_come_first_on_the_campaign_page(as_ada, table):
    for title, pinned in (("Oldest", False), ("House pact", True), ("Middle", False), ("Newest", False)):
        announced(table, title, pinned=pinned)
    text = text_of(as_ada.get(table.campaign.get_absolute_url()))
    assert [title for title in ("Oldest", "House pact", "Middle", "Newest") if title in text] == [
        "House pact",
        "Newest",
    ]
    assert text.index("House pact") < text.index("Newest") < text.index("Standings")
    assert "At eight." in text
    text = text_of(as_ada.get(address(table, "discussion:announcements")))
    assert text.index("House pact") < text.index("Newest") < text.index("Middle") < text.index("Oldest")
    assert "Write announcement" not in text


def test_written_refused_and_shown(as_cora, table):
    page = address(table, "discussion:new_announcement")
    refused = as_cora.post(page, {"title": "Friday", "text": ""})
    assert (refused.status_code, 'value="Friday"' in refused.content.decode()) == (422, True)
    assert as_cora.post(page, {"title": "Friday", "text": "Hi @ada", "pinned": "on"}).status_code == 302
    found = Announcement.objects.get()
    assert (found.pinned, found.author) == (True, table.cora)
    edit = reverse("discussion:edit_announcement", args=[found.pk])
    assert as_cora.post(edit, {"title": "Friday", "text": "At nine.", "version": "1"}).status_code == 302
    stale = as_cora.post(edit, {"title": "Friday", "text": "At ten.", "version": "1"})
    assert (stale.status_code, "At nine." in text_of(stale), "At ten." in text_of(stale)) == (422, True, True)
    as_cora.post(reverse("discussion:remove_announcement", args=[found.pk]))
    assert as_cora.get(found.get_absolute_url()).status_code == 404


def test_a_comment_on_a_battle(as_ada, table):
    battle = planned(table)
    page = reverse("discussion:battle", args=[battle.pk])
    assert as_ada.post(page, {"text": "Snow, @ben?"}).status_code == 302
    comment = Comment.objects.get()
    for where in (page, battle.get_absolute_url()):
        assert '<b class="mention">@ben</b>' in as_ada.get(where).content.decode()
    edit = reverse("discussion:edit_comment", args=[comment.pk])
    assert as_ada.post(edit, {"text": "", "version": "1"}).status_code == 422
    assert as_ada.post(edit, {"text": "Ice.", "version": "1"}).headers["Location"] == comment.get_absolute_url()
    Comment.objects.update(written_at=comment.written_at - timedelta(hours=1))
    assert "Save comment" not in text_of(as_ada.get(edit))
    assert as_ada.post(reverse("discussion:remove_comment", args=[comment.pk])).headers["Location"] == page
    assert "No comments yet." in text_of(as_ada.get(page))


def test_comments_are_limited(as_ada, table, settings):
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"comment": "1/h/user"}
    page = announced(table).get_absolute_url()
    assert [as_ada.post(page, {"text": text}).status_code for text in ("A", "B")] == [302, 429]


def test_a_mention_waits_in_the_inbox_until_it_is_seen(client, table):
    battle = planned(table)
    comments = [add_comment(actor=table.ada, about=battle, text=f"@mia {number}") for number in range(2)]
    first, second = Notice.objects.order_by("at")
    waiting = [(item.title, item.note, item.href) for item in inbox_for(table.mia)]
    title = ("ada mentioned you", "Outer Rim Winter")
    assert waiting == [(*title, reverse("discussion:notice", args=[notice.pk])) for notice in (first, second)]
    client.force_login(table.mia)
    answer = client.get(reverse("discussion:notice", args=[first.pk]))
    assert answer.headers["Location"] == comments[0].get_absolute_url()
    assert len(inbox_for(table.mia)) == 1
    client.get(reverse("discussion:battle", args=[battle.pk]))
    assert inbox_for(table.mia) == []


def test_a_notice_of_something_deleted_leads_to_the_campaign(client, table):
    found = announce(actor=table.cora, campaign=table.campaign, title="A", text="@ada")
    Announcement.objects.update(title="", text="", removed_at=found.written_at)
    client.force_login(table.ada)
    answer = client.get(reverse("discussion:notice", args=[Notice.objects.get().pk]))
    assert answer.headers["Location"] == table.campaign.get_absolute_url()


def test_as_many_queries_for_one_comment_as_for_three(table):
    found = announced(table)
    client = Client()
    client.force_login(table.mia)
    add_comment(actor=table.ada, about=found, text="A")
    one = queries_of(client, found.get_absolute_url())
    for user in (table.ben, table.cora):
        add_comment(actor=user, about=found, text="B")
    assert queries_of(client, found.get_absolute_url()) == one


def test_what_a_person_downloads_and_what_moves_with_the_account(table):
    comment = add_comment(actor=table.mia, about=planned(table), text="Hi @cora")
    wrote = {
        "campaign__name": "Outer Rim Winter", "announcement__title": None, "battle__number": 1, "text": "Hi @cora",
        "written_at": comment.written_at,
    }  # fmt: skip
    assert data_of(table.mia)["discussion"] == {"announcements": [], "comments": [wrote], "notices": []}
    merge_accounts(actor=table.cora, gone=table.mia, into=table.eve)
    comment.refresh_from_db()
    assert comment.author == table.eve
