"""The chronicle's part of the page of a sequence, which knows no chronicle: `{% battle_poster battle %}`."""

from typing import Any

from django import template

from campaign.battles.access import SIDES
from campaign.battles.models import Battle
from campaign.chronicle.narrative.after_action import report_of

register = template.Library()


@register.inclusion_tag("chronicle/_poster.html")
def battle_poster(battle: Battle, *, focus: bool = False) -> dict[str, Any]:
    """Show what a closed battle came to. Its campaign must be loaded; its sides are read again, as they may be old."""
    fresh = Battle.objects.prefetch_related(SIDES).get(pk=battle.pk)
    fresh.campaign = battle.campaign
    return {"report": report_of(fresh), "battle": fresh, "focus": focus}
