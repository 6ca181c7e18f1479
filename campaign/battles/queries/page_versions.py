"""Version tokens that a battle's pages poll every few seconds: one small query each, empty for hidden battles."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import User
from campaign.access import visible_to
from campaign.battles.models import Battle, Side
from campaign.battles.models.battle import BEFORE_PLAY


def page_version(battle: Battle) -> str:
    """Return the version token of the battle page drawn from these rows."""
    sides = ((side.version, side.register.in_field_battle if side.register else "") for side in battle.sides.all())
    return _page(battle.status, battle.version, battle.plan_version, sides)


def page_version_now(user: User, battle: UUID) -> str:
    """Return the current version token of the battle page: one query."""
    names = ("battle__status", "battle__version", "battle__plan_version", "version", "register__in_field_battle")
    rows = list(sides_polled(user, battle).values_list(*names))
    return _page(*rows[0][:3], (row[3:] for row in rows)) if rows else ""


def table_version_now(user: User, battle: UUID) -> str:
    """Return the current version token of the table page (`table_version`): one query."""
    rows = list(sides_polled(user, battle).values_list("battle__status", "battle__round", "tally__version"))
    return _table(*rows[0][:2], [tally or 0 for *_, tally in rows]) if rows else ""


def table_version(battle: Battle, tallies: Iterable[int]) -> str:
    """Return the version token of the table page drawn from this battle and these versions of its tallies."""
    return _table(battle.status, battle.round, tallies)


def sides_polled(user: User, battle: UUID) -> QuerySet[Side]:
    """Return both sides of a battle, blue first; none if the user may not see it."""
    return Side.objects.filter(visible_to(user, "battle__campaign"), battle=battle).order_by("colour")


def _table(status: str, number: int, tallies: Iterable[int]) -> str:
    return "-".join([status, str(number), *map(str, tallies)])


def _page(status: str, version: int, plan: int, sides: Iterable[tuple[int, str | None]]) -> str:
    """Return the token. Each side counts with its army, and before the battle begins with whether it can begin."""
    waits = "w" if status in BEFORE_PLAY else ""
    armies = [f"{army}{waits if field else ''}" for army, field in sides]
    return "-".join([status, str(version), str(plan), *armies])
