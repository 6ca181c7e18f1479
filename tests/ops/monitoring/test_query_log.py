"""What a slow page says of its queries."""

import pytest
from django.db import connection

from accounts.models import User
from ops.monitoring.request_log import LONGEST, QueryLog, shortened_sql


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", "SELECT 1"),
        (
            'SELECT "a"."id", "a"."name", "a"."made_at", "a"."owner_id", "a"."faction" FROM "a" WHERE "a"."id" = %s',
            'SELECT … FROM "a" WHERE "a"."id" = %s',
        ),
        ("SELECT 1 FROM a WHERE name = 'leia''s' AND b = 'x'", "SELECT 1 FROM a WHERE name = '…' AND b = '…'"),
        ('RELEASE SAVEPOINT "s140_x7"', "RELEASE SAVEPOINT …"),
        ("x" * (LONGEST + 1), "x" * LONGEST + "…"),
    ],
)
def test_a_statement_is_short_and_holds_no_text(sql, expected):
    assert shortened_sql(sql) == expected


def test_the_slowest_come_first_and_the_one_asked_most_often_too():
    queries = QueryLog()
    queries.asked = [(0.5, "A"), (0.4, "B"), (0.3, "C"), *[(0.01, "D")] * 3, (0.2, "B"), (0.02, "E")]
    assert queries.milliseconds == 1450.0
    assert len(queries) == 8
    assert queries.named() == [
        {"sql": "B", "times": 2, "ms": 600.0},
        {"sql": "A", "times": 1, "ms": 500.0},
        {"sql": "C", "times": 1, "ms": 300.0},
        {"sql": "D", "times": 3, "ms": 30.0},
    ]


def test_of_nothing_nothing_is_named():
    assert (QueryLog().named(), len(QueryLog()), QueryLog().milliseconds) == ([], 0, 0)


def test_each_query_is_remembered_without_its_values_also_one_that_fails(db):
    queries = QueryLog()
    with connection.execute_wrapper(queries):
        assert not User.objects.filter(username="leia").exists()
        with pytest.raises(ZeroDivisionError), connection.execute_wrapper(lambda *_: 1 / 0):
            User.objects.filter(username="leia").exists()
    assert [sql for _, sql in queries.asked][:1] == [
        'SELECT %s AS "a" FROM "accounts_user" WHERE "accounts_user"."username" = %s LIMIT 1'
    ]
    assert all(seconds > 0 for seconds, _ in queries.asked)
    assert len(queries) == 2
