"""`manage.py migrate`: Django's own, which creates the tables of an empty database in one go.

Applying the migrations one after the other draws up all models again for each of 300 operations, which takes ten times
as long as creating the tables. An empty database has no rows to convert, so the tables of the last state will do.
`tests/ops/test_migrate_command.py` compares the results.
"""

from typing import Any, cast

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.migrations import RunPython, RunSQL
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.fields import FieldOperation
from django.db.migrations.operations.models import IndexOperation, ModelOperation

from ops.database_version import columns_of, misfit, recorded_migrations

#: Operations whose result is in the last state. RunPython and RunSQL are run; anything else needs single steps.
IN_STATE = (ModelOperation, FieldOperation, IndexOperation)
#: Options that ask for less than all migrations, or for something else.
OTHERWISE = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "prune")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        """Create the tables if there are none, and migrate. Refuses a database that this version cannot upgrade."""
        connection = cast(DatabaseWrapper, connections[options["database"]])
        if reason := misfit(recorded_migrations(connection), columns_of(connection)):
            raise CommandError(f"Nothing was changed. {reason}")
        if not any(options[name] for name in OTHERWISE) and not connection.introspection.table_names():
            create_tables(connection)
        super().handle(*args, **options)


def create_tables(connection: DatabaseWrapper) -> None:
    """Create the tables of the last state of all migrations in an empty database, and record all as applied.

    Does nothing if a migration has an operation that cannot be done so, and before PostgreSQL 17: there a transaction
    may not use values that it has added to a type, as procrastinate's migrations do.
    """
    if connection.pg_version < 170_000:
        return
    executor = MigrationExecutor(connection)
    plan = [step for step, _ in executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)]
    operations = [(step.app_label, each) for step in plan for each in step.operations]
    if not all(isinstance(each, (*IN_STATE, RunPython, RunSQL)) for _, each in operations):
        return
    state = executor.loader.project_state()
    with connection.schema_editor() as editor:
        for model in state.apps.get_models():
            if model._meta.can_migrate(connection):
                editor.create_model(model)
        for app_label, each in operations:
            if not isinstance(each, IN_STATE):
                each.database_forwards(app_label, editor, state, state)
    executor.recorder.ensure_schema()
    for step in plan:
        executor.recorder.record_applied(step.app_label, step.name)
