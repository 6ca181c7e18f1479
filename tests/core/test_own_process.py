"""Costly work in a process of its own: one at a time, limited, and heard by whoever waits for it."""

import os
import time

import pytest

from core import own_process
from core.own_process import Busy, TooLong, run


def test_it_returns_what_the_work_returns():
    assert run(lambda _ask: os.getpid(), queue="test", wait=0, seconds=30) != os.getpid()


def test_it_raises_what_the_work_raises():
    def work(_ask):
        raise ValueError("no pairs")

    with pytest.raises(ValueError, match="no pairs"):
        run(work, queue="test", wait=0, seconds=30)


def test_the_work_asks_its_parent():
    heard = run(
        lambda ask: [ask(2), ask(3)], queue="test", wait=0, seconds=30, answer=lambda value: (value, os.getpid())
    )
    assert heard == [(2, os.getpid()), (3, os.getpid())]


def test_an_answer_that_fails_fails_the_work():
    with pytest.raises(ZeroDivisionError):
        run(lambda ask: ask(0), queue="test", wait=0, seconds=30, answer=lambda value: 1 / value)


def test_it_is_stopped_when_it_takes_too_long():
    started = time.monotonic()
    with pytest.raises(TooLong):
        run(lambda _ask: time.sleep(60), queue="test", wait=0, seconds=0.1)
    assert time.monotonic() - started < 10


def test_only_quick_work_has_the_share_of_requests():
    usual = os.nice(0)

    def work(_ask):
        while os.nice(0) == usual:
            time.sleep(0.001)
        return os.nice(0)

    assert run(lambda _ask: os.nice(0), queue="test", wait=0, seconds=30, quick=30) == usual
    assert run(work, queue="test", wait=0, seconds=30) == min(usual + own_process.NICE, 19)


def test_a_busy_machine_gets_more_time_on_the_clock():
    def work(_ask):
        time.sleep(0.15)
        return "done"

    assert run(work, queue="test", wait=0, seconds=0.1, patience=100) == "done"
    with pytest.raises(TooLong):
        run(work, queue="test", wait=0, seconds=0.1)


def test_one_that_is_killed_is_too_long():
    with pytest.raises(TooLong):
        run(lambda _ask: os.kill(os.getpid(), 9), queue="test", wait=0, seconds=30)


def test_one_of_a_queue_at_a_time():
    def nested(queue):
        return run(lambda _ask: "done", queue=queue, wait=0, seconds=30)

    assert run(lambda ask: ask("other"), queue="test", wait=0, seconds=30, answer=nested) == "done"
    with pytest.raises(Busy):
        run(lambda ask: ask("test"), queue="test", wait=0, seconds=30, answer=nested)


def test_who_waits_gives_up_the_turn(monkeypatch):
    given = []
    monkeypatch.setattr(own_process.this_thread, "give_up", lambda: given.append(True), raising=False)
    run(lambda _ask: None, queue="test", wait=0, seconds=30)
    assert given == [True]
