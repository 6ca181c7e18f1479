"""The form of a scenario: which keys an object may have. Whatever is not in here is an error, never ignored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class ScenarioError(Exception):
    """A scenario that is not in the form, or lacks an answer."""


ANY = object()

UNIT: dict[str, Any] = {"as": str, "unit": str, "name?": str, "upgrades?": [str]}
EDIT: dict[str, Any] = {
    "add?": UNIT,
    "upgrade?": {"unit": str, "upgrade": str},
    "name?": {"unit": str, "name": str},
    "refused?": [str],
}
AID: dict[str, Any] = {
    "request": str, "unit?": str, "upgrade?": str, "asset?": str, "setback?": str, "dice?": [str],
    "remove?": [str], "refused?": [str],
}  # fmt: skip
LENT: dict[str, Any] = {
    "asset": str, "as?": str, "unit?": str, "upgrades?": [str], "upgrade?": str, "exempt?": str,
}  # fmt: skip
ANSWER: dict[str, Any] = {
    "unit?": (str, None), "option?": int, "may?": bool, "ranks?": [str], "roll?": [str], "setback?": [str],
    "trait?": [str], "remove?": str, "add?": UNIT,
}  # fmt: skip
CHECK: dict[str, Any] = {
    "unit": str, "dice": [str], "extra_die?": bool, "blanks_rerolled?": [str],
    "reroll?": {"dice": [int], "faces": [str]}, "setback?": [str], "trait?": [str],
}  # fmt: skip
COMMENDATION: dict[str, Any] = {
    "unit": str, "commendation": (str, None), "name?": (str, None), "keyword?": (str, None),
}  # fmt: skip
SEQUENCE: dict[str, Any] = {
    "agenda_reward?": [ANSWER], "end_of_game_reward?": [ANSWER], "turning_point_reward?": [ANSWER],
    "supply?": (str, None), "medevac?": (str, None), "casualties?": [CHECK], "rival?": (str, None),
    "commendations?": [COMMENDATION], "command_cards?": [(str, None)], "warden?": [str], "aid?": [AID],
    "edit?": [EDIT], "story_arc?": (str, None),
}  # fmt: skip
SIDE: dict[str, Any] = {
    "register?": str, "guest?": str, "points?": int, "army?": ANY, "assets?": [str], "lent?": [LENT],
    "agenda?": (str, None), "tokens?": int, "secondary_vp?": int, "confirmed?": [bool], "marked?": [str],
    "defeated?": [str], "contesting?": [str], "conceded?": bool, "in_game_experience?": ANY,
    "in_game_supply?": int, "contingency_switched?": bool, "claims?": [bool], "asks?": ANY,
    "sequence?": SEQUENCE,
}  # fmt: skip
STATE: dict[str, Any] = dict.fromkeys(
    (
        "supply_points?", "combat_potential?", "combat_potential_spent?", "reputation?", "story_arc?", "agendas?",
        "assets?", "fallen?", "dossiers?",
    ),
    ANY,
)  # fmt: skip
ACTS: dict[str, dict[str, Any]] = {
    "found": {
        "act": str, "register": str, "player": str, "name": str, "units": [UNIT], "aid?": [AID],
        "story_arc": str, "refused?": [str],
    },
    "edit": {"act": str, "register": str, "edits": [EDIT], "refused?": [str]},
    "battle": {
        "act": str, "size": int, "winner": (str, None), "turning_point?": (str, None),
        "sides": {"blue": SIDE, "red": SIDE}, "refused?": [str],
    },
    "expect": {"act": str, "registers": ANY, "refused?": [str]},
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    """The scenario in a file. Raises ScenarioError for anything that is not in the form."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    check(data, {"scenario": str, "about?": str, "acts": [ANY]}, str(path.name))
    for place, act in enumerate(data["acts"]):
        where = f"{path.name}, act {place + 1}"
        if not isinstance(act, dict) or act.get("act") not in ACTS:
            raise ScenarioError(f"{where}: an act is one of {', '.join(ACTS)}")
        check(act, ACTS[act["act"]], where)
        for registers in [act["registers"]] if act["act"] == "expect" else []:
            for handle, state in registers.items():
                check(state, STATE, f"{where}, {handle}")
    return data  # type: ignore[no-any-return]


def check(value: Any, form: Any, where: str) -> None:
    """Raise ScenarioError unless `value` has the form: a type, a list of one, a choice of several, or keys."""
    if form is ANY:
        return
    if isinstance(form, tuple):
        if value is None and None in form:
            return
        check(value, form[0], where)
    elif isinstance(form, list):
        if not isinstance(value, list):
            raise ScenarioError(f"{where}: expected a list, not {value!r}")
        for place, item in enumerate(value):
            check(item, form[0], f"{where}[{place}]")
    elif isinstance(form, dict):
        _check_keys(value, form, where)
    elif type(value) is not form:
        raise ScenarioError(f"{where}: expected {form.__name__}, not {value!r}")


def _check_keys(value: Any, form: dict[str, Any], where: str) -> None:
    if not isinstance(value, dict):
        raise ScenarioError(f"{where}: expected named values, not {value!r}")
    known = {key.rstrip("?"): inner for key, inner in form.items()}
    missing = [key for key in form if not key.endswith("?") and key not in value]
    unknown = [key for key in value if key not in known]
    if missing or unknown:
        raise ScenarioError(f"{where}: missing {missing}, unknown {unknown}")
    for key, item in value.items():
        check(item, known[key], f"{where}.{key}")
