"""All tables of the test database: their rows, to be put back when a test has changed them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager

from django.db import connection, transaction
from psycopg import sql

from tests import server_errors


def rows(names: Iterable[str] | None = None) -> dict[str, bytes]:
    """Return the rows of each table, or of some, as COPY writes them; nothing for an empty table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor) if names is None else names:
            with cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copied:
                found[table] = b"".join(copied)
    return found


@contextmanager
def changes(but: Collection[str] = ()) -> Iterator[dict[str, bytes]]:
    """Fill the dictionary with all rows of the tables that the block changes, except of some tables."""
    changed: dict[str, bytes] = {}
    with transaction.atomic():
        before = _writes()
        yield changed
        after = _writes()
    changed |= rows(table for table in after if after[table] != before.get(table) and table not in but)


def _writes() -> dict[str, int]:
    """Return how many rows the transaction has written in each table."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables"
            " WHERE n_tup_ins + n_tup_upd + n_tup_del > 0"
        )
        return dict(cursor.fetchall())


def sizes() -> dict[str, int]:
    """Return how many rows each table has."""
    with connection.cursor() as cursor:
        names = connection.introspection.table_names(cursor)
        each = [sql.SQL("(SELECT count(*) FROM {})").format(sql.Identifier(name)) for name in names]
        cursor.execute(sql.SQL("SELECT {}").format(sql.SQL(", ").join(each)))
        return dict(zip(names, cursor.fetchone(), strict=True))


def restore(kept: Mapping[str, bytes]) -> None:
    """Give each table its rows of `kept` and no others, once no request is being answered.

    Django would only empty the tables, and the next tests of this process would find no cards.
    """
    server_errors.wait_for_requests()
    replace(kept)


def replace(kept: Mapping[str, bytes]) -> None:
    """Give some tables their rows of `kept` and no others, without triggers."""
    if not kept:
        return
    tables = [sql.Identifier(name) for name in kept]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        # Truncating so many tables would take ten times as long as deleting few rows.
        cursor.execute(sql.SQL("; ").join(sql.SQL("DELETE FROM {}").format(table) for table in tables))
        for table, copied in zip(tables, kept.values(), strict=True):
            if copied:
                with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(table)) as copy:
                    copy.write(copied)
        cursor.execute("SET LOCAL session_replication_role = origin")


def counted() -> dict[str, int]:
    """Return how far each sequence has counted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE last_value IS NOT NULL")
        return dict(cursor.fetchall())


def count_on(kept: Mapping[str, int]) -> None:
    """Let each sequence go on after what it has counted here and elsewhere."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(quote_ident(name)::regclass, number)"
            " FROM unnest(%s::text[], %s::bigint[]) AS kept (name, number)"
            " JOIN pg_sequences ON sequencename = name WHERE number > coalesce(last_value, 0)",
            [list(kept), list(kept.values())],
        )
