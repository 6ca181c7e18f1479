"""Opening the chronicle to whoever has its link, and closing it."""

import pytest

from campaign.battles.pages import activity
from campaign.chronicle.models import ShareLink
from campaign.chronicle.services import stories
from rules.core.violations import RuleViolation
from tests.campaign.factories import activity_rows


def opened(table) -> ShareLink:
    return stories.open_chronicle(actor=table.cora, campaign=table.campaign)


def acts(table) -> list[str]:
    return [facts["what"] for _, _, facts in activity_rows(table.campaign, "public")]


def test_the_link_stays_as_long_as_nobody_renews_it(table):
    assert opened(table).token == opened(table).token
    assert len(opened(table).token) == 22
    assert acts(table) == ["opened"]


def test_renewed_twice_by_one_form_it_is_renewed_once(table):
    first = opened(table).token
    words = {"actor": table.cora, "campaign": table.campaign, "token": first}
    second = stories.renew(**words).token
    assert second != first
    assert stories.renew(**words).token == second
    assert acts(table) == ["opened", "renewed"]


def test_nothing_to_renew(table):
    assert stories.renew(actor=table.cora, campaign=table.campaign, token="x") is None


def test_undone_it_is_gone_and_comes_back_as_another(table):
    first = opened(table).token
    for _ in range(2):
        stories.close_chronicle(actor=table.cora, campaign=table.campaign)
    assert not ShareLink.objects.exists()
    assert opened(table).token != first
    assert acts(table) == ["opened", "closed", "opened"]


def test_only_organizers(table):
    link = opened(table)
    for user in (table.ada, table.mia, table.eve):
        for act, words in (
            (stories.open_chronicle, {}),
            (stories.renew, {"token": link.token}),
            (stories.set_show_places, {"show": True}),
            (stories.close_chronicle, {}),
        ):
            with pytest.raises(RuleViolation):
                act(actor=user, campaign=table.campaign, **words)
    assert ShareLink.objects.get().token == link.token


def test_the_log_says_so(table):
    link = opened(table)
    stories.renew(actor=table.cora, campaign=table.campaign, token=link.token)
    stories.close_chronicle(actor=table.cora, campaign=table.campaign)
    lines = activity.activity_lines(activity.of_campaign(table.campaign)[:3])
    assert [(line.who, line.text) for line in lines] == [
        ("cora", "Public chronicle closed."),
        ("cora", "The public chronicle has a new link. The old one no longer works."),
        ("cora", "Public chronicle opened. Anyone with its link can read it."),
    ]
