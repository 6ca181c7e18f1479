"""The form of an event's scenario (section 9 of the rules of events): any other key is an error, never ignored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.json_form import ANY, FormError, check

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
    "acts": [{"act": set(ACTS), "*": ANY}],
}  # fmt: skip


def read(path: Path) -> dict[str, Any]:
    """Return the scenario in a file. Raises FormError for anything that does not have the form."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormError(f"{path}: {error}") from error
    check(data, EVENT, path.name)
    for place, act in enumerate(data["acts"], start=1):
        check(act, {"act": str, "refused?": [str], **ACTS[act["act"]]}, f"{path.name}, act {place}")
    return data  # type: ignore[no-any-return]
