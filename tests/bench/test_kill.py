"""An answer that ends a step, killed between any two of its statements; bench/kill.py kills more."""

from __future__ import annotations

import pytest

from bench.kill import play

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_step_is_done_or_not_done(book):
    [killed] = play(
        seed=1, only="answer that ends a step", step=2
    )  # before each statement, and after the last
    assert killed.before >= killed.statements > 10
    assert killed.after >= 1
