"""The form of a scenario: which keys an object may have. Any other key is an error, never ignored."""

from pathlib import Path
from typing import Any

from core import scenarios
from core.scenarios import ANY

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
        "register": str, "player": str, "name": str, "units": [UNIT], "aid?": [AID], "story_arc": str,
    },
    "edit": {"register": str, "edits": [EDIT]},
    "battle": {
        "size": int, "winner": {"blue", "red", None}, "turning_point?": {"blue", "red", None},
        "mission?": str, "victory_points?": {"*": int},
        "sides": {"blue": SIDE, "red": SIDE}, "terms_in_play?": {"*": ANY},
    },
    "expect": {"registers": {"*": STATE}},
}  # fmt: skip
SCENARIO: dict[str, Any] = {"scenario": str, "about?": str, "terms?": {"*": ANY}, "arcs?": [str]}


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that does not have the form."""
    return scenarios.read(path, SCENARIO, ACTS)
