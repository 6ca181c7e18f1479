"""Announcements on the campaign page, and comments on the page of a battle. Each tag takes one query at most."""

from typing import Any

from django import template

from campaign.battles.models import Battle
from campaign.discussion.queries import comments_on
from campaign.models import Campaign

#: How many announcements the campaign page shows, and how many comments the page of a battle.
ON_CAMPAIGN_PAGE, ON_BATTLE_PAGE = 2, 3

register = template.Library()


@register.inclusion_tag("discussion/_campaign.html")
def campaign_announcements(campaign: Campaign, *, organizes: bool) -> dict[str, Any]:
    """Show the first announcements of a campaign."""
    rows = campaign.announcements.filter(removed_at=None).only("campaign", "title", "text", "mentioned", "pinned")
    found = list(rows[: ON_CAMPAIGN_PAGE + 1])
    shown = found[:ON_CAMPAIGN_PAGE]
    return {"campaign": campaign, "announcements": shown, "more": len(found) > len(shown), "organizes": organizes}


@register.inclusion_tag("discussion/_battle.html")
def battle_comments(battle: Battle) -> dict[str, Any]:
    """Show the latest comments on a battle."""
    found = list(comments_on(battle)[: ON_BATTLE_PAGE + 1])
    shown = found[:ON_BATTLE_PAGE]
    return {"battle": battle, "comments": shown, "more": len(found) > len(shown)}
