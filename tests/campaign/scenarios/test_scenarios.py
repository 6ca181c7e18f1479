"""Campaigns written down: every file plays as it says, by the test and by the command."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from campaign.models import Campaign
from campaign.scenarios.play import play, read
from campaign.story_arcs.services.story_arcs import load_arcs
from catalogue.snapshot import forget
from core.scenarios import ExpectationFailed, ScenarioError

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = sorted(path.stem for path in FOLDER.glob("*.json"))
#: The gate plays the scenarios with one battle; longer ones are played nightly. Each rule has its tests in tests/rules.
LONG = {name for name in FILES if (FOLDER / f"{name}.json").read_text().count('"act": "battle"') > 1}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] if name in LONG else []) for name in FILES]
)
def test_plays_as_it_says(book, name: str) -> None:
    """Whole campaigns through the real services."""
    scenario = read(FOLDER / f"{name}.json")
    if "arcs" in scenario:
        load_arcs()
        forget()
    play(scenario, Campaign.objects.create(name=name))


def test_an_arc_that_is_not_there(book) -> None:
    scenario = {"scenario": "none", "arcs": ["unwritten-v1"], "acts": []}
    with pytest.raises(ScenarioError, match="arcs: there is no 'unwritten-v1'"):
        play(scenario, Campaign.objects.create(name="none"))


def test_plays_again(book) -> None:
    """Playing takes nothing out of what was read."""
    scenario = read(FOLDER / "first-blood.json")
    play(scenario, Campaign.objects.create(name="once"))
    assert scenario == json.loads((FOLDER / "first-blood.json").read_text(encoding="utf-8"))
    play(scenario, Campaign.objects.create(name="again"))


def test_two_guests_fight_nowhere(book, tmp_path) -> None:
    """R17: refused as it is expected, like anything that the rules refuse."""
    guests = {"blue": {"guest": "Sal", "points": 400}, "red": {"guest": "Tim", "points": 400}}
    act = {"act": "battle", "size": 600, "winner": None, "sides": guests, "refused": ["R17"]}
    play({"scenario": "guests", "acts": [act]}, Campaign.objects.create(name="guests"))
    del act["refused"]
    with pytest.raises(ExpectationFailed, match="At least one side plays a Register"):
        play({"scenario": "guests", "acts": [act]}, Campaign.objects.create(name="guests"))


def test_a_lent_unit_may_be_called_by_the_name_of_its_card(book, tmp_path) -> None:
    """R21: what Request Assistance names is a card, whatever handles there are."""
    data = json.loads((FOLDER / "r39-lent-rival.json").read_text(encoding="utf-8"))
    text = json.dumps(data)
    for act in data["acts"]:
        for side in act.get("sides", {}).values():
            for lent in side.get("lent", ()):
                if "as" in lent:
                    text = text.replace(f'"{lent["as"]}"', f'"{lent["unit"]}"')
    assert text != json.dumps(data)
    play(json.loads(text), Campaign.objects.create(name="r39"))


# --- The command ---------------------------------------------------------------------------------------------


def test_the_command_rolls_back_and_tells(book, tmp_path) -> None:
    """Each file in a transaction of its own; the others are played when one differs, and the status is 1."""
    spoiled = tmp_path / "spoiled.json"
    data = json.loads((FOLDER / "first-blood.json").read_text(encoding="utf-8"))
    data["acts"][3]["registers"]["alpha"]["supply_points"] = 7
    spoiled.write_text(json.dumps(data), encoding="utf-8")
    nowhere, output = tmp_path / "nowhere.json", StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("play", nowhere, spoiled, FOLDER / "first-blood.json", stdout=output, no_color=True)
    assert (str(caught.value), caught.value.returncode) == ("2 of 3 scenarios failed", 1)
    assert output.getvalue().splitlines() == [
        f"nowhere.json: {nowhere}: [Errno 2] No such file or directory: '{nowhere}'",
        "spoiled.json: act 4 (expect): ",
        "  alpha.supply_points: expected 7, found 6",
        "first-blood.json: 4 steps, all as expected",
    ]
    assert list(Campaign.objects.all()) == []


def test_the_command_keeps_what_it_shall_keep(book) -> None:
    """--keep commits, for demos and bug reports."""
    call_command("play", FOLDER / "first-blood.json", keep=True, stdout=StringIO())
    assert [campaign.name for campaign in Campaign.objects.all()] == ["first-blood"]
