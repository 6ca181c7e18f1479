"""The form of a scenario: which keys an object may have. Any other key is an error, never ignored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class ScenarioError(Exception):
    """A scenario that does not have the form, or lacks an answer."""


ANY = object()

UNIT: dict[str, Any] = {"as": str, "unit": str, "name?": (str, None), "upgrades?": [str]}
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
    "register?": str, "guest?": str, "points?": int, "army?": ([str], {"*": [str]}), "assets?": [str],
    "lent?": [LENT],
    "agenda?": (str, None), "tokens?": int, "secondary_vp?": int, "confirmed?": [bool], "marked?": [str],
    "defeated?": [str], "contesting?": [str], "conceded?": bool, "in_game_experience?": {"*": int},
    "in_game_supply?": int, "contingency_switched?": bool, "claims?": [bool], "asks?": {"*": int},
    "sequence?": SEQUENCE,
}  # fmt: skip
DOSSIER: dict[str, Any] = {
    "experience?": int, "veteran_rank?": int, "maximum_veteran_rank?": int, "setbacks?": [str],
    "commendations?": [str], "command_cards?": [str], "keywords?": [str],
    "trait?": ({"slug": str, "games_left": int}, None), "upgrades?": [str], "points?": int,
}  # fmt: skip
STATE: dict[str, Any] = {
    "supply_points?": int, "combat_potential?": int, "combat_potential_spent?": int, "reputation?": int,
    "story_arc?": str, "agendas?": {"*": int}, "assets?": [str], "fallen?": [str], "dossiers?": {"*": DOSSIER},
}  # fmt: skip
ACTS: dict[str, dict[str, Any]] = {
    "found": {
        "act": str, "register": str, "player": str, "name": str, "units": [UNIT], "aid?": [AID],
        "story_arc": str, "refused?": [str],
    },
    "edit": {"act": str, "register": str, "edits": [EDIT], "refused?": [str]},
    "battle": {
        "act": str, "size": int, "winner": {"blue", "red", None}, "turning_point?": {"blue", "red", None},
        "sides": {"blue": SIDE, "red": SIDE}, "terms_in_play?": {"*": ANY}, "refused?": [str],
    },
    "expect": {"act": str, "registers": {"*": STATE}, "refused?": [str]},
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that does not have the form."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ScenarioError(f"{path}: {error}") from error
    form = {
        "scenario": str, "about?": str, "terms?": {"*": ANY}, "arcs?": [str], "acts": [{"act": set(ACTS), "*": ANY}],
    }  # fmt: skip
    check(data, form, str(path.name))
    for place, act in enumerate(data["acts"], start=1):
        check(act, ACTS[act["act"]], f"{path.name}, act {place}")
    return data  # type: ignore[no-any-return]


def check(value: Any, form: Any, where: str) -> None:
    """Raise ScenarioError unless `value` has the form. A form is a type, None, a set of values, a list of one form, a
    tuple of alternatives, or the keys of an object; of those, "key?" may be missing and "*" stands for every other
    key.
    """
    match form:
        case _ if form is ANY:
            return
        case set():
            known = isinstance(value, str | None) and value in form
            _expect(known, f"one of {', '.join(sorted(map(repr, form)))}", value, where)
        case tuple():
            _check_alternatives(value, form, where)
        case list():
            _expect(isinstance(value, list), "a list", value, where)
            for place, item in enumerate(value):
                check(item, form[0], f"{where}[{place}]")
        case dict():
            _expect(isinstance(value, dict), "named values", value, where)
            _check_keys(value, form, where)
        case None:
            _expect(value is None, "null", value, where)
        case _:
            _expect(type(value) is form, form.__name__, value, where)


def _expect(fits: bool, wanted: str, value: Any, where: str) -> None:
    if not fits:
        raise ScenarioError(f"{where}: expected {wanted}, not {value!r}")


def _check_alternatives(value: Any, forms: tuple[Any, ...], where: str) -> None:
    errors = []
    for form in forms:
        try:
            return check(value, form, where)
        except ScenarioError as error:
            errors.append(error)
    raise errors[0]


def _check_keys(value: dict[str, Any], form: dict[str, Any], where: str) -> None:
    known = {key.rstrip("?"): inner for key, inner in form.items() if key != "*"}
    missing = [key for key in form if not key.endswith(("?", "*")) and key not in value]
    unknown = [key for key in value if key not in known and "*" not in form]
    if missing or unknown:
        raise ScenarioError(f"{where}: missing {missing}, unknown {unknown}")
    for key, item in value.items():
        check(item, known[key] if key in known else form["*"], f"{where}.{key}")
