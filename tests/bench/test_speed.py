"""What the bench of speed makes of the seconds and statements that it has seen."""

import pytest
from django.db import connection, transaction

from bench.speed import BARE, Row, Thing, counted, measure, rows, table


def thing(name: str, **more) -> Thing:
    return Thing(name=name, once=lambda: 0.5, **more)


def test_a_ratio_is_that_of_each_rounds_medians_and_of_the_rounds_the_median() -> None:
    slow_round = [0.020, 0.020, 0.900]
    taken = {BARE: [[0.010], slow_round, [0.010]], "A page": [[0.040], [0.040], [0.030, 0.030]]}
    table = rows([thing("A page", limits={BARE: 3, "A page": 1.0}, queries=lambda: 7)], taken)
    shared = {"name": "A page", "milliseconds": 40.0, "queries": 7, "most": 15}
    assert table == [
        Row(beside=BARE, ratio=pytest.approx(3.0), limit=3, **shared),
        Row(beside="A page", ratio=1.0, limit=1.0, **shared),
    ]


def test_what_has_no_limit_stands_beside_the_bare_view() -> None:
    [row] = rows([thing("A page")], {BARE: [[0.01]], "A page": [[0.5]]})
    assert (row.beside, row.limit, row.queries, row.well) == (BARE, None, None, True)


@pytest.mark.parametrize(
    ("ratio", "queries", "well"), [(4.0, 8, True), (4.01, 8, False), (4.0, 9, False), (1.0, None, True)]
)
def test_a_row_is_well_up_to_its_limits(ratio: float, queries: int | None, well: bool) -> None:
    row = Row(name="", milliseconds=1, beside=BARE, ratio=ratio, limit=4, queries=queries, most=8)
    assert row.well is well


def test_the_table_is_markdown() -> None:
    page = {"name": "A page", "milliseconds": 12.34, "ratio": 1.234, "queries": 3, "most": 8}
    found = [Row(beside=BARE, limit=4, **page), Row(beside="Another", limit=None, **page | {"queries": 9})]
    assert table(found).splitlines()[2:] == [
        "| A page | 12.3 | 1.23 × | ≤ 4 × | 3 of 8 | yes |",
        "| A page, beside “Another” | 12.3 | 1.23 × |  | 9 of 8 | **no** |",
    ]


def test_everything_is_asked_in_turn_and_three_times_before_it_counts() -> None:
    asked: list[str] = []

    def once(name: str) -> float:
        asked.append(name)
        return len(asked)

    things = [Thing(name=name, once=lambda name=name: once(name)) for name in "ab"]
    assert measure(things, rounds=2, times=2) == {"a": [[8, 12], [16, 20]], "b": [[10, 14], [18, 22]]}
    assert "".join(asked) == "aaabbb" + "aaab" * 4  # after each a bare view that does not count


@pytest.mark.django_db(transaction=True)
def test_statements_that_only_frame_a_transaction_are_not_counted() -> None:
    with counted() as statements, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        with transaction.atomic():
            cursor.execute("SELECT 1")
    assert statements == ["SELECT 1"]
