"""Lists as players paste them, and what is read from each: `<format>/<list>.txt` and the JSON file next to it.

`MUSTERBOOK_WRITE_LISTS=1 pytest tests/lists/formats/test_lists.py` writes the JSON files again. Read each change before
you commit it.
"""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from lists.formats.cards import CardIndex
from lists.formats.detect import read
from lists.formats.parsed import Format, Parsed

WRITE = os.environ.get("MUSTERBOOK_WRITE_LISTS") == "1"
LISTS = sorted(Path(__file__).parent.glob("*/*.txt"))


def as_json(parsed: Parsed) -> dict[str, Any]:
    """Return what was read, without the fields of a line that are empty."""
    return {
        "lines": [
            {name: value for name, value in asdict(line).items() if value not in ("", (), None)}
            for line in parsed.lines
        ],
        "violations": parsed.violations,
    }


def written(found: dict[str, Any]) -> str:
    """Return the text of the JSON file: one line of the list a line."""
    lines = ",\n".join(f"    {json.dumps(line, ensure_ascii=False)}" for line in found["lines"])
    violations = json.dumps(found["violations"], ensure_ascii=False)
    return f'{{\n  "lines": [\n{lines}\n  ],\n  "violations": {violations}\n}}\n'


@pytest.mark.parametrize("path", LISTS, ids=[f"{path.parent.name}/{path.stem}" for path in LISTS])
def test_each_list_is_read(index: CardIndex, path: Path):
    parsed = read(path.read_text(), index)

    found = written(as_json(parsed))
    if WRITE:
        path.with_suffix(".json").write_text(found)
    assert (parsed.format, parsed.refused) == (Format[path.parent.name.upper()], "")
    assert json.loads(found) == json.loads(path.with_suffix(".json").read_text())
