"""Terms in words."""

from dataclasses import fields

import pytest

from campaign.queries.campaign_rules import in_short, name_words, value_words
from rules.core.campaign_rules import SWITCHES, CampaignRules, HouseRules, differences

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("campaign_rules", "words"),
    [
        (CampaignRules(), []),
        (CampaignRules(length=3), ["3 Story Arcs"]),
        (CampaignRules(house=HouseRules(draw="neither")), ["1 house rule"]),
        (
            CampaignRules(
                combat_potential=800, supply_points=0, factions=("rebel", "empire"), unreleased=True, length=1,
                story_arcs=("a-pirates-life", "the-weekend-war", "birth-of-a-legend"),
                house=HouseRules(draw="neither", shield="always"),
            ),
            [
                "Combat Potential 800", "Supply Points 0", "Factions Rebel, Empire", "Story Arcs 3",
                "unreleased cards", "1 Story Arc", "2 house rules",
            ],
        ),
    ],
)  # fmt: skip
def test_what_differs_from_the_rulebook_in_short(book, campaign_rules, words):
    assert in_short(book, campaign_rules) == words


def test_every_limit_and_every_switch_has_words(book):
    other = CampaignRules(
        combat_potential=700, supply_points=4, factions=("rebel",), story_arcs=("a-pirates-life", "gone-arc"),
        battle_forces=("tempest-force",), unreleased=True, length=2, rank_table="grand-army",
        house=HouseRules(**{switch.name: switch.readings[1].value for switch in SWITCHES}),
    )  # fmt: skip
    changes = differences(CampaignRules(), other)
    assert len(changes) == len(fields(CampaignRules)) - 1 + len(SWITCHES)
    sentences = [
        (name_words(name), value_words(book, name, before), value_words(book, name, after))
        for name, before, after in changes
    ]
    assert sentences[:9] == [
        ("Combat Potential", "600", "700"),
        ("Supply Points", "5", "4"),
        ("Factions", "all", "Rebel"),
        ("Story Arcs", "all", f"{book.story_arcs['a-pirates-life'].name}, Gone arc"),
        ("Battle forces", "all", "Tempest Force"),
        ("Unreleased cards", "not allowed", "allowed"),
        ("Length", "open-ended", "2 Story Arcs"),
        ("Rank limits", "by size", "Grand Army"),
        (SWITCHES[0].title, SWITCHES[0].readings[0].words, SWITCHES[0].readings[1].words),
    ]  # fmt: skip
