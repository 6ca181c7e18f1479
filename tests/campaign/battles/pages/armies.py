"""Armies as a page shows them."""

from typing import Any

from accounts.models import User
from campaign.battles.access import battle_for
from campaign.battles.models import Battle
from campaign.battles.pages.armies import side_views


def shown(user: User, battle: Battle) -> list[Any]:
    """Points, what is allowed and the units of both armies, as the page has them."""
    found, role = battle_for(user, battle.pk)
    views = side_views(role, found)
    return [(view.points, view.allowed, [(unit.label, unit.points) for unit in view.army]) for view in views]
