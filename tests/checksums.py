"""Whether anything in the tables has changed."""

from collections.abc import Collection, Iterable

from django.apps import apps
from django.db import connection, models
from psycopg.sql import SQL, Identifier, Literal

#: The rooms that people write in; nothing else is kept for them.
APPS = (
    "accounts", "account", "mfa", "lists", "registers", "campaign", "battles", "story_arcs", "chronicle", "discussion",
    "archive", "schedule", "star_map", "achievements", "teams", "painting", "tournaments", "uploads",
)  # fmt: skip


def tables(rooms: Collection[str] = APPS, but: Collection[type[models.Model]] = ()) -> list[str]:
    """The names of all tables of these rooms, except those of some models."""
    found = (model for room in rooms for model in apps.get_app_config(room).get_models(include_auto_created=True))
    return sorted({model._meta.db_table for model in found if model._meta.managed and model not in but})


def checksums(names: Iterable[str]) -> dict[str, str]:
    """Each table's number of rows and the sum of their hashes, every column counted: one query."""
    each = [
        SQL("SELECT {}, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) FROM {} t").format(
            Literal(name), Identifier(name)
        )
        for name in names
    ]
    with connection.cursor() as cursor:
        cursor.execute(SQL(" UNION ALL ").join(each))
        return dict(cursor.fetchall())
