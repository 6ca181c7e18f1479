"""Positions and figures that the rules of events are tested with."""

import json
from pathlib import Path
from typing import Any


def load(name: str) -> Any:
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
