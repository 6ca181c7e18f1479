"""What campaigns keep about a person."""

from django.urls import reverse
from django.utils import timezone

from accounts.queries import data_of
from campaign.battles.models import Battle, CommandHand, Tally
from campaign.chronicle.services import stories
from campaign.data_export import campaigns_of
from campaign.people.services import joining
from members.services import invitations
from tests.campaign.factories import in_play, planned, reported, side_of
from tests.campaign.story_arcs.factories import published
from tests.html import html_of
from tests.uploads.photos import photo


def test_everything_and_no_link(table):
    made = invitations.invite(actor=table.cora, group=table.campaign)
    joining.join(actor=table.eve, invitation=made)
    came = table.eve.campaign_admissions.get()
    joined = table.campaign.activity.get(actor=table.eve)
    founded = table.campaign.activity.get(kind="founded")
    where = {"campaign__name": "Outer Rim Winter"}
    assert campaigns_of(table.eve) == {
        "member of": [where | {"role": "player"}],
        "Registers in campaigns": [],
        "did": [where | {"kind": "joined", "battle__number": None, "facts": joined.facts, "at": joined.at}],
        "done for them": [],
        "invited": [],
        "battles": [],
        "Command Hands": [],
        "Story Arcs": [],
        "wrote": [],
        "star map": [],
        "pictures": [],
        "came in by": [{"invitation__campaign__name": "Outer Rim Winter", "at": came.at}],
    }
    data = campaigns_of(table.cora)
    assert data["did"][0] == where | {
        "kind": "founded",
        "battle__number": None,
        "facts": {"name": "Outer Rim Winter"},
        "at": founded.at,
    }
    assert data["invited"] == [
        where | {"role": "player", "created_at": made.created_at, "expires_at": made.expires_at, "revoked_at": None}
    ]
    assert made.expires_at > timezone.now()


def test_what_ones_registers_did_in_battles(table):
    battle = reported(in_play(planned(table)), table.ada)
    Tally.objects.create(side=side_of(battle, "blue"), defeated=["2"], tokens=1)
    blue = side_of(battle, "blue")
    assert campaigns_of(table.ada)["battles"] == [
        {
            "battle__campaign__name": "Outer Rim Winter", "battle__number": 1, "register__name": "Ashen Patrol",
            "colour": "blue", "army": blue.army, "report": blue.report, "victory_points": blue.victory_points,
            "tally__defeated": ["2"], "tally__contesting": [], "tally__marked": [], "tally__tokens": 1,
            "tally__victory_points": 0, "tally__activated": {}, "tally__scores": {},
        }
    ]  # fmt: skip
    assert [side["register__name"] for side in campaigns_of(table.ben)["battles"]] == ["Dune Wardens"]
    assert (bool(blue.army), bool(blue.report)) == (True, True)


def test_the_story_arcs_that_one_published(table):
    version = published(table)
    assert campaigns_of(table.cora)["Story Arcs"] == [
        {"number": 1, "content": version.content, "published_at": version.published_at}
    ]
    assert campaigns_of(table.ada)["Story Arcs"] == []


def test_ones_own_command_hands_and_nobody_elses(table, client):
    """Those of others are not in it even once the battle is closed, and everybody may see them (R24)."""
    battle = planned(table)
    for colour, card in (("blue", "ambush"), ("red", "push")):
        cards = [card, *"abcdef"]
        CommandHand.objects.create(side=side_of(battle, colour), cards=cards, discarded=[card])
    for status in Battle.Status:
        Battle.objects.update(status=status)
        for user, colour, card in ((table.ada, "blue", "ambush"), (table.ben, "red", "push")):
            assert campaigns_of(user)["Command Hands"] == [
                {
                    "side__battle__campaign__name": "Outer Rim Winter", "side__battle__number": 1,
                    "side__colour": colour, "cards": [card, *"abcdef"], "discarded": [card],
                }
            ]  # fmt: skip
        assert campaigns_of(table.cora)["Command Hands"] == []
    client.force_login(table.ada)
    file = html_of(client.get(reverse("accounts:download")))
    assert ('"ambush"' in file, '"push"' in file) == (True, False)


def test_what_they_wrote_and_showed(table):
    battle = planned(table)
    words = {"actor": table.ada, "campaign": table.campaign}
    story = stories.write(**words, battle=battle, title="The ridge", text="Snow.", byline="A.")
    stories.withdraw(actor=table.ada, story_id=stories.write(**words, title="Gone", text="Gone.").pk)
    picture = stories.add_battle_photo(actor=table.ada, battle=battle, sent=photo(), alt="The ridge")
    data = campaigns_of(table.ada)
    assert data["wrote"] == [
        {
            "campaign__name": "Outer Rim Winter",
            "battle__number": 1,
            "title": "The ridge",
            "byline": "A.",
            "text": "Snow.",
            "written_at": story.written_at,
        }
    ]
    address = reverse("chronicle:photo", args=[table.campaign.pk, picture.pk, "full"])
    assert data["pictures"] == [{"alt": "The ridge", "sent": picture.sent_at, "address": address}]
    of_campaign = stories.set_campaign_photo(actor=table.cora, campaign=table.campaign, sent=photo(), alt="The yard")
    address = reverse("chronicle:photo", args=[table.campaign.pk, of_campaign.pk, "full"])
    assert [each["address"] for each in campaigns_of(table.cora)["pictures"]] == [address]


def test_it_is_in_the_file(table):
    sections = [
        "account", "campaigns", "discussion", "availability", "events", "notifications", "registers", "army lists",
    ]  # fmt: skip
    assert list(data_of(table.eve)) == sections
