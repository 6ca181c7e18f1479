"""Proving an event file in a process of its own."""

import os

import pytest

from core import own_process
from rules.core.violations import RuleViolation, Violation
from tournaments.services import exchange


def test_it_takes_no_time_of_the_web_worker(monkeypatch):
    monkeypatch.setattr(exchange, "violations", lambda content: [Violation("E23", f"{content} {os.getpid()}")])
    with pytest.raises(RuleViolation) as refused:
        exchange.prove({})
    [violation] = refused.value.violations
    assert violation.text.startswith("{} ")
    assert violation.text != f"{{}} {os.getpid()}"


@pytest.mark.parametrize("why", [own_process.Busy, own_process.TooLong])
def test_what_takes_too_long_is_refused(monkeypatch, why):
    def run(*_args, **_words):
        raise why

    monkeypatch.setattr(own_process, "run", run)
    with pytest.raises(RuleViolation, match="Proving this event takes too long now"):
        exchange.prove({})


def test_it_holds_up_others_for_two_minutes_at_most(monkeypatch):
    asked = {}
    monkeypatch.setattr(own_process, "run", lambda _work, **words: asked.update(words) or ())
    exchange.prove({})
    assert asked["seconds"] * asked["patience"] <= 120
