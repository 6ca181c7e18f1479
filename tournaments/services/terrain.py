"""Terrain checks of tables (E44)."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from rules.core.violations import refuse
from rules.tournaments.terrain import known
from tournaments.models import Event, TerrainCheck
from tournaments.services.locks import lock_led

#: The highest number of a table.
MOST_TABLES = 500


@transaction.atomic
def check_terrain(
    *, actor: User, event: Event, table: int, ticks: Mapping[str, bool], small: bool | None = None
) -> TerrainCheck:
    """Tick lines of the checklist of a table as a leader, or take ticks away, and return the check (E44). `ticks` are
    the lines that change, by key: the others keep theirs, so that two judges can work at one table. `small` is whether
    the table measures 3 by 3 feet; None leaves it. Refuses a number that no table has.
    """
    locked = lock_led(actor, event)
    if not 0 < table <= MOST_TABLES:
        raise refuse("E44", gettext("Table numbers are 1–%(number)s.") % {"number": MOST_TABLES}, "table")
    check = locked.terrain_checks.filter(table=table).first() or TerrainCheck(event=locked, table=table)
    kept = {key for key in check.ticks if ticks.get(key, True)}
    check.ticks = known(kept | {key for key, ticked in ticks.items() if ticked})
    check.small = check.small if small is None else small
    check.checked_by, check.checked_at = actor, timezone.now()
    check.save()
    return check
