"""Scenarios that are spoiled before they are played."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from campaign.models import Campaign
from campaign.scenarios import play as playing
from campaign.scenarios.answers import Handles
from campaign.scenarios.play import play, read
from campaign.scenarios.stage import Stage
from core.scenarios import ExpectationFailed, ScenarioError
from tests.once import once

FOLDER = Path(__file__).parents[2] / "scenarios"
MISSING = object()

BATTLE = ("acts", 2, "sides", "blue")
SEQUENCE = (*BATTLE, "sequence")
CHECK = (*SEQUENCE, "casualties", 0)
ALPHA = ("acts", 3, "registers", "alpha")

WOUNDED = ("acts", 12, "sides", "blue", "sequence", "aid", 0)


def in_battle(text: str) -> str:
    """The text of an error in the battle of First Blood."""
    return f"act 3 (battle): {text}"


def refused(text: str) -> str:
    """The text of a refusal that the scenario did not expect."""
    return in_battle(f"expected no refusal, found: {text}")


def unasked(answer: str, rule: str) -> str:
    """The text of a refusal for an answer without a question."""
    return refused(f"Nobody asked for this answer: {answer}. ({rule})")


def differs(text: str) -> str:
    """The text of an expectation that is not met."""
    return f"act 4 (expect): \n  {text}"


def spoil(data: Any, path: tuple[str | int, ...], value: Any) -> None:
    """Put `value` at `path` (a list takes it up at its end if it is as long), or take away what is MISSING."""
    *way, last = path
    for step in way:
        data = data[step]
    if value is MISSING:
        del data[last]
    elif isinstance(data, list) and last == len(data):
        data.append(value)
    else:
        data[last] = value


def error_of(tmp_path: Path, name: str, *changes: tuple[tuple[str | int, ...], Any]) -> str:
    """What playing the spoiled scenario `name` says."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    for path, value in changes:
        spoil(data, path, value)
    copy = tmp_path / f"{name}.json"
    copy.write_text(json.dumps(data), encoding="utf-8")
    campaign = _campaign(name)
    with pytest.MonkeyPatch.context() as patches:
        patches.setitem(playing._ACTS, "found", _found)
        with pytest.raises((ScenarioError, ExpectationFailed)) as caught:
            play(read(copy), campaign)
    return str(caught.value)


@once
def _campaign(name: str) -> Campaign:
    return Campaign.objects.create(name=name)


def _found(stage: Stage, act: dict[str, Any]) -> None:
    """Build a Register, as nearly all of these scenarios begin alike."""
    name = act["register"]
    if name in stage.registers:
        playing._found(stage, act)
        return
    stage.registers[name], keys = _founded(stage.campaign, act)
    stage.handles[name] = Handles()
    stage.handles[name].keys = keys


@once
def _founded(campaign: Campaign, act: dict[str, Any]) -> tuple[UUID, dict[str, str]]:
    stage = Stage(campaign)
    playing._found(stage, act)
    return stage.registers[act["register"]], stage.handles[act["register"]].keys
