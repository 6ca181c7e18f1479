"""The form of an event's scenario (section 9 of the rules of events): any other key is an error, never ignored."""

from pathlib import Path
from typing import Any

from core import scenarios

HOW = {"victory", "time", "draw", "conceded", "no_show", "all_defeated", "both_defeated", "six_rounds"}
#: Where a game round was when time was called: in the command phase a game of the regulations ends at once (E26).
PHASES = {"command", "activation", "end"}
RESULT: dict[str, Any] = {
    "players": [str], "winner?": (str, None), "how": HOW, "by?": (str, None), "agreed?": bool, "points?": [int],
    "tokens?": [int], "blue?": (str, None), "phase?": PHASES, "roll?": (str, None),
}  # fmt: skip
FIGURES: dict[str, Any] = {
    "points?": int, "rounds?": int, "sos?": (str, int), "points_defeated?": int, "tokens?": int, "mov?": (str, int),
    "ext_mov?": (str, int), "ext_sos?": (str, int),
}  # fmt: skip
PLAYER: dict[str, Any] = {"player": str}
ACTS: dict[str, dict[str, Any]] = {
    "pair": {"pairs?": [[str]], "bye?": (str, None)},
    "result": RESULT,
    "auto_results": {"order": [str]},
    "close_round": {},
    "drop": PLAYER, "rejoin": PLAYER, "eject": PLAYER, "warn": PLAYER, "late": PLAYER,
    "correct": {"round": int, **RESULT},
    "cut": {},
    "expect": {
        "standings?": [[str]], "figures?": {"*": FIGURES}, "next_bye?": (str, None), "bracket?": [[(str, None)]],
        "places?": {"*": str},
    },
}  # fmt: skip
EVENT: dict[str, Any] = {
    "event": str, "about?": str, "rules": {"GC", "TR"}, "tier?": {"casual", "competitive"}, "points?": int,
    "rounds?": (int, None), "cut?": (int, None), "players": [str], "armies?": {"*": int}, "tickets?": [str],
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises ScenarioError for anything that does not have the form."""
    return scenarios.read(path, EVENT, ACTS)
