"""Chance: from a cryptographic source, and replaceable."""

from __future__ import annotations

import random
import secrets
from collections import Counter

from campaign import dice
from rules.script import ChooseSeveral, Pool, Roll
from tests.campaign.first_blood import Stacked, loaded

ROLL = Roll(
    rule="R31",
    text="",
    pools=(Pool("check:2", "black_attack", 2), Pool("supply", "red_defense", 1)),
)
DRAW = ChooseSeveral(rule="R26", text="", kind="ranks", bag={"corps": 2, "heavy": 1}, labels={}, count=2)


def test_the_source_is_the_operating_systems():
    assert type(dice.source) is random.SystemRandom is secrets.SystemRandom


def test_every_die_of_every_pool_falls(monkeypatch):
    monkeypatch.setattr(dice, "source", Stacked("hit", "blank", "surge"))
    assert dice.roll(ROLL) == {"check:2": ["hit", "blank"], "supply": ["surge"]}


def test_what_is_rolled_is_an_answer():
    assert ROLL.check(dice.roll(ROLL)).keys() == {"check:2", "supply"}


def test_faces_come_as_often_as_the_die_has_them(monkeypatch):
    monkeypatch.setattr(dice, "source", loaded(7))
    many = Roll(rule="R31", text="", pools=(Pool("check:1", "black_attack", 80_000),))
    share = {face: round(times / 10_000) for face, times in Counter(dice.roll(many)["check:1"]).items()}
    assert share == {"hit": 3, "critical": 1, "surge": 1, "blank": 3}


def test_tokens_are_drawn_without_putting_back(monkeypatch):
    monkeypatch.setattr(dice, "source", loaded(7))
    drawn = [tuple(sorted(dice.draw(DRAW))) for _ in range(300)]
    assert set(drawn) == {("corps", "corps"), ("corps", "heavy")}
    assert round(drawn.count(("corps", "corps")) / 100) == 1  # one in three
