"""Messages to the channel of a campaign that are not about the end of a battle."""

from datetime import date
from uuid import uuid4

import pytest

from campaign.chronicle.services import stories
from campaign.discussion.services.announcements import announce
from campaign.models import Notification, Webhook
from campaign.reminders.services import remind
from campaign.schedule.services import rounds
from campaign.star_map.services.star_map import start_map
from tests.campaign.factories import planned
from tests.campaign.webhooks import SITE, tell

ADDRESS = "https://discord.com/api/webhooks/123456789/AbC-dEf"


def posted() -> list[tuple[str, str]]:
    return [(each.about, each.text) for each in Notification.objects.order_by("created_at")]


@pytest.fixture
def told(table):
    tell(table.campaign, table.cora, ADDRESS)
    return table


def paired(table):
    about = {"actor": table.cora, "campaign": table.campaign}
    start_map(**about, layout="6")
    found = rounds.open_draft(**about, round_id=uuid4(), due=date(2026, 5, 12), size=800, stakes="contested")
    found = rounds.create_battles(**about, number=1, version=found.version)
    return found, found.pairings.select_related("battle__fought_for__system").get()


def test_a_round_is_one_message(told):
    found, pairing = paired(told)
    page, system = found.get_absolute_url(), pairing.battle.fought_for.system
    lines = f"- {pairing.blue} against {pairing.red}, for {system}\n<{SITE}{page}>"
    assert posted() == [("round", f"**Round 1 of Outer Rim Winter**\nPlay by 12 May 2026\\.\n{lines}")]


def test_an_announcement_a_story_and_a_reminder(told):
    battle = planned(told)
    Notification.objects.all().delete()
    for _ in range(2):  # the form comes twice
        announce(
            actor=told.cora, campaign=told.campaign, title="Snow *day*", text="No battles.\n\nStay home.",
            announcement_id=battle.pk,
        )  # fmt: skip
        stories.write(actor=told.ada, campaign=told.campaign, title="Ice", text="Cold.", story_id=battle.pk)
    remind(actor=told.cora, battle=battle, user=told.ada)
    assert [(about, text.rpartition("\n")[0]) for about, text in posted()] == [
        ("announce", "**Snow \\*day\\*** (Outer Rim Winter)\n> No battles\\.\n> Stay home\\."),
        ("story", "**Ice**, a new story (Outer Rim Winter)"),
        ("reminder", f"**Battle 1\\: {told.alpha} against {told.bravo}**\n> cora reminds ada\\: choose your army\\."),
    ]


def test_what_nobody_chose_is_not_posted(told):
    Webhook.objects.update(rounds=False, planned=False, announcements=False, chronicle=False)
    paired(told)
    announce(actor=told.cora, campaign=told.campaign, title="Snow", text="Stay home.")
    stories.write(actor=told.ada, campaign=told.campaign, title="Ice", text="Cold.")
    assert posted() == []
