"""`manage.py migrate` creates an empty database in one go, and the result is that of all migrations."""

import json
import re
import subprocess
import sys

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext
from psycopg import sql
from psycopg.conninfo import make_conninfo

import manage
from ops.backup import output_of, tools_for
from ops.management.commands import migrate
from ops.paths import BASE_DIR, VERSION

#: Django's own command knows nothing of ours.
MIGRATING = """
import json, sys
from ops.worker_process import set_up_django
set_up_django(json.loads(sys.argv[1]))
from django.core.management import call_command
from django.core.management.commands import migrate
call_command("migrate" if sys.argv[2] == "at once" else migrate.Command(), verbosity=0)
"""


#: Tables whose rows are the same in another order, which gives them other numbers.
NUMBERED = ("django_migrations", "django_content_type", "auth_permission", "auth_group", "auth_group_permissions")


def sorted_lines(dump):
    """Return the lines of a dump, sorted.

    A column that was renamed keeps its place and the name of its constraint; a check of rows that were there before is
    added later, and holds for new rows alone.
    """
    later = rb"ALTER TABLE [\w.]+\n    ADD (CONSTRAINT \w+ CHECK .+) NOT VALID;"
    text = re.sub(rb" CONSTRAINT \w+_not_null NOT NULL", b" NOT NULL", b"".join(dump))
    text = re.sub(rb"^(COPY [\w.]+) \(.+\) FROM stdin", rb"\1", text, flags=re.MULTILINE)
    checks = re.findall(later, text)
    lines = [line.strip().rstrip(b",;") for line in re.sub(later, b"", text).splitlines()]
    return sorted(line for line in lines + checks if line and not line.startswith(b"--"))


@pytest.fixture
def migrated(db):
    """Return a function that migrates a new database, either way, and returns its dump."""
    connection.ensure_connection()
    info = connection.connection.info
    parts = info.get_parameters() | {"password": info.password, "options": ""}
    name = f"{info.dbname}_migrated"

    def server(statement):
        with psycopg.connect(make_conninfo(**parts), autocommit=True) as connected:
            connected.execute(sql.SQL(statement).format(sql.Identifier(name)))

    def _migrated(how):
        server("CREATE DATABASE {} TEMPLATE template0")
        place = {key: connection.settings_dict[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
        command = [sys.executable, "-c", MIGRATING, json.dumps(place | {"NAME": name}), how]
        try:
            subprocess.run(command, cwd=BASE_DIR, check=True)
            with psycopg.connect(make_conninfo(**parts | {"dbname": name})) as connected:
                tools = tools_for(connected.info)
                recorded = connected.execute("SELECT app, name FROM django_migrations").fetchall()
            with output_of(tools.command("pg_dump", *(f"--exclude-table-data={each}" for each in NUMBERED))) as dump:
                # Each dump has a word of its own, against lines that psql would take for commands.
                return set(recorded), sorted_lines(
                    [line for line in dump if not line.startswith((b"\\restrict", b"\\unrestrict"))]
                )
        finally:
            server("DROP DATABASE {}")

    return _migrated


@pytest.mark.nightly  # 40 seconds: all migrations one by one. Each test of the gate runs on tables made in one go.
def test_tables_made_in_one_go_are_those_of_all_migrations(migrated):
    one_by_one, at_once = migrated("one by one"), migrated("at once")

    assert at_once == one_by_one
    assert any(line.startswith(b"CREATE TRIGGER pgtrigger_") for line in at_once[1])


@pytest.mark.django_db
def test_it_takes_single_steps_where_an_operation_is_of_another_kind(monkeypatch):
    """Nothing has been created when that is noticed: the test database could not have its tables twice."""
    monkeypatch.setattr(migrate, "IN_STATE", ())
    monkeypatch.setattr(migrate, "RunSQL", type("NoOperation", (Operation,), {}))
    migrate.create_tables(connection)


@pytest.mark.django_db
def test_it_takes_single_steps_before_postgresql_17(monkeypatch):
    """There a transaction may not use what it has added to an enum: the tables of the queue could not be created."""
    monkeypatch.setitem(vars(connections["default"]), "pg_version", 160_014)  # a cached property
    migrate.create_tables(connection)


@pytest.mark.django_db
def test_a_database_with_tables_is_migrated_as_usual(monkeypatch):
    monkeypatch.setattr(migrate, "create_tables", lambda _: pytest.fail("It has tables."))
    migrate.Command().run_from_argv(["manage.py", "migrate", "--verbosity=0"])


@pytest.mark.django_db
def test_a_newer_database_is_refused_before_anything_changes():
    MigrationRecorder(connection).record_applied("registers", "9999_later")
    assert refused() == (
        "Nothing was changed. This database is from a newer Musterbook, or from a checkout before 1.0.0: "
        f"Musterbook {VERSION} does not know its migration registers.9999_later. Update Musterbook, or restore a "
        "backup of this version or an older one."
    )


@pytest.mark.django_db
def test_a_database_of_an_older_checkout_is_refused_before_anything_changes():
    """Its migrations have the names of today and did something else."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE campaign_campaign RENAME COLUMN name TO title")
    assert refused() == (
        f"Nothing was changed. This database is from a checkout before 1.0.0, and Musterbook {VERSION} cannot upgrade "
        "it: it lacks campaign_campaign.name. Restore a backup of 1.0.0 or later, or start with an empty database."
    )


def refused():
    """Return what `manage.py migrate` says; it has not touched the tables."""
    with CaptureQueriesContext(connection) as statements, pytest.raises(CommandError) as caught:
        call_command("migrate", verbosity=0)
    assert {each["sql"].split()[0] for each in statements} == {"SELECT"}
    return str(caught.value)


@pytest.mark.django_db
def test_a_queue_worker_of_its_own_refuses_tables_that_are_too_old(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["manage.py", "procrastinate", "worker"])
    monkeypatch.setattr(manage, "provide_database_url", lambda place: None)
    monkeypatch.setattr(manage, "execute_from_command_line", lambda words: pytest.fail("It works."))
    MigrationRecorder(connection).record_unapplied(*MigrationLoader(connection).graph.leaf_nodes("registers")[0])
    with pytest.raises(SystemExit, match="tables are older than this Musterbook"):
        manage.main()
