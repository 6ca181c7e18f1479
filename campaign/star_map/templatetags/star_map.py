"""The star map's part of the page of a battle, which knows no map: `{% battle_system %}`."""

from typing import Any

from django import template
from django.db.models import OuterRef, Subquery

from campaign.access import CampaignRole
from campaign.battles.access import plays
from campaign.battles.models import Battle
from campaign.star_map.models import System, SystemBattle
from campaign.star_map.services.star_map import PLAYERS_CHOOSE

register = template.Library()


@register.inclusion_tag("star_map/_battle.html", takes_context=True)
def battle_system(context: template.Context) -> dict[str, Any]:
    """Show the system that the page's battle is fought for, with the form that changes it for those who may: one query,
    for the systems. The battle must come from `campaign.battles.access`.
    """
    battle = context["battle"]
    fought_for = SystemBattle.objects.filter(battle=battle.pk, system=OuterRef("pk")).values("automatic")
    systems = list(System.objects.filter(campaign=battle.campaign_id).annotate(automatic=Subquery(fought_for)))
    role = CampaignRole(context["request"].user, getattr(battle, "role", None), battle.campaign)
    may = role.may_organize() or (role.may_play() and plays(role, battle) and battle.status in PLAYERS_CHOOSE)
    return {
        "battle": battle,
        "systems": systems,
        "chosen": next((each for each in systems if each.automatic is not None), None),
        "may": may and battle.status != Battle.Status.CANCELLED,
        "csrf_token": context.get("csrf_token"),
    }
