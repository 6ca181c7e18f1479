"""What the bench of load makes of locust's statistics."""

from dataclasses import replace

import pytest

from bench.load import Kind, kinds, table_of

WRITTEN = """\
Type,Name,Request Count,Failure Count,Max Response Time,50%,95%,99%
GET,a poll without news,9000,0,2300,7,45,80
POST,an answer,1200,3,900,38,150,190
GET,once before,0,0,0,N/A,N/A,N/A
,Aggregated,10200,3,2300,8,60,120
"""
POLL = Kind(name="a poll without news", requests=9000, failures=0, median=7, p95=45, p99=80, longest=2300)
ANSWER = Kind(name="an answer", requests=1200, failures=3, median=38, p95=150, p99=190, longest=900)


def test_the_kinds_of_requests_without_their_sum_and_those_that_nobody_sent():
    assert kinds(WRITTEN) == [POLL, ANSWER]


@pytest.mark.parametrize(("failures", "p95", "well"), [(0, 150, True), (0, 150.1, False), (1, 7, False)])
def test_a_kind_is_well_that_is_quick_and_never_fails(failures, p95, well):
    kind = Kind(name="", requests=100, failures=failures, median=1, p95=p95, p99=p95, longest=p95)
    assert kind.well() is well


@pytest.mark.parametrize(
    ("name", "failures", "longest", "well"),
    [
        ("an answer", 0, 2_000, True),
        ("an answer", 0, 2_001, False),
        ("an answer that the rules refuse", 0, 2_001, False),
        ("a poll without news", 0, 30_000, True),
        ("a poll without news", 1, 5, False),
    ],
)
def test_under_overload_no_answer_waits_long(name, failures, longest, well):
    kind = Kind(name=name, requests=1, failures=failures, median=1, p95=longest, p99=longest, longest=longest)
    assert kind.well(overload=True) is well


def test_the_table_is_markdown():
    assert table_of([POLL, ANSWER], 60, [(133.4, 101), (200, 120)]).splitlines() == [
        "| What | Requests | a second | Failed | p50 | p95 | p99 | Longest | Limit | Well? |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|",
        "| a poll without news | 9000 | 150.0 | 0 | 7 ms | 45 ms | 80 ms | 2300 ms | p95 ≤ 150 ms | yes |",
        "| an answer | 1200 | 20.0 | 3 | 38 ms | 150 ms | 190 ms | 900 ms | p95 ≤ 150 ms | **no** |",
        "",
        "| Worker at the end | RSS | PSS | Limit | Well? |",
        "|---|---:|---:|---:|---|",
        "| 1 | 133 MB | 101 MB | 200 MB | yes |",
        "| 2 | 200 MB | 120 MB | 200 MB | **no** |",
    ]


def test_two_slow_ones_of_a_few_are_chance():
    kind = Kind(name="", requests=99, failures=0, median=1, p95=151, p99=151, longest=151)
    assert (kind.well(), replace(kind, requests=100).well(), replace(kind, failures=1).well()) == (True, False, False)
