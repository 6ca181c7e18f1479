"""Announcements on the campaign page, and comments on the page of a battle. Each tag takes one query at most."""

from typing import Any

from django import template

from campaign.battles.models import Battle
from campaign.discussion import queries
from campaign.models import Campaign

register = template.Library()


@register.inclusion_tag("discussion/_campaign.html")
def campaign_announcements(campaign: Campaign, *, organizes: bool) -> dict[str, Any]:
    """Show the first announcements of a campaign."""
    lines = queries.front_lines(campaign)
    shown = lines[: queries.ON_CAMPAIGN_PAGE]
    return {"campaign": campaign, "lines": shown, "more": len(lines) > len(shown), "organizes": organizes}


@register.inclusion_tag("discussion/_battle.html")
def battle_comments(battle: Battle) -> dict[str, Any]:
    """Show the latest comments on a battle."""
    found = list(queries.comments_on(battle)[: queries.ON_BATTLE_PAGE + 1])
    lines = [
        {"comment": each, "html": queries.comment_html(each.text, each.mentioned)}
        for each in found[: queries.ON_BATTLE_PAGE]
    ]
    return {"battle": battle, "lines": lines, "more": len(found) > len(lines)}
