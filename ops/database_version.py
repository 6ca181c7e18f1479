"""Whether a database fits this version of Musterbook: which migrations it has, and whether its tables are theirs.

A database that does not fit is refused before anything changes: by `manage.py migrate`, which `ops.serve` runs at each
start, by `restore`, and by a queue worker of its own. `/readyz` says so too.
"""

from collections.abc import Collection, Iterator, Mapping

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from ops.paths import VERSION

#: App label and name of a migration.
Migrations = Collection[tuple[str, str]]
OLDER = "The database tables are older than this Musterbook. Start the site, or run `manage.py migrate`."


def misfit(recorded: Migrations, columns: Mapping[str, Collection[str]], what: str = "This database") -> str:
    """Return why this version cannot upgrade a database; empty if it can.

    `recorded` are the migrations that it says to have, `columns` those of each of its tables.
    """
    loader = MigrationLoader(None)
    known = {key for name, each in loader.disk_migrations.items() for key in (name, *each.replaces)}
    if unknown := sorted(set(recorded) - known):
        return (
            f"{what} is from a newer Musterbook, or from a checkout before 1.0.0: Musterbook {VERSION} does not know "
            f"its migration {'.'.join(unknown[0])}. Update Musterbook, or restore a backup of this version or an older "
            "one."
        )
    if missing := next(_missing_columns(loader, recorded, columns), None):
        return (
            f"{what} is from a checkout before 1.0.0, and Musterbook {VERSION} cannot upgrade it: it lacks {missing}. "
            "Restore a backup of 1.0.0 or later, or start with an empty database."
        )
    return ""


def _missing_columns(
    loader: MigrationLoader, recorded: Migrations, columns: Mapping[str, Collection[str]]
) -> Iterator[str]:
    """Yield the columns that a database with these migrations should have and does not."""
    state = loader.project_state([key for key in loader.graph.nodes if key in set(recorded)])
    for model in state.apps.get_models(include_auto_created=True):
        if model._meta.can_migrate(connection):
            table = model._meta.db_table
            for field in model._meta.local_concrete_fields:
                if field.column not in columns.get(table, ()):
                    yield f"{table}.{field.column}"


def recorded_migrations(database: BaseDatabaseWrapper) -> set[tuple[str, str]]:
    """Return the migrations that a database says to have; none for an empty one."""
    return set(MigrationRecorder(database).applied_migrations())


def columns_of(database: BaseDatabaseWrapper) -> dict[str, set[str]]:
    """Return the names of the columns of each table."""
    found: dict[str, set[str]] = {}
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
        )
        for table, column in cursor.fetchall():
            found.setdefault(table, set()).add(column)
    return found


def trouble() -> str:
    """Return why this version cannot work on our database as it is; empty if it can."""
    executor = MigrationExecutor(connection)
    return misfit(recorded_migrations(connection), columns_of(connection)) or (
        OLDER if executor.migration_plan(executor.loader.graph.leaf_nodes()) else ""
    )
