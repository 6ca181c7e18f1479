"""The rules of a campaign as values."""

import json
from typing import Any

import pytest

from rules.core.campaign_rules import CampaignRules, HouseRules, allows, differences, from_data

CHANGED = CampaignRules(
    combat_potential=800, factions=("rebel", "empire"), unreleased=True, length=3, house=HouseRules(draw="neither")
)
DATA = {
    "combat_potential": 800, "factions": ["rebel", "empire"], "unreleased": True, "length": 3, "draw": "neither",
}  # fmt: skip


def test_only_what_differs_from_the_rulebook_is_kept() -> None:
    assert CampaignRules().as_data() == {}
    assert CHANGED.as_data() == DATA
    assert from_data(json.loads(json.dumps(DATA))) == CHANGED
    assert from_data({}) == CampaignRules()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"colour": "red", "size": 3}, "unknown rules: colour, size"),
        ({"draw": "both"}, "draw has no reading 'both'"),
        ({"house": {}}, "unknown rules: house"),
    ],
)
def test_what_no_terms_can_be(data: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match="^" + text):
        from_data(data)


@pytest.mark.parametrize(
    ("named", "slug", "allowed"),
    [((), "rebel", True), (("rebel",), "rebel", True), (("empire", "republic"), "rebel", False)],
)
def test_where_nothing_is_named_all_of_it_is_allowed(named: tuple[str, ...], slug: str, allowed: bool) -> None:
    assert allows(named, slug) is allowed


def test_what_differs_by_name() -> None:
    assert differences(CampaignRules(), CHANGED) == [
        ("combat_potential", 600, 800),
        ("factions", [], ["rebel", "empire"]),
        ("unreleased", False, True),
        ("length", None, 3),
        ("draw", "defeat", "neither"),
    ]
    assert differences(CHANGED, CHANGED) == []
