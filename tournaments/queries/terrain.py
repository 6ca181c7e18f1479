"""Terrain checks of all tables (E44)."""

from django.db.models import Max, Q

from rules.core.values import Value
from rules.tournaments.terrain import CheckLine, checklist
from tournaments.models import Event, Game, TerrainCheck
from tournaments.models.entry import PLACED


class TableTerrain(Value):
    """A table with the lines of its checklist and whether each is ticked; `small` tables measure 3 by 3 feet."""

    table: int
    small: bool
    lines: tuple[tuple[CheckLine, bool], ...]
    check: TerrainCheck | None

    @property
    def done(self) -> int:
        """How many lines are ticked."""
        return sum(ticked for _, ticked in self.lines)

    @property
    def is_complete(self) -> bool:
        """Whether all lines are ticked."""
        return self.done == len(self.lines)


def terrain_of(event: Event) -> list[TableTerrain]:
    """Return all tables in order: half as many as players, and others that somebody has played at or checked."""
    checks = {check.table: check for check in event.terrain_checks.select_related("checked_by")}
    seated = event.entries.filter(state__in=PLACED).count() // 2
    played = Game.objects.filter(Q(round__event=event)).aggregate(last=Max("table"))["last"] or 0
    tables = sorted({*range(1, max(seated, played) + 1), *checks})
    return [_of(table, checks.get(table)) for table in tables]


def table_terrain(event: Event, table: int) -> TableTerrain:
    """Return one table, checked or not."""
    return _of(table, event.terrain_checks.select_related("checked_by").filter(table=table).first())


def _of(table: int, check: TerrainCheck | None) -> TableTerrain:
    small, ticks = bool(check and check.small), check.ticks if check else []
    lines = tuple((line, line.key in ticks) for line in checklist(small=small))
    return TableTerrain(table, small, lines, check)
