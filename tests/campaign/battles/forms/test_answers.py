"""From posted forms to answers."""

from dataclasses import replace

import pytest
from django.http import QueryDict

from campaign.battles.forms.answers import ParsedAnswer, read
from campaign.battles.services.sequence import APP, PLAYER, TABLE
from rules.core.violations import RuleViolation, Violation
from rules.post_battle.aid_requests import RequestAid
from rules.post_battle.casualties import AddDice, Reroll, Rolled
from rules.post_battle.commendations import Award, Due
from rules.post_battle.dialogue import Await, Choose, ChooseSeveral, Confirm, Option, Pool, Roll
from rules.post_battle.edit_register import EditRegister
from rules.post_battle.rewards import JoinUnit

ROLL = Roll(rule="R31", text="Roll", pools=(Pool("check:2", "black_attack", 2), Pool("check:3", "black_attack", 1)))
TOKENS = ChooseSeveral(rule="R26", text="Draw", kind="ranks", bag={"corps": 2, "heavy": 1}, labels={}, count=2)
SETBACKS = ChooseSeveral(rule="R42", text="Which go?", kind="setbacks", bag={"downtrodden": 2}, labels={}, count=1)
CHOOSE = Choose(rule="R39", text="Whom?", kind="rival", options=(Option("1", "A"),), decline="nobody")
REROLL = Reroll(rule="R33", text="Which?", checks=(Rolled("2", "Hounds", ("hit", "surge"), 1),))
AWARD = Award(
    rule="R15",
    text="Award",
    dues=(
        Due("2", "Hounds", 1, (Option("resilient", "Resilient"),), needs_name=True),
        Due("3", "Scouts", 2, (Option("resilient", "Resilient"), Option("trained", "Trained")), needs_name=False),
    ),
)
JOIN = JoinUnit(rule="R29", text="Which?", cards=(Option("tauntauns", "Tauntauns"),))


@pytest.mark.parametrize(
    ("question", "posted", "given"),
    [
        (ROLL, "face:check:2:0=hit&face:check:2:1=blank&face:check:3:0=surge&dice=table",
         ParsedAnswer({"check:2": ["hit", "blank"], "check:3": ["surge"]}, TABLE)),
        (TOKENS, "take=corps&take=heavy&dice=table", ParsedAnswer(["corps", "heavy"], TABLE)),
        (SETBACKS, "take=downtrodden", ParsedAnswer(["downtrodden"], PLAYER)),
        (CHOOSE, "choice=1", ParsedAnswer("1")),
        (CHOOSE, "decline=1", ParsedAnswer(None)),
        (replace(CHOOSE, decline="", may_lack=True), "decline=1", ParsedAnswer("")),
        (CHOOSE, "", ParsedAnswer("")),
        (Confirm(rule="R26", text="", kind="may"), "confirm=yes", ParsedAnswer(True)),
        (Confirm(rule="R26", text="", kind="may"), "confirm=no", ParsedAnswer(False)),
        (Confirm(rule="R26", text="", kind="may"), "", ParsedAnswer(None)),
        (AddDice(rule="R32", text="", units=()), "add=2&add=3", ParsedAnswer(["2", "3"])),
        (AddDice(rule="R32", text="", units=()), "", ParsedAnswer([])),
        (REROLL, "reroll:2=1", ParsedAnswer({"2": [1]})),
        (REROLL, "keep=1&reroll:2=1", ParsedAnswer({})),
        (AWARD, "commendation:2=resilient&name:2=Hounds&commendation:3=trained&keyword:3:trained=Aim&keyword:3:x=y",
         ParsedAnswer({"2": {"commendation": "resilient", "name": "Hounds"},
                "3": {"commendation": "trained", "keyword": "Aim"}})),
        (AWARD, "commendation:2=skipped&commendation:3=skipped",
         ParsedAnswer({"2": {"commendation": None, "name": ""}, "3": {"commendation": None}})),
        (RequestAid(rule="R41", text="", supply_points=5), 'answer={"request":"active-recruiting"}',
         ParsedAnswer({"request": "active-recruiting"})),
        (RequestAid(rule="R41", text="", supply_points=5), "done=1", ParsedAnswer(None)),
        (EditRegister(rule="R11", text=""), "done=1", ParsedAnswer(None)),
        (EditRegister(rule="R11", text=""), "unit=at-st&name=&upgrades=a&upgrades=b",
         ParsedAnswer({"add": {"unit": "at-st", "upgrades": ["a", "b"], "name": ""}})),
        (JOIN, "card=tauntauns&name=Frost&upgrades:tauntauns=a&upgrades:other=b",
         ParsedAnswer({"card": "tauntauns", "upgrades": ["a"], "name": "Frost"})),
    ],
)  # fmt: skip
def test_what_is_posted_is_what_is_given(question, posted, given):
    assert read(question, QueryDict(posted)) == given


def test_what_the_app_shall_roll_is_left_to_the_sequence():
    assert read(ROLL, QueryDict("dice=app")) == read(TOKENS, QueryDict("dice=app")) == ParsedAnswer(None, APP)


def test_setbacks_are_never_drawn():
    assert read(SETBACKS, QueryDict("dice=app&take=downtrodden")) == ParsedAnswer(["downtrodden"], PLAYER)


@pytest.mark.parametrize(
    ("question", "posted", "violations"),
    [
        (ROLL, "dice=table&face:check:2:0=hit",
         (Violation("R31", "Enter every die.", "check:2"), Violation("R31", "Enter the die.", "check:3"))),
        (REROLL, "", (Violation("R33", "Choose the dice to reroll, or keep them all."),)),
        (REROLL, "reroll:2=-1", (Violation("R33", "Choose the dice to reroll, or keep them all."),)),
        (AWARD, "commendation:2=resilient", (Violation("R15", "Choose a Commendation, or skip it.", "3"),)),
        (RequestAid(rule="R41", text="", supply_points=5), "answer={",
         (Violation("", "The form was incomplete. Reload the page.", "answer"),)),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_beside_its_field(question, posted, violations):
    with pytest.raises(RuleViolation) as refused:
        read(question, QueryDict(posted))
    assert refused.value.violations == violations


def test_nobody_answers_for_the_other_side():
    with pytest.raises(KeyError):
        read(Await(rule="R39", text="Wait", what="rival"), QueryDict("choice=1"))
