"""The dice of a battle as they are read, and the file of them."""

import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from campaign.battles.access import battle_for
from campaign.battles.pages.dice import Promise, drawn_in, entries_of, exported, promise_of
from campaign.battles.services import fair_dice
from rules.core.dice import DICE, commitment, roll, take, text_of
from tests.campaign.battles.rolling import revealed, rolled
from tests.campaign.first_blood import Fought

SCRIPT = Path(__file__).parents[4] / "docs" / "check_dice.py"


def export(fought: Fought) -> dict[str, Any]:
    battle, _ = battle_for(fought.ada, fought.battle.pk)
    data: dict[str, Any] = json.loads(json.dumps(exported(battle, drawn_in(battle, entries_of(battle)))))
    return data


def test_draws_and_typed_dice_by_side_step_and_roll(fought):
    battle, _ = battle_for(rolled(fought).ada, fought.battle.pk)
    found = [(one.label, one.what, one.number > 0, one.undone) for one in drawn_in(battle, entries_of(battle))]
    assert found[:7] == [
        ("blue/1/1/tokens", "order tokens", False, False),
        ("blue/3/1/supply", "supplies", False, False),
        ("red/3/1/supply", "supplies", True, True),
        ("red/3/1/supply", "supplies", True, False),
        ("red/4/1/check:2", "Rebel Troopers (no. 2): Casualty Check", True, False),
        ("red/4/1/check:3", "Rebel Troopers (no. 3): Casualty Check", True, False),
        ("red/4/1/check:6", "AT-RT: Casualty Check", True, False),
    ]
    tokens, supply, *_ = drawn_in(battle, entries_of(battle))
    assert (tokens.dice, tokens.tokens) == ([], "corps, heavy")
    assert (supply.dice, supply.tokens) == ([{"die": "red_defense", "face": "block"}], "")


def test_the_seed_is_in_the_file_once_it_is_shown_and_not_before(fought):
    seed = fought.battle.dice_seeds.get()
    secret = bytes(seed.secret).hex()
    before = export(rolled(fought))
    assert secret not in json.dumps(before)
    assert before["seeds"] == [
        {
            "number": 1, "commitment": seed.commitment, "seed": None,
            "blue_word": "Måne & <sand>", "red_word": "", "made_at": seed.made_at.isoformat(),
            "shown_at": None,
        }
    ]  # fmt: skip


# --- The script ----------------------------------------------------------------------------------------------


@pytest.fixture
def check(tmp_path: Path) -> Callable[[dict[str, Any]], tuple[int, str]]:
    """Run the script as a stranger would; how it ends, and what it says."""

    def run(data: dict[str, Any]) -> tuple[int, str]:
        file = tmp_path / "dice.json"
        file.write_text(json.dumps(data), "utf-8")
        done = subprocess.run(
            [sys.executable, "-I", str(SCRIPT), str(file)], capture_output=True, text=True, timeout=30
        )
        return done.returncode, (done.stdout + done.stderr).strip()

    return run


def test_the_script_is_short_and_needs_nothing():
    lines = SCRIPT.read_text("utf-8").splitlines()
    imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) <= 40
    assert imported <= set(sys.stdlib_module_names)


def test_the_script_says_that_all_is_right_or_what_is_not(fought, check):
    violations = export(rolled(fought))
    count = len(violations["draws"])
    assert check(violations) == (0, f"0 draws checked, none is wrong; {count} wait for their seed.")
    fair_dice.reveal(fought.battle)
    violations = export(fought)
    assert check(violations) == (0, f"{count} draws checked, none is wrong; 0 wait for their seed.")
    assert check(_with(violations, "draws", 2, faces=[_other(violations["draws"][2]["faces"][0])])) == (
        1, "Draw 3 (red/4/1/check:2) is not right.",
    )  # fmt: skip
    assert check(_with(violations, "seeds", 0, seed="00" * 32)) == (1, "Seed 1 is not the one that was promised.")
    assert check(violations | {"draws": violations["draws"][1:]}) == (1, "Draw 1 is missing.")


def test_after_a_seed_is_shown_the_same_roll_alone_may_use_it(fought, check):
    args = export(revealed(fought))
    late = {**args["draws"][0], "number": len(args["draws"]) + 1, "at": "9999-01-01T00:00:00+00:00"}
    assert check(args | {"draws": [*args["draws"], late]})[0] == 0
    new = late | {"label": "red/3/2/supply"}
    assert check(args | {"draws": [*args["draws"], new]}) == (
        1, f"Draw {new['number']} (red/3/2/supply) could be foreseen: its seed had been shown.",
    )  # fmt: skip
    other = args["seeds"][0] | {"number": 2}
    fished = args | {"seeds": [*args["seeds"], other], "draws": [*args["draws"], late | {"seed": 2}]}
    assert check(fished) == (
        1, f"Draw {late['number']} (red/3/1/supply) was rolled before, by another seed.",
    )  # fmt: skip


def test_the_script_knows_all_dice_and_bags(check):
    """An export with every die and a bag, drawn by the rules themselves."""

    seed, bag = bytes(range(32)), ["heavy", "corps", "corps", "support"]
    draws = [
        {"number": number, "seed": 1, "label": die, "die": die, "bag": [],
         "at": "2026-01-01T00:00:00+00:00",
         "faces": roll(seed, text_of("b", ("x", "y"), die), die, 40)}
        for number, die in enumerate(DICE, start=1)
    ]  # fmt: skip
    tokens = take(seed, text_of("b", ("x", "y"), "tokens"), bag, 3)
    draws.append(draws[0] | {"number": len(draws) + 1, "label": "tokens", "die": "", "bag": bag, "faces": tokens})
    promised = {
        "number": 1,
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "blue_word": "x",
        "red_word": "y",
        "shown_at": "2026-01-02T00:00:00+00:00",
    }
    values = {"battle": "b", "seeds": [promised], "draws": draws}
    assert check(values) == (0, "6 draws checked, none is wrong; 0 wait for their seed.")
    for other in (values | {"battle": "c"}, _with(values, "seeds", 0, red_word="afterwards")):
        assert check(other) == (1, "Draw 1 (red_attack) is not right.")


def _with(data: dict[str, Any], part: str, place: int, **change: Any) -> dict[str, Any]:
    """Return these draws with one thing changed."""
    changed = deepcopy(data)
    changed[part][place] |= change
    return changed


def _other(face: str) -> str:
    return "blank" if face != "blank" else "hit"


# --- What was promised ---------------------------------------------------------------------------------------


def promised(user: User, fought: Fought) -> Promise:
    battle, role = battle_for(user, fought.battle.pk)
    return promise_of(role, battle)


def test_each_player_sees_both_words_and_may_change_their_own_until_the_first_roll(fought):
    ada, ben = (promised(user, fought) for user in (fought.ada, fought.ben))
    assert [(side.colour, word) for side, word in ada.words] == [("blue", ""), ("red", "")]
    assert [[side.colour for side, _ in promise.own] for promise in (ada, ben)] == [["blue"], ["red"]]
    revealed(fought)
    after = promised(fought.ada, fought)
    assert (after.own, [word for _, word in after.words]) == ([], ["Måne & <sand>", ""])
