"""Battles as lines of a list."""

from collections.abc import Iterable

from django.utils.translation import ngettext

from campaign.battles.models import Battle
from campaign.battles.queries.battles import both_ways, status_text, versus, when_text
from campaign.battles.state_machine import BEFORE_PLAY
from rules.core.values import Value

BATTLES_A_PAGE = 30


class BattleLine(Value):
    """A battle in a list."""

    battle: Battle
    title: str
    note: str
    end: str = ""


def battle_lines(battles: Iterable[Battle]) -> list[BattleLine]:
    """Return battles, which have `access.SIDES` prefetched, as lines of a list."""
    return [_battle_line(battle) for battle in battles]


def _battle_line(battle: Battle) -> BattleLine:
    parts = [str(battle), ngettext("%(number)s point", "%(number)s points", battle.size) % {"number": battle.size}]
    if battle.status in BEFORE_PLAY:
        parts += [when_text(battle, "MONTH_DAY_FORMAT"), *filter(None, [battle.place])]
    return BattleLine(battle, versus(battle), f"{', '.join(parts)}: {status_text(battle)}", result(battle))


def result(battle: Battle) -> str:
    """Return the victory points, blue to red, if the report has any."""
    (blue, red), _ = both_ways(battle)
    known = battle.version and (blue.victory_points or red.victory_points)
    return f"{blue.victory_points}–{red.victory_points}" if known else ""
