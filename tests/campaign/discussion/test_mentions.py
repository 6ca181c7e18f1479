"""Mentions in texts."""

import pytest

from accounts.models import User
from campaign.discussion.mentions import announcement_html, comment_html, mentioned_in

MEMBERS = [User(username=name) for name in ("ada", "ada.b", "Ben_2")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@ada", ["ada"]),
        ("@ada.", ["ada"]),
        ("Hi @ada.b.", ["ada.b"]),
        ("(@BEN_2)", ["BEN_2"]),
        ("mail@ada", []),
        ("@adam @", []),
        ("@ada's list", ["ada"]),
    ],
)
def test_names(text, names):
    assert list(mentioned_in(text, MEMBERS)) == names


def test_a_comment_is_plain_text_with_its_mentions_marked():
    assert comment_html("**Hi** <b>\n@ada, @ben", ["ada"]) == (
        '<p>**Hi** &lt;b&gt;<br><b class="mention">@ada</b>, @ben</p>'
    )


def test_an_announcement_is_markdown_with_its_mentions_in_bold():
    assert announcement_html("*Hi* @Ben_2", ["Ben_2"]) == "<p><em>Hi</em> <strong>@Ben_2</strong></p>\n"
