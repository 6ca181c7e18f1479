"""`python -m config.audit`, which is `make audit`: whether a version that is locked has a known weakness.

pip-audit asks PyPI of each. A weakness ends it with 1. What could not be asked for is named and counts as nothing: a
network that is away must neither pass for an audit nor keep everybody from working. AUDIT=required makes it an error.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config.paths import BASE_DIR

#: All that the app and its developers need, at the versions of the app.
LOCK = BASE_DIR / "requirements-dev.txt"
ASKED = [str(Path(sys.executable).parent / "pip-audit"), "--disable-pip", "--require-hashes", "--format=json"]
ASKED += ["--progress-spinner=off", "--requirement"]


def main() -> None:
    """Ask, and say what came of it in a sentence or more."""
    asked = subprocess.run([*ASKED, str(LOCK)], capture_output=True, text=True, check=False)
    try:
        found = json.loads(asked.stdout)["dependencies"]
    except ValueError:
        found = []
    sentences, failed = told(found, required=os.environ.get("AUDIT") == "required")
    print(*sentences, sep="\n", flush=True)
    sys.exit(failed)


def told(found: list[dict[str, Any]], *, required: bool) -> tuple[list[str], bool]:
    """What to say of what pip-audit found, and whether that is an error."""
    weak = [(each, weakness) for each in found for weakness in each.get("vulns", ())]
    unasked = [each["name"] for each in found if "skip_reason" in each]
    sentences = [
        f"{each['name']} {each['version']} has a known weakness, {weakness['id']}; mended in "
        f"{', '.join(weakness['fix_versions']) or 'no version yet'}."
        for each, weakness in weak
    ]
    if not found or len(unasked) == len(found):
        sentences.append("WARNING: nothing was audited, for PyPI tells nothing of weaknesses here.")
    elif unasked:
        sentences.append(f"WARNING: {len(unasked)} of {len(found)} were not audited: {', '.join(unasked)}.")
    elif not weak:
        sentences.append(f"{len(found)} locked versions have no known weakness.")
    return sentences, bool(weak) or (required and (not found or bool(unasked)))


if __name__ == "__main__":
    main()
